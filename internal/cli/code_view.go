package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

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
	Params []string   `json:"params"`
	About  []codeList `json:"about,omitempty"` // not in the list of a file
	Lines  []codeLine `json:"lines"`
}

type codeLine struct {
	Block int    `json:"block"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
}

type codeVersion struct {
	Name  string     `json:"name"`
	Bound string     `json:"bound"`
	By    string     `json:"by"`
	CanBe string     `json:"can_be"`
	Read  []string   `json:"read"`
	About []codeList `json:"about"`
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
	v.Lists = []codeList{gaps, answers("Fails whenever it is run", all.Failures()), never}
	return v
}

func answers(title string, list []analyse.Failure) codeList {
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
	q := newCodeQuery(all)
	for f := range all.Program.All() {
		whole := f.Module.Path == name
		switch {
		case whole:
		case split && f.Module.Path == file && f.Name == inside && f.Kind != il.Top, !split && f.Name == name && f.Kind != il.Top:
		default:
			continue
		}
		if one {
			v.Versions = append(v.Versions, q.versions(f, variable)...)
			continue
		}
		shown := functionOf(all, f)
		if !whole {
			shown.About = q.function(f)
		}
		v.Functions = append(v.Functions, shown)
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

// text is the view for people.
func (v codeView) text() string {
	var w strings.Builder
	for _, n := range v.Languages {
		fmt.Fprintf(&w, "%s: %s with %s, %s\n", n.Language, court.Count(n.Files, "file"), court.Count(n.Functions, "function"), court.Count(n.Instructions, "instruction"))
	}
	for _, l := range v.Lists {
		w.WriteByte('\n')
		l.text(&w, "")
	}
	for _, f := range v.Functions {
		f.text(&w)
	}
	for _, x := range v.Versions {
		fmt.Fprintf(&w, "%s  %s\n    by %s\n    can be %s\n", court.Clean(x.Name, 200), x.Bound, court.Clean(x.By, 400), court.Clean(x.CanBe, 400))
		for _, r := range x.Read {
			fmt.Fprintf(&w, "    read %s\n", court.Clean(r, 400))
		}
		for _, l := range x.About {
			l.text(&w, "    ")
		}
	}
	return w.String()
}

func (l codeList) text(w *strings.Builder, indent string) {
	fmt.Fprintf(w, "%s%s: %d\n", indent, l.Title, len(l.Items))
	for _, x := range l.Items {
		fmt.Fprintf(w, "%s  %s", indent, court.Clean(x.Says, 300))
		if x.Count > 1 {
			fmt.Fprintf(w, ", %d times", x.Count)
		}
		if x.Answer == "unknown" {
			w.WriteString(" (unknown)")
		}
		w.WriteByte('\n')
		if len(x.Places) > 0 {
			fmt.Fprintf(w, "%s      %s\n", indent, court.Clean(strings.Join(x.Places, ", "), 1000))
		}
	}
}

func (f codeFunction) text(w *strings.Builder) {
	fmt.Fprintf(w, "%s  %s(%s)", f.Place, cmp.Or(court.Clean(f.Name, 200), "the top level"), court.Clean(strings.Join(f.Params, ", "), 400))
	if f.Lost != "" {
		w.WriteString("  not known: " + f.Lost)
	}
	if f.Never == "yes" {
		w.WriteString("  never returns")
	}
	w.WriteByte('\n')
	for _, l := range f.About {
		l.text(w, "  ")
	}
	block := -1
	for _, l := range f.Lines {
		if l.Block != block {
			block = l.Block
			fmt.Fprintf(w, "b%d\n", block)
		}
		fmt.Fprintf(w, "%6d  %s\n", l.Line, court.Clean(l.Text, 400))
	}
	w.WriteByte('\n')
}
