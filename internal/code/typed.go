package code

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// literalType is the builtin class of an expression whose form gives it away.
func literalType(n Node) string {
	switch n.Kind() {
	case "string", "concatenated_string":
		if isBytes(n) {
			return "bytes"
		}
		return "str"
	case "list", "list_comprehension":
		return "list"
	case "dictionary", "dictionary_comprehension":
		return "dict"
	case "set", "set_comprehension":
		return "set"
	case "tuple":
		return "tuple"
	case "integer":
		return "int"
	case "float":
		return "float"
	case "true", "false", "comparison_operator", "not_operator":
		return "bool"
	}
	return ""
}

// builtinObject is an object of a builtin class.
func builtinObject(class string, n Node) Symbol {
	return Symbol{Qualified: "builtins." + class, External: true, Instance: true, Node: n}
}

// plain reports whether a symbol is only an object of a builtin class.
func (s Symbol) plain() bool {
	return s.Instance && s.External && strings.HasPrefix(s.Qualified, "builtins.")
}

func allPlain(list []Symbol) bool {
	for _, s := range list {
		if !s.plain() {
			return false
		}
	}
	return len(list) > 0
}

// builtinClass reports whether a builtin is a class whose call makes an object
// of it.
func builtinClass(qualified string) bool {
	return isOneOf(qualified, "builtins.str", "builtins.int", "builtins.float", "builtins.bool", "builtins.list", "builtins.dict",
		"builtins.set", "builtins.tuple", "builtins.bytes", "builtins.bytearray", "builtins.frozenset", "builtins.object")
}

// builtinMethod is the class of what a method of a builtin class returns, ""
// when it depends on the contents.
func builtinMethod(qualified string) string {
	class, method, _ := strings.Cut(strings.TrimPrefix(qualified, "builtins."), ".")
	switch class {
	case "str":
		switch method {
		case "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "replace", "format", "join",
			"removeprefix", "removesuffix", "center", "ljust", "rjust", "zfill", "expandtabs", "swapcase", "translate":
			return "str"
		case "split", "rsplit", "splitlines":
			return "list"
		case "encode":
			return "bytes"
		case "startswith", "endswith", "isdigit", "isalpha", "isspace", "isupper", "islower", "isidentifier", "isalnum":
			return "bool"
		case "find", "rfind", "index", "rindex", "count":
			return "int"
		case "partition", "rpartition":
			return "tuple"
		}
	case "bytes":
		if method == "decode" {
			return "str"
		}
	case "list", "dict", "set":
		if method == "copy" {
			return class
		}
	}
	switch qualified {
	case "builtins.sorted":
		return "list"
	case "builtins.len", "builtins.sum", "builtins.round", "builtins.ord", "builtins.hash":
		return "int"
	case "builtins.repr", "builtins.chr", "builtins.format":
		return "str"
	case "builtins.isinstance", "builtins.any", "builtins.all", "builtins.callable", "builtins.hasattr":
		return "bool"
	}
	return ""
}

// typed resolves an expression by annotations: of a variable, a field, the
// elements of a container, a key of a TypedDict, a function's result.
func (q *query) typed(n Node) []Symbol { return q.annotatedObjects(q.annotation(n)) }

// annotatedObjects are the objects that an annotation promises; annotations
// that promise nothing of use give none.
func (q *query) annotatedObjects(annotation Node) []Symbol {
	if !annotation.Valid() {
		return nil
	}
	var out []Symbol
	for _, s := range q.annotated(annotation) {
		if class, ok := strings.CutPrefix(s.Qualified, "typing."); ok {
			switch class {
			case "List", "Dict", "Set", "Tuple", "FrozenSet":
				s = external("builtins." + strings.ToLower(class))
			case "Text":
				s = external("builtins.str")
			case "DefaultDict", "OrderedDict", "Mapping", "MutableMapping":
				s = external("builtins.dict")
			default:
				continue
			}
		}
		if s.Def == nil && !s.External || s.Matches("builtins.None", "builtins.object", "builtins.type", "builtins.callable", "collections.abc.*") ||
			!s.Known() {
			continue
		}
		s.Instance = true
		out = addSymbols(out, s)
	}
	return out
}

