package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// maxTrace bounds how many steps a builder is followed.
const maxTrace = 400

// found is a builder that a value may be.
type found struct {
	ctor     code.Node   // the constructor call
	chain    []code.Node // calls of the wrappers that return it, the outermost first
	compiled bool        // it went through compile
}

// wiring methods return their builder, so that calls can be chained.
var wiringMethods = []string{
	"add_node", "add_edge", "add_edges", "add_conditional_edges", "add_conditional_edge", "add_sequence",
	"set_entry_point", "set_finish_point", "set_conditional_entry_point", "add_nodes",
}

// tracer follows one value back to builders.
type tracer struct {
	*reader
	seen map[looked]bool
	out  []found
}

// looked is one thing that a tracer has looked at.
type looked struct {
	n  code.Node
	fr *frame
}

// trace returns the builders that an expression may stand for.
func (r *reader) trace(n code.Node, fr *frame) []found {
	if fr == nil {
		if out, ok := r.traced[n]; ok {
			return out
		}
	}
	t := &tracer{reader: r, seen: map[looked]bool{}}
	t.expr(n, fr, nil, false)
	if fr == nil {
		r.traced[n] = t.out
	}
	return t.out
}

func (t *tracer) add(f found) {
	for _, o := range t.out {
		if o.ctor == f.ctor && o.compiled == f.compiled && slices.Equal(o.chain, f.chain) {
			return
		}
	}
	t.out = append(t.out, f)
}

// expr follows an expression.
func (t *tracer) expr(n code.Node, fr *frame, chain []code.Node, compiled bool) {
	n = n.Unparen()
	if !n.Valid() || t.seen[looked{n, fr}] || len(t.seen) > maxTrace {
		return
	}
	t.seen[looked{n, fr}] = true
	switch n.Kind() {
	case "call":
		t.call(n, fr, chain, compiled)
	case "identifier":
		t.name(n, fr, chain, compiled)
	case "attribute":
		t.attribute(n, chain, compiled)
	case "await":
		t.expr(n.Child(0), fr, chain, compiled)
	case "named_expression":
		t.expr(n.Field("value"), fr, chain, compiled)
	case "conditional_expression":
		t.expr(n.Child(0), fr, chain, compiled)
		t.expr(n.Child(2), fr, chain, compiled)
	case "boolean_operator":
		t.expr(n.Field("left"), fr, chain, compiled)
		t.expr(n.Field("right"), fr, chain, compiled)
	case "subscript": // a table of builders
		for _, s := range t.p.ResolveAll(n) {
			if s.Node.Valid() && s.Node != n {
				t.expr(s.Node, nil, chain, compiled)
			}
		}
	}
}

// call follows a call: of a method that returns its builder, of a constructor,
// or of a function that returns one.
func (t *tracer) call(n code.Node, fr *frame, chain []code.Node, compiled bool) {
	function := n.Field("function").Unparen()
	if function.Is("attribute") {
		method := function.Field("attribute").Text()
		switch {
		case slices.Contains(wiringMethods, method), method == "with_config", method == "validate", method == "copy":
			t.expr(function.Field("object"), fr, chain, compiled)
			if len(t.out) > 0 || method != "copy" {
				return
			}
		case method == "compile":
			t.expr(function.Field("object"), fr, chain, true)
			return
		}
	}
	if t.constructs(n) != nil {
		t.add(found{ctor: n, chain: slices.Clone(chain), compiled: compiled})
		return
	}
	for _, s := range t.p.ResolveAll(function) {
		d := callable(t.p, s)
		if d == nil || len(chain) >= maxCalls {
			continue
		}
		next := &frame{call: n, def: d, up: fr}
		if c := t.p.Call(n); c != nil {
			next.args = t.p.Parameters(c)
		}
		for _, v := range d.ReturnValues() {
			t.expr(v, next, append(slices.Clone(chain), n), compiled)
		}
		for y := range d.Body().WalkScope() { // a context manager or generator that yields it
			if y.Is("yield") {
				t.expr(y.Child(0), next, append(slices.Clone(chain), n), compiled)
			}
		}
	}
}

// callable returns the function that runs when a symbol is called: none for a
// class.
func callable(p *intree.Program, s code.Symbol) *code.Definition {
	switch {
	case s.Def == nil:
		return nil
	case s.Def.IsFunction():
		return s.Def
	case s.Instance:
		return p.Method(s.Def, "__call__")
	default:
		return nil
	}
}

