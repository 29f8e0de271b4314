package code

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

// Guard is one condition that decides whether a statement runs.
type Guard struct {
	Kind      string // if, while, ternary, and, or, match, except
	Condition Node   // the test; the pattern of a case; the exception of a handler (zero when bare)
	Negated   bool   // the statement stands on the else side
	Dead      bool   // it can never run: "if False", "if TYPE_CHECKING", "while 0"
	Config    bool   // decided by configuration or environment: os.getenv, settings
}

// Line returns the line of the def, class or lambda keyword; 1 for a module.
func (d *Definition) Line() int { return 0 }

// IsFunction reports whether the definition is a function, method or lambda.
func (d *Definition) IsFunction() bool { return false }

// Params returns the parameters of a function in order, self included.
func (d *Definition) Params() []Param { return nil }

// Decorators returns the decorator expressions without "@", in order.
func (d *Definition) Decorators() []Node { return nil }

// Docstring returns the docstring's value and node; the node is zero when
// there is none.
func (d *Definition) Docstring() (string, Node) { return "", Node{} }

// Returns returns the return annotation, zero when there is none.
func (d *Definition) Returns() Node { return Node{} }

// ReturnValues returns the expressions of the return statements of the
// function itself (a lambda's body), nested functions apart. A bare return is
// its statement.
func (d *Definition) ReturnValues() []Node { return nil }

// Body returns the block of the definition: the body of a lambda, the root of
// a module.
func (d *Definition) Body() Node { return Node{} }

// Inner returns the definitions directly inside, in source order.
func (d *Definition) Inner() []*Definition { return nil }

// Class returns the class that a method, or a function nested in one, belongs
// to; the class itself for a class; nil outside classes.
func (d *Definition) Class() *Definition { return nil }

// Guards returns the conditions around a node inside its definition, from the
// outermost to the innermost. Conditions of the enclosing definitions are not
// among them.
func (p *Program) Guards(n Node) []Guard { return nil }

// Dead reports whether a node can never run: a dead guard around it in any
// enclosing definition, code after an unconditional return, raise, continue or
// break of its block, or a shadowed module.
func (p *Program) Dead(n Node) bool { return false }

// Guarded reports whether configuration decides that a node runs.
func (p *Program) Guarded(n Node) bool { return false }

// Enclosing returns the definition in whose scope a node stands; its module's
// Body at the top level. Decorators, default values, annotations and bases
// belong to the scope around their definition.
func (p *Program) Enclosing(n Node) *Definition { return nil }

// Definition returns the definition that a class_definition,
// function_definition, decorated_definition, lambda or module node makes, or nil.
func (p *Program) Definition(n Node) *Definition { return nil }

// Find returns the definitions whose qualified name matches one of the globs
// ("*" is any run of characters, dots included), in source order.
func (p *Program) Find(globs ...string) []*Definition { return nil }
