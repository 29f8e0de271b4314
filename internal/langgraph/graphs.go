package langgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// draft is a graph while its operations are collected.
type draft struct {
	ctor    code.Node
	chain   []code.Node // wrapper calls that make it a graph of its own
	ops     []operation
	touched []touch // uses of the builder that are no wiring
	compile []*code.Call
	invoke  []*code.Call
}

// touch is a change to a builder that goes past its methods.
type touch struct {
	n     code.Node
	names []string // nodes concerned; nil: any
	lost  bool     // handed to code that was not resolved
}

// runMethods run a compiled graph.
var runMethods = []string{"invoke", "ainvoke", "stream", "astream", "batch", "abatch", "astream_events", "astream_log", "run"}

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

// drafts collects what is done to each constructor's builder, apart for each
// chain of wrappers that returns it.
func (r *reader) drafts() []*draft {
	var out []*draft
	of := func(f found) *draft {
		for _, d := range out {
			if d.ctor == f.ctor && slices.Equal(d.chain, f.chain) {
				return d
			}
		}
		d := &draft{ctor: f.ctor, chain: f.chain}
		out = append(out, d)
		return d
	}
	r.eachCall(func(c *code.Call) {
		if r.p.Dead(c.Node) {
			return
		}
		if r.constructs(c.Node) != nil {
			of(found{ctor: c.Node})
		}
		if !c.Receiver.Valid() {
			return
		}
		switch {
		case slices.Contains(wiringMethods, c.Name):
			for _, o := range r.operations(c) {
				for _, f := range r.trace(c.Receiver, o.site.fr) {
					if !f.compiled {
						d := of(f)
						d.ops = append(d.ops, o)
					}
				}
			}
		case c.Name == "compile":
			for _, f := range r.trace(c.Receiver, nil) {
				d := of(f)
				d.compile = append(d.compile, c)
			}
		case slices.Contains(runMethods, c.Name):
			for _, f := range r.trace(c.Receiver, nil) {
				d := of(f)
				d.invoke = append(d.invoke, c)
			}
		}
	})
	r.touches(out)
	return out
}

// eachCall visits the calls outside vendored and generated code, by place.
func (r *reader) eachCall(visit func(*code.Call)) {
	for _, m := range r.p.Modules {
		if m.Shadowed || m.Scope == code.ScopeVendor || m.Scope == code.ScopeGenerated {
			continue
		}
		for _, c := range m.Calls() {
			visit(c)
		}
	}
}

// operations returns a wiring call at each site at which it runs.
func (r *reader) operations(c *code.Call) []operation {
	var out []operation
	for _, s := range r.sites(c.Node) {
		if cond := r.guards(c.Node, s); !cond.never {
			out = append(out, operation{call: c, site: s, cond: cond})
		}
	}
	return out
}

// touches looks for changes that go past the builder's methods: its tables of
// nodes and edges, and functions that were not resolved.
func (r *reader) touches(drafts []*draft) {
	note := func(receiver, n code.Node, names []string, lost bool) {
		for _, f := range r.trace(receiver, nil) {
			for _, d := range drafts {
				if d.ctor == f.ctor && !f.compiled {
					d.touched = append(d.touched, touch{n: n, names: names, lost: lost})
				}
			}
		}
	}
	tables := []string{"nodes", "edges", "branches"}
	table := func(n code.Node) (code.Node, bool) {
		return n.Field("object"), n.Is("attribute") && slices.Contains(tables, n.Field("attribute").Text())
	}
	r.eachCall(func(c *code.Call) {
		if object, ok := table(c.Receiver); ok && slices.Contains([]string{"pop", "clear", "update", "add", "discard", "remove"}, c.Name) {
			var names []string
			if name, ok := r.p.Eval(c.Arg("", 0)).Str(); ok && c.Name == "pop" {
				names = []string{name}
			}
			note(object, c.Node, names, false)
		}
		if !c.Callee.Known() {
			for _, a := range c.Args {
				if a.Value.Is("identifier") && !c.Receiver.Valid() {
					note(a.Value, c.Node, nil, true)
				}
			}
		}
	})
	for _, d := range drafts {
		for n := range d.ctor.Module().Root().Walk() {
			if !n.Is("delete_statement") {
				continue
			}
			for s := range n.Walk() {
				if object, ok := table(s.Field("value")); ok && s.Is("subscript") {
					var names []string
					if name, ok := r.p.Eval(s.Field("subscript")).Str(); ok {
						names = []string{name}
					}
					note(object, n, names, false)
				}
			}
		}
	}
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
	w := &wirer{reader: r, g: g, home: g.Provenance == FromHome}
	w.apply(d.ops)
	w.addCommands()
	w.markMany()
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
