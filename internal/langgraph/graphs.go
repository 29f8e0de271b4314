package langgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// graphs finds the builders and reads the wiring of each.
func (r *reader) graphs() []*Graph {
	base := r.drafts()
	var out []*Graph
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

func byBuilder(graphs []*Graph, at Place) *Graph {
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
	slices.SortStableFunc(out, func(a, b *draft) int { return comparePlaces(placeOf(a.ctor), placeOf(b.ctor)) })
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
func (r *reader) assemble(d *draft) *Graph {
	o := r.constructs(d.ctor)
	g := &Graph{Builder: placeOf(d.ctor), Call: r.p.Call(d.ctor), Provenance: ProvenanceUnknown, Scope: r.scopeOf(d)}
	if o != nil {
		g.Provenance, g.Note = o.provenance, o.note
	}
	owner := r.p.Enclosing(d.ctor)
	if owner != nil {
		g.Name = owner.Qualified
	}
	g.Schema = r.schema(g.Call, d)
	w := &wirer{reader: r, g: g, made: map[string]operation{}}
	w.apply(d.ops)
	w.addCommands()
	w.markMany()
	g.settleSides()
	for _, t := range d.touched {
		u := Unresolved{Expr: t.n.Unknown(), Node: true, At: placeOf(t.n), From: t.names}
		g.Unresolved = append(g.Unresolved, u)
	}
	r.operation(g, d)
	g.sort()
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

// markMany marks the nodes that many Sends go to.
func (w *wirer) markMany() {
	for _, r := range w.g.Routes {
		for _, t := range r.Targets {
			if n := w.g.Node(t.Name); n != nil && t.Many {
				n.Many = true
			}
		}
	}
}

// sort puts the lists of a graph in order.
func (g *Graph) sort() {
	slices.SortFunc(g.Nodes, func(a, b Node) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(g.Edges, func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.From, b.From), strings.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortStableFunc(g.Routes, func(a, b Route) int {
		return cmp.Or(strings.Compare(a.From, b.From), comparePlaces(a.At, b.At))
	})
	slices.SortStableFunc(g.Unresolved, func(a, b Unresolved) int { return comparePlaces(a.At, b.At) })
}

// schemaArgument returns what a constructor is given as state.
func schemaArgument(c *code.Call) code.Node {
	return given(c, 0, "state_schema", "schema", "state", "state_type")
}

// schemaGiven reports whether the constructor is given a state type, or may be
// by a splat. A home-made one may need none.
func (g *Graph) schemaGiven() bool {
	return g.Call == nil || schemaArgument(g.Call).Valid() || g.Call.Splat()
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
