package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// Env is everything that a command has of the world.
type Env struct {
	Args    []string // without the program's name
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Getenv  func(string) string
	Now     func() time.Time
	Dir     string // working directory
	Version string // "0.1.0"
}

// app is one invocation.
type app struct {
	Env
	config  *config.Config
	envFile config.EnvFile
	flags   global
	tree    string         // top of the audited tree on this disk, "" when there is none
	veil    *safetext.Veil // hides our tokens and passwords in whatever is written
	keys    []string       // secrets that settings name, hidden, too
	stream  *shared        // standard error

	lastMu sync.Mutex
	last   []trace.Event // for a crash file
}

// global are the flags of every command.
type global struct {
	config, envFile string
	color, progress string
	quiet, debug    bool
	noInput, json   bool
}

func newApp(env Env) *app {
	a := &app{Env: env, config: config.New()}
	a.stream = &shared{w: env.Stderr, hide: a.hide}
	a.Stderr = a.stream
	return a
}

// Run runs one command and gives its exit code.
func Run(ctx context.Context, env Env) (code int) {
	a := newApp(env)
	defer func() {
		if p := recover(); p != nil {
			code = a.crash(p, debug.Stack())
		}
	}()
	a.veil = safetext.NewVeil(a.secrets()...)
	help := &swallower{lines{w: a.Stdout}}
	root := a.root(help)
	root.SetArgs(append([]string{}, env.Args...)) // nil would mean the process's own
	err := root.ExecuteContext(ctx)
	if errors.Is(err, errVersion) {
		err = a.printVersion("text")
	}
	if err == nil {
		err = a.printed(help.err)
	}
	return a.exit(ctx, err)
}

// The groups of commands, in the order of the help.
const (
	groupExamine = "examine"
	groupRecord  = "record"
	groupRubric  = "rubric"
	groupSelf    = "self"
)

// root is the tree of commands. Help and completions are written to out.
func (a *app) root(out io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "automaton",
		Short: "Audits a repository and its report against a rubric: three judges, rules that decide, evidence you can check",
		Example: `  automaton audit https://github.com/OWNER/NAME
  automaton audit . --pdf report.pdf -r rubric.json --fail-under 3.5
  automaton explain -c safe_tool_engineering
  automaton facts . -f md`,
		SilenceErrors: true, SilenceUsage: true, DisableSuggestions: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(args[0])
			}
			return nil
		},
		PersistentPreRunE: a.global,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(out) // before the commands of the library are made, which keep it
	root.SetErr(a.Stderr)
	root.SetIn(a.Stdin)
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetFlagErrorFunc(flagError)
	a.globalFlags(root)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		_, _ = io.WriteString(c.OutOrStdout(), help(c, min(a.width(), mostRead))) // what goes wrong is kept there
	})
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{groupExamine, "Examine a repository", []*cobra.Command{a.auditCommand(), a.factsCommand(), a.graphCommand()}},
		{groupRecord, "Read a record", []*cobra.Command{a.reportCommand(), a.explainCommand(), a.compareCommand(), a.whatifCommand(), a.verifyCommand(), a.replayCommand()}},
		{groupRubric, "Rubrics and checks", []*cobra.Command{a.rubricCommand(), a.probeCommand()}},
		{groupSelf, "This program", []*cobra.Command{a.codeCommand(), a.doctorCommand(), a.versionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID(groupSelf)
	root.SetCompletionCommandGroupID(groupSelf)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(a.Args...)
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short = "What a command is for, and its flags"
			c.Run, c.RunE = nil, helpOn
		case "completion":
			c.Short = "The script by which a shell completes commands, flags and ids"
		}
	}
	if len(a.Args) == 0 || !strings.HasPrefix(a.Args[0], "__complete") { // which reads the flags twice
		onlyOnce(root)
	}
	a.completions(root)
	return root
}

// helpOn shows the help of a command, and refuses words that name none.
func helpOn(c *cobra.Command, args []string) error {
	about, rest, err := c.Root().Find(args)
	switch {
	case err != nil:
		return usage("automaton help lists the commands", "reading arguments: %w", err)
	case len(rest) > 0 && !about.HasParent():
		return usage(cmp.Or(meant(rest[0], commandNames()), "automaton help lists the commands"), "reading arguments: unknown command %q", rest[0])
	case len(rest) > 0:
		return usage(about.CommandPath()+" --help says what it takes", "reading arguments: unknown command %q", rest[0])
	}
	return about.Help()
}

func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.flags.config, "config", "", "read this `FILE` instead of ./automaton.yaml")
	f.StringVar(&a.flags.envFile, "env-file", "", "read this `FILE` instead of ./.env; none reads none")
	f.Var(choice{&a.flags.color, []string{"always", "auto", "never"}, "value %q for --color"}, "color", "`WHEN` to colour: auto, always or never")
	f.Var(choice{&a.flags.progress, []string{"auto", "json", "live", "none", "plain"}, "value %q for --progress"}, "progress", "`HOW` a run is shown: auto, live, plain, json or none")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "no progress and no warnings")
	f.BoolVarP(&a.flags.debug, "debug", "d", false, "say what is read and decided")
	f.BoolVar(&a.flags.noInput, "no-input", false, "never ask (nothing asks today)")
	f.BoolVar(&a.flags.json, "json", false, "same as -f json")
	f.Var(versionFlag{}, "version", "print the version and end")
	f.Lookup("version").NoOptDefVal = "true"
}

// commandNames lists the commands, in the order of the help.
func commandNames() []string {
	return []string{"audit", "facts", "graph", "report", "explain", "compare", "whatif", "verify", "replay", "rubric", "probe", "code", "doctor", "version", "completion", "help"}
}

// unknownCommand explains a first word that is no command: there is no
// catch-all, but the hint knows what was meant.
func unknownCommand(word string) error {
	if strings.Contains(word, "://") || strings.HasPrefix(word, "git@") || strings.Contains(word, "/") {
		return usage("automaton audit "+word, "reading arguments: unknown command %q", word)
	}
	return usage(meant(word, commandNames()), "reading arguments: unknown command %q", word)
}
