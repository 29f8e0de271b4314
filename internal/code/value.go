package code

// ValueKind is the kind of an abstract Value.
type ValueKind uint8

// Kinds of values.
const (
	ValueUnknown ValueKind = iota // not resolved; String gives "?expr@path:line"
	ValueString                   // Text, or Items when parts of it are unknown
	ValueBytes                    // Text
	ValueInt                      // Int
	ValueFloat                    // Float
	ValueBool                     // Int is 0 or 1
	ValueNone
	ValueList   // Items
	ValueTuple  // Items
	ValueSet    // Items
	ValueDict   // Keys and Items, pairwise
	ValueSymbol // Symbol: a function, class, module, external name or instance
	ValueChoice // Items: one of these
)

// Value is what is known of an expression without running it.
type Value struct {
	Kind   ValueKind
	Text   string
	Int    int64
	Float  float64
	Items  []Value // elements, parts of a string, alternatives
	Keys   []Value // keys of a dict; an unknown key stands for an unresolved splat
	Symbol Symbol  // for ValueSymbol; also set on an enum member's value
	Node   Node    // expression it was read from
	Member string  // qualified name of the enum member it is the value of
}

// Binding gives values to the names that an iteration binds.
type Binding map[string]Value

// Const reports whether the value is fully known.
func (v Value) Const() bool { return false }

// Str returns the text of a fully known string.
func (v Value) Str() (string, bool) { return "", false }

// Pattern returns the text of a string with "*" for every unknown part; for a
// value that is not a string, "*".
func (v Value) Pattern() string { return "" }

// Choices returns the alternatives of a choice, else the value alone.
func (v Value) Choices() []Value { return nil }

// Strings returns the strings that the value may be, or that its elements may
// be for a list, tuple or set; complete is false when there is anything else.
func (v Value) Strings() (texts []string, complete bool) { return nil, false }

// Get returns the value of a string key of a dict.
func (v Value) Get(key string) (Value, bool) { return Value{}, false }

// String renders the value in Python's notation, unknown parts as
// "?expr@path:line".
func (v Value) String() string { return "" }

// Eval computes what an expression is worth where it is written, as far as it
// is known without running anything. Names are looked up first in the
// bindings, the last one first.
func (p *Program) Eval(n Node, with ...Binding) Value { return Value{Node: n} }

// Unroll returns the bindings of each turn of a for statement or of a
// comprehension's for clauses (nested clauses multiplied, conditions applied),
// at most 256. complete is false when what is iterated over is not, or not
// fully, known, or when it is longer.
func (p *Program) Unroll(loop Node, with ...Binding) (turns []Binding, complete bool) {
	return nil, false
}

// Turns unrolls every loop around a node within its definition and returns
// the bindings under which the node runs: one empty binding outside loops. A
// loop that cannot be unrolled adds no names and makes complete false.
func (p *Program) Turns(n Node) (turns []Binding, complete bool) { return nil, false }
