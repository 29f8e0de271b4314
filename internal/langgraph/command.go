package langgraph

import (
	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// addCommands reads the routes that nodes take themselves, by returning
// Command(goto=...) or by an annotation Command[Literal[...]].
func (w *wirer) addCommands() {
	for i := range w.g.Nodes {
		n := w.g.Nodes[i]
		if Def(n.Source) == nil {
			continue
		}
		read := &commandReader{router{reader: w.reader, active: map[code.Node]bool{}}}
		returned, found := read.commands(Def(n.Source), 0)
		annotation := w.annotated(Def(n.Source).Returns())
		if !isCommandType(w.reader, Def(n.Source).Returns()) {
			annotation = unread()
		}
		if !found && len(annotation.sets) == 0 {
			continue
		}
		r := agentgraph.Route{From: n.Name, Kind: agentgraph.Command, Source: Def(n.Source), Router: Def(n.Source).Name, Guarded: n.Guarded, At: placeOfDef(Def(n.Source))}
		r.Compares = w.bodies.Tests(w.lowered(Def(n.Source)))
		if len(annotation.sets) > 0 {
			w.annotatedRoute(&r, annotation, returned)
		} else {
			o := operation{call: &code.Call{Node: Def(n.Source).Node, Name: "Command"}}
			w.unmapped(o, &r, returned)
		}
		if len(r.Targets) > 0 || !r.Complete {
			w.addRoute(r)
		}
	}
}

// isCommandType reports whether an annotation names Command anywhere.
func isCommandType(r *reader, n code.Node) bool {
	if !n.Valid() {
		return false
	}
	for m := range n.Walk() {
		if m.Is("identifier", "attribute") && lastName(m) == "Command" && r.p.Resolve(m).Matches("langgraph.*") {
			return true
		}
	}
	return false
}

// commandReader reads the goto of the commands that a node returns.
type commandReader struct{ router }

// commands collects the destinations of the commands that a function returns;
// found is false when it returns none. A return that is not a command goes on
// over the edges.
func (c *commandReader) commands(d *code.Definition, depth int) (out outcomes, found bool) {
	out.complete = true
	if depth > maxCalls || c.active[d.Node] {
		return out, false
	}
	c.active[d.Node] = true
	defer delete(c.active, d.Node)
	for _, v := range d.ReturnValues() {
		more, ok := c.command(v, d, depth)
		if ok {
			found = true
			out = out.join(more)
		}
	}
	return out, found
}

// command reads one returned expression.
func (c *commandReader) command(n code.Node, d *code.Definition, depth int) (outcomes, bool) {
	n = n.Unparen()
	switch n.Kind() {
	case "conditional_expression":
		a, ok := c.command(n.Child(0), d, depth)
		b, also := c.command(n.Child(2), d, depth)
		return a.join(b), ok || also
	case "await":
		return c.command(n.Child(0), d, depth)
	case "identifier":
		out, found := outcomes{complete: true}, false
		for _, v := range assigned(d, n.Text(), n) {
			if v.Is("call", "await", "conditional_expression") {
				more, ok := c.command(v, d, depth+1)
				if ok {
					out, found = out.join(more), true
				}
			}
		}
		return out, found
	case "call":
	default:
		return outcomes{complete: true}, false
	}
	call := c.p.Call(n)
	if call == nil {
		return outcomes{complete: true}, false
	}
	if call.Callee.Matches("langgraph.*.Command") {
		to := call.Arg("goto", 3)
		if !to.Valid() {
			return outcomes{sets: [][]dest{{}}, complete: !call.Splat()}, true
		}
		return c.value(to, site{}), true
	}
	if f := callable(c.p, call.Callee); f != nil {
		return c.commands(f, depth+1)
	}
	return outcomes{complete: true}, false
}
