package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/store"
)

// examination is one line of the doctor's: what was looked at, what came of it
// and what would mend it.
type examination struct {
	what, result, remedy string
	fatal                bool
}

func (a *app) doctorCommand() *cobra.Command {
	var values bool
	c := &cobra.Command{Use: "doctor", Short: "What works here, and what to do about the rest", Args: none,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			lines := a.examine(c.Context())
			if values {
				lines = append(lines, a.origins()...)
			}
			fatal := false
			err := a.through(func(w io.Writer) error {
				for _, l := range lines {
					fmt.Fprintf(w, "%-18s %s\n", l.what, shown(l.result))
					if l.remedy != "" {
						fmt.Fprintf(w, "%-18s   %s\n", "", shown(l.remedy))
					}
					fatal = fatal || l.fatal
				}
				return nil
			})
			if err == nil && fatal {
				return &failure{code: exitUnexamined, said: true}
			}
			return err
		}}
	c.Flags().BoolVar(&values, "config", false, "every setting with where it came from")
	return c
}

// examine tries what an audit needs.
func (a *app) examine(ctx context.Context) []examination {
	var out []examination
	box, err := a.openBox()
	if err != nil {
		return append(out, examination{"sandbox", "missing: " + err.Error(), "", true})
	}
	defer box.Close() //nolint:errcheck // nothing of value is in it
	err = box.Check(ctx)
	r := box.Report()
	git := examination{"git", "ok, " + r.Git, "", false}
	if r.Git == "" {
		git = examination{"git", "missing", "install git 2.31 or newer", true}
	}
	out = append(out, git)
	for _, l := range r.Layers {
		out = append(out, examination{"sandbox " + l, "ok", "", false})
	}
	for _, m := range r.Missing {
		out = append(out, examination{"sandbox " + m.Layer, "missing: " + m.Reason, layerRemedy(m.Layer), false})
	}
	if err != nil {
		out = append(out, examination{"sandbox", "not usable: " + err.Error(), "", true})
	}
	for _, kind := range []string{"code", "pdf"} {
		out = append(out, tryWorker(ctx, box, kind))
	}
	return append(out, a.folders()...)
}

// tryWorker starts a parser and lets it refuse nonsense: an answer of any kind
// shows that it lives.
func tryWorker(ctx context.Context, box *sandbox.Box, kind string) examination {
	w := box.Worker(kind, sandbox.WorkerOptions{Cache: kind == "pdf", Memory: 768 << 20})
	_, err := w.Do(ctx, []byte("{}"))
	if we, ok := err.(*sandbox.WorkerError); ok && we.Reason != sandbox.Failed { //nolint:errorlint // Do returns it unwrapped
		return examination{kind + " worker", "not working: " + err.Error(), "", true}
	}
	return examination{kind + " worker", "ok", "", false}
}

func layerRemedy(layer string) string {
	switch layer {
	case "ns":
		return "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, or an AppArmor or container profile that lets them"
	case "landlock":
		return "needs Linux 5.13 or newer with landlock enabled, and a container profile that lets it"
	case "uid":
		return "only as root: run as an ordinary user instead, which is as good"
	}
	return ""
}

// folders tries the places that are written to.
func (a *app) folders() []examination {
	out := a.path(a.config.Text("out"))
	line := examination{"output folder", "ok, " + a.config.Text("out"), "", false}
	if _, err := os.Stat(out); err == nil {
		shelf, err := store.Open(out)
		if err != nil {
			line = examination{"output folder", err.Error(), "--out or AUTOMATON_OUT names another one", true}
		} else if err := shelf.Close(); err != nil {
			line.result = err.Error()
		}
	}
	cache := examination{"cache folder", "ok", "", false}
	if dir, err := a.cacheDir(); err != nil {
		cache = examination{"cache folder", "none: " + err.Error(), "set AUTOMATON_CACHE; the first PDF of each run takes a second longer without", false}
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		cache = examination{"cache folder", err.Error(), "set AUTOMATON_CACHE to a folder that can be written", false}
	}
	env := examination{".env", "not there", "", false}
	if _, err := os.Stat(filepath.Join(a.Dir, ".env")); err == nil {
		env.result = fmt.Sprintf("read, %s of ours", count(len(a.envFile), "key"))
	}
	return []examination{line, cache, env}
}

// origins lists every setting with where it came from.
func (a *app) origins() []examination {
	var out []examination
	for _, k := range config.Keys {
		s := a.config.Get(k.Name)
		out = append(out, examination{what: k.Name, result: fmt.Sprintf("%v from %s", s.Values, s.Origin)})
	}
	return out
}
