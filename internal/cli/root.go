package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/automaton-auditor/automaton/internal/config"
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
	envFile map[string]string
	flags   global
	tree    string // top of the audited tree on this disk, "" when there is none
}

type global struct {
	config, envFile string
	quiet, debug    bool
	noInput, json   bool
}

// Run runs one command and gives its exit code.
func Run(ctx context.Context, env Env) (code int) {
	a := &app{Env: env, config: config.New()}
	defer func() {
		if p := recover(); p != nil {
			code = a.crash(p, debug.Stack())
		}
	}()
	root := a.root()
	root.SetArgs(env.Args)
	err := root.ExecuteContext(ctx)
	return exit(env.Stderr, err)
}

func (a *app) root() *cobra.Command {
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
				return a.unknownCommand(args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetIn(a.Stdin)
	root.CompletionOptions.HiddenDefaultCmd = false
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(c.CommandPath()+" --help shows the flags", "reading flags: %w", err)
	})
	f := root.PersistentFlags()
	f.StringVar(&a.flags.config, "config", "", "read this `FILE` instead of ./automaton.yaml")
	f.StringVar(&a.flags.envFile, "env-file", "", "read this `FILE` instead of ./.env; none reads none")
	f.String("color", "", "auto, always or never")
	f.String("progress", "", "auto, plain, json or none")
	f.BoolVarP(&a.flags.quiet, "quiet", "q", false, "no progress and no warnings")
	f.BoolVarP(&a.flags.debug, "debug", "d", false, "say what is read and decided")
	f.BoolVar(&a.flags.noInput, "no-input", false, "never ask (nothing asks today)")
	f.BoolVar(&a.flags.json, "json", false, "same as -f json")
	root.SetHelpTemplate(`{{with .Short}}{{.}}.

{{end}}{{.UsageString}}` + exitCodes + "\n")
	root.AddCommand(a.auditCommand(), a.factsCommand(), a.graphCommand(), a.reportCommand(), a.explainCommand(), a.verifyCommand(),
		a.replayCommand(), a.rubricCommand(), a.probeCommand(), a.doctorCommand(), a.versionCommand())
	return root
}

// unknownCommand explains a first word that is no command: there is no
// catch-all, but the hint knows what was meant.
func (a *app) unknownCommand(word string) error {
	if strings.Contains(word, "://") || strings.HasPrefix(word, "git@") || strings.Contains(word, "/") {
		return usage("automaton audit "+word, "reading arguments: unknown command %q", word)
	}
	best := ""
	for _, c := range []string{"audit", "facts", "graph", "report", "explain", "verify", "replay", "rubric", "probe", "doctor", "version", "completion"} {
		if config.Distance(word, c) <= 2 {
			best = "did you mean " + c
		}
	}
	return usage(best, "reading arguments: unknown command %q", word)
}

// crash reports a bug of ours: one line for the user, the stack in a file.
func (a *app) crash(p any, stack []byte) int {
	name := fmt.Sprintf("automaton-crash-%s.txt", a.Now().UTC().Format("20060102T150405Z"))
	file := filepath.Join(os.TempDir(), name)
	text := fmt.Sprintf("automaton %s, %s, command %s\n\n%v\n\n%s", a.Version, runtime.Version(), strings.Join(a.Args[:min(len(a.Args), 1)], " "), p, stack)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		file = "nowhere: " + err.Error()
	}
	fmt.Fprintf(a.Stderr, "automaton: internal error: %s\nhint: please report it with %s\n", shown(fmt.Sprint(p)), file)
	return exitBug
}

