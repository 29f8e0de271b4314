package code

// forwarded reads a call that makes another one: asyncio.to_thread(f, x),
// pool.submit(f, x), loop.run_in_executor(None, f, x), Thread(target=f,
// args=(x,)). It returns the expression of f and the arguments f gets.
func (q *query) forwarded(call Node) (Node, []Argument, bool) {
	name := lastName(call.Field("function").Unparen())
	if !isOneOf(name, "to_thread", "submit", "run_in_executor", "Thread", "Process", "run_sync", "apply_async") {
		return Node{}, nil, false
	}
	args := plainArguments(call)
	switch name {
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
		if len(args) < 2 {
			return Node{}, nil, false
		}
		args = args[1:]
	}
	if len(args) == 0 || args[0].Name != "" || args[0].Star > 0 {
		return Node{}, nil, false
	}
	return args[0].Value, args[1:], true
}

// forwardedCall is the call that c makes by handing a function over, or nil.
func (q *query) forwardedCall(c *Call) *Call {
	fn, args, ok := q.forwarded(c.Node)
	if !ok || fn.Is("call", "string", "list", "dictionary") {
		return nil
	}
	symbols := knownBefore(q.expr(fn))
	if len(symbols) == 0 || !symbols[0].Known() || symbols[0].plain() {
		return nil
	}
	for i, s := range symbols {
		if s.Instance {
			symbols[i] = q.callable(s)
		}
	}
	g := &Call{Node: c.Node, Callee: symbols[0], Others: symbols[1:], Func: c.Func, Name: lastName(fn), Args: args}
	if fn.Is("attribute") {
		g.Receiver = fn.Field("object")
	}
	g.Args = append(append([]Argument(nil), g.Callee.Bound...), g.Args...)
	return g
}
