package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// innerCall is one call in a node's body that does the work of a role.
type innerCall struct {
	part string // which part of the role
	name string
	n    code.Node
}

// inner notes nodes that run several reviewers or workers in their body.
func (r *reader) inner(g *agentgraph.Graph) {
	shared := r.shared(g)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if Def(n.Source) == nil || n.Nested != nil || n.Gate {
			continue
		}
		role := r.words.RoleOf(n.Name)
		if role == r.words.Decider || role == agentgraph.RoleHandler || role == agentgraph.RoleAggregator || r.words.PassedOn(n.Name) {
			continue
		}
		scope := r.own(Def(n.Source), shared)
		for _, kind := range []agentgraph.Role{r.words.Reviewers, r.words.Workers} {
			if in, ok := r.innerOf(scope, kind); ok {
				n.Inner = append(n.Inner, in)
			}
		}
	}
}

// nearby returns a function and the first-party helpers that it calls from its
// own file, two deep: what belongs to the node itself.
func (r *reader) nearby(d *code.Definition) []*code.Definition {
	out := []*code.Definition{d}
	for from := 0; from < len(out) && len(out) < 16; from++ {
		defs := r.p.Callees(out[from])
		for _, c := range defs {
			if c.IsFunction() && c.Module == d.Module && !slices.Contains(out, c) && !r.plays(c.Name) {
				out = append(out, c)
			}
		}
	}
	return out
}

// plays reports whether a name means one of several workers or reviewers.
func (r *reader) plays(name string) bool {
	return r.words.PartOf(name, r.words.Reviewers) != "" || r.words.PartOf(name, r.words.Workers) != ""
}

