package code

import (
	"iter"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/tables"
)

// DefKind is the kind of a Definition.
type DefKind uint8

// Kinds of definitions.
const (
	DefModule   DefKind = iota // the top level of a file
	DefClass                   // class statement
	DefFunction                // function, nested ones included
	DefMethod                  // function whose nearest definition is a class
	DefLambda                  // lambda; its name is "<lambda>"
)

// Definition is a module, class, function, method or lambda. Each is also a
// scope: the place where names are looked up.
type Definition struct {
	Kind      DefKind
	Name      string
	Qualified string      // dotted name with all enclosing definitions
	Node      Node        // module, class_definition, function_definition or lambda: without decorators, so its line is the keyword's
	Module    *Module     // the file
	Parent    *Definition // enclosing definition; nil for a module
	Async     bool

	inner  []*Definition
	names  map[string]Node      // names bound in this scope, and what the last assignment binds them to
	attrs  map[string]Attribute // classes: names that methods bind on self or cls, the first time
	global map[string]bool      // names declared global or nonlocal
	params []Param
}

// Param is one parameter of a function.
type Param struct {
	Name       string
	Star       int  // 1 for *args, 2 for **kwargs
	Keyword    bool // after a bare * or *args
	Annotation Node // zero when there is none
	Default    Node // zero when there is none
	Node       Node
}

// Line returns the line of the def, class or lambda keyword; 1 for a module.
func (d *Definition) Line() int {
	if d.Kind == DefModule {
		return 1
	}
	return d.Node.Line()
}

// IsFunction reports whether the definition is a function, method or lambda.
func (d *Definition) IsFunction() bool {
	return d.Kind == DefFunction || d.Kind == DefMethod || d.Kind == DefLambda
}

// Params returns the parameters of a function in order, self included.
func (d *Definition) Params() []Param { return d.params }

// Decorators returns the decorator expressions without "@", in order.
func (d *Definition) Decorators() []Node {
	var out []Node
	if outer := d.Node.Parent(); outer.Is("decorated_definition") {
		for c := range outer.Children() {
			if c.Is("decorator") {
				out = append(out, c.Child(0))
			}
		}
	}
	return out
}

// Docstring returns the docstring's value and node; the node is zero when
// there is none.
func (d *Definition) Docstring() (string, Node) {
	if d.Kind == DefLambda {
		return "", Node{}
	}
	first := d.Body().Child(0)
	if !first.Is("expression_statement") {
		return "", Node{}
	}
	str := first.Child(0).Unparen()
	if !str.Is("string", "concatenated_string") {
		return "", Node{}
	}
	text, ok := str.Literal()
	if !ok {
		return "", Node{}
	}
	return text, str
}

// Returns returns the return annotation, zero when there is none.
func (d *Definition) Returns() Node { return TypeOf(d.Node.Field("return_type")) }

// ReturnValues returns the expressions of the return statements of the
// function itself (a lambda's body), nested functions apart. A bare return is
// its statement.
func (d *Definition) ReturnValues() []Node {
	if d.Kind == DefLambda {
		return []Node{d.Body()}
	}
	var out []Node
	if !d.IsFunction() {
		return nil
	}
	for n := range d.Body().WalkScope() {
		if !n.Is("return_statement") {
			continue
		}
		if value := n.Child(0); value.Valid() {
			out = append(out, value)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// Body returns the block of the definition: the body of a lambda, the root of
// a module.
func (d *Definition) Body() Node {
	if d.Kind == DefModule {
		return d.Node
	}
	return d.Node.Field("body")
}

// Inner returns the definitions directly inside, in source order.
func (d *Definition) Inner() []*Definition { return d.inner }

// Class returns the class that a method, or a function nested in one, belongs
// to; the class itself for a class; nil outside classes.
func (d *Definition) Class() *Definition {
	for ; d != nil; d = d.Parent {
		if d.Kind == DefClass {
			return d
		}
	}
	return nil
}

// LastName returns the last name of a dotted expression, "" for others.
func LastName(n Node) string {
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "attribute":
		return n.Field("attribute").Text()
	}
	return ""
}

// TypeOf returns the expression of a type node.
func TypeOf(n Node) Node {
	for n.Is("type") {
		n = n.Child(0)
	}
	return n
}

// Enclosing returns the definition in whose scope a node stands; its module's
// Body at the top level. Decorators, default values, annotations and bases
// belong to the scope around their definition.
func (p *Program) Enclosing(n Node) *Definition {
	if !n.Valid() {
		return nil
	}
	return n.m.indexed().enclosing(n)
}

// Definition returns the definition that a class_definition,
// function_definition, decorated_definition, lambda or module node makes, or nil.
func (p *Program) Definition(n Node) *Definition {
	if n.Is("decorated_definition") {
		n = n.Field("definition")
	}
	if !n.Valid() {
		return nil
	}
	return n.m.indexed().defOf[n.i]
}

// Find returns the definitions whose qualified name matches one of the globs
// ("*" is any run of characters, dots included), in source order.
func (p *Program) Find(globs ...string) []*Definition {
	var out []*Definition
	for _, m := range p.Modules {
		for _, d := range m.Definitions() {
			if slices.ContainsFunc(globs, func(g string) bool { return tables.Match(d.Qualified, g) }) {
				out = append(out, d)
			}
		}
	}
	return out
}

// Attribute is a name's first binding on self.
type Attribute struct{ Node, Value, Annotation Node }

// Attributes are the names that the methods of a class bind on self, in the order of the text.
func (d *Definition) Attributes() iter.Seq2[string, Attribute] {
	return func(yield func(string, Attribute) bool) {
		names := slices.SortedFunc(maps.Keys(d.attrs), func(a, b string) int { return d.attrs[a].Node.before(d.attrs[b].Node) })
		for _, name := range names {
			if !yield(name, d.attrs[name]) {
				return
			}
		}
	}
}
