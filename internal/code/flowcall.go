package code

import "slices"

// param follows a parameter: to the argument of the call that the trace came
// in by, else to the arguments of all call sites.
func (t *tracer) param(fn *Definition, n Node, tr trail) {
	position, p, ok := fn.param(n.Text())
	if !ok {
		return
	}
	own := Origin{Kind: OriginParam, Node: p.Node, Def: fn, Param: p.Name}
	if position == 0 && fn.Kind == DefMethod && !fn.decorated("staticmethod") || p.Star > 0 {
		t.add(own, tr)
		return
	}
	for i, f := range slices.Backward(tr.env) {
		if f.fn == fn {
			tr.env = tr.env[:i]
			t.argument(f.call, fn, p, position, tr)
			return
		}
	}
	sites := t.p.query().sites(fn)
	if len(sites) == 0 || tr.hops >= maxHops {
		t.add(own, tr)
		return
	}
	tr.hops++
	for _, site := range sites {
		t.argument(site, fn, p, position, tr)
	}
	if t.p.PassedOn(fn) {
		tr.hops--
		t.add(own, tr)
	}
}

// argument follows what a call passes for a parameter: an argument, the
// default, or an unknown part of a splat.
func (t *tracer) argument(call Node, fn *Definition, p Param, position int, tr trail) {
	q := t.p.query()
	arg := q.argumentFor(call, fn, p, position)
	switch {
	case arg.Valid():
		t.expr(arg, tr)
	case hasSplat(call):
		for c := range call.Field("arguments").Children() {
			if c.Is("list_splat", "dictionary_splat") {
				t.parts(tr, c.Child(0))
			}
		}
	case p.Default.Valid():
		t.expr(p.Default, tr)
	default:
		t.add(Origin{Kind: OriginParam, Node: p.Node, Def: fn, Param: p.Name}, tr)
	}
}

// call follows a call: into first-party functions, through functions that
// only reshape their argument, else to the call itself.
func (t *tracer) call(n Node, tr trail) {
	c := t.p.Call(n)
	if c == nil {
		t.add(Origin{Kind: OriginUnknown, Node: n}, tr)
		return
	}
	followed := false
	for _, s := range c.Symbols() {
		if s.Def == nil || !s.Def.IsFunction() || len(tr.env) >= maxHops || t.entered(s.Def, tr) {
			continue
		}
		inner := tr
		inner.env = append(slices.Clone(tr.env), frame{s.Def, n})
		for _, value := range s.Def.ReturnValues() {
			followed = true
			if value.Is("return_statement") {
				t.add(Origin{Kind: OriginLiteral, Node: value}, inner)
				continue
			}
			t.expr(value, inner)
		}
	}
	if followed {
		return
	}
	if c.Callee.External || !c.Callee.Known() {
		if t.reshaped(c, tr) {
			return
		}
	}
	t.add(Origin{Kind: OriginCall, Node: n, Call: c}, tr)
	if c.Callee.Def != nil && c.Callee.Def.Kind == DefClass { // an object is made from its arguments
		for _, a := range c.Args {
			t.parts(tr, a.Value)
		}
	}
}

func (t *tracer) entered(fn *Definition, tr trail) bool {
	return slices.ContainsFunc(tr.env, func(f frame) bool { return f.fn == fn })
}

