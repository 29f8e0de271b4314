package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
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
		roots = ordered(b.inward(roots))
		return enter(b.p, b.il, ordered(append(roots, b.prepares(enter(b.p, b.il, roots, true))...)), true)
	}
	if d := b.unwiredChief(); d != nil {
		return enter(b.p, b.il, []*code.Definition{d}, false)
	}
	return enter(b.p, b.il, nil, false)
}

// prepares lists the functions of other nodes that settle scores for the chief justice:
// they read the judges' scores and write a key of the state that the chief justice reads.
func (b *bench) prepares(chief *programPart) []*code.Definition {
	g := b.r.Main
	if g.State == nil || g.State.Reviews == nil {
		return nil
	}
	var out []*code.Definition
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Role != agentgraph.RoleOther && n.Role != agentgraph.RoleAggregator {
			continue
		}
		writes := slices.ContainsFunc(g.Writes, func(w agentgraph.Write) bool {
			return w.Node == n.Name && !w.Empty && w.Key != g.State.Reviews.Name && (g.State.Material == nil || w.Key != g.State.Material.Name) &&
				len(b.readsOf(chief, w.Key)) > 0
		})
		for _, d := range b.worker(n) {
			if part := enter(b.p, b.il, []*code.Definition{d}, true); writes && slices.ContainsFunc(part.defs, readsScores) && len(b.readsOf(part, g.State.Reviews.Name)) > 0 {
				out = append(out, d)
			}
		}
	}
	return out
}

// unwiredChief is the best candidate by name: a class before a function, the
// chief's own name before a synthesis.
func (b *bench) unwiredChief() *code.Definition {
	var best *code.Definition
	rank := 0
	for m := range b.modules() {
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