// name follows a name to what binds it in the function around it, then
// outward, then over imports.
func (t *tracer) name(n code.Node, fr *frame, chain []code.Node, compiled bool) {
	name := n.Text()
	for d := t.p.Enclosing(n); d != nil; d = d.Parent {
		if d.Kind == code.DefClass {
			continue
		}
		if t.selfBuilder(name, d, chain, compiled) {
			return
		}
		values := assigned(d, name, n)
		for _, v := range values {
			t.expr(v, fr, chain, compiled)
		}
		if len(values) > 0 {
			return
		}
		if t.parameter(name, d, fr, chain, compiled) {
			return
		}
	}
	for _, s := range t.p.ResolveAll(n) {
		if s.Node.Valid() && s.Node != n {
			t.expr(s.Node, nil, chain, compiled)
		}
	}
}

// selfBuilder handles self in a class that is itself a StateGraph: all its
// constructions.
func (t *tracer) selfBuilder(name string, d *code.Definition, chain []code.Node, compiled bool) bool {
	class := d.Class()
	if d.Kind != code.DefMethod || class == nil || len(d.Params()) == 0 || d.Params()[0].Name != name || t.builderClass(class) == "" {
		return false
	}
	for _, c := range t.p.Callers(class) {
		if t.constructs(c.Node) != nil {
			t.add(found{ctor: c.Node, chain: slices.Clone(chain), compiled: compiled})
		}
	}
	return true
}

// parameter follows a parameter to what the callers pass.
func (t *tracer) parameter(name string, d *code.Definition, fr *frame, chain []code.Node, compiled bool) bool {
	for _, p := range d.Params() {
		if p.Name != name {
			continue
		}
		if fr != nil && fr.def == d && fr.args != nil {
			if a, ok := fr.args[name]; ok {
				t.expr(a, fr.up, trim(chain, fr.call), compiled)
			} else if p.Default.Valid() {
				t.expr(p.Default, nil, chain, compiled)
			}
			return true
		}
		for _, c := range t.p.Callers(d) {
			if a, ok := t.p.Parameters(c)[name]; ok {
				t.expr(a, nil, chain, compiled)
			}
		}
		return true
	}
	return false
}

// trim leaves out of a chain what lies inside a call: a function that returns
// its own parameter makes no builder of its own.
func trim(chain []code.Node, call code.Node) []code.Node {
	if i := slices.Index(chain, call); i >= 0 {
		return chain[:i]
	}
	return chain
}

// attribute follows self.x, object.x and module.x.
func (t *tracer) attribute(n code.Node, chain []code.Node, compiled bool) {
	object, name := n.Field("object"), n.Field("attribute").Text()
	if class := t.classOf(object); class != nil {
		t.member(class, name, chain, compiled)
		return
	}
	for _, s := range t.p.ResolveAll(object) {
		switch {
		case s.Module != nil && s.Module.Body() != nil:
			for _, v := range assigned(s.Module.Body(), name, code.Node{}) {
				t.expr(v, nil, chain, compiled)
			}
		case s.Def != nil && s.Def.Kind == code.DefClass:
			t.member(s.Def, name, chain, compiled)
		}
	}
}

// member follows an attribute of an object of a class, properties included.
func (t *tracer) member(class *code.Definition, name string, chain []code.Node, compiled bool) {
	for _, v := range attributeValues(t.p, class, name) {
		t.expr(v, nil, chain, compiled)
	}
	if m := t.p.Method(class, name); m != nil {
		for _, v := range m.ReturnValues() {
			t.expr(v, nil, chain, compiled)
		}
	}
}

// classOf returns the class of self in a method, nil for every other object.
func (t *tracer) classOf(object code.Node) *code.Definition {
	if !object.Is("identifier") {
		return nil
	}
	for d := t.p.Enclosing(object); d != nil; d = d.Parent {
		if d.Kind == code.DefMethod && len(d.Params()) > 0 && d.Params()[0].Name == object.Text() {
			return d.Class()
		}
	}
	return nil
}

// attributeValues returns what is assigned to an attribute of a class: in its
// methods, its body, and those of its bases.
func attributeValues(p *intree.Program, class *code.Definition, name string) []code.Node {
	classes := []*code.Definition{class}
	for _, b := range p.Bases(class) {
		if b.Def != nil {
			classes = append(classes, b.Def)
		}
	}
	var out []code.Node
	for _, c := range classes {
		out = append(out, assigned(c, name, code.Node{})...)
		for _, m := range c.Inner() {
			if m.Kind != code.DefMethod || len(m.Params()) == 0 {
				continue
			}
			self := m.Params()[0].Name
			for a := range m.Body().WalkScope() {
				left := a.Field("left")
				if a.Is("assignment") && left.Is("attribute") && left.Field("attribute").Text() == name && left.Field("object").Text() == self {
					out = append(out, a.Field("right"))
				}
			}
		}
	}
	return out
}
