package safety

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// routedTest looks for a node of the graph that every run to the clone passes, that
// tests the value which the state holds under a key, and from which a bad one leads to
// the end or to a handler: by a key that the node writes and a router behind it reads,
// or by a Command of its own.
func (x *lowered) routedTest(k string, w *way) (out []refusal) {
	if x.survey.graph == nil {
		return nil
	}
	c := course{lowered: x, graph: x.survey.graph}
	for _, n := range c.graph.Nodes {
		if f := x.functionOf(langgraph.Def(n.Source)); f != nil && x.reach(f).Of(w.home).Is == analyse.Yes {
			c.clones = append(c.clones, n.Name)
		}
	}
	for _, n := range c.graph.Nodes {
		f := x.functionOf(langgraph.Def(n.Source))
		if f == nil || len(c.clones) == 0 || slices.Contains(c.clones, n.Name) || !c.passes(n.Name) {
			continue
		}
		for _, o := range reads(f, k) {
			out = append(out, c.turns(n, f, o)...)
		}
	}
	return out
}

// reach is where runs come to that enter at a function, once all modules are loaded.
func (x *lowered) reach(f *il.Function) *analyse.Reach {
	q := question{"reach", f, 0, 0}
	if known, ok := x.asked[q]; ok {
		return known.(*analyse.Reach)
	}
	r := analyse.ReachFrom(x.Names, func(f *il.Function, b *il.Block) bool { return f.Kind == il.Top || x.values.Dead(f, b) }, f)
	x.asked[q] = r
	return r
}

// functionOf is a function of Python's tree.
func (x *lowered) functionOf(d *code.Definition) *il.Function {
	if d == nil || !d.IsFunction() {
		return nil
	}
	n := decorated(d)
	return x.Defined(n.Path(), n.Start(), n.End())
}

// course is the ways through the graph to the nodes that clone.
type course struct {
	*lowered
	graph  *agentgraph.Graph
	clones []string
}

// passes tells whether every way from the start to a clone goes through a node.
func (c course) passes(name string) bool {
	return c.reaches(agentgraph.START, "", nil, nil) && !c.reaches(agentgraph.START, name, nil, nil)
}

// reaches tells whether a clone follows a node, on ways that leave out one node
// and on which one route only leads to what is given.
func (c course) reaches(from, without string, route *agentgraph.Route, to []string) bool {
	seen := map[string]bool{without: true, from: true}
	for stack := []string{from}; len(stack) > 0; {
		now := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if slices.Contains(c.clones, now) {
			return true
		}
		var next []string
		for _, e := range c.graph.Edges {
			if e.From == now || slices.Contains(e.Sources, now) {
				next = append(next, e.To)
			}
		}
		for i := range c.graph.Routes {
			switch r := &c.graph.Routes[i]; {
			case r.From != now:
			case r == route:
				next = append(next, to...)
			default:
				for _, t := range r.Targets {
					if !t.Dead {
						next = append(next, t.Name)
					}
				}
			}
		}
		for _, t := range next {
			if !seen[t] {
				seen[t] = true
				stack = append(stack, t)
			}
		}
	}
	return false
}

// turns finds the tests of a value in a node that turn a bad one away from the clone.
func (c course) turns(n agentgraph.Node, f *il.Function, value il.Operand) (out []refusal) {
	l := c.looksAt(f, value, 1)
	for b, in := range f.Instructions() {
		if in.Op != il.Branch {
			continue
		}
		at := l.tests(in)
		if at < forbids {
			continue
		}
		for _, side := range b.Succs {
			if c.jumps(n, f, side) || slices.ContainsFunc(c.marks(f, side), func(m mark) bool { return c.turnsAt(n.Name, m) }) {
				span := in.Span
				for _, done := range within(f, side) {
					span.To = max(span.To, done.Span.To)
				}
				out = append(out, refusal{shownAt(f, span), at == demands})
			}
		}
	}
	return out
}

// jumps tells a side of a branch of a node on which it returns a Command to the end or
// to a handler.
func (c course) jumps(n agentgraph.Node, f *il.Function, side *il.Block) bool {
	for _, in := range within(f, side) {
		def := f.Def(f.Root(givenBack(in)))
		if def == nil || def.Op != il.Call {
			continue
		}
		name, _ := c.callee(f, def)
		to, given := def.Argument("goto", 3)
		if !given || !named(name, "langgraph.*.Command") {
			continue
		}
		names, told := c.names(f, to, def)
		for i := range c.graph.Routes {
			if r := &c.graph.Routes[i]; r.From == n.Name && r.Kind == agentgraph.Command {
				return told && c.ends(names) && !c.reaches(n.Name, "", r, names)
			}
		}
	}
	return false
}

