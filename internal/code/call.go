package code

import (
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/tables"
)

// Call is one call expression, or a call that another one makes by handing a
// function over, as asyncio.to_thread(f, x) calls f(x): then Node is the outer
// call and the rest describes the inner one.
type Call struct {
	Node     Node        // the call
	Callee   Symbol      // what is called: a class for a construction, __call__ for an instance that has one
	Others   []Symbol    // further possible callees
	Receiver Node        // expression before the last dot of the callee, zero when there is none
	Name     string      // last name of the callee expression, resolved or not; "" when it has none
	Func     *Definition // definition in whose scope the call stands
	Args     []Argument  // in order; splats of literals are expanded, arguments of a partial come first
}

// Argument is one argument of a call.
type Argument struct {
	Name  string // keyword, "" for a positional one
	Value Node   // the expression, wherever it is written: with a splat, or a partial it can be elsewhere than the call
	Star  int    // 1 or 2: a splat that is not a literal and was not expanded
}

// callIndex holds every call of the program.
type callIndex struct {
	once   sync.Once
	all    []*Call
	byNode map[Node]*Call

	sites  map[*Definition][]Node  // calls by what they may run
	within map[*Definition][]*Call // calls by where they stand, those in lambdas with what is around them too

	nameOnce sync.Once
	byName   map[string][]Node // call nodes by the last name of their callee
}

// Arg returns the argument that fills a parameter: the keyword name, else the
// position pos among the positional ones (from 0; pass -1 for none). The zero
// Node means that it is not given.
func (c *Call) Arg(name string, pos int) Node {
	return pick(c.Args, name, pos)
}

func pick(args []Argument, name string, pos int) Node {
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
	return Node{}
}

