package code

import (
	"slices"
	"sync"
)

// flowIndex holds the edges of the call graph.
type flowIndex struct {
	once    sync.Once
	callees map[*Definition][]*Definition
	callers map[*Definition][]*Call
	unknown map[*Definition][]*Call
	values  map[*Definition]bool // functions and classes passed on as values
	uses    map[*Definition][]Node
	linked  map[[2]*Definition]bool // the edges in callees, while it is built

	liveOnce sync.Once
	live     map[*Definition]bool

	entryOnce sync.Once
	entries   []Entry
}

func (p *Program) flowIndexed() *flowIndex {
	p.flow.once.Do(func() { p.flow.build(p) })
	return &p.flow
}

// build adds the edges of every call, then those of names that are used
// without being called.
func (x *flowIndex) build(p *Program) {
	x.callees = map[*Definition][]*Definition{}
	x.callers = map[*Definition][]*Call{}
	x.unknown = map[*Definition][]*Call{}
	x.values = map[*Definition]bool{}
	x.uses = map[*Definition][]Node{}
	x.linked = map[[2]*Definition]bool{}
	for _, c := range p.callIndexed().all {
		x.addCall(p, c)
	}
	total, limit := 0, maxQuerySteps
	q := p.query()
	for _, m := range p.Modules {
		q.forget()
		for n := range m.Root().Walk() {
			if !readsName(n) {
				continue
			}
			q.again(limit)
			x.addUse(q, n)
			limit = q.spend(&total)
		}
		for _, d := range m.Definitions() {
			x.addDefined(p, d)
		}
	}
	x.linked = nil
}

// addCall adds the edges of one call.
func (x *flowIndex) addCall(p *Program, c *Call) {
	if p.Dead(c.Node) {
		return
	}
	known := false
	for _, s := range c.Symbols() {
		known = known || s.Known()
		if s.Def == nil {
			continue
		}
		target := s.Def
		if target.Kind == DefClass {
			x.callers[target] = append(x.callers[target], c)
			x.edge(c.Func, target)
			for _, name := range []string{"__init__", "__new__", "__post_init__"} {
				if m := p.Method(target, name); m != nil {
					x.callers[m] = append(x.callers[m], c)
					x.edge(c.Func, m)
				}
			}
			continue
		}
		x.callers[target] = append(x.callers[target], c)
		x.edge(c.Func, target)
		for _, o := range p.overriding(target) {
			x.edge(c.Func, o)
		}
	}
	if !known {
		x.unknown[c.Func] = append(x.unknown[c.Func], c)
	}
}

// overriding lists the methods of subclasses that a call of a method may run
// instead.
func (p *Program) overriding(m *Definition) []*Definition {
	if m.Kind != DefMethod {
		return nil
	}
	var out []*Definition
	for _, sub := range p.Subclasses(m.Parent) {
		if bs := sub.names[m.Name]; len(bs) > 0 && bs[len(bs)-1].kind == bindDef {
			out = append(out, bs[len(bs)-1].def)
		}
	}
	return out
}

func (x *flowIndex) edge(from, to *Definition) {
	if key := [2]*Definition{from, to}; from != nil && !x.linked[key] {
		x.linked[key] = true
		x.callees[from] = append(x.callees[from], to)
	}
}

// addUse adds an edge for a name that stands for a definition; unless the name
// is being called, the definition is passed on as a value.
func (x *flowIndex) addUse(q *query, n Node) {
	p, parent := q.p, n.Parent()
	for _, s := range q.expr(n) {
		if s.Def == nil || s.Instance {
			continue
		}
		x.uses[s.Def] = append(x.uses[s.Def], n)
		if !p.Dead(n) {
			scope := p.Enclosing(n)
			x.edge(scope, s.Def)
			if !(parent.Is("call") && n.FieldName() == "function") && !parent.Is("decorator") && !annotation(n) {
				x.values[s.Def] = true
			}
		}
	}
}

// readsName reports whether a node is a name or attribute whose value is read.
func readsName(n Node) bool {
	if !n.Is("identifier", "attribute") {
		return false
	}
	field, parent := n.FieldName(), n.Parent()
	return field != "attribute" && !(field == "name" && (parent.Is("keyword_argument") || parent.defines())) &&
		!parent.Is("aliased_import", "dotted_name", "import_from_statement", "global_statement", "nonlocal_statement") && !isTarget(n)
}

// isTarget reports whether a name is being bound rather than read.
func isTarget(n Node) bool {
	parent := n.Parent()
	for parent.Is("pattern_list", "tuple_pattern", "list_pattern") {
		n, parent = parent, parent.Parent()
	}
	return n.FieldName() == "left" && parent.Is("assignment", "for_statement", "for_in_clause") ||
		parent.Is("as_pattern_target", "parameters", "lambda_parameters") ||
		n.FieldName() == "name" && parent.Is("default_parameter", "typed_default_parameter", "named_expression")
}