// annotation finds the annotation of what an expression is worth.
func (q *query) annotation(n Node) Node {
	n = n.Unparen()
	a := activity{node: n, name: ":"}
	if !n.Valid() || !q.enter(a) {
		return Node{}
	}
	defer q.leave()
	switch n.Kind() {
	case "identifier":
		return q.nameAnnotation(n)
	case "attribute":
		return q.fieldAnnotation(q.expr(n.Field("object")), n.Field("attribute").Text())
	case "subscript":
		return q.entryAnnotation(n.Field("value"), n.Field("subscript"))
	case "call":
		return q.callAnnotation(n)
	case "await":
		return q.annotation(n.Child(0))
	case "boolean_operator":
		if left := q.annotation(n.Field("left")); left.Valid() {
			return left
		}
		return q.annotation(n.Field("right"))
	}
	return Node{}
}

func (q *query) nameAnnotation(n Node) Node {
	bs, _ := q.p.lookup(n.Text(), n)
	for _, b := range bs {
		var found Node
		switch {
		case b.annotation.Valid():
			found = b.annotation
		case b.kind == bindAssign && len(b.path) == 0:
			found = q.annotation(b.value)
		case b.kind == bindFor:
			found = q.elementAnnotation(b.value, b.path)
		}
		if found.Valid() {
			return unwrapType(found)
		}
	}
	return Node{}
}

// fieldAnnotation finds the annotation of a field of an object's class.
func (q *query) fieldAnnotation(objects []Symbol, name string) Node {
	for _, s := range objects {
		if s.Def == nil || s.Def.Kind != DefClass {
			continue
		}
		line := append([]Symbol{s}, q.bases(s.Def)...)
		for _, c := range line {
			if c.Def == nil {
				continue
			}
			for _, bs := range [][]binding{c.Def.names[name], c.Def.attrs[name]} {
				if found, ok := q.bindingsAnnotation(bs); ok {
					return found
				}
			}
		}
	}
	return Node{}
}

// bindingsAnnotation finds the first annotation among the bindings of a field;
// ok is false when nothing decides it. A property decides it in any case.
func (q *query) bindingsAnnotation(bs []binding) (found Node, ok bool) {
	for i := range bs {
		switch b := &bs[i]; {
		case b.annotation.Valid():
			return unwrapType(b.annotation), true
		case b.kind == bindDef && b.def.decorated("property", "cached_property"):
			return unwrapType(b.def.Returns()), true
		case b.kind == bindAssign && b.value.Is("identifier"):
			if found := q.annotation(b.value); found.Valid() {
				return found, true
			}
		}
	}
	return Node{}, false
}

// entryAnnotation finds the type of container[key].
func (q *query) entryAnnotation(container, key Node) Node {
	if name, ok := q.eval(key).Str(); ok {
		if found := q.fieldAnnotation(q.expr(container), name); found.Valid() {
			return found
		}
	}
	head, params := q.parameters(q.annotation(container))
	switch {
	case key.Is("slice"):
		return q.annotation(container)
	case head == "dict" && len(params) == 2:
		return unwrapType(params[1])
	case head != "dict" && len(params) > 0:
		return unwrapType(params[0])
	}
	return Node{}
}

// callAnnotation finds the type of what a call returns.
func (q *query) callAnnotation(n Node) Node {
	fn := n.Field("function").Unparen()
	if fn.Is("attribute") && isOneOf(fn.Field("attribute").Text(), "get", "pop", "setdefault") {
		if key := n.Field("arguments").Child(0); key.Valid() {
			if found := q.entryAnnotation(fn.Field("object"), key); found.Valid() {
				return found
			}
		}
	}
	for _, s := range q.expr(fn) {
		if s.Def != nil && s.Def.IsFunction() && !s.Def.generator() {
			return unwrapType(s.Def.Returns())
		}
	}
	return Node{}
}