// reshaped follows calls whose result is made from their arguments or their
// receiver alone: conversions, string methods, path joining.
func (t *tracer) reshaped(c *Call, tr trail) bool {
	if c.Callee.Matches("builtins.str", "builtins.int", "builtins.float", "builtins.bool", "builtins.list", "builtins.tuple",
		"builtins.set", "builtins.dict", "builtins.sorted", "builtins.reversed", "builtins.enumerate", "builtins.zip",
		"builtins.iter", "builtins.next", "builtins.min", "builtins.max", "builtins.sum", "builtins.format", "builtins.repr",
		"os.path.*", "os.fspath", "pathlib.Path", "pathlib.PurePath", "shlex.join", "shlex.split", "json.dumps", "json.loads",
		"copy.copy", "copy.deepcopy", "textwrap.dedent", "urllib.parse.*", "typing.cast", "asyncio.run") {
		for _, a := range c.Args {
			t.parts(tr, a.Value)
		}
		return len(c.Args) > 0
	}
	switch c.Name {
	case "strip", "lstrip", "rstrip", "lower", "upper", "replace", "split", "rsplit", "splitlines", "format", "join", "encode",
		"decode", "get", "copy", "items", "keys", "values", "pop", "resolve", "absolute", "expanduser", "joinpath",
		"with_suffix", "as_posix", "removeprefix", "removesuffix", "title", "partition", "model_dump", "dict":
		if !c.Receiver.Valid() {
			return false
		}
		before := len(t.out)
		t.parts(tr, c.Receiver)
		if c.Name == "get" || c.Name == "pop" {
			if len(t.out) > before && t.opaque(t.out[before:]) {
				t.add(Origin{Kind: OriginAttribute, Node: c.Node, Symbol: c.Callee}, tr)
			}
			if d := pick(c.Args, "default", 1); d.Valid() {
				t.expr(d, tr)
			}
			return len(t.out) > before
		}
		for _, a := range c.Args {
			t.parts(tr, a.Value)
		}
		return len(t.out) > before
	}
	return false
}

// attribute follows an attribute: to the assignments of self.x, to a constant
// of a module or class, else to the object.
func (t *tracer) attribute(n Node, tr trail) {
	q := t.p.query()
	name := n.Field("attribute").Text()
	object := n.Field("object")
	objects, _ := q.objects(object)
	followed := false
	for _, s := range objects {
		if s.Def != nil && s.Def.Kind == DefClass {
			followed = t.member(s, name, n, tr) || followed
		}
	}
	if followed {
		return
	}
	s := t.p.Resolve(n)
	switch {
	case s.Known() && s.Def == nil && !s.External && s.Node.Valid() && s.Node != n:
		t.expr(s.Node, tr)
	case s.Known() && (s.External || s.Def != nil || s.Module != nil) && !s.Instance:
		t.add(Origin{Kind: OriginSymbol, Node: n, Def: s.Def, Symbol: s}, tr)
		t.object(object, tr)
	default:
		t.add(Origin{Kind: OriginAttribute, Node: n, Symbol: s}, tr)
		t.object(object, tr)
	}
}

// object follows what an attribute is taken from, when that is a value rather
// than a module or class.
func (t *tracer) object(n Node, tr trail) {
	s := t.p.Resolve(n)
	if !s.Known() || s.Instance || s.External && s.Node.Valid() {
		t.parts(tr, n)
	}
}

// member follows an attribute, read by n, of an object of a first-party class.
func (t *tracer) member(s Symbol, name string, n Node, tr trail) bool {
	q := t.p.query()
	if nodes, complete, ok := q.fieldNodes(s, name); ok {
		for _, node := range nodes {
			t.expr(node, tr)
		}
		if !complete {
			t.add(Origin{Kind: OriginAttribute, Node: n, Symbol: t.p.Resolve(n)}, tr)
		}
		return true
	}
	line := append([]Symbol{s}, q.bases(s.Def)...)
	for _, c := range line {
		if c.Def == nil {
			continue
		}
		bs := slices.Clone(c.Def.attrs[name])
		for _, b := range c.Def.names[name] {
			if b.kind == bindAssign || b.kind == bindDef && b.def.decorated("property", "cached_property") {
				bs = append(bs, b)
			}
		}
		found := false
		for _, b := range bs {
			switch {
			case b.kind == bindDef:
				for _, value := range b.def.ReturnValues() {
					t.expr(value, tr)
				}
				found = true
			case b.kind == bindAssign && len(b.path) > 0:
				t.unpacked(b, tr)
				found = true
			case b.kind == bindAssign:
				t.expr(b.value, tr)
				found = true
			}
		}
		if found {
			return true
		}
	}
	return false
}
