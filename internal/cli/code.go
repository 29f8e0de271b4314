package cli

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) codeCommand() *cobra.Command {
	var commit, folder, format string
	c := &cobra.Command{
		Use: "code REPO|FILE [NAME]", Short: "What the analyses know of code: the intermediate form, what is not known and why, and one name followed",
		Long: "Without NAME it counts what was lowered and lists what was not, with what the analyses say of the whole: imports that lead nowhere, names that nothing binds, functions that never return.\n\n" +
			"NAME is the path of a file, the name of a function or class (\"Judge.run\", \"src/judge.py:Judge.run\"), or one with a variable behind \"#\" (\"Judge.run#score\"): then every version of the variable is shown, with where it is bound and read.",
		Example: "  automaton code .\n  automaton code . src/graph.py\n  automaton code . ChiefJustice.rule#score",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			all, done, err := a.lowered(c, args[0], commit, folder)
			if err != nil {
				return err
			}
			defer done()
			all.Lock()
			defer all.Unlock()
			var shown codeView
			if len(args) < 2 {
				shown = surveyOf(all)
			} else if shown, err = viewOf(all, args[1]); err != nil {
				return err
			}
			if format == "json" {
				return a.printJSON(shown)
			}
			return a.print([]byte(shown.text()))
		},
	}
	folderFlag(c, &folder)
	c.Flags().StringVar(&commit, "commit", "", "branch, tag or commit `REV`; default HEAD")
	formatFlag(c, &format, "text", "json")
	a.repoFlags(c)
	return c
}

// lowered lowers the code of a repository, or one file.
func (a *app) lowered(c *cobra.Command, arg, commit, folder string) (*analyse.Analyses, func(), error) {
	clean := func() {}
	if info, err := os.Stat(a.path(arg)); err == nil && info.Mode().IsRegular() && sourceFile(arg) {
		dir, err := alone(a.path(arg))
		if err != nil {
			return nil, nil, coded(exitUnexamined, err)
		}
		arg, clean = dir, func() { _ = os.RemoveAll(dir) } // it is in the folder for such things
	}
	at, err := a.aimAt(arg, commit, folder)
	if err != nil {
		clean()
		return nil, nil, err
	}
	if err := a.settle(c, at.local, false); err != nil {
		clean()
		return nil, nil, err
	}
	opened, closed, err := a.secure(c.Context(), at, []trial.Document{{From: "none"}}, nil)
	if err != nil {
		clean()
		return nil, nil, err
	}
	done := func() { closed(); clean() }
	if opened.Failure != nil {
		done()
		return nil, nil, a.unreachable(c.Context(), at, opened.Failure)
	}
	all, err := opened.Scene.Analyses(c.Context())
	if err != nil {
		done()
		return nil, nil, coded(exitUnexamined, err)
	}
	return all, done, nil
}

// sourceFile tells a file that is no archive of a repository.
func sourceFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".zip", ".tar", ".gz", ".tgz", ".bundle", "":
		return false
	}
	return true
}

// maxAlone bounds a file that is looked at alone, in bytes.
const maxAlone = 1 << 20

