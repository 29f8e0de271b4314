package code

import (
	"slices"
	"strings"
)

// result resolves what a call returns.
func (q *query) result(call Node) []Symbol {
	var out []Symbol
	for _, f := range q.expr(call.Field("function")) {
		if f.Known() {
			out = addSymbols(out, q.resultOf(f, call)...)
		}
	}
	return out
}

func (q *query) resultOf(f Symbol, call Node) []Symbol {
	switch {
	case f.Def != nil && f.Instance:
		if m := q.method(f.Def, "__call__"); m != nil {
			return q.returned(m, call)
		}
		return nil
	case f.Def != nil && f.Def.Kind == DefClass:
		f.Instance, f.Node = true, call
		return []Symbol{f}
	case f.Def != nil:
		return q.returned(f.Def, call)
	}
	if out, ok := q.meant(f, call); ok {
		return out
	}
	if class := builtinMethod(f.Qualified); class != "" {
		return []Symbol{builtinObject(class, call)}
	}
	if !f.External {
		if f.Module == nil && f.Node.Valid() { // a functional class
			f.Instance = true
			return []Symbol{f}
		}
		return nil
	}
	f.Bound = nil
	if f.Instance {
		f.Qualified += ".__call__"
	}
	f.Instance = !f.Instance && (classLike(f.Qualified) || builtinClass(f.Qualified))
	f.Node = call
	if !f.Instance {
		f.Qualified += "()"
	}
	return []Symbol{f}
}

// classLike guesses by the naming convention whether an external name is a
// class.
func classLike(qualified string) bool {
	name := strings.TrimLeft(lastPart(qualified), "_")
	return name != "" && name[0] >= 'A' && name[0] <= 'Z' && !strings.HasSuffix(name, ")") &&
		(strings.ToUpper(name) != name || len(name) == 1)
}

// meant resolves calls whose result follows from their meaning.
func (q *query) meant(f Symbol, call Node) ([]Symbol, bool) {
	args := call.Field("arguments")
	first := args.Child(0)
	switch f.Qualified {
	case "importlib.import_module", "builtins.__import__":
		if name, ok := first.Literal(); ok && !strings.HasPrefix(name, ".") {
			spec := &importSpec{node: call, module: name, whole: f.Qualified != "builtins.__import__"}
			return q.imported(spec), true
		}
	case "builtins.getattr":
		if name, ok := q.eval(args.Child(1)).Str(); ok {
			return q.attributeOf(q.expr(first), name, call), true
		}
	case "functools.partial", "functools.partialmethod":
		return q.partial(call), true
	case "typing.cast":
		return instances(q.annotated(first)), true
	case "copy.copy", "copy.deepcopy", "functools.cache", "functools.lru_cache", "asyncio.run", "asyncio.wait_for", "asyncio.create_task":
		if out := q.expr(first); len(out) > 0 {
			return out, true
		}
	case "builtins.super":
		return q.super(call), true
	case "builtins.type":
		out := slices.Clone(q.expr(first))
		for i := range out {
			out[i].Instance = false
		}
		return out, len(out) > 0
	}
	return nil, false
}

// partial is the function itself, with the arguments fixed beforehand.
func (q *query) partial(call Node) []Symbol {
	args := callArguments(q, call)
	if len(args) == 0 {
		return nil
	}
	out := slices.Clone(q.expr(args[0].Value))
	for i := range out {
		out[i].Bound = append(append([]Argument(nil), out[i].Bound...), args[1:]...)
	}
	return out
}

// super stands for the next class: an object of the first base.
func (q *query) super(call Node) []Symbol {
	class := q.p.Enclosing(call).Class()
	if class == nil {
		return nil
	}
	bases := q.bases(class)
	if len(bases) == 0 {
		return []Symbol{{Qualified: "builtins.object", External: true, Instance: true}}
	}
	bases[0].Instance = true
	return bases[:1]
}

// returned resolves what a first-party function returns: its parameters as
// this call fills them, its annotation, else its return values.
func (q *query) returned(fn *Definition, call Node) []Symbol {
	a := activity{scope: fn, name: "()"}
	if !fn.IsFunction() {
		return nil
	}
	if q.hops >= maxHops {
		q.hits++
		return nil
	}
	if !q.enter(a) {
		return nil
	}
	q.hops++
	defer func() { q.hops--; q.leave() }()
	var out []Symbol
	if !fn.generator() {
		for _, value := range fn.ReturnValues() {
			if value.Is("return_statement") {
				continue
			}
			if position, p, ok := fn.param(value.Text()); ok && call.Valid() && value.Is("identifier") {
				if arg := q.argumentFor(call, fn, p, position); arg.Valid() {
					out = addSymbols(out, q.expr(arg)...)
					continue
				}
			}
			for _, s := range q.expr(value) {
				if s.Def != nil && s.Def.Parent == fn && call.Valid() {
					s.Node = call // made by this call of a factory
				}
				out = addSymbols(out, s)
			}
		}
	}
	if !specific(out) && fn.Returns().Valid() {
		if declared := q.annotatedObjects(fn.Returns()); len(declared) > 0 {
			return declared
		}
	}
	if !anyKnown(out) {
		return []Symbol{{Qualified: fn.Qualified + "()", Node: call}}
	}
	return out
}

// specific reports whether one of the symbols says more than an annotation.
func specific(list []Symbol) bool {
	for _, s := range list {
		if s.Known() && (s.Def != nil || s.External && !s.plain()) {
			return true
		}
	}
	return false
}

// generator reports whether a function yields.
func (d *Definition) generator() bool {
	for n := range d.Body().WalkScope() {
		if n.Is("yield") {
			return true
		}
	}
	return false
}

// builtinNames lists the functions and classes of module builtins, without
// the exceptions.
const builtinNames = " abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ __name__ __file__ __doc__ NotImplemented Ellipsis "

// isBuiltin reports whether a name is one of builtins.
func isBuiltin(name string) bool {
	if listed(builtinNames, name) {
		return true
	}
	return listed(" BaseException BaseExceptionGroup Exception ExceptionGroup GeneratorExit KeyboardInterrupt SystemExit StopIteration StopAsyncIteration ", name) ||
		len(name) >= 7 && name[0] >= 'A' && name[0] <= 'Z' && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Warning"))
}
