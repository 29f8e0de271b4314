package langgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// graphs finds the builders and reads the wiring of each.
func (r *reader) graphs() []*agentgraph.Graph {
	base := r.drafts()
	var out []*agentgraph.Graph
	for _, d := range r.split(base) {
		out = append(out, r.assemble(d))
	}
	for _, g := range out { // nested graphs are extracted on their own: link them
		for i := range g.Nodes {
			if n := &g.Nodes[i]; n.Nested != nil {
				n.Nested = byBuilder(out, n.Nested.Builder)
			}
		}
	}
	return out
}

func byBuilder(graphs []*agentgraph.Graph, at agentgraph.Place) *agentgraph.Graph {
	for _, g := range graphs {
		if g.Builder == at {
			return g
		}
	}
	return nil
}

// split decides which drafts are graphs. What is done without a wrapper in
// between belongs to every graph of that constructor; chains of wrappers that
// add wiring of their own make graphs apart.
func (r *reader) split(drafts []*draft) []*draft {
	var out []*draft
	for _, base := range drafts {
		if len(base.chain) > 0 {
			continue
		}
		var own, rest []*draft
		for _, d := range drafts {
			switch {
			case d.ctor != base.ctor || len(d.chain) == 0:
			case len(d.ops) > 0:
				own = append(own, d)
			default:
				rest = append(rest, d)
			}
		}
		if len(own) < 2 {
			for _, d := range append(own, rest...) {
				base.merge(d)
			}
			out = append(out, base)
			continue
		}
		for _, d := range own {
			d.merge(base)
			for _, o := range rest {
				if o.chain[0] == d.chain[0] {
					d.merge(o)
				}
			}
			out = append(out, d)
		}
	}
	for _, d := range drafts { // a chain whose constructor stands in dead code
		if !slices.ContainsFunc(out, func(o *draft) bool { return o.ctor == d.ctor }) {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b *draft) int { return placeOf(a.ctor).Compare(placeOf(b.ctor)) })
	return out
}

func (d *draft) merge(o *draft) {
	d.ops = append(slices.Clone(o.ops), d.ops...)
	d.touched = append(d.touched, o.touched...)
	d.compile = append(d.compile, o.compile...)
	d.invoke = append(d.invoke, o.invoke...)
	slices.SortStableFunc(d.ops, func(a, b operation) int {
		return cmp.Or(strings.Compare(a.call.Node.Path(), b.call.Node.Path()), cmp.Compare(a.call.Node.Start(), b.call.Node.Start()))
	})
}

// assemble turns a draft into a graph.
func (r *reader) assemble(d *draft) *agentgraph.Graph {
	o := r.constructs(d.ctor)
	g := &agentgraph.Graph{Builder: placeOf(d.ctor), Provenance: agentgraph.ProvenanceUnknown, Production: r.scopeOf(d) == code.ScopeProduction}
	side := r.side(g)
	side.call = r.p.Call(d.ctor)
	if o != nil {
		g.Provenance, g.Note = o.provenance, o.note
	}
	owner := r.p.Enclosing(d.ctor)
	if owner != nil {
		g.Name = owner.Qualified
	}
	side.schema = r.schema(side.call, d)
	w := &wirer{reader: r, g: g, made: map[string]operation{}}
	w.apply(d.ops)
	w.addCommands()
	for _, t := range d.touched {
		u := agentgraph.Unresolved{Expr: t.n.Unknown(), Node: true, At: placeOf(t.n), From: t.names}
		g.Unresolved = append(g.Unresolved, u)
	}
	r.operation(g, d)
	g.Finish()
	return g
}

// scopeOf returns what the graph is for: production when its constructor and
// somebody who makes it are.
func (r *reader) scopeOf(d *draft) code.Scope {
	at := d.ctor
	if len(d.chain) > 0 {
		at = d.chain[0]
	}
	if s := d.ctor.Module().Scope; s != code.ScopeProduction {
		return s
	}
	return at.Module().Scope
}

// schemaArgument returns what a constructor is given as state.
func schemaArgument(c *code.Call) code.Node {
	return given(c, 0, "state_schema", "schema", "state", "state_type")
}

// schemaGiven reports whether the constructor is given a state type, or may be
// by a splat. A home-made one may need none.
func (s *side) schemaGiven() bool {
	return s.call == nil || schemaArgument(s.call).Valid() || s.call.Splat()
}

// schema says what is passed as state.
func (r *reader) schema(c *code.Call, d *draft) code.Symbol {
	if c == nil {
		return code.Symbol{Qualified: "?"}
	}
	a := schemaArgument(c)
	if !a.Valid() {
		return code.Symbol{Qualified: d.ctor.Unknown()}
	}
	// In a wrapper the schema is often a parameter: follow it to the callers.
	for _, site := range r.sites(d.ctor) {
		if len(d.chain) > 0 && site.fr != nil && !slices.Contains(d.chain, site.fr.call) {
			continue
		}
		if s := r.p.Resolve(passedFor(a, site.fr)); s.Known() {
			return s
		}
		for _, v := range r.eval(a, site).Choices() {
			if v.Kind == code.ValueSymbol && v.Symbol.Known() {
				return v.Symbol
			}
		}
	}
	return r.p.Resolve(a)
}

// passedFor replaces a parameter by what the caller wrote for it.
func passedFor(n code.Node, fr *frame) code.Node {
	for fr != nil && n.Is("identifier") {
		a, ok := fr.args[n.Text()]
		if !ok {
			break
		}
		n, fr = a, fr.up
	}
	return n
}
