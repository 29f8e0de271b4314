package code

// covered drops the bindings that an if or try statement between them and the
// use always replaces: one whose every branch binds the name or leaves.
func (x *moduleIndex) covered(bs []binding, use Node) []binding {
	for i := len(bs) - 1; i > 0; i-- {
		statement := branching(bs[i].node, use)
		if !statement.Valid() {
			continue
		}
		first := i
		for first > 0 && statement.Contains(bs[first-1].node) {
			first--
		}
		if x.always(statement, bs[first:i+1]) {
			return bs[first:]
		}
		i = first
	}
	return bs
}

// branching returns the outermost if or try statement around a binding whose
// block also holds the use.
func branching(n, use Node) Node {
	found := Node{}
	for a := range n.Around() {
		if a.defines() {
			break
		}
		if a.Is("if_statement", "try_statement") && !a.Contains(use) && a.Parent().Contains(use) {
			found = a
		}
	}
	return found
}

// always reports whether every branch of a statement binds the name directly
// in its block, or leaves.
func (x *moduleIndex) always(statement Node, bs []binding) bool {
	last := false // an if needs an else
	for c := range statement.Children() {
		var block Node
		switch {
		case c.FieldName() == "consequence" || c.FieldName() == "body":
			block = c
		case c.Is("elif_clause"):
			block = c.Field("consequence")
		case c.Is("else_clause"):
			last = true
			if statement.Is("try_statement") {
				continue
			}
			block = c.Field("body")
		case c.Is("except_clause", "except_group_clause"):
			last = true
			block = c.child("block")
		default:
			continue
		}
		if _, leaves := x.exits[block.i]; !leaves && !boundIn(block, bs) {
			return false
		}
	}
	return last
}

// boundIn reports whether one of the bindings is unconditional in a block.
func boundIn(block Node, bs []binding) bool {
	for _, b := range bs {
		if b.kind != bindAnnotate && b.kind != bindAugment && b.block() == block {
			return true
		}
	}
	return false
}
