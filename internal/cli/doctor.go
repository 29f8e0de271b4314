package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// examination is one line of the doctor's: what was looked at, what came of it
// and what would mend it.
type examination struct {
	What   string `json:"what"`
	Result string `json:"result"`
	Remedy string `json:"remedy,omitempty"`
	Fatal  bool   `json:"fatal"`
}

// noFile is the value of doctor's --config when no file is named.
const noFile = " "

func (a *app) doctorCommand() *cobra.Command {
	var values, format string
	c := &cobra.Command{Use: "doctor", Short: "Shows what works on this machine, and how to repair what does not",
		Long:    "It tries the sandbox, git, the parsers, the reader of PDFs, tesseract, the folders that are written to and the models that could be asked, and prints one line for each: ok, or what is wrong, and below it how to repair that. Nothing is fetched, and no model is asked. It exits 3 if an audit cannot run on this machine.",
		Example: "  automaton doctor\n  automaton doctor --config",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && values != noFile {
				return usage("", "reading arguments: %q is one argument too many", args[len(args)-1])
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if values != noFile {
				a.flags.config = values
			} else if len(args) == 1 { // --config FILE, as the other commands have it
				a.flags.config = args[0]
			}
			if err := a.settle(c, "", false); err != nil {
				return err
			}
			found := a.examine(c.Context())
			if values != "" {
				found = append(found, a.origins()...)
			}
			return a.printExamined(found, format)
		}}
	c.Flags().StringVar(&values, "config", "", "`FILE` show every setting, too, and where its value comes from; with =FILE, after reading that file")
	c.Flags().Lookup("config").NoOptDefVal = noFile
	formatFlag(c, &format, "text", "json")
	return c
}

func (a *app) printExamined(found []examination, format string) (err error) {
	if format == "json" {
		err = a.printJSON(found)
	} else {
		err = a.through(func(w *lines) error {
			for _, x := range found {
				w.f("%s", hung(fmt.Sprintf("%-18s ", x.What), shown(x.Result), a.width()))
				if x.Remedy != "" {
					w.f("%s", hung(fmt.Sprintf("%-18s   ", ""), shown(x.Remedy), a.width()))
				}
			}
			return nil
		})
	}
	if err == nil && slices.ContainsFunc(found, func(x examination) bool { return x.Fatal }) {
		return &failure{code: exitUnexamined, said: true}
	}
	return err
}

// examine tries what an audit needs.
func (a *app) examine(ctx context.Context) []examination {
	var out []examination
	box, err := a.openBox("")
	if err != nil {
		return append(out, examination{"sandbox", "missing: " + err.Error(), "", true})
	}
	defer func() { _ = box.Close() }() // nothing of value is in it
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
	out = append(out, tryOut(ctx, box)...)
	for _, kind := range []string{"code", "query", "pdf"} {
		out = append(out, tryWorker(ctx, box, kind))
	}
	out = append(out, tryOCR(ctx, box))
	out = append(out, a.examineModels()...)
	return append(out, a.folders()...)
}

// tryWorker starts a parser and lets it refuse nonsense: an answer of any kind
// shows that it lives.
func tryWorker(ctx context.Context, box *sandbox.Box, kind string) examination {
	w := box.Worker(kind, sandbox.WorkerOptions{Cache: kind == "pdf", Memory: 768 << 20})
	_, err := w.Do(ctx, []byte("{}"))
	if we, ok := errors.AsType[*sandbox.WorkerError](err); ok && we.Reason != sandbox.Failed {
		return examination{kind + " worker", "not working: " + err.Error(), "", true}
	}
	return examination{kind + " worker", "ok", "", false}
}

// tryOut lets a worker and a child try what the sandbox is there to stop. What
// they could do is not a reason not to audit: the record says which layers were
// missing, and --require-sandbox refuses.
func tryOut(ctx context.Context, box *sandbox.Box) []examination {
	proofs, err := box.Prove(ctx)
	if err != nil {
		return []examination{{"sandbox trial", "not made: " + err.Error(), "", false}}
	}
	var out []examination
	for _, who := range []string{"worker", "child"} {
		var stopped []string
		for _, p := range proofs {
			switch {
			case p.Who != who:
			case p.Held:
				stopped = append(stopped, p.What)
			default:
				out = append(out, examination{"sandbox " + who, "not held: " + p.What + ": " + p.Detail, "the layers that are missing above would stop it; --require-sandbox refuses to run without them", false})
			}
		}
		if len(stopped) > 0 {
			out = append(out, examination{"sandbox " + who, "ok, it is stopped when it " + strings.Join(stopped, ", "), "", false})
		}
	}
	return out
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
	out := examination{"output folder", "ok, " + a.config.Text("out"), "", false}
	if err := tryFolder(a.path(a.config.Text("out"))); err != nil {
		out = examination{"output folder", "not usable: " + err.Error(), "--out or AUTOMATON_OUT names another one", true}
	}
	cache := examination{"cache folder", "ok", "", false}
	if dir, err := a.cacheDir(); err != nil {
		cache = examination{"cache folder", "none: " + err.Error(), "set AUTOMATON_CACHE; the first PDF of each run takes a second longer without", false}
	} else if err := tryFolder(dir); err != nil {
		cache = examination{"cache folder", "not usable: " + err.Error(), "set AUTOMATON_CACHE to a folder that can be written", false}
	}
	env := examination{".env", "not there", "", false}
	switch {
	case a.flags.envFile == "none":
		env.Result = "not read: --env-file none"
	case a.envFile.Read:
		env.Result = fmt.Sprintf("read, %s of ours", count(len(a.envFile.Values), "key"))
	}
	return []examination{out, cache, env}
}

// tryFolder tries whether files can be written to a folder. One that is not
// there yet is not made: the folder above it is tried.
func tryFolder(dir string) error {
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a folder", dir)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return err
		}
		dir = filepath.Dir(dir)
	}
	made, err := os.MkdirTemp(dir, ".automaton-try-*")
	if err != nil {
		return fmt.Errorf("making a folder in %s: %w", dir, config.Cause(err))
	}
	return os.Remove(made)
}

// origins lists every setting with where it came from.
func (a *app) origins() []examination {
	var out []examination
	for _, k := range config.Keys {
		s := a.config.Get(k.Name)
		out = append(out, examination{What: k.Name, Result: fmt.Sprintf("%v from %s", s.Values, s.Origin)})
	}
	return out
}