// settle reads configuration in order of precedence. target is a local
// repository or "": nothing inside it is obeyed.
func (a *app) settle(c *cobra.Command, target string, trust bool) error {
	if target != "" {
		a.tree = treeTop(target)
	}
	if trust {
		a.tree = ""
	}
	if err := a.readEnvFile(); err != nil {
		return err
	}
	if user := a.userFile(); user != "" {
		if err := a.config.File(user, "the user's config.yaml", false); err != nil {
			return coded(exitUsage, err)
		}
	}
	if err := a.readConfigFile(); err != nil {
		return err
	}
	if err := a.config.Environment(a.getenv); err != nil {
		return coded(exitUsage, err)
	}
	var wrong error
	c.Flags().Visit(func(f *pflag.Flag) {
		key := strings.ReplaceAll(f.Name, "-", "_")
		if _, ours := keyNames()[key]; !ours || wrong != nil {
			return
		}
		values := []string{f.Value.String()}
		if l, ok := f.Value.(pflag.SliceValue); ok {
			values = l.GetSlice()
		}
		if err := a.config.Set(key, "--"+f.Name, values...); err != nil {
			wrong = usage("", "reading flags: --%s: %w", f.Name, err)
		}
	})
	for _, k := range config.Keys {
		if s := a.config.Get(k.Name); s.Origin != "built-in" {
			a.say("setting %s is %v from %s", k.Name, s.Values, s.Origin)
		}
	}
	return wrong
}

func keyNames() map[string]bool {
	out := map[string]bool{}
	for _, k := range config.Keys {
		out[k.Name] = true
	}
	return out
}

func (a *app) readEnvFile() (err error) {
	if a.flags.envFile == "none" {
		return nil
	}
	path, name, must := a.flags.envFile, a.flags.envFile, true
	if path == "" {
		path, name, must = filepath.Join(a.Dir, ".env"), ".env", false
		if a.inTree(path) {
			return a.ignored(path, ".env")
		}
	}
	if err := a.outsideTree(path, "reading "+name); err != nil {
		return err
	}
	if a.envFile, err = config.DotEnv(path, name, must); err != nil {
		return coded(exitUsage, err)
	}
	return nil
}

func (a *app) readConfigFile() error {
	path, name, must := a.flags.config, a.flags.config, true
	if path == "" {
		path, name, must = filepath.Join(a.Dir, "automaton.yaml"), "automaton.yaml", false
		if a.inTree(path) {
			return a.ignored(path, "automaton.yaml")
		}
	}
	if err := a.outsideTree(path, "reading "+name); err != nil {
		return err
	}
	if err := a.config.File(path, name, must); err != nil {
		return coded(exitUsage, err)
	}
	return nil
}

// ignored warns about a file of ours inside the audited tree.
func (a *app) ignored(path, name string) error {
	if _, err := os.Lstat(path); err == nil {
		a.warn("%s lies inside the audited tree and is not read; --trust-tree reads it", name)
	} else if !errors.Is(err, os.ErrNotExist) {
		return coded(exitUsage, fmt.Errorf("reading %s: %w", name, err))
	}
	return nil
}

// getenv is the environment, then the .env file.
func (a *app) getenv(key string) string {
	if v := a.Getenv(key); v != "" {
		return v
	}
	return a.envFile[key]
}

func (a *app) userFile() string {
	base := a.Getenv("XDG_CONFIG_HOME")
	if base == "" {
		if home := a.Getenv("HOME"); home != "" {
			base = filepath.Join(home, ".config")
		}
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, "automaton", "config.yaml")
}

func (a *app) warn(format string, args ...any) {
	if !a.flags.quiet {
		fmt.Fprintf(a.Stderr, "automaton: warning: %s\n", shown(fmt.Sprintf(format, args...)))
	}
}

func (a *app) say(format string, args ...any) {
	if a.flags.debug {
		fmt.Fprintf(a.Stderr, "automaton: %s\n", shown(fmt.Sprintf(format, args...)))
	}
}

// path is a file as the user named it, seen from the working directory.
func (a *app) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(a.Dir, p)
}

// clock is the time, frozen by SOURCE_DATE_EPOCH.
func (a *app) clock() (func() time.Time, error) {
	s := a.getenv("SOURCE_DATE_EPOCH")
	if s == "" {
		return a.Now, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return nil, usage("", "reading environment: SOURCE_DATE_EPOCH: %q is no number of seconds", s)
	}
	return func() time.Time { return time.Unix(n, 0) }, nil
}

func (a *app) jobs() int {
	if n := a.config.Number("jobs"); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
