package code

import (
	"slices"
	"strings"
)

// Bounds on the work of one question. They are generous for code written by
// people and finite for code written against us.
const (
	maxQueryDepth = 60
	maxQuerySteps = 2000   // for a symbol
	maxEvalSteps  = 20_000 // for a value: literals can be long
	// maxIndexSteps is the work on the index of calls, and again on that of
	// uses; questions asked after it are cut short at spentSteps.
	maxIndexSteps = 2_000_000
	spentSteps    = 100
	maxHops       = 4 // calls followed from a parameter to its call sites, or into a callee
)

// query is the state of one question: what is being looked at, so that
// circles end, and how much work was done.
type query struct {
	p      *Program
	steps  int
	hops   int
	limit  int               // steps allowed
	hits   int               // how often a circle or a bound cut an answer short
	closed bool              // subclasses are not asked for: they are being listed
	raw    bool              // the index of calls is not asked for: it is being built
	active []activity        // the innermost last
	known  map[Node][]Symbol // answers that no circle or bound cut short; shared, not to be changed
	worth  map[Node]Value    // the same for values, outside iterations

	env      []Binding   // values of the names of an iteration
	envScope *Definition // the scope that these names belong to
}

// activity is one thing being looked at: an expression, or a name in a scope.
type activity struct {
	node  Node
	scope *Definition
	name  string
}

func (p *Program) query() *query {
	return &query{p: p, limit: maxQuerySteps}
}

// again begins the next question of a series, which keeps what is known.
func (q *query) again(limit int) { q.steps, q.limit = 0, limit }

// maxKept bounds the answers whose memory the next file's take over.
const maxKept = 4096

// forget drops what is known, as before the next file: one file's names are
// seldom asked for in another.
func (q *query) forget() {
	if len(q.known) > maxKept || len(q.worth) > maxKept {
		q.known, q.worth = nil, nil
	}
	clear(q.known)
	clear(q.worth)
}

// spend notes the work of a query that builds an index, and returns the steps
// that the next one may take.
func (q *query) spend(total *int) int {
	*total += q.steps
	if *total > maxIndexSteps {
		return spentSteps
	}
	return maxQuerySteps
}

// rawQuery is a query for the building of indexes, which it must not ask for.
func (p *Program) rawQuery() *query {
	q := p.query()
	q.raw = true
	return q
}

// enter begins to look at something; false means that it must not, because
// it is being looked at already or the budget is spent.
func (q *query) enter(a activity) bool {
	q.steps++
	if len(q.active) >= maxQueryDepth || q.steps > q.limit || slices.Contains(q.active, a) {
		q.hits++
		return false
	}
	q.active = append(q.active, a)
	return true
}

// spent reports whether the budget is used up; what is left of a long list
// need not be looked at then.
func (q *query) spent() bool { return q.steps > q.limit }

// leave ends looking at what was entered last.
func (q *query) leave() { q.active = q.active[:len(q.active)-1] }

