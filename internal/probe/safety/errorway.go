package safety

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// routedTest looks for a node of the graph that every run to the clone passes,
// that tests the value which the state holds under k, and from which a bad one
// leads to the end or to a handler: by a key that the node writes and a router
// behind it reads, or by a Command of its own.
func (v *survey) routedTest(k string, l lead) code.Node {
	if v.graph == nil {
		return code.Node{}
	}
	c := course{survey: v, graph: v.graph}
	for _, n := range v.graph.Nodes {
		if langgraph.Def(n.Source) != nil && len(l.calls[langgraph.Def(n.Source)]) > 0 {
			c.clones = append(c.clones, n.Name)
		}
	}
	if len(c.clones) == 0 {
		return code.Node{}
	}
	for _, n := range v.graph.Nodes {
		if langgraph.Def(n.Source) == nil || !langgraph.Def(n.Source).IsFunction() || slices.Contains(c.clones, n.Name) || !c.passes(n.Name) {
			continue
		}
		if at := c.turns(n, v.reads(langgraph.Def(n.Source), k)); at.Valid() {
			return at
		}
	}
	return code.Node{}
}

// reads are the expressions by which a node reads a key of the state.
func (v *survey) reads(fn *code.Definition, k string) map[string]bool {
	texts := map[string]bool{}
	for n := range fn.Body().WalkScope() {
		if n.Is("subscript", "call", "attribute") && key(n) == k {
			texts[n.Text()] = true
		}
	}
	return texts
}

// course is the ways through the graph to the nodes that clone.
type course struct {
	*survey
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

// turns finds the test in a node that turns a bad value away from the clone.
func (c course) turns(n agentgraph.Node, texts map[string]bool) code.Node {
	if len(texts) == 0 {
		return code.Node{}
	}
	s := c.about(langgraph.Def(n.Source), texts, 1)
	for x := range langgraph.Def(n.Source).Body().WalkScope() {
		if !x.Is("if_statement") {
			continue
		}
		tested := false
		for _, arm := range append([]code.Node{x}, x.Fields("alternative")...) {
			tested = tested || arm.Is("if_statement", "elif_clause") && s.tests(arm.Field("condition"))
			if tested && (c.jumps(n, block(arm)) || slices.ContainsFunc(c.marks(langgraph.Def(n.Source), block(arm)), func(m mark) bool { return c.turnsAt(n.Name, m) })) {
				return arm
			}
		}
	}
	return code.Node{}
}

// jumps tells a block of a node that returns a Command to the end or to a
// handler.
func (c course) jumps(n agentgraph.Node, b code.Node) bool {
	out := leaves(b)
	if !out.Is("return_statement") {
		return false
	}
	call := c.p.Call(out.Child(0))
	if call == nil || !call.Callee.Matches("langgraph.*.Command") {
		return false
	}
	to, ok := c.targets(call.Arg("goto", 3), code.Value{}, nil, nil)
	for i := range c.graph.Routes {
		if r := &c.graph.Routes[i]; r.From == n.Name && r.Kind == agentgraph.Command {
			return ok && c.ends(to) && !c.reaches(n.Name, "", r, to)
		}
	}
	return false
}

// turnsAt tells whether a router that reads what a node wrote keeps the run
// from the clone.
func (c course) turnsAt(name string, m mark) bool {
	for i := range c.graph.Routes {
		r := &c.graph.Routes[i]
		if r.Kind != agentgraph.Conditional || langgraph.Def(r.Source) == nil {
			continue
		}
		names, known := c.pathMap(r)
		if !known {
			continue
		}
		sight := &marked{survey: c.survey, fn: langgraph.Def(r.Source), mark: m}
		var to []string
		ok := true
		for _, value := range sight.returned() {
			more, told := c.targets(value, names, r, sight)
			to, ok = append(to, more...), ok && told
		}
		if ok && sight.decided && c.ends(to) && !c.reaches(name, "", r, to) {
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
func (c course) pathMap(r *agentgraph.Route) (names code.Value, known bool) {
	if !r.Mapped {
		return code.Value{}, true
	}
	for _, call := range c.p.Calls("*.add_conditional_edges") {
		if call.Node.Path() == r.At.Path && call.Node.Line() == r.At.Line {
			names = c.p.Eval(call.Arg("path_map", 2))
			return names, names.Kind == code.ValueDict || names.Kind == code.ValueList
		}
	}
	return code.Value{}, false
}

// targets are the nodes that an expression of a router leads to; ok is false
// when one could not be told.
func (c course) targets(n code.Node, names code.Value, r *agentgraph.Route, sight *marked) (to []string, ok bool) {
	n = n.Unparen()
	if n.Is("list", "tuple", "expression_list") {
		for x := range n.Children() {
			more, told := c.targets(x, names, r, sight)
			if to = append(to, more...); !told {
				return nil, false
			}
		}
		return to, len(to) > 0
	}
	if sight != nil && n.Is("conditional_expression") {
		for i, side := range map[int]tri{0: yes, 2: no} {
			if t := sight.holds(n.Child(1), 0); t == unsure || t == side {
				more, told := c.targets(n.Child(i), names, r, sight)
				if to = append(to, more...); !told {
					return nil, false
				}
			}
		}
		return to, len(to) > 0
	}
	for _, value := range c.p.Eval(n).Choices() {
		word := label(value)
		if word == "" && sight != nil {
			word = map[tri]string{yes: "True", no: "False"}[sight.holds(n, 0)]
		}
		if names.Kind == code.ValueDict {
			at := slices.IndexFunc(names.Keys, func(k code.Value) bool { return label(k) == word })
			if at < 0 || at >= len(names.Items) {
				return nil, false
			}
			word = label(names.Items[at])
		}
		if word == "" {
			return nil, false
		}
		to = append(to, word)
	}
	return to, len(to) > 0
}

// label is the name that a constant stands for in a path map, "" for what is no
// constant.
func label(v code.Value) string {
	if text, ok := v.Str(); ok {
		return text
	}
	switch {
	case v.Kind == code.ValueBool && v.Int != 0:
		return "True"
	case v.Kind == code.ValueBool:
		return "False"
	case v.Kind == code.ValueSymbol && v.Symbol.Matches("langgraph.*.END"):
		return agentgraph.END
	}
	return ""
}
