package wiring

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// Graph is a graph that was read, with what its reader goes on with.
type Graph struct {
	*agentgraph.Graph
	In     *il.Function // around the call that makes the builder
	At     *il.Instr
	Around []*il.Function // that a run has come through, the innermost last
	Schema *il.Function   // the body of the class that is given as state, nil where that is not of the program
	Named  string         // its full name, "" where it is not known
}

// Read reads the graphs of a program, by place.
func Read(p Program) []Graph {
	x := follow(p)
	var out []Graph
	for _, b := range x.groups() {
		out = append(out, x.assemble(b))
	}
	slices.SortStableFunc(out, func(a, b Graph) int { return a.Builder.Compare(b.Builder) })
	for _, g := range out {
		for i := range g.Nodes {
			n := &g.Nodes[i]
			if n.Nested == nil {
				continue
			}
			j := slices.IndexFunc(out, func(o Graph) bool { return o.Builder == n.Nested.Builder })
			if n.Nested = nil; j >= 0 {
				n.Nested = out[j].Graph
			}
		}
	}
	return out
}

// groups decides which builders are graphs. All that one call makes are one, unless what
// stands around the code that makes them adds wiring of its own to several.
func (x *machine) groups() (out []*built) {
	by := map[place][]*built{}
	var order []place
	for _, b := range x.built {
		if by[b.at] == nil {
			order = append(order, b.at)
		}
		by[b.at] = append(by[b.at], b)
	}
	for _, at := range order {
		all := by[at]
		if x.Scope(at.f.Module.Path) == Production {
			real := slices.DeleteFunc(slices.Clone(all), func(b *built) bool { return x.Scope(b.stack[0].f.Module.Path) != Production })
			if len(real) > 0 {
				for _, b := range all {
					if !slices.Contains(real, b) {
						real[0].compiles, real[0].invokes = append(real[0].compiles, b.compiles...), append(real[0].invokes, b.invokes...)
					}
				}
				all = real
			}
		}
		var keys []string
		own := map[string][]*built{}
		for _, b := range all {
			if k := x.elsewhere(b); k != "" {
				if own[k] == nil {
					keys = append(keys, k)
				}
				own[k] = append(own[k], b)
			}
		}
		if len(keys) < 2 {
			out = append(out, group(all, false))
			continue
		}
		for _, k := range keys {
			out = append(out, group(own[k], true))
		}
	}
	return out
}

// group makes builders one graph.
func group(all []*built, apart bool) *built {
	for _, b := range all[1:] {
		all[0].merge(b)
	}
	all[0].apart = apart
	return all[0]
}