// function returns the expression of what is called.
func (c *Call) function() Node {
	fn := c.Node.Field("function").Unparen()
	if c.Name != lastName(fn) {
		if inner, _, ok := c.Node.m.program.rawQuery().forwarded(c.Node); ok {
			return inner
		}
	}
	return fn
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

// build resolves every call of the program.
func (x *callIndex) build(p *Program) {
	x.byNode = map[Node]*Call{}
	total, limit := 0, maxQuerySteps
	q := p.rawQuery()
	for _, m := range p.Modules {
		q.forget()
		for _, n := range m.indexed().calls {
			q.again(limit)
			c := q.newCall(n)
			x.all = append(x.all, c)
			x.byNode[n] = c
			if inner := q.forwardedCall(c); inner != nil {
				x.all = append(x.all, inner)
			}
			limit = q.spend(&total)
		}
	}
	x.sites = map[*Definition][]Node{}
	x.within = map[*Definition][]*Call{}
	for _, c := range x.all {
		for owner := c.Func; owner != nil; owner = owner.Parent {
			x.within[owner] = append(x.within[owner], c)
			if owner.Kind != DefLambda {
				break
			}
		}
		for _, s := range c.Symbols() {
			target := s.Def
			if target != nil && target.Kind == DefClass {
				if m := p.rawQuery().method(target, "__init__", "__new__"); m != nil {
					target = m
				}
			}
			if target != nil && fills(c.Node, target) {
				x.sites[target] = append(x.sites[target], c.Node)
			}
		}
	}
}

func (p *Program) callIndexed() *callIndex {
	p.calls.once.Do(func() { p.calls.build(p) })
	return &p.calls
}

// newCall resolves the callee and lists the arguments of a call node.
func (q *query) newCall(n Node) *Call {
	fn := n.Field("function").Unparen()
	c := &Call{Node: n, Func: q.p.Enclosing(n), Name: lastName(fn)}
	if fn.Is("attribute") {
		c.Receiver = fn.Field("object")
	}
	symbols := q.expr(fn)
	if len(symbols) > 1 {
		symbols = knownBefore(symbols)
	}
	for i, s := range symbols {
		if s.Instance {
			s = q.callable(s)
		}
		if i == 0 {
			c.Callee = s
		} else {
			c.Others = append(c.Others, s)
		}
	}
	if len(symbols) == 0 {
		c.Callee = unresolved(fn)
	}
	c.Args = callArguments(q, n)
	if len(c.Callee.Bound) > 0 {
		c.Args = append(append([]Argument(nil), c.Callee.Bound...), c.Args...)
	}
	return c
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
func (q *query) callable(s Symbol) Symbol {
	if s.Def != nil {
		if m := q.method(s.Def, "__call__"); m != nil {
			return Symbol{Qualified: m.Qualified, Def: m, Bound: s.Bound}
		}
	}
	s.Instance = false
	s.Def = nil
	s.Qualified += ".__call__"
	return s
}

// callArguments lists the arguments of a call, splats of literals expanded.
func callArguments(q *query, n Node) []Argument {
	args := n.Field("arguments")
	if args.Is("generator_expression") {
		return []Argument{{Value: args}}
	}
	var out []Argument
	for a := range args.Children() {
		switch a.Kind() {
		case "keyword_argument":
			out = append(out, Argument{Name: a.Field("name").Text(), Value: a.Field("value")})
		case "dictionary_splat":
			out = append(out, q.splatDict(a.Child(0))...)
		case "list_splat":
			out = append(out, q.splatList(a.Child(0))...)
		default:
			out = append(out, Argument{Value: a})
		}
	}
	return out
}

// splatDict expands **x when x is a dict whose keys are known.
func (q *query) splatDict(n Node) []Argument {
	v := q.eval(n)
	if v.Kind != ValueDict {
		return []Argument{{Star: 2, Value: n}}
	}
	var out []Argument
	for i, k := range v.Keys {
		name, ok := k.Str()
		if !ok {
			out = append(out, Argument{Star: 2, Value: n})
			continue
		}
		out = append(out, Argument{Name: name, Value: v.Items[i].Node})
	}
	return out
}

// splatList expands *x when x is a sequence whose length is known.
func (q *query) splatList(n Node) []Argument {
	v := q.eval(n)
	if v.Kind != ValueList && v.Kind != ValueTuple || v.open() {
		return []Argument{{Star: 1, Value: n}}
	}
	var out []Argument
	for _, item := range v.Items {
		out = append(out, Argument{Value: item.Node})
	}
	return out
}

// Parameters maps the arguments of a call of a first-party function, method or
// class to its parameters by name. Parameters that are not given are missing.
func (p *Program) oldParameters(c *Call) map[string]Node {
	out := map[string]Node{}
	fn := c.Callee.Def
	if fn != nil && fn.Kind == DefClass {
		class := fn
		if fn = p.oldMethod(class, "__init__"); fn == nil {
			for i, f := range p.oldFields(c.Callee) {
				if arg := c.Arg(f.Name, i); arg.Valid() {
					out[f.Name] = arg
				}
			}
			return out
		}
	}
	if fn == nil {
		return out
	}
	shift := p.query().shift(fn, c.function())
	for i, param := range fn.params {
		if arg := c.Arg(param.Name, i-shift); arg.Valid() && param.Star == 0 && i >= shift {
			out[param.Name] = arg
		}
	}
	return out
}

// Calls returns the calls whose callee may be a symbol that matches one of the
// globs, in source order. A glob that begins with "*." also matches unresolved
// callees by their last name. Without globs it returns every call.
func (p *Program) oldCalls(globs ...string) []*Call {
	all := p.callIndexed().all
	if len(globs) == 0 {
		return slices.Clone(all)
	}
	var out []*Call
	for _, c := range all {
		if c.Matches(globs...) {
			out = append(out, c)
		}
	}
	return out
}

// Call returns the call that a call node writes, or nil.
func (p *Program) oldCall(n Node) *Call { return p.callIndexed().byNode[n] }

// CallsIn returns the calls in a definition, those in nested functions apart
// and in lambdas and comprehensions included, in source order.
func (p *Program) oldCallsIn(d *Definition) []*Call { return slices.Clone(p.callIndexed().within[d]) }

// Calls returns the calls that the file writes, in source order.
func (m *Module) oldCalls() []*Call {
	x := m.program.callIndexed()
	out := make([]*Call, 0, len(m.indexed().calls))
	for _, n := range m.indexed().calls {
		out = append(out, x.byNode[n])
	}
	return out
}
