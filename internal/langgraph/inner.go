package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph/body"
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
		first := slices.MinFunc(calls, func(a, b innerCall) int { return a.n.Start() - b.n.Start() })
		in := agentgraph.Inner{Role: role, At: placeOf(first.n)}
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
// of a class that is, or of what a loop binds; near also takes their names, as
// text that a function is given.
func (r *reader) workers(d *code.Definition, role agentgraph.Role, near bool) (out []innerCall) {
	for _, f := range body.Within(r.p.Body(d)) {
		for _, in := range f.Instructions() {
			if in.Op != il.Call || in.Mode == il.Decorate {
				continue
			}
			before := len(out)
			add := func(name, what string) {
				if part := r.words.PartOf(name, role); part != "" {
					out = append(out, innerCall{part, what + name, r.node(f, in.Span)})
				}
			}
			own := r.bodies.Names.Stands(f, in.Args[0])
			name, _ := r.bodies.Names.Called(f, in)
			for i, o := range in.Args {
				if i > 0 && (len(own) > 0 || strings.HasPrefix(name, "builtins.")) { // not submit(prosecutor, state), to_thread(...)
					break
				}
				named := len(out)
				for _, name := range r.turns(f, o, in) {
					add(name, "")
				}
				if len(out) == named && (i == 0 && len(own) > 0 || i > 0 && slices.ContainsFunc(r.bodies.Names.Stands(f, o), runs)) {
					add(word(f, o), "")
				}
			}
			if len(out) > before || role != r.words.Reviewers || !near || !slices.ContainsFunc(own, runs) {
				continue
			}
			for _, o := range in.Args[1:] {
				for _, text := range r.texts(f, o) {
					if len(text) <= maxPartName {
						add(text, word(f, in.Args[0])+" for ")
					}
				}
			}
		}
	}
	return out
}

// runs tells a function, not a class.
func runs(f *il.Function) bool { return f.Kind != il.ClassBody }

// word is the last name that an operand is written with; "" for others.
func word(f *il.Function, o il.Operand) string {
	name := f.Variable(o)
	if get := f.Def(f.Root(o)); name == "" && get != nil && get.Op == il.Get && get.Kind == "attr" {
		name, _ = f.Str(get.Args[1])
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// maxGets bounds the reads in one another by which a loop's value is told.
const maxGets = 8

// each is the read by which a loop binds an operand, what it reads of that, or the key that
// it reads by; nil where no loop does.
func each(f *il.Function, o il.Operand, depth int) *il.Instr {
	get := f.Def(f.Root(o))
	if get == nil || get.Op != il.Get || depth > maxGets || get.Kind == "each" || get.Kind == "key" {
		if get != nil && get.Op != il.Get {
			return nil
		}
		return get
	}
	if in := each(f, get.Args[0], depth+1); in != nil || len(get.Args) < 2 {
		return in
	}
	return each(f, get.Args[1], depth+1)
}

// turns are the names of what runs when an operand is called: the class of the object whose
// method it is, and of what a loop binds, the functions or classes of every turn.
func (r *reader) turns(f *il.Function, o il.Operand, use *il.Instr) (out []string) {
	get, all := f.Def(f.Root(o)), []*il.Function(nil)
	method := get != nil && get.Op == il.Get && get.Kind == "attr"
	if method {
		o, use = get.Args[0], get
	}
	if each(f, o, 0) != nil {
		all = r.elements(f, o, use, method)
	} else if class := r.bodies.Names.Instance(f, o).Class; method && class != nil {
		all = []*il.Function{class}
	}
	for _, g := range all {
		out = append(out, g.Name[strings.LastIndexByte(g.Name, '.')+1:])
	}
	return out
}

// elements are the functions that an operand is, or the classes of which it is an object, turn by
// turn: what an object is made of is no turn's.
func (r *reader) elements(f *il.Function, o il.Operand, use *il.Instr, objects bool) (out []*il.Function) {
	made := map[*il.Instr]bool{}
	from := r.within.Of(f, o, use)
	for _, x := range from {
		if _, class := x.Symbol.Full(); x.Kind == analyse.FromCall && class != nil {
			made[x.At] = true
		}
	}
	for _, x := range from {
		_, g := x.Symbol.Full()
		if g != nil && objects != runs(g) && len(x.Keys) == 0 && (made[x.At] || x.Kind == analyse.FromName && !objects) && !slices.ContainsFunc(x.Steps(), func(s analyse.Step) bool { return made[s.Use] }) {
			out = append(out, g)
		}
	}
	return out
}

// maxPartName is the longest text that is the name of a part, not a prompt
// that speaks of one.
const maxPartName = 24

// texts are the names that are in an operand: the one text that it is, or all that the loop goes
// over that binds it.
func (r *reader) texts(f *il.Function, o il.Operand) []string {
	if turn := each(f, o, 0); turn != nil {
		return r.namesIn(f, turn.Args[0], turn)
	}
	text, _ := r.bodies.Values.Of(f, o).OneText()
	return []string{text}
}

// joined tells a step by which a value becomes a part of a text.
func joined(s analyse.Step) bool {
	return s.Use != nil && (s.Use.Op == il.Bind && s.Use.Kind != "" || s.Use.Op == il.Make && s.Use.Kind == "text")
}

// namesIn are the whole texts that a value is made of, the functions and classes, and the keys of a map.
func (r *reader) namesIn(f *il.Function, o il.Operand, use *il.Instr) (out []string) {
	for _, x := range r.within.Of(f, o, use) {
		if _, g := x.Symbol.Full(); g != nil {
			out = append(out, g.Name)
		} else if c := x.Symbol.Const; c != nil && !slices.ContainsFunc(x.Steps(), joined) {
			out = append(out, c.Text)
		}
	}
	if call := f.Def(f.Root(o)); call != nil && call.Op == il.Call && slices.Contains([]string{"items", "keys"}, word(f, call.Args[0])) {
		o, use = f.Def(call.Args[0]).Args[0], call
	}
	for _, s := range r.bodies.Values.Shapes(f, o, use) {
		for _, p := range s.Parts {
			out = append(out, p.Key)
		}
	}
	return out
}

// together run several things at the same time.
var together = []string{"asyncio.gather", "asyncio.create_task", "asyncio.ensure_future", "asyncio.TaskGroup*", "anyio.*", "threading.Thread",
	"concurrent.futures.*", "multiprocessing.*", "langchain_core.runnables.*RunnableParallel", "joblib.Parallel*"}

// atOnce tells a class of the project's own whose methods start things at the same time.
func (r *reader) atOnce(class *code.Definition) bool {
	return class != nil && slices.ContainsFunc(class.Inner(), func(m *code.Definition) bool {
		return slices.ContainsFunc(r.p.CallsIn(m), func(c *intree.Call) bool { return c.Matches(together...) && !r.p.Dead(c.Node) })
	})
}

// concurrent returns what runs a call at the same time as others: a gather or
// group around it, a pool that it is submitted to, or tasks made of it that
// are gathered later.
func (r *reader) concurrent(n code.Node, d *code.Definition) code.Node {
	starts := func(c code.Node) bool {
		f := c.Field("function")
		s := r.p.Resolve(f)
		return s.Matches(together...) ||
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
