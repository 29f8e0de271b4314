package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// settle reads configuration in order of precedence. target is a local
// repository or "": nothing inside it is obeyed.
func (a *app) settle(c *cobra.Command, target string, trust bool) error {
	if target != "" {
		a.trees = []string{treeTop(target)}
	}
	if trust {
		a.trees = nil
	}
	if err := a.readEnvFile(); err != nil {
		return err
	}
	if err := a.readUserFile(); err != nil {
		return err
	}
	if err := a.readConfigFile(); err != nil {
		return err
	}
	if err := a.config.Environment(a.getenv); err != nil {
		return coded(exitUsage, err)
	}
	wrong := a.readFlags(c)
	for _, k := range config.Keys {
		if s := a.config.Get(k.Name); s.Origin != config.BuiltIn {
			a.say("setting %s is %v from %s", k.Name, s.Values, s.Origin)
		}
	}
	return wrong
}

// readFlags sets what the command line has of our keys.
func (a *app) readFlags(c *cobra.Command) (wrong error) {
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
	return wrong
}

func keyNames() map[string]bool {
	out := map[string]bool{}
	for _, k := range config.Keys {
		out[k.Name] = true
	}
	return out
}

// readEnvFile reads the .env file of the working directory, or the one named.
func (a *app) readEnvFile() (err error) {
	if a.flags.envFile == "none" {
		return nil
	}
	name, must := a.flags.envFile, true
	if name == "" {
		name, must = ".env", false
	}
	path, read, err := a.ours(name, must)
	if err != nil || !read {
		return err
	}
	if a.envFile, err = config.DotEnv(path, name, must); err != nil {
		return coded(exitUsage, err)
	}
	a.veil = safetext.NewVeil(a.secrets()...)
	if len(a.envFile.Ignored) > 0 {
		a.say("%s: keys that are not taken: %s", name, strings.Join(a.envFile.Ignored, ", "))
	}
	return nil
}

// readConfigFile reads automaton.yaml of the working directory, or the file
// named.
func (a *app) readConfigFile() error {
	name, must := a.flags.config, true
	if name == "" {
		name, must = "automaton.yaml", false
	}
	path, read, err := a.ours(name, must)
	if err != nil || !read {
		return err
	}
	if err := a.config.File(path, name, must); err != nil {
		return coded(exitUsage, err)
	}
	return nil
}

// readUserFile reads the user's own settings, wherever the home lies but in
// the audited tree.
func (a *app) readUserFile() error {
	path := a.userFile()
	if path == "" {
		return nil
	}
	if a.inTree(path) {
		return a.ignored(path, userFileName)
	}
	if err := a.config.File(path, userFileName, false); err != nil {
		return coded(exitUsage, err)
	}
	return nil
}

// userFileName is how messages call the user's settings.
const userFileName = "the user's config.yaml"

// ours finds a file of ours and tells whether it may be read: one that was
// named must not lie in the audited tree, one that lies there by itself is
// left alone.
func (a *app) ours(name string, must bool) (path string, read bool, err error) {
	path = a.path(name)
	switch {
	case !a.inTree(path):
		return path, true, nil
	case must:
		return path, false, a.outsideTree(path, "reading "+name)
	}
	return path, false, a.ignored(path, name)
}

// ignored warns about a file of ours inside the audited tree.
func (a *app) ignored(path, name string) error {
	if _, err := os.Lstat(path); err == nil {
		a.warn("%s lies inside the audited tree and is not read; --trust-tree reads it", name)
	} else if !errors.Is(err, os.ErrNotExist) {
		return coded(exitUsage, fmt.Errorf("reading %s: %w", name, config.Cause(err)))
	}
	return nil
}

// getenv is the environment, then the .env file.
func (a *app) getenv(key string) string {
	if v := a.Getenv(key); v != "" {
		return v
	}
	return a.envFile.Values[key]
}

func (a *app) userFile() string {
	base := a.Getenv("XDG_CONFIG_HOME")
	if base == "" {
		base = a.Getenv("AppData") // of Windows
	}
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

// path is a file as the user named it, seen from the working directory.
func (a *app) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(a.Dir, p)
}

// clock is the time, frozen by SOURCE_DATE_EPOCH. It never goes back.
func (a *app) clock() (func() time.Time, error) {
	s := a.getenv("SOURCE_DATE_EPOCH")
	if s == "" {
		return trace.Steady(a.Now), nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > lastSecond {
		return nil, usage("give seconds since 1970, or unset it", "reading environment: SOURCE_DATE_EPOCH: %q is not a number of seconds", s)
	}
	return func() time.Time { return time.Unix(n, 0) }, nil
}

// lastSecond ends the year 9999, the last one that timestamps of four digits
// can show.
const lastSecond = 253402300799

func (a *app) jobs() int {
	if n := a.config.Number("jobs"); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
