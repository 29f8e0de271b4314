package intree

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// Call is one call expression, or a call that another one makes by handing a
// function over, as asyncio.to_thread(f, x) calls f(x): then Node is the outer
// call and the rest describes the inner one.
type Call struct {
	Node     code.Node        // the call
	Callee   Symbol           // what is called: a class for a construction, __call__ for an instance that has one
	Others   []Symbol         // further possible callees
	Receiver code.Node        // expression before the last dot of the callee, zero when there is none
	Name     string           // last name of the callee expression, resolved or not; "" when it has none
	Func     *code.Definition // definition in whose scope the call stands
	Args     []Argument       // in order; splats of literals are expanded, arguments of a partial come first
}

// Argument is one argument of a call.
type Argument struct {
	Name  string    // keyword, "" for a positional one
	Value code.Node // the expression, wherever it is written: with a splat, or a partial it can be elsewhere than the call
	Star  int       // 1 or 2: a splat that is not a literal and was not expanded
}

// Arg returns the argument that fills a parameter: the keyword name, else the
// position pos among the positional ones (from 0; pass -1 for none). The zero
// Node means that it is not given.
func (c *Call) Arg(name string, pos int) code.Node {
	return pick(c.Args, name, pos)
}

func pick(args []Argument, name string, pos int) code.Node {
	for _, a := range args {
		if a.Star == 0 && a.Name == name && name != "" {
			return a.Value
		}
	}
	i := 0
	for _, a := range args {
		if a.Name != "" || a.Star == 2 {
			continue
		}
		if a.Star == 1 { // what follows has no known position
			break
		}
		if i == pos {
			return a.Value
		}
		i++
	}
	return code.Node{}
}

// Splat reports whether the call has a splat that could hide further arguments.
func (c *Call) Splat() bool {
	return slices.ContainsFunc(c.Args, func(a Argument) bool { return a.Star > 0 })
}

// Line returns the line on which the call starts.
func (c *Call) Line() int { return c.Node.Line() }

// Symbols returns every possible callee, the likeliest first.
func (c *Call) Symbols() []Symbol { return append([]Symbol{c.Callee}, c.Others...) }

// Matches reports whether a possible callee matches one of the globs. A glob
// that begins with "*." also matches an unresolved callee by its last name.
func (c *Call) Matches(globs ...string) bool {
	for _, s := range c.Symbols() {
		if s.Matches(globs...) {
			return true
		}
	}
	if c.Callee.Known() || c.Name == "" {
		return false
	}
	return slices.ContainsFunc(globs, func(g string) bool { return strings.HasPrefix(g, "*.") && tables.Match("."+c.Name, g[1:]) })
}

// resolveCalls resolves all calls of the program.
func (x *Program) resolveCalls() {
	for _, m := range x.Program.Modules {
		for _, n := range m.Calls() {
			c := x.newCall(n)
			x.calls = append(x.calls, c)
			x.byNode[n] = c
			if inner := x.forwarded(c); inner != nil {
				x.calls = append(x.calls, inner)
			}
		}
	}
	for _, c := range x.calls {
		for owner := c.Func; owner != nil; owner = owner.Parent {
			x.within[owner] = append(x.within[owner], c)
			if owner.Kind != code.DefLambda {
				break
			}
		}
	}
}

// newCall resolves the callee and lists the arguments of a call node.
func (x *Program) newCall(n code.Node) *Call {
	fn := n.Field("function").Unparen()
	c := &Call{Node: n, Func: x.Enclosing(n), Name: code.LastName(fn), Args: x.arguments(n)}
	x.calling(c, fn)
	return c
}

// calling resolves what a call calls.
func (x *Program) calling(c *Call, fn code.Node) {
	if fn.Is("attribute") {
		c.Receiver = fn.Field("object")
	}
	for i, s := range knownBefore(x.ResolveAll(fn)) {
		if s.Instance {
			s = x.callable(s)
		}
		if i == 0 {
			c.Callee = s
		} else {
			c.Others = append(c.Others, s)
		}
	}
	if c.Callee.Qualified == "" {
		c.Callee = unresolved(fn)
	}
	c.Args = append(slices.Clip(c.Callee.Bound), c.Args...)
}

// knownBefore puts resolved symbols before unresolved ones.
func knownBefore(list []Symbol) []Symbol {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b Symbol) int {
		switch {
		case a.Known() == b.Known():
			return 0
		case a.Known():
			return -1
		}
		return 1
	})
	return out
}

// callable is what runs when an object is called.
func (x *Program) callable(s Symbol) Symbol {
	if m := x.Method(s.Def, "__call__"); m != nil {
		return Symbol{Qualified: m.Qualified, Def: m, Bound: s.Bound}
	}
	s.Instance, s.Def = false, nil
	s.Qualified += ".__call__"
	return s
}

// arguments lists the arguments of a call, splats of literals expanded.
func (x *Program) arguments(n code.Node) (out []Argument) {
	if args := n.Field("arguments"); args.Is("generator_expression") {
		return []Argument{{Value: args}}
	}
	for _, a := range written(n) {
		if a.Star == 0 {
			out = append(out, a)
			continue
		}
		out = append(out, x.spread(a)...)
	}
	return out
}