// outcome is what a function may return, and where it is told.
type outcome struct {
	o  il.Operand
	at *il.Instr
}

// outcomes are what a function may return, each by the way that brings it.
func outcomes(f *il.Function) (out []outcome) {
	var add func(o il.Operand, at *il.Instr, deep int)
	add = func(o il.Operand, at *il.Instr, deep int) {
		o = f.Root(o)
		def := f.Def(o)
		if def == nil || def.Op != il.Phi || deep == 0 {
			out = append(out, outcome{o, at})
			return
		}
		for i, p := range f.Block(def).Preds {
			add(def.Args[i], p.End(), deep-1)
		}
	}
	for _, in := range f.Instructions() {
		if in.Op == il.Return {
			add(in.Args[0], in, maxTests)
		}
	}
	return out
}

// turnsAt tells whether a router that reads what a node wrote keeps the run
// from the clone.
func (c course) turnsAt(name string, m mark) bool {
	for i := range c.graph.Routes {
		r := &c.graph.Routes[i]
		f := c.functionOf(langgraph.Def(r.Source))
		if r.Kind != agentgraph.Conditional || f == nil {
			continue
		}
		sight, labels := marked{c.lowered, f, m}, c.pathMap(r)
		var to []string
		decided, ok := false, true
		for _, o := range outcomes(f) {
			if sight.excluded(o.at) {
				decided = true
				continue
			}
			more, told := c.names(f, o.o, o.at)
			if t := sight.truth(o.o, maxCondition); !told && t != unsure {
				more, told, decided = []string{map[tri]string{yes: "True", no: "False"}[t]}, true, true
			}
			for _, word := range more {
				if label, mapped := labels[word]; mapped {
					word = label
				} else if r.Mapped && !slices.ContainsFunc(r.Targets, func(t agentgraph.Target) bool { return t.Name == word }) {
					told = false
				}
				to = append(to, word)
			}
			ok = ok && told
		}
		if ok && decided && c.ends(to) && !c.reaches(name, "", r, to) {
			return true
		}
	}
	return false
}

// ends tells targets that are all the end or a handler of failures.
func (c course) ends(to []string) bool {
	return len(to) > 0 && !slices.ContainsFunc(to, func(name string) bool {
		n := c.graph.Node(name)
		return name != agentgraph.END && (n == nil || n.Role != agentgraph.RoleHandler)
	})
}

// pathMap is the mapping of a route from what its router returns to nodes.
func (c course) pathMap(r *agentgraph.Route) map[string]string {
	out := map[string]string{}
	if !r.Mapped {
		return out
	}
	for at := range c.calls() {
		p := at.f.Place(at.in.Span)
		if at.method() != "add_conditional_edges" || p.Path != r.At.Path || p.Line != r.At.Line {
			continue
		}
		o, _ := at.in.Argument("path_map", 2)
		for _, s := range c.values.Shapes(at.f, o, at.in) {
			for _, part := range s.Parts {
				if word := c.target(part); s.Kind == analyse.Map && word != "" {
					out[part.Key] = word
				}
			}
		}
	}
	return out
}

// target is the node that a part of a shape names, "" where it is not known.
func (c course) target(p analyse.Part) string {
	switch {
	case p.Known:
		return p.Text
	case p.In == nil:
		return ""
	}
	if s := c.Names.Operand(p.In, p.Of); s != nil && named(s.Outside, "langgraph.*.END") {
		return agentgraph.END
	}
	if k, ok := p.In.Const(p.In.Root(p.Of)); ok {
		return label(k)
	}
	return ""
}

// names are the nodes that a value of a router names; ok is false when one could not
// be told.
func (c course) names(f *il.Function, o il.Operand, at *il.Instr) (to []string, ok bool) {
	for _, s := range c.values.Shapes(f, o, at) {
		if s.Why != "" || s.Kind == analyse.Map {
			return nil, false
		}
		for _, part := range s.Parts {
			word := c.target(part)
			if word == "" || part.Rest {
				return nil, false
			}
			to = append(to, word)
		}
	}
	return to, len(to) > 0
}

// givenBack is what an instruction returns.
func givenBack(in *il.Instr) il.Operand {
	if in.Op == il.Return {
		return in.Args[0]
	}
	return il.Operand{}
}