// alone puts one file into a folder of its own.
func alone(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	if info.Size() > maxAlone {
		return "", fmt.Errorf("reading %s: it has %d bytes; at most %d are read", path, info.Size(), maxAlone)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	dir, err := os.MkdirTemp("", "automaton-code-")
	if err != nil {
		return "", fmt.Errorf("making a folder for one file: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), raw, 0o600); err != nil {
		return "", fmt.Errorf("copying %s: %w", path, err)
	}
	return dir, nil
}

// codeView is what the command shows.
type codeView struct {
	Languages []codeCount    `json:"languages,omitempty"`
	Lists     []codeList     `json:"lists,omitempty"`
	Functions []codeFunction `json:"functions,omitempty"`
	Versions  []codeVersion  `json:"versions,omitempty"`
}

type codeCount struct {
	Language     string `json:"language"`
	Files        int    `json:"files"`
	Functions    int    `json:"functions"`
	Instructions int    `json:"instructions"`
}

// codeList is findings of one kind.
type codeList struct {
	Title string     `json:"title"`
	Items []codeItem `json:"items"`
}

type codeItem struct {
	Says   string   `json:"says"`
	Answer string   `json:"answer,omitempty"`
	Count  int      `json:"count,omitempty"`
	Places []string `json:"places"`
}

type codeFunction struct {
	Name   string     `json:"name"`
	Place  string     `json:"place"`
	Lost   string     `json:"lost,omitempty"`
	Never  string     `json:"never_returns"`
	Lines  []codeLine `json:"lines"`
	Params []string   `json:"params"`
}

type codeLine struct {
	Block int    `json:"block"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
}

type codeVersion struct {
	Name  string   `json:"name"`
	Bound string   `json:"bound"`
	By    string   `json:"by"`
	Read  []string `json:"read"`
}

// mostPlaces bounds how many places a line of the survey names.
const mostPlaces = 5

// surveyOf is what is known of the whole.
func surveyOf(all *analyse.Analyses) (v codeView) {
	counts := map[string]*codeCount{}
	for _, m := range all.Program.Modules {
		n := counts[m.Language]
		if n == nil {
			n = &codeCount{Language: m.Language}
			counts[m.Language] = n
		}
		n.Files++
		for f := range m.All() {
			n.Functions++
			for range f.Instructions() {
				n.Instructions++
			}
		}
	}
	for _, l := range slices.Sorted(maps.Keys(counts)) {
		v.Languages = append(v.Languages, *counts[l])
	}
	gaps := codeList{Title: "Not lowered"}
	for _, g := range analyse.Gaps(all.Program) {
		gaps.Items = append(gaps.Items, codeItem{Says: g.Language + ": " + g.Kind, Count: len(g.Places), Places: shownPlaces(g.Places)})
	}
	never := codeList{Title: "Functions that never return"}
	for f := range all.Program.All() {
		if answer := all.Outcome.Never(f); answer.Is == analyse.Yes {
			never.Items = append(never.Items, codeItem{Says: cmp.Or(f.Name, "the top level of the file"), Answer: answer.Is.String(), Places: shownPlaces(answer.Places)})
		}
	}
	v.Lists = []codeList{gaps, answers("Imports that lead nowhere", all.Names.Imports()), answers("Names that nothing binds", all.Names.Unbound()), never}
	return v
}

func answers(title string, list []analyse.Answer) codeList {
	out := codeList{Title: title}
	for _, x := range list {
		out.Items = append(out.Items, codeItem{Says: x.Why, Answer: x.Is.String(), Places: shownPlaces(x.Places)})
	}
	return out
}

func shownPlaces(places []il.Place) (out []string) {
	for _, p := range places[:min(len(places), mostPlaces)] {
		out = append(out, p.String())
	}
	return out
}

// viewOf is what is known of one name.
func viewOf(all *analyse.Analyses, name string) (v codeView, err error) {
	name, variable, one := strings.Cut(name, "#")
	file, inside, split := strings.Cut(name, ":")
	for f := range all.Program.All() {
		switch {
		case f.Module.Path == name:
		case split && f.Module.Path == file && f.Name == inside && f.Kind != il.Top, !split && f.Name == name && f.Kind != il.Top:
		default:
			continue
		}
		if one {
			v.Versions = append(v.Versions, versionsOf(f, variable)...)
			continue
		}
		v.Functions = append(v.Functions, functionOf(all, f))
	}
	switch {
	case len(v.Functions) == 0 && !one, len(v.Versions) == 0 && one:
		return v, usage("automaton code REPO PATH lists what is in a file", "reading arguments: no file, function or variable is called %q", court.Clean(name+strings.TrimSuffix("#"+variable, "#"), 100))
	}
	return v, nil
}

func functionOf(all *analyse.Analyses, f *il.Function) codeFunction {
	out := codeFunction{Name: f.Name, Place: f.Place(f.Span).String(), Lost: f.Lost, Never: all.Outcome.Never(f).Is.String(), Params: []string{}, Lines: []codeLine{}}
	for _, p := range f.Params {
		out.Params = append(out.Params, p.Spread+f.Show(il.Operand{Kind: il.Local, ID: p.Var}))
	}
	for b, in := range f.Instructions() {
		text := f.Listing(in)
		if in.Op.Ends() {
			for _, s := range b.Succs {
				text += fmt.Sprintf(" b%d", s.ID)
			}
		}
		out.Lines = append(out.Lines, codeLine{b.ID, f.Place(in.Span).Line, text})
	}
	return out
}

func versionsOf(f *il.Function, variable string) (out []codeVersion) {
	for i, v := range f.Versions {
		if v.Var != variable {
			continue
		}
		x := codeVersion{Name: f.Show(il.Operand{Kind: il.Local, ID: int32(i)}), Bound: f.Place(f.Span).String(), By: "a parameter", Read: []string{}}
		if v.Def != nil {
			x.Bound, x.By = f.Place(v.Def.Span).String(), f.Listing(v.Def)
		}
		for _, use := range v.Uses {
			x.Read = append(x.Read, fmt.Sprintf("%s  %s", f.Place(use.Span), f.Listing(use)))
		}
		out = append(out, x)
	}
	return out
}

// text is the view for people.
func (v codeView) text() string {
	var w strings.Builder
	for _, n := range v.Languages {
		fmt.Fprintf(&w, "%s: %s with %s, %s\n", n.Language, court.Count(n.Files, "file"), court.Count(n.Functions, "function"), court.Count(n.Instructions, "instruction"))
	}
	for _, l := range v.Lists {
		fmt.Fprintf(&w, "\n%s: %d\n", l.Title, len(l.Items))
		for _, x := range l.Items {
			fmt.Fprintf(&w, "  %s", court.Clean(x.Says, 200))
			if x.Count > 1 {
				fmt.Fprintf(&w, ", %d times", x.Count)
			}
			if x.Answer == "unknown" {
				w.WriteString(" (unknown)")
			}
			fmt.Fprintf(&w, "\n      %s\n", court.Clean(strings.Join(x.Places, ", "), 400))
		}
	}
	for _, f := range v.Functions {
		fmt.Fprintf(&w, "%s  %s(%s)", f.Place, cmp.Or(court.Clean(f.Name, 200), "the top level"), court.Clean(strings.Join(f.Params, ", "), 400))
		if f.Lost != "" {
			w.WriteString("  not known: " + f.Lost)
		}
		w.WriteByte('\n')
		block := -1
		for _, l := range f.Lines {
			if l.Block != block {
				block = l.Block
				fmt.Fprintf(&w, "b%d\n", block)
			}
			fmt.Fprintf(&w, "%6d  %s\n", l.Line, court.Clean(l.Text, 400))
		}
		w.WriteByte('\n')
	}
	for _, x := range v.Versions {
		fmt.Fprintf(&w, "%s  %s\n    by %s\n", court.Clean(x.Name, 200), x.Bound, court.Clean(x.By, 400))
		for _, r := range x.Read {
			fmt.Fprintf(&w, "    read %s\n", court.Clean(r, 400))
		}
	}
	return w.String()
}