// written lists the arguments of a call as they stand there.
func written(call code.Node) (out []Argument) {
	for a := range call.Field("arguments").Children() {
		switch a.Kind() {
		case "keyword_argument":
			out = append(out, Argument{Name: a.Field("name").Text(), Value: a.Field("value")})
		case "dictionary_splat":
			out = append(out, Argument{Star: 2, Value: a.Child(0)})
		case "list_splat":
			out = append(out, Argument{Star: 1, Value: a.Child(0)})
		default:
			out = append(out, Argument{Value: a})
		}
	}
	return out
}

// spread expands *x and **x as far as what they hold is known.
func (x *Program) spread(a Argument) (out []Argument) {
	v, ok := Value(x.all, a.Value)
	if !ok {
		return []Argument{a}
	}
	shapes := x.all.Values.Shapes(v.Function, v.Operand, v.Use)
	if len(shapes) != 1 || shapes[0].Kind != analyse.List && shapes[0].Kind != analyse.Map {
		return []Argument{a}
	}
	for i, part := range shapes[0].Parts {
		n := x.put(part, i)
		if n.Valid() && !part.Maybe && !part.Many && !part.Rest && (part.Key != "") == (a.Star == 2) {
			out = append(out, Argument{Name: part.Key, Value: n})
		} else if len(out) == 0 || out[len(out)-1].Star == 0 {
			out = append(out, a)
		}
	}
	if !shapes[0].Whole() && !slices.Contains(out, a) {
		out = append(out, a)
	}
	return out
}

// put is the expression that a part of a list, the i-th, or of a map is put in as; zero where
// that is not found.
func (x *Program) put(part analyse.Part, i int) code.Node {
	if part.By == nil || x.Module(part.By.Module.Path) == nil {
		return code.Node{}
	}
	n := x.Module(part.By.Module.Path).At(int(part.At.From), int(part.At.To))
	switch {
	case n.Is("list", "tuple"):
		return n.Child(i)
	case n.Is("call"): // dict(a=1)
		return pick(written(n), part.Key, -1)
	case n.Is("subscript") && n.Parent().Is("assignment"):
		return n.Parent().Field("right")
	}
	for pair := range n.Children() {
		if key, ok := pair.Field("key").Literal(); ok && key == part.Key {
			return pair.Field("value")
		}
	}
	return code.Node{}
}

// carried reads a call that makes another one: asyncio.to_thread(f, x), pool.submit(f, x),
// loop.run_in_executor(None, f, x), Thread(target=f, args=(x,)). It returns the expression of f
// and the arguments that f gets.
func carried(call code.Node) (code.Node, []Argument, bool) {
	args := written(call)
	switch code.LastName(call.Field("function").Unparen()) {
	case "Thread", "Process":
		target := pick(args, "target", -1)
		out := []Argument{}
		for c := range pick(args, "args", -1).Unparen().Children() {
			out = append(out, Argument{Value: c})
		}
		for c := range pick(args, "kwargs", -1).Children() {
			if key, ok := c.Field("key").Literal(); ok {
				out = append(out, Argument{Name: key, Value: c.Field("value")})
			}
		}
		return target, out, target.Valid()
	case "run_in_executor":
		args = args[min(1, len(args)):]
	case "to_thread", "submit", "run_sync", "apply_async":
	default:
		return code.Node{}, nil, false
	}
	if len(args) == 0 || args[0].Name != "" || args[0].Star > 0 {
		return code.Node{}, nil, false
	}
	return args[0].Value, args[1:], true
}

// forwarded is the call that c makes by handing a function over, or nil.
func (x *Program) forwarded(c *Call) *Call {
	fn, args, ok := carried(c.Node)
	if !ok || fn.Is("call", "string", "list", "dictionary") {
		return nil
	}
	g := &Call{Node: c.Node, Func: c.Func, Name: code.LastName(fn), Args: args}
	x.calling(g, fn)
	if !g.Callee.Known() || g.Callee.plain() {
		return nil
	}
	return g
}

// Calls returns the calls whose callee may be a symbol that matches one of the
// globs, in source order. A glob that begins with "*." also matches unresolved
// callees by their last name. Without globs it returns every call.
func (x *Program) Calls(globs ...string) []*Call {
	if len(globs) == 0 {
		return slices.Clone(x.calls)
	}
	var out []*Call
	for _, c := range x.calls {
		if c.Matches(globs...) {
			out = append(out, c)
		}
	}
	return out
}

// Call returns the call that a call node writes, or nil.
func (x *Program) Call(n code.Node) *Call { return x.byNode[n] }

// CallsIn returns the calls in a definition, those in nested functions apart
// and in lambdas and comprehensions included, in source order.
func (x *Program) CallsIn(d *code.Definition) []*Call { return slices.Clone(x.within[d]) }

// CallsOf returns the calls that a file writes, in source order.
func (x *Program) CallsOf(m *code.Module) []*Call {
	out := make([]*Call, 0, len(m.Calls()))
	for _, n := range m.Calls() {
		out = append(out, x.byNode[n])
	}
	return out
}
