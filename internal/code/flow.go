package code

import "slices"

// OriginKind says what an Origin is.
type OriginKind uint8

// Kinds of origins.
const (
	OriginUnknown   OriginKind = iota // not resolved
	OriginLiteral                     // a constant
	OriginParam                       // a parameter that no known call fills, or of a function that is passed on
	OriginCall                        // what a call returns that is not first-party, or not followed further
	OriginAttribute                   // an attribute or element that nothing known binds
	OriginSymbol                      // a function, class, module or external name
	OriginException                   // the exception of a handler
)

// Origin is one place that a value may come from.
type Origin struct {
	Kind   OriginKind
	Node   Node        // literal, parameter, call, attribute or name
	Call   *Call       // for OriginCall
	Def    *Definition // for OriginParam: the function; for OriginSymbol: the definition
	Symbol Symbol      // for OriginAttribute and OriginSymbol: what it stands for, as far as known
	Param  string      // for OriginParam: its name
	Path   []Node      // expressions passed on the way, from the question to the origin
	Part   bool        // the value is only made from it (formatting, concatenation, an element, an argument), not equal to it
}

const (
	maxOrigins  = 256
	maxFlowPath = 64
)

// tracer follows one value backwards.
type tracer struct {
	p    *Program
	out  []Origin
	seen map[traceKey]bool
}

// traceKey is one expression looked at with one call stack depth and part.
type traceKey struct {
	node Node
	part bool
	hops int
}

// trail is how a trace came to an expression.
type trail struct {
	path []Node
	part bool
	hops int
	env  []frame // calls entered, the innermost last
}

// frame is a call that the trace entered: its parameters are its arguments.
type frame struct {
	fn   *Definition
	call Node
}

// Origins says where the value of an expression comes from: through
// assignments, formatting, containers, attributes of self, calls of first-party
// functions, methods of the value itself, and from parameters back to the call
// sites, at most four calls deep and 256 origins. A parameter with known call
// sites yields the origins at these; an origin of kind OriginParam is added
// when the function is also passed on as a value or has no call site. Call
// sites in tests, examples and documents don't count for production code.
func (p *Program) Origins(n Node) []Origin {
	t := &tracer{p: p, seen: map[traceKey]bool{}}
	t.expr(n, trail{})
	return t.out
}

func (t *tracer) add(o Origin, tr trail) {
	if len(t.out) >= maxOrigins {
		return
	}
	o.Path, o.Part = slices.Clone(tr.path), tr.part
	t.out = append(t.out, o)
}

// parts follows several expressions that the value is made from.
func (t *tracer) parts(tr trail, nodes ...Node) {
	tr.part = true
	for _, n := range nodes {
		t.expr(n, tr)
	}
}

// expr follows one expression.
func (t *tracer) expr(n Node, tr trail) {
	n = n.Unparen()
	key := traceKey{n, tr.part, len(tr.env)}
	if !n.Valid() || t.seen[key] || len(tr.path) >= maxFlowPath || len(t.out) >= maxOrigins {
		return
	}
	t.seen[key] = true
	tr.path = append(slices.Clone(tr.path), n)
	switch n.Kind() {
	case "integer", "float", "true", "false", "none", "ellipsis":
		t.add(Origin{Kind: OriginLiteral, Node: n}, tr)
	case "string", "concatenated_string":
		t.text(n, tr)
	case "identifier":
		t.name(n, tr)
	case "attribute":
		t.attribute(n, tr)
	case "call":
		t.call(n, tr)
	case "lambda":
		t.add(Origin{Kind: OriginSymbol, Node: n, Def: t.p.Definition(n), Symbol: t.p.Resolve(n)}, tr)
	default:
		t.compound(n, tr)
	}
}

// text follows the holes of a string.
func (t *tracer) text(n Node, tr trail) {
	holes := false
	for c := range n.Walk() {
		if c.Is("interpolation") {
			holes = true
			t.parts(tr, c.Field("expression"))
		}
	}
	if !holes {
		t.add(Origin{Kind: OriginLiteral, Node: n}, tr)
	}
}

// compound follows operators, containers and conditional expressions.
func (t *tracer) compound(n Node, tr trail) {
	switch n.Kind() {
	case "await", "list_splat", "dictionary_splat":
		t.expr(n.Child(0), tr)
	case "named_expression":
		t.expr(n.Field("value"), tr)
	case "conditional_expression":
		t.expr(n.Child(0), tr)
		t.expr(n.Child(2), tr)
	case "boolean_operator":
		t.expr(n.Field("left"), tr)
		t.expr(n.Field("right"), tr)
	case "binary_operator":
		t.parts(tr, n.Field("left"), n.Field("right"))
	case "unary_operator":
		t.parts(tr, n.Field("argument"))
	case "comparison_operator", "not_operator":
		t.add(Origin{Kind: OriginLiteral, Node: n}, tr)
	case "list", "tuple", "set", "expression_list", "dictionary", "pair", "keyword_argument":
		t.containers(n, tr)
	case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
		body := n.Field("body")
		if body.Is("pair") {
			t.parts(tr, body.Field("key"), body.Field("value"))
		} else {
			t.parts(tr, body)
		}
	case "subscript":
		t.element(n, tr)
	default:
		t.add(Origin{Kind: OriginUnknown, Node: n}, tr)
	}
}

