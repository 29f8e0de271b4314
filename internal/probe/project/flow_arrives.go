package project

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func flowArrives() probe.Probe {
	return probe.Probe{
		ID: "flow.arrives", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The result of one function arrives in another",
		Doc:    "Follows what the calls of one function are handed back to the calls of another: through names, fields, containers, texts and the functions of the program, in every language whose code is lowered. It is a violation only where all that the other one is given is known, and nothing of it comes from there: the result is never used, is overwritten, or a constant is handed on instead. What goes through a store, a framework or a call that is not known is unknown.",
		Remedy: "Hand the result on.",
		Effort: 30,
		Args: []probe.Arg{
			{Name: "from", Type: "string", Required: true, Doc: "the function, by its name or the end of its full name, or as path:name; * is any run of characters"},
			{Name: "to", Type: "string", Required: true, Doc: "the function that is to be given it, in the same way"},
		},
		Run: beyond(arrivals),
	}
}

func arrivals(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
	from, err := wantedEnd(a.String("from"))
	if err != nil {
		return nil, err
	}
	to, err := wantedEnd(a.String("to"))
	if err != nil {
		return nil, err
	}
	layout, err := s.Layout(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.Analyses(ctx)
	if err != nil {
		return nil, err
	}
	all.Lock()
	defer all.Unlock()
	w := &journey{Analyses: all, from: map[*il.Instr]*il.Function{}}
	for f := range all.Program.All() {
		if !(file{scope: layout.Scope(f.Module.Path)}).inScope(a.Scope) {
			continue
		}
		for k, in := range f.Instructions() {
			if in.Op != il.Call || in.Mode == il.Decorate || all.Values.Dead(f, k) {
				continue
			}
			if from.calls(all, f, in) {
				w.from[in] = f
				w.begins = append(w.begins, spotOf(f, in))
			}
			if to.calls(all, f, in) {
				w.to = append(w.to, analyse.Site{Function: f, At: in, Call: true})
			}
		}
	}
	for _, end := range []struct {
		wantedName
		n int
	}{{from, len(w.from)}, {to, len(w.to)}} {
		if end.n == 0 {
			return enough(ctx, s, nil, court.AST, a, "Calls of", shown(end.name), end.word())
		}
	}
	return []probe.Finding{w.find(from.name, to.name)}, nil
}

// wantedName is a function or call that a rubric names.
type wantedName struct {
	name, path string
	re         *regexp.Regexp
}

func wantedEnd(name string) (wantedName, error) {
	w := wantedName{name: name}
	last := name
	if i := strings.LastIndexByte(name, ':'); i > 0 {
		w.path, last = name[:i], name[i+1:]
	}
	re, err := nameGlob(last)
	w.re = re
	return w, err
}

// word is the last part of the name, for the sentinel; "" for a pattern.
func (w wantedName) word() string {
	word := w.name[strings.LastIndexAny(w.name, ".:")+1:]
	if strings.ContainsRune(word, '*') {
		return ""
	}
	return word
}

// calls tells whether a call is one of the name: by what it calls, or by its text where
// that is not known.
func (w wantedName) calls(all *analyse.Analyses, f *il.Function, in *il.Instr) bool {
	s := all.Names.Operand(f, in.Args[0])
	switch {
	case s != nil && s.Function != nil:
		home := s.Function.Module.Path
		if w.path != "" {
			return home == w.path && w.re.MatchString(s.Function.Name)
		}
		return w.re.MatchString(strings.ReplaceAll(strings.TrimSuffix(home, path.Ext(home)), "/", ".") + "." + s.Function.Name)
	case w.path != "":
		return false
	case s != nil && s.Outside != "":
		return w.re.MatchString(strings.ReplaceAll(s.Outside, "/", "."))
	default:
		return w.re.MatchString(strings.TrimSpace(in.Kind))
	}
}

// journey follows what some calls give to others.
type journey struct {
	*analyse.Analyses
	from   map[*il.Instr]*il.Function
	begins []court.Place
	to     []analyse.Site
	doubt  string // the first call on the way that may have brought it
}

func (w *journey) find(from, to string) probe.Finding {
	var of []analyse.Use
	var ends []court.Place
	for _, s := range w.to {
		ends = append(ends, spotOf(s.Function, s.At))
		for _, o := range s.At.Args[1:] {
			of = append(of, analyse.Use{Function: s.Function, Operand: o, At: s.At})
		}
	}
	h := w.Slice(func(f *il.Function, in *il.Instr) bool { return w.from[in] != nil || w.doubtful(f, in) }, of...)
	decides := false
	for _, x := range h.Origins {
		steps := x.Steps()
		if x.At == nil || w.from[x.At] == nil || len(steps) == 0 {
			continue
		}
		if direct := slices.ContainsFunc(w.to, func(s analyse.Site) bool { return steps[0].Use == s.At }); !direct {
			decides = true
			continue
		}
		return probe.Present(court.AST, way(x), "The result of %s arrives in %s.", shown(from), shown(to))
	}
	both := append(w.begins[:1:1], ends[0])
	switch why := w.lost(h); {
	case decides:
		return probe.Cannot(court.Dynamic, both, "The result of %s decides the arguments of %s. Whether it arrives there could not be determined.", shown(from), shown(to))
	case why != "":
		return probe.Cannot(court.Dynamic, both, "The way from the result of %s to %s could not be followed: %s.", shown(from), shown(to), why)
	case !slices.ContainsFunc(w.uses(), func(n int) bool { return n > 0 }):
		return probe.Against(court.AST, both, "Nothing uses the result of %s, and nothing of it arrives in %s.", shown(from), shown(to)).Do("Hand the result of %s to %s.", shown(from), shown(to))
	default:
		return probe.Against(court.AST, both, "Nothing of the result of %[1]s arrives in %[2]s: the arguments of %[2]s are made without it.", shown(from), shown(to)).Do("Hand the result of %s to %s.", shown(from), shown(to))
	}
}

// doubtful notes a call on the way whose result may be what is looked for, kept
// somewhere: it goes on.
func (w *journey) doubtful(f *il.Function, in *il.Instr) bool {
	if in.Op != il.Call || w.doubt != "" {
		return false
	}
	s := w.Names.Operand(f, in.Args[0])
	if s != nil && s.Function != nil {
		return false
	}
	table := tables.Of(tables.Look)
	if s != nil && s.Outside != "" && table.Has(f.Module.Language, s.Outside, "nothing") {
		return false
	}
	if i := strings.LastIndexByte(in.Kind, '.'); i >= 0 && (s == nil || s.Outside == "") && table.Has(f.Module.Language, in.Kind[i:], "nothing") {
		return false
	}
	w.doubt = "what the call in " + spotOf(f, in).String() + " gives is not known"
	return false
}

// lost says why it is not shown that nothing arrives; "" where it is.
func (w *journey) lost(h *analyse.Slice) string {
	if w.doubt != "" {
		return w.doubt
	}
	if !h.Whole {
		return "the value that is handed on could not be followed"
	}
	for _, x := range h.Origins {
		switch {
		case x.Kind == analyse.FromParameter || x.Kind == analyse.FromException || x.Kind == analyse.FromPart:
			return "a part of it comes from elsewhere"
		case x.Handed():
			return "a function is handed on"
		}
	}
	for in, f := range w.from {
		for _, o := range in.Args[1:] {
			if def := f.Def(f.Root(o)); def != nil && h.Has(f, def) {
				return "it may lie in what the function was given"
			}
		}
		if s := w.Names.Operand(f, in.Args[0]); s != nil && s.Function != nil && w.sets(h, s.Function) {
			return "the function may set the value that is handed on"
		}
	}
	return ""
}

// sets tells whether something of a function, or of one that it calls, is part of what is
// handed on.
func (w *journey) sets(h *analyse.Slice, f *il.Function) bool {
	seen := map[*il.Function]bool{f: true}
	for work := []*il.Function{f}; len(work) > 0; {
		g := work[0]
		work = work[1:]
		if h.Enters(g) {
			return true
		}
		for _, in := range g.Instructions() {
			if in.Op != il.Call {
				continue
			}
			if s := w.Names.Operand(g, in.Args[0]); s != nil && s.Function != nil && !seen[s.Function] {
				seen[s.Function] = true
				work = append(work, s.Function)
			}
		}
	}
	return false
}

// uses are how often the results are read.
func (w *journey) uses() (out []int) {
	for in, f := range w.from {
		n := 0
		if in.Dst != il.NoDst {
			n = len(f.Versions[in.Dst].Uses)
		}
		out = append(out, n)
	}
	return out
}

// way is where an origin goes along, itself first.
func way(x analyse.Origin) []court.Place {
	out := []court.Place{spotOf(x.Function, x.At)}
	for _, step := range slices.Backward(x.Steps()) {
		if step.Use == nil || step.Use.Span.To == 0 {
			continue
		}
		p := spotOf(step.Function, step.Use)
		if len(out) < 8 && !slices.ContainsFunc(out, func(q court.Place) bool { return q.Path == p.Path && q.Line == p.Line }) {
			out = append(out, p)
		}
	}
	return out
}

func spotOf(f *il.Function, in *il.Instr) court.Place {
	p := f.Place(in.Span)
	return court.Place{Path: p.Path, Line: p.Line, EndLine: min(p.EndLine, p.Line+9)}
}