// own returns what is nearby and the first-party functions of other files that
// it calls, three deep, but for those that other nodes call as well: a body
// that stands elsewhere.
func (r *reader) own(d *code.Definition, shared map[*code.Definition]bool) []*code.Definition {
	out := r.nearby(d)
	for depth, from := 0, 0; depth < 3 && from < len(out); depth++ {
		for end := len(out); from < end && len(out) < 32; from++ {
			defs := r.p.Callees(out[from])
			for _, c := range defs {
				if c.IsFunction() && !shared[c] && !slices.Contains(out, c) && !r.plays(c.Name) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// shared returns the functions that several nodes of a graph call.
func (r *reader) shared(g *agentgraph.Graph) map[*code.Definition]bool {
	by, out := map[*code.Definition]*code.Definition{}, map[*code.Definition]bool{}
	for _, n := range g.Nodes {
		if Def(n.Source) == nil {
			continue
		}
		for _, c := range r.calledBy(Def(n.Source)) {
			out[c] = out[c] || by[c] != nil && by[c] != Def(n.Source)
			by[c] = Def(n.Source)
		}
	}
	return out
}

// innerOf looks for calls of at least two different workers of a role.
func (r *reader) innerOf(scope []*code.Definition, role agentgraph.Role) (agentgraph.Inner, bool) {
	for _, d := range scope {
		calls := r.workers(d, role, d.Module == scope[0].Module)
		var parts []string
		for _, c := range calls {
			if !slices.Contains(parts, c.part) {
				parts = append(parts, c.part)
			}
		}
		if len(parts) < 2 {
			continue
		}
		in := agentgraph.Inner{Role: role, At: placeOf(calls[0].n)}
		for _, c := range calls {
			if !slices.Contains(in.Names, c.name) {
				in.Names = append(in.Names, c.name)
			}
			if at := r.concurrent(c.n, d); at.Valid() {
				in.Concurrent, in.At = true, placeOf(at)
			}
		}
		slices.Sort(in.Names)
		return in, true
	}
	return agentgraph.Inner{}, false
}

// workers returns the calls in a function, and the functions it hands on, that
// do the work of a role: named for one of its parts, methods of an object
// of a class that is, or in a loop over them; near also takes their names, as
// text that a function is given.
func (r *reader) workers(d *code.Definition, role agentgraph.Role, near bool) []innerCall {
	var out []innerCall
	add := func(part, name string, n code.Node) {
		if part != "" {
			out = append(out, innerCall{part, name, n})
		}
	}
	for n := range d.Body().Walk() {
		if !n.Is("call") {
			continue
		}
		function := n.Field("function").Unparen()
		f := r.p.Resolve(function)
		before := len(out)
		for _, name := range r.called(n, f.Def == nil) {
			add(r.words.PartOf(name, role), name, n)
		}
		if f.Def != nil && len(out) == before {
			name := lastName(function)
			add(r.words.PartOf(name, role), name, n)
			if role == r.words.Reviewers && near && r.words.PartOf(name, role) == "" && f.Def.IsFunction() {
				for _, part := range r.loopParts(n) {
					add(part, name+" for "+part, n)
				}
				for a := range n.Field("arguments").Children() {
					if text, ok := r.p.Eval(a).Str(); ok && len(text) <= maxPartName {
						add(r.words.PartOf(text, role), name+" for "+text, n)
					}
				}
			}
		}
		for a := range n.Field("arguments").Children() { // submit(prosecutor, state), to_thread(...)
			if a.Is("identifier", "attribute") && f.Def == nil {
				if s := r.p.Resolve(a); s.Def != nil && (s.Def.IsFunction() && !s.Instance) {
					add(r.words.PartOf(lastName(a), role), lastName(a), n)
				}
			}
		}
	}
	return out
}

// maxPartName is the longest text that is the name of a part, not a prompt
// that speaks of one.
const maxPartName = 24

// called returns the name of the class whose method a call calls, and of what
// the loops around it bind: such objects, and functions; handing also counts
// those that are handed on.
func (r *reader) called(n code.Node, handing bool) []string {
	c := calling{n, handing}
	known, ok := r.names[c]
	if !ok {
		known = r.calls(n, handing)
		r.names[c] = known
	}
	return known
}

func (r *reader) calls(n code.Node, handing bool) []string {
	callees := []code.Node{n.Field("function").Unparen()}
	for a := range n.Field("arguments").Children() {
		if handing && a.Is("identifier", "attribute") {
			callees = append(callees, a)
		}
	}
	var out []string
	add := func(s intree.Symbol, method bool) {
		if d := s.Def; d != nil && (method && s.Instance && d.Kind == code.DefClass || !method && d.IsFunction()) {
			out = append(out, d.Name)
		}
	}
	bound := map[string]bool{}
	for _, l := range loopsAround(n, nil) {
		for _, name := range loopNames(l) {
			bound[name] = true
		}
	}
	for _, e := range callees {
		method := e.Is("attribute")
		object := e
		if method {
			object = e.Field("object").Unparen()
		}
		if !object.Is("identifier") || !bound[object.Text()] {
			if method {
				add(r.p.Resolve(object), true)
			}
			continue
		}
		for _, t := range r.turns(n) {
			for _, v := range r.p.Eval(object, t...).Choices() {
				add(intree.Symbol{Qualified: v.Symbol.Qualified, Def: v.Symbol.Def, Instance: v.Symbol.Instance}, method)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// loopNames returns the names that a loop binds.
func loopNames(loop code.Node) []string {
	var out []string
	take := func(left code.Node) {
		for m := range left.Walk() {
			if m.Is("identifier") {
				out = append(out, m.Text())
			}
		}
	}
	if loop.Is("for_statement") {
		take(loop.Field("left"))
	}
	for c := range loop.Children() {
		if c.Is("for_in_clause") {
			take(c.Field("left"))
		}
	}
	return out
}

// loopParts returns the reviewers whose names the loops around a call go over.
func (r *reader) loopParts(n code.Node) []string {
	var out []string
	for _, l := range loopsAround(n, nil) {
		v := r.p.Eval(iterated(l))
		for _, i := range append(slices.Clone(v.Items), v.Keys...) {
			text, ok := i.Str()
			if !ok {
				if len(i.Items) > 0 {
					text, ok = i.Items[0].Str()
				}
				if i.Kind == code.ValueSymbol && i.Symbol.Def != nil {
					text, ok = i.Symbol.Def.Name, true
				}
			}
			if part := r.words.PartOf(text, r.words.Reviewers); ok && part != "" && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}

// concurrent returns what runs a call at the same time as others: a gather or
// group around it, a pool that it is submitted to, or tasks made of it that
// are gathered later.
func (r *reader) concurrent(n code.Node, d *code.Definition) code.Node {
	starts := func(c code.Node) bool {
		f := c.Field("function")
		s := r.p.Resolve(f)
		return s.Matches("asyncio.gather", "asyncio.create_task", "asyncio.ensure_future", "asyncio.TaskGroup*", "anyio.*", "threading.Thread",
			"concurrent.futures.*", "multiprocessing.*", "langchain_core.runnables.*RunnableParallel", "joblib.Parallel*") ||
			slices.Contains([]string{"submit", "create_task", "start_soon", "run_in_executor", "abatch", "apply_async"}, lastName(f)) && s.Def == nil
	}
	if starts(n) {
		return n
	}
	for a := range n.Around() {
		if a == d.Node {
			break
		}
		if a.Is("call") && starts(a) {
			return a
		}
	}
	// coroutines collected in a list that is gathered afterwards
	if s := n.Statement(); s.Valid() && d.Async && !n.Parent().Is("await") {
		for g := range d.Body().WalkScope() {
			if g.Is("call") && g.Start() > n.Start() && r.p.Resolve(g.Field("function")).Matches("asyncio.gather", "asyncio.wait", "asyncio.as_completed") {
				return g
			}
		}
	}
	return code.Node{}
}
