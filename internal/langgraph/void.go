package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// voids marks the fields of a graph's state in which no run ever has anything: no node writes
// them, and runs begin without, or with nothing in them. It is said only where all that nodes
// write was read, and every run of the program.
func (r *reader) voids(g *agentgraph.Graph) {
	if g.Provenance != agentgraph.FromLangGraph || g.State.Kind != agentgraph.KindTypedDict || len(g.Unresolved) > 0 || g.Start.Open || !r.begun(g) {
		return
	}
	var runs []*code.Definition
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Opaque || n.Nested != nil || n.Within != nil || called(n) == nil {
			return
		}
		runs = append(runs, called(n))
	}
	for _, route := range g.Routes {
		if Def(route.Source) == nil || slices.ContainsFunc(route.Targets, func(t agentgraph.Target) bool { return t.Send }) {
			return
		}
		runs = append(runs, Def(route.Source))
	}
	if slices.ContainsFunc(runs, func(d *code.Definition) bool { return r.askedAside(d) || r.takesOther(g, d) }) {
		return
	}
	for i := range g.State.Fields {
		f := &g.State.Fields[i]
		f.Void = !slices.ContainsFunc(g.Writes, func(w agentgraph.Write) bool { return w.Key == f.Name && !w.Echoes }) &&
			!slices.ContainsFunc(g.Start.Keys, func(w agentgraph.Write) bool { return w.Key == f.Name && !w.Empty }) &&
			!slices.ContainsFunc(runs, func(d *code.Definition) bool { return r.bodies.Fills(r.p.Body(d), f.Name) })
	}
}

// askedAside tells a function of the state that production code also calls with something of
// its own.
func (r *reader) askedAside(d *code.Definition) bool {
	return slices.ContainsFunc(r.p.Callers(d), func(c *intree.Call) bool {
		return c.Node.Module().Scope == code.ScopeProduction && !r.handsOn(c, d)
	})
}

// begun tells a graph that production code runs, and whose state nobody sets from outside.
func (r *reader) begun(g *agentgraph.Graph) bool {
	for _, m := range r.p.Modules {
		if m.Scope == code.ScopeProduction && slices.ContainsFunc(r.p.CallsOf(m), func(c *intree.Call) bool { return c.Name == "update_state" || c.Name == "aupdate_state" }) {
			return false
		}
	}
	return slices.ContainsFunc(g.Invokes, func(c agentgraph.Call) bool { return Expr(c.Source).Module().Scope == code.ScopeProduction })
}

// untaken marks the targets of routes that a router only returns where there is something under
// a key that the state lacks, or in a field in which nothing ever is.
func (r *reader) untaken(g *agentgraph.Graph) {
	for i := range g.Routes {
		route := &g.Routes[i]
		f := r.p.Body(Def(route.Source))
		if route.Kind != agentgraph.Conditional || f == nil || len(f.Blocks) == 0 {
			continue
		}
		var lacked, void []string
		for _, a := range g.Reads {
			field := g.State.Field(a.Key)
			switch {
			case a.Node != route.From || a.Who == a.Node || slices.Contains(lacked, a.Key) || slices.Contains(void, a.Key):
			case field != nil && field.Void:
				void = append(void, a.Key)
			case !a.Known && !a.Doubt:
				lacked = append(lacked, a.Key)
			}
		}
		if len(lacked)+len(void) == 0 {
			continue
		}
		runs, said := taken(f, r.bodies.Entered(f, slices.Concat(lacked, void)))
		dead := map[string]bool{}
		for k := range route.Targets {
			t := &route.Targets[k]
			again := said[t.Name] || said[agentgraph.Label(t.Name)]
			for key, to := range route.Map {
				again = again || to == t.Name && said[key]
			}
			if run, written := runs[t.At]; written && !run && !again {
				t.Dead, route.Lacks, route.Void = true, lacked, void
			}
			dead[t.Name] = t.Dead
		}
		route.Outcomes = slices.DeleteFunc(route.Outcomes, func(names []string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return dead[n] })
		})
	}
}

// taken tells of the places of a function's instructions whether a run comes to them, and
// which constants and names those have to which it does.
func taken(f *il.Function, entered map[*il.Block]bool) (runs map[agentgraph.Place]bool, said map[string]bool) {
	runs, said = map[agentgraph.Place]bool{}, map[string]bool{}
	for b, in := range f.Instructions() {
		p := f.Place(in.Span)
		at := agentgraph.Place{Path: p.Path, Line: p.Line, End: p.EndLine}
		runs[at] = runs[at] || entered[b]
		for _, o := range in.Args {
			c, constant := f.Const(o)
			switch {
			case !entered[b]:
			case constant && c.Type == il.BoolConst:
				said[map[bool]string{true: "True", false: "False"}[c.Num != 0]] = true
			case constant:
				said[c.Text] = true
			default:
				said[f.Word(o)] = true
			}
		}
	}
	return runs, said
}
