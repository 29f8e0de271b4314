package langgraph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/langgraph/wiring"
)

// entrypoints reads the graphs of LangGraph's functional API: the function under
// @entrypoint is the graph, and each place in it where a function under @task
// is called is a node. What the function waits for before a call leads to it.
func (r *reader) entrypoints() []*agentgraph.Graph {
	var out []*agentgraph.Graph
	for _, m := range r.p.Modules {
		for _, d := range m.Definitions() {
			if g := r.entrypoint(d); g != nil && !m.Shadowed {
				out = append(out, g)
			}
		}
	}
	return out
}

// entrypoint reads one function; nil when it is no entrypoint or calls no task.
func (r *reader) entrypoint(d *code.Definition) *agentgraph.Graph {
	mark := r.decorator(d, "entrypoint")
	if !mark.Valid() || !d.IsFunction() || r.p.Body(d) == nil || len(r.p.Body(d).Blocks) == 0 {
		return nil
	}
	g := &agentgraph.Graph{Builder: placeOfDef(d), Provenance: agentgraph.FromFunctions, Production: d.Module.Scope == code.ScopeProduction, Name: d.Qualified}
	w := &walker{reader: r, g: g, names: map[string]string{}, begun: map[string][]string{},
		many: map[string]agentgraph.Truth{}, leads: map[*il.Function][]*il.Instr{}, plans: map[*il.Function]*plan{}, frames: map[string]*frame{},
		seen: map[point][]string{}, waits: map[*il.Instr]map[string]bool{}}
	w.walk(r.p.Body(d))
	if len(g.Nodes) == 0 {
		return nil
	}
	w.finish()
	if c := r.p.Call(mark); c != nil {
		g.Compiles = append(g.Compiles, agentgraph.Call{At: placeOf(mark), Source: mark})
		if a := c.Arg("checkpointer", 0); a.Valid() && !a.Is("none") {
			g.Ops.Checkpointer = []agentgraph.Place{placeOf(mark)}
		}
	}
	for _, m := range r.p.Modules {
		if m.Shadowed || m.Scope == code.ScopeVendor || m.Scope == code.ScopeGenerated {
			continue
		}
		for _, c := range r.p.CallsOf(m) {
			if wiring.Runs(c.Name) && c.Receiver.Valid() && r.p.Resolve(c.Receiver).Def == d {
				g.Invokes = append(g.Invokes, agentgraph.Call{At: placeOf(c.Node), Source: c.Node})
			}
		}
	}
	r.operation(g, mark, nil)
	g.Compiled = true // by the decorator

	// the state is what a run is given
	if params := d.Params(); len(params) > 0 {
		if s := r.p.Resolve(params[0].Annotation); s.Def != nil && s.Def.Kind == code.DefClass {
			g.Schema, g.State = s.Qualified, r.stateOf(s)
		}
	}
	g.Finish()
	return g
}

// decorator returns the decorator of the functional API with a name.
func (r *reader) decorator(d *code.Definition, name string) code.Node {
	for _, dec := range d.Decorators() {
		s := r.p.Resolve(dec)
		if s.Matches("langgraph.func.*") && strings.TrimSuffix(s.Qualified[strings.LastIndex(s.Qualified, ".")+1:], "()") == name {
			return dec
		}
	}
	return code.Node{}
}

// way is one of the ways on which control comes to a place of the entrypoint.
type way struct {
	after []string  // nodes that were waited for since the last start of one
	open  []string  // nodes that were started and not waited for
	route *junction // it just took; nil: something was waited for since
	taken int       // the outcome of it
	turns []turn    // loops that it is in
}

// position tells ways apart by what they come after.
func (y way) position() string {
	if y.route == nil {
		return fmt.Sprint(y.after)
	}
	return fmt.Sprint(y.after, y.taken, y.route.key)
}

// key tells apart ways that have come to the same place.
func (y way) key() string {
	out := fmt.Sprint(y.position(), slices.Sorted(slices.Values(y.open)))
	for _, t := range y.turns {
		out += fmt.Sprint(" ", t.via, t.head.ID, t.was.position())
	}
	return out
}

// junction is a condition that decides what runs after a node.
type junction struct {
	key      string
	from     string
	at       code.Node
	counted  bool // a loop over given items
	outcomes []fate
}

