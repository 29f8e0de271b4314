package code

// Call is one call expression.
type Call struct {
	Node     Node          // the call
	Callee   Symbol        // what is called: a class for a construction, __call__ for an instance that has one
	Receiver Node          // expression before the last dot of the callee, zero when there is none
	Name     string        // last name of the callee expression, resolved or not
	Func     *Definition   // definition in whose scope the call stands
	Args     []Argument    // in order; splats of literals are expanded, arguments of a partial come first
	Via      []*Definition // Through only: the wrappers between Node and the call looked for, outermost first
	Inner    *Call         // Through only: the call looked for
}

// Argument is one argument of a call.
type Argument struct {
	Name  string // keyword, "" for a positional one
	Value Node   // the expression
	Star  int    // 1 or 2: a splat that is not a literal and was not expanded
	Scope *Call  // Through only: the call that wrote the expression, whose scope Value belongs to; nil: Node itself
}

// Arg returns the argument that fills a parameter: the keyword name, else the
// position pos among the positional ones (from 0; pass -1 for none). Valid()
// is false when it is not given.
func (c *Call) Arg(name string, pos int) Node { return Node{} }

// Splat reports whether the call has a splat that could hide further arguments.
func (c *Call) Splat() bool { return false }

// Line returns the line on which the call starts.
func (c *Call) Line() int { return c.Node.Line() }

// Parameters maps the arguments of a call of a first-party function, method or
// class to its parameters by name. Parameters that are not given are missing.
func (p *Program) Parameters(c *Call) map[string]Node { return nil }

// Calls returns the calls whose callee may be a symbol that matches one of the
// globs, in source order. "*.add_node" also matches unresolved callees by
// their last name when the glob begins with "*.".
func (p *Program) Calls(globs ...string) []*Call { return nil }

// Call returns the call of a call node, or nil.
func (p *Program) Call(n Node) *Call { return nil }

// CallsIn returns the calls in a definition, those in nested functions apart
// and in lambdas and comprehensions included, in source order.
func (p *Program) CallsIn(d *Definition) []*Call { return nil }

// Through returns the calls that reach a call matching one of the globs: that
// call itself, and calls of first-party functions whose body makes it, at most
// four deep. Arguments of the latter are those of the inner call, with the
// wrapper's parameters replaced by what the outer call passes.
func (p *Program) Through(globs ...string) []*Call { return nil }
