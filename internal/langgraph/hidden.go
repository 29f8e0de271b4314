package langgraph

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// hiddenIn notes what in the code of the nodes makes them run one after the
// other although the wiring lets them run together.
func (r *reader) hiddenIn(g *agentgraph.Graph) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for _, in := range n.Inner {
			if in.Role == r.words.Reviewers && !in.Concurrent && n.Role == in.Role {
				g.Waits = append(g.Waits, agentgraph.Wait{Node: n.Name, Alone: true, At: in.At, Reason: fmt.Sprintf("one node runs the %ss in turn: %s", in.Role, n.Name)})
			}
		}
		if Def(n.Source) == nil {
			continue
		}
		for _, d := range r.nearby(Def(n.Source)) {
			r.locks(g, n, d)
			r.waits(g, n, d)
		}
	}
}

// locks notes the locks and one-place semaphores that a function holds.
func (r *reader) locks(g *agentgraph.Graph, n *agentgraph.Node, d *code.Definition) {
	for w := range d.Body().WalkScope() {
		if !w.Is("with_item") {
			continue
		}
		held := w.Field("value")
		if held.Is("as_pattern") {
			held = held.Child(0)
		}
		s := r.p.Resolve(held)
		if !s.Matches("threading.Lock", "threading.RLock", "asyncio.Lock", "multiprocessing.Lock", "threading.Semaphore", "threading.BoundedSemaphore", "asyncio.Semaphore", "asyncio.BoundedSemaphore") || !s.Node.Valid() {
			continue
		}
		if c := r.p.Call(s.Node); c != nil && !s.Matches("*Lock") {
			if places, one := r.p.Number(c.Arg("value", 0)); c.Arg("value", 0).Valid() && (!one || places != 1) {
				continue
			}
		}
		if owner := r.p.Enclosing(s.Node); owner != nil && owner == d {
			continue // made anew each time
		}
		h := agentgraph.Wait{Node: n.Name, Key: s.Node.Unknown(), At: placeOf(w), Reason: "the nodes share a lock: " + held.Text()}
		if !slices.Contains(g.Waits, h) {
			g.Waits = append(g.Waits, h)
		}
	}
}

// waits notes blocking calls in async bodies, and sleeps that stagger nodes.
func (r *reader) waits(g *agentgraph.Graph, n *agentgraph.Node, d *code.Definition) {
	calls := r.p.CallsIn(d)
	for i, c := range calls {
		switch {
		case d.Async && c.Callee.Matches("time.sleep", "requests.*", "subprocess.run", "subprocess.check_*", "subprocess.call", "urllib.request.urlopen", "httpx.get", "httpx.post"):
			addWait(g, agentgraph.Wait{Node: n.Name, At: placeOf(c.Node), Reason: "an async body makes a blocking call: " + c.Callee.Qualified})
		case !d.Async && d == Def(n.Source) && c.Callee.Matches("time.sleep") && !r.byChance(c) && r.first(c.Node, d) && slices.ContainsFunc(calls[i+1:], works):
			addWait(g, agentgraph.Wait{Node: n.Name, At: placeOf(c.Node), Reason: "a sleep staggers the nodes: " + c.Node.Text()})
		}
	}
}

// byChance tells a sleep whose length is drawn: nodes that each draw their own start
// in no order, so that it spares a service and staggers nothing.
func (r *reader) byChance(c *intree.Call) bool {
	for n := range c.Arg("seconds", 0).Walk() {
		if drawn := r.p.Call(n); drawn != nil && drawn.Callee.Matches("random.*", "secrets.*", "numpy.random.*") {
			return true
		}
	}
	return false
}

// works tells a call that does something: a sleep with none behind it stands
// for the work and puts nothing off.
func works(c *intree.Call) bool {
	made := c.Callee.Def != nil && c.Callee.Def.Kind == code.DefClass
	return c.Callee.Known() && !made && !c.Callee.Matches("builtins.*", "logging.*", "time.*", "datetime.*", "random.*", "uuid.*")
}

func addWait(g *agentgraph.Graph, h agentgraph.Wait) {
	if !slices.ContainsFunc(g.Waits, func(o agentgraph.Wait) bool { return o.Node == h.Node && o.Key == h.Key }) {
		g.Waits = append(g.Waits, h)
	}
}

// first reports whether a call stands at the top of a function, outside loops
// and handlers: a sleep there puts the node off, one in a loop waits between
// attempts.
func (r *reader) first(n code.Node, d *code.Definition) bool {
	for a := range n.Around() {
		if a == d.Node {
			return true
		}
		if a.Is("for_statement", "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression", "while_statement", "except_clause", "finally_clause") {
			return false
		}
	}
	return true
}