// fate is what one outcome of a junction starts.
type fate struct {
	key     string
	targets []string
	split   bool // a further condition decides within it
}

// node adds what a call of a task runs, or what the entrypoint itself does
// between tasks where d is nil. The same key is the same node.
func (w *walker) node(key, name string, d *code.Definition, at code.Node) string {
	if known, ok := w.names[key]; ok {
		return known
	}
	if w.g.Node(name) != nil {
		name = fmt.Sprintf("%s (line %d)", name, at.Line())
	}
	for i := 2; w.g.Node(name) != nil; i++ {
		name = fmt.Sprintf("%s, %d", name, i)
	}
	w.names[key] = name
	n := agentgraph.Node{Name: name, At: placeOf(at)}
	if d != nil {
		n.Source, n.Body, n.Called, n.Opaque = d, placeOfDef(d), d.Name, true
		mark := w.decorator(d, "task")
		if c := w.p.Call(mark); c != nil {
			if n.Retry = c.Arg("retry", -1).Valid() || c.Arg("retry_policy", -1).Valid(); n.Retry {
				w.g.Ops.RetryPolicy = agentgraph.Places(append(w.g.Ops.RetryPolicy, placeOf(mark))...)
			}
			if c.Arg("timeout", -1).Valid() {
				w.g.Ops.Timeout = agentgraph.Places(append(w.g.Ops.Timeout, placeOf(mark))...)
			}
		}
	}
	w.g.Nodes = append(w.g.Nodes, n)
	return name
}

// single makes a way come after one node: where several were waited for, one
// that joins them; where a junction started nothing, what it leads to.
func (w *walker) single(y way, at code.Node) way {
	if y.route == nil && len(y.after) == 1 {
		return y
	}
	slices.Sort(y.after)
	name := "join"
	if y.route != nil {
		name = "continue"
	}
	name = w.node("join "+y.position(), fmt.Sprintf("%s at line %d", name, at.Line()), nil, at)
	w.link(y, name, at)
	return way{after: []string{name}, open: y.open, turns: y.turns}
}

// link leads a way to a node or END.
func (w *walker) link(y way, to string, at code.Node) {
	if y.route != nil {
		o := &y.route.outcomes[y.taken]
		if !slices.Contains(o.targets, to) {
			o.targets = append(o.targets, to)
		}
		return
	}
	for _, from := range y.after {
		e := agentgraph.Edge{From: from, To: to, At: placeOf(at)}
		if len(y.after) > 1 && to != agentgraph.END {
			e.Kind, e.Sources = agentgraph.Barrier, y.after
		}
		if !slices.ContainsFunc(w.g.Edges, func(o agentgraph.Edge) bool { return o.From == from && o.To == to && o.Kind == e.Kind }) {
			w.g.Edges = append(w.g.Edges, e)
		}
	}
}

// start starts a node; one that runs already runs many times.
func (w *walker) start(name string, y *way, at code.Node) {
	if slices.Contains(y.open, name) {
		w.many[name] = max(w.many[name], agentgraph.Unknown)
		return
	}
	if y.route == nil {
		*y = w.single(*y, at)
	}
	w.begun[name] = union(w.begun[name], []string{y.position()})
	w.link(*y, name, at)
	y.open = append(slices.Clone(y.open), name)
}

// wait makes a way come after those of the nodes that it has started. Where
// some of the ways from one place have, and others have not, no graph says so.
func (w *walker) wait(p point, y *way, names []string) {
	in := p.block.Instrs[p.i]
	at, was, waited, joined := w.at(p, in), y.position(), false, false
	for _, name := range names {
		k := slices.Index(y.open, name)
		if k < 0 {
			continue
		}
		waited = true
		y.open = slices.Delete(slices.Clone(y.open), k, k+1)
		if slices.Contains(w.begun[name], y.position()) {
			y.after, y.route, y.taken = []string{name}, nil, 0
			continue
		}
		joined = true
		if y.route != nil {
			*y = w.single(*y, at)
		}
		y.after = append(slices.Clone(y.after), name)
	}
	if w.waits[in] == nil {
		w.waits[in] = map[string]bool{}
	}
	if other, ok := w.waits[in][was]; len(names) > 0 && (joined || !waited) {
		if w.waits[in][was] = joined; ok && other != joined {
			w.lose(at)
		}
	}
	if h, ok := p.handler(in); waited && ok {
		fates := w.decide(w.at(h, h.block.End()), *y, 2, false)
		*y = fates[0]
		w.on(h, fates[1])
	}
}

