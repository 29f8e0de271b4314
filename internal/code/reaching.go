package code

import "slices"

// lookup finds the bindings of a name that may be in force at a node, and the
// scope that holds them; nil when no scope binds it.
func (p *Program) lookup(name string, at Node) ([]binding, *Definition) {
	x := at.m.indexed()
	if at.Text() != name {
		return x.lookup(name, at)
	}
	known, ok := at.m.bound.get(at)
	if !ok {
		known.all, known.scope = x.lookup(name, at)
		at.m.bound.put(at, known)
	}
	return known.all, known.scope
}

// bound is what a name is bound to where it stands; shared, not to be changed.
type bound struct {
	all   []binding
	scope *Definition
}

func (x *moduleIndex) lookup(name string, at Node) ([]binding, *Definition) {
	direct := true // no definition between the node and the scope
	below, below2 := at, Node{}
	for a := at.Parent(); a.Valid(); a = a.Parent() {
		if b, ok := clauseBinding(a, below, name); ok {
			return []binding{b}, x.enclosing(a)
		}
		if a.defines() && (below.FieldName() == "body" || below.FieldName() == "parameters" && bindsParam(below2, at)) {
			scope := x.defOf[a.i]
			if scope.global[name] {
				return x.lookupGlobal(name, scope)
			}
			if bs := scope.names[name]; len(bs) > 0 && (direct || scope.Kind != DefClass) {
				return x.reaching(bs, at, direct), scope
			}
			direct = false
		}
		below, below2 = a, below
	}
	if bs := x.body.names[name]; len(bs) > 0 {
		return x.reaching(bs, at, direct), x.body
	}
	return nil, x.body
}

// lookupGlobal finds a name that a scope declares global or nonlocal.
func (x *moduleIndex) lookupGlobal(name string, scope *Definition) ([]binding, *Definition) {
	for s := scope.Parent; s != nil; s = s.Parent {
		if bs := s.names[name]; len(bs) > 0 && s.Kind != DefClass {
			return x.final(bs), s
		}
	}
	return nil, x.body
}

// clauseBinding finds a name bound by a for clause of the comprehension a,
// seen from its child below.
func clauseBinding(a, below Node, name string) (binding, bool) {
	if !a.Is("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression") {
		return binding{}, false
	}
	var found binding
	ok := false
	for c := range a.Children() {
		if !c.Is("for_in_clause") {
			continue
		}
		if c == below { // what a clause iterates over does not see its own names
			break
		}
		for _, t := range targetsOf(c.Field("left"), nil) {
			if t.node.Is("identifier") && t.node.Text() == name {
				found, ok = binding{kind: bindFor, node: t.node, value: c.Field("right"), path: t.path}, true
				if t.splat {
					found.kind = bindOther
				}
			}
		}
	}
	return found, ok
}

// reaching selects the bindings that may be in force at a use, in source
// order: back to the last one that always precedes it, and later ones that a
// loop brings round. Seen from a nested definition the whole scope has run.
func (x *moduleIndex) reaching(bs []binding, use Node, direct bool) []binding {
	if !direct {
		return x.final(bs)
	}
	loop := outermostLoop(use)
	var out []binding
	for _, b := range slices.Backward(bs) {
		if b.effect() > use.Start() && !b.covers(use) {
			if loop.Contains(b.node) {
				out = append(out, b)
			}
			continue
		}
		if b.dominates(use) {
			out = append(out, b)
			break
		}
		if !exclusive(b.node, use) {
			out = append(out, b)
		}
	}
	if len(out) == 0 { // used before it is bound: whatever binds it
		return bs
	}
	slices.Reverse(out)
	return x.covered(out, use)
}

// outermostLoop returns the outermost loop around a node in its definition.
func outermostLoop(n Node) Node {
	found := Node{}
	for a := range n.Around() {
		if a.defines() {
			break
		}
		if a.Is("for_statement", "while_statement") {
			found = a
		}
	}
	return found
}

// final selects the bindings that may be in force when the scope has run: the
// last unconditional one and what follows it.
func (x *moduleIndex) final(bs []binding) []binding {
	for i, b := range slices.Backward(bs) {
		if b.kind == bindAnnotate || b.kind == bindAugment {
			continue
		}
		block := b.block()
		if b.kind == bindParam || block.Is("module") || block.Parent().defines() {
			return bs[i:]
		}
		if statement := block.Parent(); i > 0 && statement.Is("if_statement", "try_statement", "else_clause", "except_clause", "elif_clause") {
			if !statement.Is("if_statement", "try_statement") {
				statement = statement.Parent()
			}
			first := i
			for first > 0 && statement.Contains(bs[first-1].node) {
				first--
			}
			outer := statement.Parent()
			if (outer.Is("module") || outer.Parent().defines()) && x.always(statement, bs[first:i+1]) {
				return bs[first:]
			}
		}
	}
	return bs
}

// effect returns the offset from which the binding holds.
func (b binding) effect() int {
	switch b.kind {
	case bindParam:
		return 0
	case bindDef, bindImport, bindFor, bindWith, bindExcept, bindOther:
		return b.node.End()
	case bindAssign, bindAugment, bindAnnotate:
		for a := range b.node.Around() {
			if a.Is("assignment", "augmented_assignment", "named_expression") && !a.Parent().Is("assignment") {
				return a.End()
			}
			if a.Is("block", "module") {
				break
			}
		}
	}
	return b.node.End()
}

// covers reports whether the use stands in the body of the statement that
// binds: a def's own body, which may name it.
func (b binding) covers(use Node) bool { return b.kind == bindDef && b.node.Contains(use) }

// block returns the block in which the binding is unconditional. A with
// statement always runs its body.
func (b binding) block() Node {
	at := b.node
	if b.kind == bindDef && at.Parent().Is("decorated_definition") {
		at = at.Parent()
	}
	block := at.Statement().Parent()
	for block.Parent().Is("with_statement") {
		block = block.Parent().Parent()
	}
	return block
}

// dominates reports whether the binding always precedes the use.
func (b binding) dominates(use Node) bool {
	if b.kind == bindAnnotate || b.kind == bindAugment {
		return false
	}
	return b.kind == bindParam || b.block().Contains(use)
}

// sharedLoop reports whether a loop runs both nodes, so that the second may
// precede the first. Loops of enclosing definitions don't count.
func sharedLoop(one, two Node) bool {
	for a := range two.Around() {
		if a.defines() {
			return false
		}
		if a.Is("for_statement", "while_statement") && a.Contains(one) {
			return true
		}
	}
	return false
}

// exclusive reports whether two nodes stand in branches of one statement of
// which only one runs.
func exclusive(one, two Node) bool {
	below := two
	for a := range two.Around() {
		if a.Contains(one) {
			if !a.Is("if_statement") && !a.Is("match_statement", "block") {
				return false
			}
			if a.Is("block") && !a.Parent().Is("match_statement") {
				return false
			}
			return branchOf(a, one) != branchOf(a, two) && isBranch(below) && isBranch(childWith(a, one)) &&
				!sharedLoop(one, two)
		}
		below = a
	}
	return false
}

func isBranch(n Node) bool {
	return n.Is("elif_clause", "else_clause", "case_clause") || n.FieldName() == "consequence"
}

func branchOf(a, n Node) int32 { return childWith(a, n).i }

// childWith returns the child of a that contains n.
func childWith(a, n Node) Node {
	for c := range a.All() {
		if c.Contains(n) {
			return c
		}
	}
	return Node{}
}