func (t *tracer) containers(n Node, tr trail) {
	empty := true
	for c := range n.Children() {
		empty = false
		switch c.Kind() {
		case "pair":
			t.parts(tr, c.Field("key"), c.Field("value"))
		case "keyword_argument":
			t.parts(tr, c.Field("value"))
		default:
			t.parts(tr, c)
		}
	}
	if empty {
		t.add(Origin{Kind: OriginLiteral, Node: n}, tr)
	}
}

// element follows a subscript: to the entry of a literal table, else to the
// table itself; an element of something unknown is an origin of its own.
func (t *tracer) element(n Node, tr trail) {
	q := t.p.query()
	q.limit = maxEvalSteps
	if v, ok := q.elementValue(n); ok {
		known := true
		for _, c := range v.Choices() {
			known = known && c.Node.Valid() && c.Node != n && c.Kind != ValueUnknown
		}
		if known {
			for _, c := range v.Choices() {
				t.expr(c.Node, tr)
			}
			return
		}
	}
	before := len(t.out)
	t.parts(tr, n.Field("value"))
	if len(t.out) == before || t.opaque(t.out[before:]) {
		t.add(Origin{Kind: OriginAttribute, Node: n, Symbol: t.p.Resolve(n)}, tr)
	}
}

// opaque reports whether the origins are all parameters, attributes or unknown, so
// that an element of them is worth naming.
func (t *tracer) opaque(list []Origin) bool {
	return !slices.ContainsFunc(list, func(o Origin) bool {
		return o.Kind == OriginLiteral || o.Kind == OriginCall || o.Kind == OriginSymbol
	})
}

// name follows a name through its bindings.
func (t *tracer) name(n Node, tr trail) {
	bs, scope := t.p.lookup(n.Text(), n)
	if len(bs) == 0 {
		s := t.p.Resolve(n)
		kind := OriginUnknown
		if s.Known() {
			kind = OriginSymbol
		}
		t.add(Origin{Kind: kind, Node: n, Def: s.Def, Symbol: s}, tr)
		return
	}
	for _, b := range bs {
		t.binding(b, scope, n, tr)
	}
	changes := scope.mutations[n.Text()]
	for _, change := range changes[:min(len(changes), maxChanges)] {
		if change.m == n.m && (change.Start() < n.Start() || sharedLoop(change, n)) {
			t.change(change, tr)
		}
	}
}

// change follows what a statement puts into a container.
func (t *tracer) change(n Node, tr trail) {
	switch n.Kind() {
	case "assignment", "augmented_assignment":
		t.parts(tr, n.Field("right"))
	case "call":
		for _, a := range plainArguments(n) {
			t.parts(tr, a.Value)
		}
	}
}

// binding follows one binding of a name.
func (t *tracer) binding(b binding, scope *Definition, n Node, tr trail) {
	switch b.kind {
	case bindAssign:
		if len(b.path) > 0 {
			t.unpacked(b, tr)
			return
		}
		t.expr(b.value, tr)
	case bindAnnotate, bindAugment:
		// The value comes from the other bindings; += is a mutation.
	case bindParam:
		t.param(scope, n, tr)
	case bindFor, bindWith:
		tr.part = tr.part || b.kind == bindFor
		t.expr(b.value, tr)
	case bindExcept:
		t.add(Origin{Kind: OriginException, Node: b.value, Symbol: t.p.Resolve(b.value)}, tr)
	case bindDef:
		t.add(Origin{Kind: OriginSymbol, Node: n, Def: b.def, Symbol: t.p.Resolve(n)}, tr)
	case bindImport:
		t.imported(n, tr)
	case bindOther:
		t.parts(tr, b.value)
	}
}

// unpacked follows one position of a tuple that is written out, else the whole.
func (t *tracer) unpacked(b binding, tr trail) {
	value := b.value.Unparen()
	for _, i := range b.path {
		if !value.Is("tuple", "list", "expression_list", "pattern_list") || !value.Child(i).Valid() {
			t.parts(tr, b.value)
			return
		}
		value = value.Child(i).Unparen()
	}
	t.expr(value, tr)
}

// imported follows a name of another first-party module to its assignment.
func (t *tracer) imported(n Node, tr trail) {
	s := t.p.Resolve(n)
	if s.Def == nil && !s.External && s.Node.Valid() {
		t.expr(s.Node, tr)
		return
	}
	t.add(Origin{Kind: OriginSymbol, Node: n, Def: s.Def, Symbol: s}, tr)
}