// elsewhere writes which calls wire a builder outside of the function or class that makes it.
func (x *machine) elsewhere(b *built) string {
	home := func(f *il.Function) *il.Function {
		for ; f != nil && f.Kind != il.Top; f = f.Outer {
			if f.Outer == nil || f.Outer.Kind == il.Top {
				return f
			}
		}
		return f
	}
	var out []string
	for _, o := range b.ops {
		if slices.Contains(o.stack, b.frame) || home(o.at.f) == home(b.at.f) {
			continue
		}
		out = append(out, x.key(o.at.f, o.at.in.Span))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

func (b *built) merge(o *built) {
	b.others = append(b.others, o)
	for _, op := range o.ops {
		op.of = o
	}
	b.ops, b.touched = append(b.ops, o.ops...), append(b.touched, o.touched...)
	b.compiles, b.invokes = append(b.compiles, o.compiles...), append(b.invokes, o.invokes...)
}

// assemble turns what was done to a builder into a graph.
func (x *machine) assemble(b *built) Graph {
	g := &agentgraph.Graph{Builder: x.Place(b.at.f, b.at.in.Span), Provenance: b.from.provenance, Note: b.from.note}
	g.Production = x.Scope(b.at.f.Module.Path) == Production && (!b.apart || x.Scope(b.stack[0].f.Module.Path) == Production)
	out := Graph{Graph: g, In: b.at.f, At: b.at.in}
	for _, fr := range b.stack {
		out.Around = append(out.Around, fr.f)
	}
	x.schema(b, &out)
	slices.SortStableFunc(b.ops, func(a, b *operation) int {
		return cmp.Or(strings.Compare(a.at.f.Module.Path, b.at.f.Module.Path), cmp.Compare(a.at.in.Span.To, b.at.in.Span.To))
	})
	for _, o := range b.ops { // a condition of the whole builder is none of its parts
		base := x.support(cmp.Or(o.of, b).when)
		o.when = x.without(o.when, func(t int32) bool { return slices.Contains(base, t) })
	}
	x.variants(b)
	w := &wirer{machine: x, g: g, made: map[string]*operation{}, nodes: map[string]cond{}, edges: map[int]cond{}, routes: map[int]cond{}, runs: map[string]*thing{}}
	w.apply(b.ops)
	w.addCommands()
	w.settle()
	for _, t := range b.touched {
		u := agentgraph.Unresolved{Expr: x.Unknown(t.at.f, t.at.in.Span), Node: true, At: x.Place(t.at.f, t.at.in.Span)}
		for _, k := range t.keys {
			if s, ok := k.str(); ok {
				u.From = append(u.From, s)
			}
		}
		g.Unresolved = append(g.Unresolved, u)
	}
	for _, p := range slices.SortedFunc(maps.Values(x.lost), func(a, b place) int { return cmp.Compare(a.in.Span.From, b.in.Span.From) }) {
		if p.f.Module == b.at.f.Module && !x.found(p) {
			g.Unresolved = append(g.Unresolved, agentgraph.Unresolved{Expr: x.Unknown(p.f, p.in.Span), Node: true, At: x.Place(p.f, p.in.Span)})
		}
	}
	if x.spent { // the rest of the program was not run
		g.Unresolved = append(g.Unresolved, agentgraph.Unresolved{Expr: x.Unknown(b.at.f, b.at.in.Span), Node: true, At: g.Builder})
	}
	for _, c := range b.compiles {
		g.Compiles = x.addCall(g.Compiles, c)
		if v := c.given(0, "checkpointer"); v != nil && !v.only().none() {
			g.Ops.Checkpointer = agentgraph.Places(append(g.Ops.Checkpointer, x.Place(c.at.f, c.at.in.Span))...)
		}
	}
	for _, c := range b.invokes {
		if c.name != "with_config" {
			g.Invokes = x.addCall(g.Invokes, c)
		}
		for _, v := range c.args {
			for _, e := range v.only().entries() {
				if s, _ := e.key.only().str(); s == "recursion_limit" {
					g.Ops.RecursionLimit = agentgraph.Places(append(g.Ops.RecursionLimit, x.Place(c.at.f, c.at.in.Span))...)
				}
			}
		}
	}
	for _, calls := range [][]agentgraph.Call{g.Compiles, g.Invokes} {
		slices.SortStableFunc(calls, func(a, b agentgraph.Call) int { return a.At.Compare(b.At) })
	}
	g.Finish()
	return out
}

// variants tells apart what some of the builders do that are one graph, and others do not
// that come by the same function: each of them is a way to build it.
func (x *machine) variants(b *built) {
	if len(b.others) == 0 || len(b.others) >= maxVariants {
		return
	}
	all := append([]*built{b}, b.others...)
	came := map[*il.Function][]*built{}
	for _, o := range b.ops {
		came[o.at.f] = append(came[o.at.f], cmp.Or(o.of, b))
	}
	ways, rest := map[*built]cond{}, always
	for i, o := range all {
		at := o.at
		for k := len(o.stack) - 1; k > 0; k-- {
			if in := o.stack[k].at; in != nil {
				at = place{o.stack[k-1].f, in}
				break
			}
		}
		way := rest
		if i < len(all)-1 {
			way = x.and(rest, x.literal(x.fresh("way"), at, agentgraph.Unknown))
		}
		ways[o], rest = way, x.and(rest, x.not(way))
	}
	for _, o := range b.ops {
		c := ways[cmp.Or(o.of, b)]
		for _, way := range all {
			if !slices.Contains(came[o.at.f], way) {
				c = x.or(c, ways[way])
			}
		}
		o.when = x.and(o.when, c)
	}
}

// maxVariants bounds the ways to build one graph that are told apart.
const maxVariants = 8

// found tells wiring that some run did on a builder.
func (x *machine) found(p place) bool {
	return slices.ContainsFunc(x.built, func(b *built) bool {
		return slices.ContainsFunc(b.ops, func(o *operation) bool { return o.at == p })
	})
}

// addCall adds a call once.
func (x *machine) addCall(calls []agentgraph.Call, o *operation) []agentgraph.Call {
	c := agentgraph.Call{At: x.Place(o.at.f, o.at.in.Span), Source: x.Node(o.at.f, o.at.in.Span)}
	if slices.Contains(calls, c) {
		return calls
	}
	return append(calls, c)
}

// given is an argument by position or by one of its names; nil where it is not given.
func (o *operation) given(pos int, names ...string) value {
	for _, name := range names {
		if i := slices.Index(o.names, name); i >= 0 {
			return o.args[i]
		}
	}
	n := 0
	for i, name := range o.names {
		if name == "" {
			if n == pos {
				return o.args[i]
			}
			n++
		}
	}
	return nil
}

// schema notes what a builder is given as state.
func (x *machine) schema(b *built, out *Graph) {
	o := operation{args: b.args, names: b.names}
	for _, a := range o.given(0, "state_schema", "schema", "state", "state_type") {
		switch a.kind {
		case class:
			if out.Schema == nil {
				out.Schema = a.fn
			}
		case outside:
			if out.Named == "" && !strings.HasPrefix(a.name, "?") {
				out.Named = a.name
			}
		default:
		}
	}
}
