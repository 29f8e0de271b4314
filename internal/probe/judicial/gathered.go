package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// The roles of calls that look at what is audited, in the table of looks.
const (
	readsRepository = "repository"
	readsDocument   = "document"
	readsNothing    = "nothing"
)

// gathered is the arrow from what is read to the evidence: to what the detectives give
// back. It says no only where every call on the way is known to read nothing.
func (b *bench) gathered(role, breaks string) facts.Fact[facts.Link] {
	part := b.detectives()
	if len(part.roots) == 0 {
		return missing("no node of the graph is known to be a detective")
	}
	var first, clone []court.Place
	for f, in := range b.live(part) {
		if in.Op != il.Call || in.Mode == il.Decorate || !b.looks(f, in, role) {
			continue
		}
		first = append(first, lies(f, in.Span))
		if clones(f, in) {
			clone = append(clone, lies(f, in.Span))
		}
	}
	if role == readsRepository && len(clone) == 0 {
		first = nil // what is read may be the program's own
	}
	h, doubt := b.wary(func(f *il.Function, in *il.Instr) bool { return in.Op == il.Call && b.looks(f, in, role) }, b.handsOn(part, false))
	f := h.carries(append(clone, first...), func(x analyse.Origin) bool {
		return x.At != nil && x.At.Op == il.Call && b.looks(x.Function, x.At, role)
	}, breaks)
	return doubted(f, doubt, h.brings())
}

// brings tells that some of it is what other code passes, of which it is not known that a
// run starts with it.
func (h heard) brings() bool {
	return slices.ContainsFunc(h.Origins, func(x analyse.Origin) bool {
		return x.Kind == analyse.FromParameter && (len(x.Keys) == 0 || !has(split(x.Keys[0]), given...))
	})
}

// wary is hears, with the first call on the way of which it is not known that it reads
// nothing.
func (b *bench) wary(ends func(*il.Function, *il.Instr) bool, of []analyse.Use) (h heard, doubt string) {
	h = b.hears(func(f *il.Function, in *il.Instr) bool {
		if ends(f, in) {
			return true
		}
		if in.Op == il.Call && doubt == "" && b.il.callee(f, in) == nil && !b.looks(f, in, readsNothing) {
			doubt = lies(f, in.Span).String()
		}
		return false
	}, of)
	return h, doubt
}

// doubted is the fact of an arrow that is not said to break where a call on the way may
// have read what is missing, or other code may bring it.
func doubted(f facts.Fact[facts.Link], call string, brought bool) facts.Fact[facts.Link] {
	switch {
	case !facts.Broken(f):
	case call != "":
		f.Answer, f.Why = facts.Unknown, facts.Reason{Code: court.Dynamic, Text: "what the call in " + call + " gives is not known"}
	case brought:
		f.Answer, f.Why = facts.Unknown, facts.Reason{Code: court.Dynamic, Text: "other code may bring it"}
	}
	return f
}

// given are words of what a program is started with, and not of what it finds.
var given = []string{"url", "uri", "path", "dir", "folder", "pdf", "rubric", "dimensions", "id", "name"}

// detectives is the code of the nodes that gather evidence.
func (b *bench) detectives() *programPart {
	var roots []*code.Definition
	if g := b.r.Main; g != nil {
		for i := range g.Nodes {
			if n := &g.Nodes[i]; n.Role == facts.Detective || plays(n, facts.Detective) {
				roots = append(roots, b.worker(n)...)
			}
		}
	}
	return enter(b.p, b.il, ordered(roots), true)
}

// looks tells whether a call is known to have a role: by the full name of what it calls,
// or by that of the method where its object is not known.
func (b *bench) looks(f *il.Function, in *il.Instr, role string) bool {
	s := b.il.Names.Operand(f, in.Args[0])
	if s != nil && s.Function != nil {
		return false
	}
	if s != nil && s.Outside != "" && tables.Of(tables.Look).Has("python", s.Outside, role) {
		return true
	}
	i := strings.LastIndexByte(in.Kind, '.')
	return i >= 0 && (s == nil || s.Outside == "") && tables.Of(tables.Look).Has("python", in.Kind[i:], role)
}

// clones tells a call that is given the word clone, or whose name has it.
func clones(f *il.Function, in *il.Instr) bool {
	if starts(split(in.Kind), "clone") {
		return true
	}
	for _, o := range in.Args[1:] {
		list := []il.Operand{o}
		if def := f.Def(f.Root(o)); def != nil && def.Op == il.Make {
			list = def.Args
		}
		if slices.ContainsFunc(list, func(o il.Operand) bool { text, _ := f.Str(o); return text == "clone" }) {
			return true
		}
	}
	return false
}
