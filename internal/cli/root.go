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
	"github.com/automaton-auditor/automaton/internal/llm"
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
	about   string         // the case that messages are about, as its user named it
	trees   []string       // tops of the audited trees on this disk
	veil    *safetext.Veil // hides our tokens and passwords in whatever is written
	keys    []string       // secrets that settings name, hidden, too
	stream  *shared        // standard error
	// lend gives more of a budget that other processes spend from, too; nil: it is this one's alone.
	lend func(ctx context.Context, most llm.Bill) (llm.Bill, error)
	// modelShare is the part of a profile's requests and tokens a minute that this process takes; 0: all.
	modelShare float64

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
		Short: "Audits a repository and its report against a rubric: three judges, fixed rules, evidence that you can check",
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
		{groupExamine, "Examine a repository", []*cobra.Command{a.auditCommand(), a.batchCommand(), a.workerCommand(), a.factsCommand(), a.graphCommand(), a.mcpCommand()}},
		{groupRecord, "Read a record", []*cobra.Command{a.reportCommand(), a.explainCommand(), a.compareCommand(), a.calibrateCommand(), a.serveCommand(), a.whatifCommand(), a.verifyCommand(), a.signCommand(), a.replayCommand(), a.appealCommand(), a.publishCommand(), a.undoCommand()}},
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
			c.Use, c.Long = "help [COMMAND]", ""
			c.Short = "Shows what a command is for, and its flags"
			c.Run, c.RunE = nil, helpOn
		case "completion":
			c.Short = "Prints a script that lets a shell complete commands, flags and names"
			c.Long = "The script completes commands, flags and their values: formats, built-in rubrics, probes, and the criteria and evidence of the latest case. COMMAND is the name of your shell; its help shows how to load the script."
			for _, shell := range c.Commands() {
				loading(shell)
			}
		}
	}
	placeholders(root)
	if len(a.Args) == 0 || !strings.HasPrefix(a.Args[0], "__complete") { // which reads the flags twice
		onlyOnce(root)
	}
	a.completions(root)
	return root
}

// loading words the help of a shell's script.
func loading(shell *cobra.Command) {
	load := map[string][2]string{
		"bash":       {"source <(automaton completion bash)", "automaton completion bash > ~/.local/share/bash-completion/completions/automaton"},
		"zsh":        {"source <(automaton completion zsh)", "automaton completion zsh > \"${fpath[1]}/_automaton\""},
		"fish":       {"automaton completion fish | source", "automaton completion fish > ~/.config/fish/completions/automaton.fish"},
		"powershell": {"automaton completion powershell | Out-String | Invoke-Expression", "automaton completion powershell >> $PROFILE"},
	}[shell.Name()]
	shell.Short = "Prints the completion script for " + shell.Name()
	shell.Long = "Standard output is the script. The first example loads it into the shell that is running, the second into every new one."
	shell.Example = "  " + load[0] + "\n  " + load[1]
	switch shell.Name() {
	case "bash":
		shell.Long += " The package bash-completion must be installed."
	case "zsh":
		shell.Long += " The second needs completion to be on: autoload -U compinit; compinit in ~/.zshrc."
	}
	if f := shell.Flags().Lookup("no-descriptions"); f != nil {
		f.Usage = "complete words only, without what they mean"
	}
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
	f.StringVar(&a.flags.config, "config", "", "`FILE` configuration file (default ./automaton.yaml)")
	f.StringVar(&a.flags.envFile, "env-file", "", "`FILE` file of environment variables, or none (default ./.env)")
	f.Var(choice{&a.flags.color, []string{"always", "auto", "never"}, "value %q for --color"}, "color", "`WHEN` when to use colours: auto, always or never (default auto)")
	f.Var(choice{&a.flags.progress, []string{"auto", "json", "live", "none", "plain"}, "value %q for --progress"}, "progress", "`HOW` how to show progress: auto, live, plain, json or none (default auto)")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "show no progress, notes or warnings")
	f.BoolVarP(&a.flags.debug, "debug", "d", false, "show what is read and decided")
	f.BoolVar(&a.flags.noInput, "no-input", false, "never ask a question (no command asks one today)")
	f.BoolVar(&a.flags.json, "json", false, "same as -f json")
	f.Var(versionFlag{}, "version", "print the version and exit")
	f.Lookup("version").NoOptDefVal = "true"
}

// commandNames lists the commands, in the order of the help.
func commandNames() []string {
	return []string{"audit", "batch", "worker", "facts", "graph", "mcp", "report", "explain", "compare", "calibrate", "serve", "whatif", "verify", "sign", "replay", "appeal", "publish", "undo", "rubric", "probe", "code", "doctor", "version", "completion", "help"}
}

// unknownCommand explains a first word that is not a command: there is no
// catch-all, but the hint knows what was meant.
func unknownCommand(word string) error {
	if strings.Contains(word, "://") || strings.HasPrefix(word, "git@") || strings.Contains(word, "/") {
		return usage("automaton audit "+word, "reading arguments: unknown command %q", word)
	}
	return usage(meant(word, commandNames()), "reading arguments: unknown command %q", word)
}
