package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// output is one more rendering.
type output struct {
	format report.Format
	path   string
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats {
		names = append(names, f.Name)
	}
	return names
}

// outputs reads -f and the -o flags. FORMAT=- is standard output, which takes
// one rendering only.
func (a *app) outputs(c *cobra.Command, format string, flags []string) (report.Format, []output, error) {
	var out []output
	chosen := c.Flags().Changed("format")
	for _, v := range flags {
		o, err := readOutput(v)
		if err != nil {
			return report.Format{}, nil, err
		}
		if o.path != "-" {
			if o.path = a.path(o.path); inGitDir(o.path) {
				return report.Format{}, nil, usage("name a file elsewhere", "reading flags: -o %q lies in the git folder of a repository", v)
			}
			out = append(out, o)
			continue
		}
		if chosen {
			return report.Format{}, nil, usage("give the others files", "reading flags: -o %q: standard output has a format already", v)
		}
		format, chosen = o.format.Name, true
	}
	f, _ := report.FormatNamed(format) // the flag takes known ones only
	return f, out, nil
}

// readOutput reads FORMAT=FILE, or a file whose ending tells the format.
func readOutput(v string) (output, error) {
	name, file, named := strings.Cut(v, "=")
	if f, ok := report.FormatNamed(name); named && ok {
		if file == "" {
			return output{}, usage("-o FORMAT=FILE", "reading flags: -o %q does not name a file", v)
		}
		return output{f, file}, nil
	}
	var best report.Format // the longest ending tells it: .short.html is no .html
	for _, f := range report.Formats {
		if len(f.Ext) > len(best.Ext) && strings.HasSuffix(strings.ToLower(filepath.Base(v)), f.Ext) {
			best = f
		}
	}
	if best.Ext != "" {
		return output{best, v}, nil
	}
	hint := "-o FORMAT=FILE names the format"
	if m := meant(name, formatNames()); named && m != "" {
		hint = m
	}
	return output{}, usage(hint, "reading flags: -o %q: neither FORMAT= nor the ending tells its format (have %s)", v, strings.Join(formatNames(), ", "))
}

// writeOutputs writes the further renderings of a record.
func writeOutputs(outs []output, rec *court.Record) error {
	for _, out := range outs {
		raw, err := render(out.format, rec)
		if err != nil {
			return err
		}
		if err := store.WriteFile(out.path, raw); err != nil {
			return err
		}
	}
	return nil
}

// render writes a record in one format.
func render(f report.Format, rec *court.Record) ([]byte, error) {
	var b strings.Builder
	if err := trial.Render(&b, f, rec); err != nil {
		return nil, fmt.Errorf("rendering %s: %w", f.Name, err)
	}
	return []byte(b.String()), nil
}

// printFormat writes a record to standard output.
func (a *app) printFormat(f report.Format, rec *court.Record, text report.TextOptions) error {
	if f.Name != "text" {
		raw, err := render(f, rec)
		if err != nil {
			return err
		}
		return a.print(raw)
	}
	return a.through(func(w *lines) error { return report.Summary(w, rec, text) })
}