// Resolve says what an expression stands for, seen from where it is written:
// names, attributes, calls (what they return), subscripts of literal tables,
// getattr with a literal. Aliases, imports of every form, local assignments,
// attributes of self, annotated parameters and functools.partial are followed.
// Where several bindings are possible it is the first resolved one; see
// ResolveAll.
func (p *Program) oldResolve(n Node) Symbol {
	all := p.resolveAll(n)
	for _, s := range all {
		if s.Known() {
			return s
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return unresolved(n)
}

// ResolveAll returns every symbol that an expression may stand for, at most
// 16, in source order of their bindings; unresolved ones included.
func (p *Program) oldResolveAll(n Node) []Symbol { return slices.Clone(p.resolveAll(n)) }

// resolveAll is ResolveAll with an answer that is shared, not to be changed.
func (p *Program) resolveAll(n Node) []Symbol {
	if !n.Valid() {
		return nil
	}
	if known, ok := n.m.resolved.get(n); ok {
		return known
	}
	out := p.query().expr(n)
	if len(out) == 0 {
		out = []Symbol{unresolved(n)}
	}
	n.m.resolved.put(n, out)
	return out
}

// ResolveName says what a dotted name stands for in the scope of a node.
func (p *Program) oldResolveName(name string, at Node) Symbol {
	if !at.Valid() {
		return Symbol{Qualified: "?" + name}
	}
	for _, s := range p.query().dotted(name, at) {
		if s.Known() {
			return s
		}
	}
	return Symbol{Qualified: "?" + name}
}

// Lookup returns the symbol with a qualified name, following re-exports.
func (p *Program) oldLookup(qualified string) Symbol {
	parts := strings.Split(qualified, ".")
	q := p.query()
	for i := len(parts); i > 0; i-- {
		m := p.ModuleNamed(strings.Join(parts[:i], "."))
		if m == nil {
			continue
		}
		symbols := []Symbol{q.placed(placeOf(m))}
		for _, part := range parts[i:] {
			symbols = q.attributeOf(symbols, part, m.Root())
		}
		for _, s := range symbols {
			if s.Known() {
				return s
			}
		}
	}
	return external(qualified)
}

func packageFolder(m *Module) string {
	if m.Package {
		return dirOf(m.Path)
	}
	return ""
}

// dotted resolves a dotted name written at a node.
func (q *query) dotted(name string, at Node) []Symbol {
	head, rest, more := strings.Cut(name, ".")
	symbols := q.name(head, at)
	for more {
		head, rest, more = strings.Cut(rest, ".")
		symbols = q.attributeOf(symbols, head, at)
	}
	return symbols
}

// expr resolves an expression. An empty answer means that nothing is known.
func (q *query) expr(n Node) []Symbol {
	n = n.Unparen()
	if !n.Valid() {
		return nil
	}
	if out, ok := q.known[n]; ok {
		return out
	}
	a := activity{node: n}
	if !q.enter(a) {
		return nil
	}
	defer q.leave()
	hits := q.hits
	out := q.exprKind(n)
	if !anyKnown(out) {
		if found := q.typed(n); len(found) > 0 {
			out = found
		}
	}
	if q.hits == hits && len(q.env) == 0 {
		if q.known == nil {
			q.known = map[Node][]Symbol{}
		}
		q.known[n] = slices.Clip(out)
	}
	return out
}

func (q *query) exprKind(n Node) []Symbol {
	switch n.Kind() {
	case "identifier":
		return q.name(n.Text(), n)
	case "attribute":
		return q.attributeOf(q.expr(n.Field("object")), n.Field("attribute").Text(), n)
	case "dotted_name":
		return q.dotted(dotted(n), n)
	case "call":
		return q.result(n)
	case "await", "type":
		return q.expr(n.Child(0))
	case "lambda":
		d := q.p.Definition(n)
		return []Symbol{{Qualified: d.Qualified, Def: d}}
	case "conditional_expression":
		return addSymbols(addSymbols(nil, q.expr(n.Child(0))...), q.expr(n.Child(2))...)
	case "boolean_operator":
		return addSymbols(addSymbols(nil, q.expr(n.Field("left"))...), q.expr(n.Field("right"))...)
	case "named_expression":
		return q.expr(n.Field("value"))
	case "subscript":
		return q.subscript(n)
	case "binary_operator":
		left := q.expr(n.Field("left"))
		if len(left) > 0 && left[0].Instance && left[0].Matches("pathlib.*Path", "builtins.str", "builtins.list", "builtins.int", "builtins.float") {
			return left[:1]
		}
		return nil
	}
	if class := literalType(n); class != "" {
		return []Symbol{builtinObject(class, n)}
	}
	return nil
}

// subscript resolves an element: of a literal table that it can look into, or
// of an external object, as "os.environ[]".
func (q *query) subscript(n Node) []Symbol {
	var out []Symbol
	if v, ok := q.elementValue(n); ok {
		for _, c := range v.Choices() {
			if c.Kind == ValueSymbol {
				out = addSymbols(out, c.Symbol)
			}
		}
		return out
	}
	for _, s := range q.expr(n.Field("value")) {
		if s.External && s.Known() {
			e := external(s.Qualified + "[]")
			e.Node = n
			out = addSymbols(out, e)
		}
	}
	return out
}

// name resolves a bare name at a node.
func (q *query) name(name string, at Node) []Symbol {
	bs, scope := q.p.lookup(name, at)
	if len(bs) == 0 {
		return q.unbound(name, at)
	}
	return q.bindings(bs, scope, name)
}

// bindings resolves the alternatives of a name.
func (q *query) bindings(bs []binding, scope *Definition, name string) []Symbol {
	var out []Symbol
	for _, b := range bs {
		if q.spent() {
			q.hits++
			break
		}
		if b.kind == bindAnnotate && len(bs) > 1 || b.kind == bindAugment {
			continue
		}
		out = addSymbols(out, q.binding(b, scope, name)...)
	}
	return out
}

// unbound resolves a name that no scope binds: from star imports, else a
// builtin.
func (q *query) unbound(name string, at Node) []Symbol {
	var foreign []Symbol
	for scope := q.p.Enclosing(at); scope != nil; scope = scope.Parent {
		if len(scope.stars) == 0 {
			continue
		}
		if found := q.fromSources(scope, name); len(found) > 0 {
			return found
		}
		for _, module := range q.p.starred().foreign[scope] {
			foreign = append(foreign, external(module+"."+name))
		}
	}
	if isBuiltin(name) {
		return []Symbol{external("builtins." + name)}
	}
	if len(foreign) == 1 {
		return foreign
	}
	return nil
}