// annotation reports whether a name stands in a type.
func annotation(n Node) bool {
	for a := range n.Around() {
		if a.Is("type") {
			return true
		}
		if a.Is("block", "module", "call") {
			return false
		}
	}
	return false
}

// addDefined adds the edges by which defining something runs something: a
// decorator that is first-party, and dunder methods, which Python calls. A
// function whose decorator is foreign (a route, a tool, a command) runs when
// its module does.
func (x *flowIndex) addDefined(p *Program, d *Definition) {
	if d.Kind == DefMethod && len(d.Name) > 4 && d.Name[:2] == "__" {
		x.edge(d.Parent, d)
	}
	if d.Kind == DefLambda {
		x.edge(d.Parent, d)
	}
	if p.registered(d) {
		x.edge(d.Parent, d)
		x.values[d] = true
	}
}

// registered reports whether a decorator hands the function to something
// that may call it: an unknown or first-party decorator, or an external one
// that is not known to return the function only.
func (p *Program) registered(d *Definition) bool {
	for _, n := range d.Decorators() {
		if n.Is("call") {
			n = n.Field("function")
		}
		s := p.Resolve(n)
		if !s.Matches("builtins.*", "functools.*", "dataclasses.*", "abc.*", "typing.*", "contextlib.*", "tenacity.*",
			"pydantic.dataclasses.*", "enum.*", "pytest.mark.*") {
			return true
		}
	}
	return false
}

// Callees returns the first-party definitions that a definition calls or
// passes on as a value, and the calls that could not be resolved.
func (p *Program) Callees(d *Definition) (defs []*Definition, unresolved []*Call) {
	x := p.flowIndexed()
	return slices.Clone(x.callees[d]), slices.Clone(x.unknown[d])
}

// Callers returns the live calls that may call a definition; for a class, the
// constructions.
func (p *Program) Callers(d *Definition) []*Call { return slices.Clone(p.flowIndexed().callers[d]) }

// PassedOn reports whether a definition is used as a value somewhere, stored,
// returned or handed to a call, or registered by a decorator: callers that the
// program does not show may exist.
func (p *Program) PassedOn(d *Definition) bool { return p.flowIndexed().values[d] }

// Uses returns the nodes outside import statements that stand for a
// definition, in source order.
func (p *Program) Uses(d *Definition) []Node { return slices.Clone(p.flowIndexed().uses[d]) }

// Reachable returns what may run when the given definitions run: what they
// call, pass on, construct, import and define by decorator, transitively. The
// starting points and the modules that hold or are imported by what is reached
// are included. Dead code is not followed.
func (p *Program) Reachable(from ...*Definition) map[*Definition]bool {
	return p.reachable(from, nil)
}

// reachable is Reachable without what is reached by way of some definitions only.
func (p *Program) reachable(from, without []*Definition) map[*Definition]bool {
	x := p.flowIndexed()
	seen := map[*Definition]bool{}
	for _, d := range without {
		seen[d] = true
	}
	todo := slices.Clone(from)
	add := func(d *Definition) {
		if d != nil && !seen[d] {
			seen[d] = true
			todo = append(todo, d)
		}
	}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if d == nil {
			continue
		}
		seen[d] = true
		add(d.Module.Body())
		for _, callee := range x.callees[d] {
			add(callee)
		}
		if d.Kind == DefModule {
			p.reachImports(d.Module, add)
		}
		if d.Kind == DefModule || d.Kind == DefClass {
			for _, inner := range d.inner {
				if inner.Kind == DefClass { // a class body runs where it stands
					add(inner)
				}
			}
		}
		if d.Kind == DefClass {
			for _, base := range p.Bases(d) {
				add(base.Def)
			}
		}
	}
	return seen
}

// reachImports adds the modules that a module loads when it runs.
func (p *Program) reachImports(m *Module, add func(*Definition)) {
	for i := range m.indexed().imps {
		spec := &m.indexed().imps[i]
		if typeOnly(spec.node) || p.Dead(spec.node) {
			continue
		}
		at, ok, _ := p.importPlace(spec)
		if !ok {
			continue
		}
		if at.module != nil {
			add(at.module.Body())
		}
		if spec.name != "" && spec.name != "*" && at.folder != "" {
			if sub, ok := p.names.sub(at, spec.name); ok && sub.module != nil {
				add(sub.module.Body())
			}
		}
	}
}

// Live is Reachable from all Entries. Without an entry it is empty.
func (p *Program) Live() map[*Definition]bool {
	x := p.flowIndexed()
	x.liveOnce.Do(func() { x.live = p.LiveWithout() })
	return x.live
}

// LiveWithout is Live but for what is reached only by way of the definitions.
func (p *Program) LiveWithout(definitions ...*Definition) map[*Definition]bool {
	var from []*Definition
	for _, e := range p.Entries() {
		if e.Def != nil && !slices.Contains(definitions, e.Def) {
			from = append(from, e.Def)
		}
	}
	out := p.reachable(from, definitions)
	for _, d := range definitions {
		delete(out, d)
	}
	return out
}