// elementAnnotation finds the type of what iterating over an expression gives,
// at a position of the tuples that it gives.
func (q *query) elementAnnotation(n Node, path []int) Node {
	n = n.Unparen()
	if n.Is("call") {
		fn := n.Field("function").Unparen()
		first := n.Field("arguments").Child(0)
		switch name := lastName(fn); {
		case fn.Is("attribute") && isOneOf(name, "values", "keys", "items"):
			head, params := q.parameters(q.annotation(fn.Field("object")))
			if head != "dict" || len(params) != 2 {
				return Node{}
			}
			if name == "keys" || name == "items" && len(path) == 1 && path[0] == 0 {
				return unwrapType(params[0])
			}
			if name == "values" || len(path) == 1 {
				return unwrapType(params[1])
			}
			return Node{}
		case name == "enumerate" && len(path) > 0 && path[0] == 1:
			return q.elementAnnotation(first, path[1:])
		case isOneOf(name, "sorted", "reversed", "list", "set", "tuple", "iter"):
			return q.elementAnnotation(first, path)
		}
	}
	_, params := q.parameters(q.annotation(n))
	if len(params) == 0 {
		return Node{}
	}
	element := unwrapType(params[0])
	for _, i := range path {
		_, parts := q.parameters(element)
		if i >= len(parts) {
			return Node{}
		}
		element = unwrapType(parts[i])
	}
	return element
}

// parameters splits a generic type into the lower-case name of its container
// and its parameters.
func (q *query) parameters(annotation Node) (head string, params []Node) {
	annotation = unwrapType(annotation)
	if !annotation.Is("generic_type", "subscript") {
		return "", nil
	}
	head = strings.ToLower(lastName(annotation.Child(0)))
	switch head {
	case "mapping", "mutablemapping", "defaultdict", "ordereddict":
		head = "dict"
	}
	return head, typeParameters(annotation)
}

// typeParameters lists what stands in the brackets of a generic type.
func typeParameters(n Node) []Node {
	if n.Is("subscript") {
		return n.Fields("subscript")
	}
	var out []Node
	for c := range n.child("type_parameter").Children() {
		out = append(out, c)
	}
	return out
}

// unwrapType strips Optional, Annotated and their like, and "| None".
func unwrapType(n Node) Node {
	for {
		n = typeOf(n).Unparen()
		switch {
		case n.Is("generic_type", "subscript") && isOneOf(lastName(n.Child(0)), "Optional", "Annotated", "Required", "NotRequired", "Final", "ClassVar"):
			params := typeParameters(n)
			if len(params) == 0 {
				return n
			}
			n = params[0]
		case n.Is("binary_operator", "union_type") && n.Child(1).Is("none"):
			n = n.Child(0)
		case n.Is("binary_operator", "union_type") && n.Child(0).Is("none"):
			n = n.Child(1)
		default:
			return n
		}
	}
}

func TypeOf(n Node) Node            { return typeOf(n) }
func LastName(n Node) string        { return lastName(n) }
func Bytes(n Node) bool             { return isBytes(n) }
func (m *Module) CallNodes() []Node { return m.indexed().calls }

// Attribute is a first binding of a name on self.
type Attribute struct{ Node, Value, Annotation Node }

// Attributes are names bound on self by methods.
func (d *Definition) Attributes() iter.Seq2[string, Attribute] {
	return func(yield func(string, Attribute) bool) {
		names := slices.SortedFunc(maps.Keys(d.attrs), func(a, b string) int { return d.attrs[a][0].node.before(d.attrs[b][0].node) })
		for _, name := range names {
			if b := d.attrs[name][0]; !yield(name, Attribute{b.node, b.value, b.annotation}) {
				return
			}
		}
	}
}

// Manifests are the texts of manifests by path.
func (p *Program) Manifests() map[string]string { return p.manifests }

// ModuleBelow is the module of a dotted name below a folder, nil where there is none.
func (p *Program) ModuleBelow(folder, name string) *Module {
	at, _ := p.names.descend(folder, name)
	return at.module
}
