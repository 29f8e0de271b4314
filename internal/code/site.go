package code

// maxSites bounds the call sites of a function that are looked at.
const maxSites = 64

// callsNamed returns the call nodes whose callee ends in a name. It does not
// resolve, so that resolving may ask for it.
func (p *Program) callsNamed(name string) []Node {
	x := &p.calls
	x.nameOnce.Do(func() {
		x.byName = map[string][]Node{}
		for _, m := range p.Modules {
			for _, n := range m.indexed().calls {
				if name := lastName(n.Field("function").Unparen()); name != "" {
					x.byName[name] = append(x.byName[name], n)
				}
			}
		}
	})
	return x.byName[name]
}

// staged reports whether code only tries out or shows other code.
func (m *Module) staged() bool {
	return m.Scope == ScopeTest || m.Scope == ScopeExample || m.Scope == ScopeDocs
}

// fills reports whether a call says something of the arguments of a function:
// what tests, examples and documents pass says nothing of production code.
func fills(call Node, fn *Definition) bool { return fn.Module.staged() || !call.m.staged() }

// sites finds the calls that may run a function and fill its parameters; for a
// class with a generated constructor, the constructions.
func (q *query) sites(fn *Definition) []Node {
	if !q.raw {
		found := q.p.callIndexed().sites[fn]
		return found[:min(len(found), maxSites)]
	}
	name := fn.Name
	if fn.Kind == DefMethod && isOneOf(name, "__init__", "__new__") {
		name = fn.Parent.Name
	}
	var out []Node
	for _, n := range q.p.callsNamed(name) {
		if len(out) >= maxSites {
			break
		}
		if !fills(n, fn) {
			continue
		}
		for _, s := range q.expr(n.Field("function")) {
			if s.Def == fn && (fn.Kind != DefClass || !s.Instance) || s.Def != nil && s.Def == fn.Parent && !s.Instance && name != fn.Name {
				out = append(out, n)
				break
			}
		}
	}
	return out
}

// shift is how many of a function's first parameters a call does not write:
// one for a method called on an object or class, none for a plain function.
func (q *query) shift(fn *Definition, function Node) int {
	if fn.Kind != DefMethod || fn.decorated("staticmethod") {
		return 0
	}
	if fn.decorated("classmethod") || isOneOf(fn.Name, "__init__", "__new__") {
		return 1
	}
	if !function.Is("attribute") {
		return 1 // an object with __call__
	}
	for _, s := range q.expr(function.Field("object")) {
		if s.Def == fn.Parent && !s.Instance {
			return 0 // Class.method(object, ...)
		}
	}
	return 1
}

// argumentFor returns the expression that a call passes for a parameter.
func (q *query) argumentFor(call Node, fn *Definition, p Param, position int) Node {
	inner := q.p.query()
	inner.hops, inner.closed, inner.raw = maxHops, q.closed, q.raw
	function, args := call.Field("function").Unparen(), plainArguments(call)
	if handed, rest, ok := inner.forwarded(call); ok && lastName(handed) != "" {
		for _, s := range inner.expr(handed) {
			if s.Def == fn {
				function, args = handed, rest
			}
		}
	}
	pos := position - inner.shift(fn, function)
	if p.Keyword {
		pos = -1
	}
	if p.Star > 0 {
		return Node{}
	}
	return pick(args, p.Name, pos)
}

// plainArguments lists the arguments of a call as written.
func plainArguments(call Node) []Argument {
	var out []Argument
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
