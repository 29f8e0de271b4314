package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/facts"
)

// elect finds the chief justice's code: the chief node's function; without
// one, the function or class whose name is the chief's, and else a function
// that turns opinions into final scores.
func (b *bench) elect() *programPart {
	var roots []*code.Definition
	if g := b.r.Main; g != nil {
		for _, n := range g.ByRole(facts.Chief) {
			roots = append(roots, b.worker(n)...)
		}
	}
	if len(roots) > 0 {
		return enter(b.p, ordered(b.inward(roots)), true)
	}
	if d := b.unwiredChief(); d != nil {
		return enter(b.p, []*code.Definition{d}, false)
	}
	return enter(b.p, nil, false)
}

// unwiredChief is the best candidate by name: a class before a function, the
// chief's own name before a synthesis.
func (b *bench) unwiredChief() *code.Definition {
	var best *code.Definition
	rank := 0
	for _, m := range b.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		for _, d := range m.Definitions() {
			if n := chiefRank(d); n > rank {
				best, rank = d, n
			}
		}
	}
	return best
}

// chiefRank is how likely a definition is the chief justice by its name; 0 for
// one that is none.
func chiefRank(d *code.Definition) int {
	ws := split(d.Name)
	n := 0
	switch {
	case d.Kind == code.DefMethod && d.Parent.Kind == code.DefClass && chiefRank(d.Parent) > 0:
		return 0 // the class speaks for it
	case d.Kind == code.DefClass && !d.Body().Valid(), d.Kind == code.DefLambda, d.Kind == code.DefModule:
		return 0
	case starts(ws, "chief") && starts(ws, "justice"):
		n = 6
	case d.IsFunction() && starts(ws, "synthes", "adjudicat", "arbitrat") && readsScores(d):
		n = 3
	case d.IsFunction() && has(ws, "verdict", "justice") && readsScores(d):
		n = 2
	}
	if n > 0 && (d.Kind == code.DefClass && hasWork(d) || d.IsFunction()) {
		if has(ws, "prompt", "report", "render", "route", "router") {
			return 1
		}
		if d.Kind == code.DefClass {
			n++
		}
		return n
	}
	return 0
}

// hasWork reports whether a class has methods of its own: a model of data has
// none.
func hasWork(d *code.Definition) bool {
	return slices.ContainsFunc(d.Inner(), func(m *code.Definition) bool { return m.IsFunction() && m.Name != "__init__" })
}

// readsScores reports whether a function reads the score of an opinion.
func readsScores(d *code.Definition) bool {
	for n := range d.Body().Walk() {
		if n.Is("attribute") && n.Field("attribute").Text() == "score" {
			return true
		}
	}
	return false
}