// decide parts a way by a condition with n outcomes. A condition right after
// another one belongs to its junction.
func (w *walker) decide(at code.Node, y way, n int, counted bool) (out []way) {
	d, parent := y.route, fmt.Sprint(y.taken)
	var started []string
	if d == nil {
		y, parent = w.single(y, at), ""
		d = w.junctionOf(at, y.after[0], counted)
	} else {
		started = d.outcomes[y.taken].targets
		d.outcomes[y.taken].split = true
	}
	for k := range n {
		key := fmt.Sprint(parent, " ", at.Start(), " ", at.Path(), " ", k)
		i := slices.IndexFunc(d.outcomes, func(o fate) bool { return o.key == key })
		if i < 0 {
			i = len(d.outcomes)
			d.outcomes = append(d.outcomes, fate{key: key, targets: slices.Clone(started)})
		}
		y.route, y.taken = d, i
		for _, name := range started {
			w.begun[name] = union(w.begun[name], []string{y.position()})
		}
		out = append(out, y)
	}
	return out
}

func (w *walker) junctionOf(at code.Node, from string, counted bool) *junction {
	key := fmt.Sprint(at.Path(), " ", at.Start(), " ", from)
	for _, d := range w.junctions {
		if d.key == key {
			return d
		}
	}
	d := &junction{key: key, from: from, at: at, counted: counted}
	w.junctions = append(w.junctions, d)
	return d
}

// end leads a way to END, and what it started and did not wait for.
func (w *walker) end(y way, at code.Node) {
	if !slices.ContainsFunc(y.open, func(name string) bool { return slices.Contains(w.begun[name], y.position()) }) {
		w.link(y, agentgraph.END, at)
	}
	for _, name := range y.open {
		w.link(way{after: []string{name}}, agentgraph.END, at)
	}
}

// lose notes what was not followed: whatever it starts or waits for.
func (w *walker) lose(n code.Node) {
	u := agentgraph.Unresolved{Expr: n.Unknown(), Node: true, At: placeOf(n)}
	if !slices.ContainsFunc(w.g.Unresolved, func(o agentgraph.Unresolved) bool { return o.At == u.At }) {
		w.g.Unresolved = append(w.g.Unresolved, u)
	}
}

// finish makes routes of the junctions and of what runs many times at once.
func (w *walker) finish() {
	target := func(name string, at code.Node) agentgraph.Target {
		t := agentgraph.Target{Name: name}
		if selects, ok := w.many[name]; ok {
			t.Send, t.Many, t.Selects, t.At = true, true, selects, placeOf(at)
		}
		return t
	}
	for _, d := range w.junctions {
		route := agentgraph.Route{From: d.from, Complete: true, Counted: d.counted, At: placeOf(d.at)}
		for _, o := range d.outcomes {
			slices.Sort(o.targets)
			if o.split || len(o.targets) == 0 || slices.ContainsFunc(route.Outcomes, func(x []string) bool { return slices.Equal(x, o.targets) }) {
				continue
			}
			route.Outcomes = append(route.Outcomes, o.targets)
			for _, name := range o.targets {
				if !slices.ContainsFunc(route.Targets, func(t agentgraph.Target) bool { return t.Name == name }) {
					route.Targets = append(route.Targets, target(name, d.at))
				}
			}
		}
		if len(route.Outcomes) > 1 {
			slices.SortFunc(route.Targets, func(a, b agentgraph.Target) int { return strings.Compare(a.Name, b.Name) })
			w.g.Routes = append(w.g.Routes, route)
			continue
		}
		for _, t := range route.Targets { // whatever is decided, the same follows
			w.link(way{after: []string{d.from}}, t.Name, d.at)
		}
	}
	w.g.Edges = slices.DeleteFunc(w.g.Edges, func(e agentgraph.Edge) bool {
		_, many := w.many[e.To]
		if many {
			n := w.g.Node(e.To)
			w.g.Routes = append(w.g.Routes, agentgraph.Route{From: e.From, Complete: true, Outcomes: [][]string{{e.To}}, At: e.At,
				Targets: []agentgraph.Target{{Name: e.To, Send: true, Many: true, Selects: w.many[e.To], At: n.At}}})
		}
		return many
	})
}
