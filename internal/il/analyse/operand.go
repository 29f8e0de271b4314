package analyse

import "github.com/automaton-auditor/automaton/internal/il"

// Operand is what an operand stands for, nil where that is not known.
func (n *Names) Operand(f *il.Function, o il.Operand) *Symbol {
	o = f.Root(o)
	switch o.Kind {
	case il.Constant:
		return n.constant(&f.Module.Consts[o.ID])
	case il.Free:
		return n.Lookup(f, f.Word(o))
	default:
	}
	def := f.Def(o)
	if def == nil || n.depth > maxDepth {
		return nil
	}
	n.depth++
	defer n.leave()
	if n.gotten == nil || def.Op != il.Get && def.Op != il.Phi && def.Op != il.Set { // circles may be open
		return n.result(f, def)
	}
	keep := n.gotten
	if n.depth > 1 { // what a bound cuts short is not kept
		keep = n.stood
	}
	s, known := keep[def]
	if !known {
		s = n.result(f, def)
		keep[def] = s
	}
	return s
}

// constant is what a constant stands for.
func (n *Names) constant(k *il.Const) *Symbol {
	s := n.consts[k]
	if s == nil {
		s = &Symbol{Const: k}
		n.consts[k] = s
	}
	return s
}

// emptied is a map without its entries: the same where it is small, as a large one is slow to empty.
func emptied[V any](m map[*il.Instr]V) map[*il.Instr]V {
	if len(m) > 64 {
		return map[*il.Instr]V{}
	}
	clear(m)
	return m
}

// leave ends a part of a question, and with its outermost part what it found out on the way.
func (n *Names) leave() {
	if n.depth--; n.depth == 0 {
		n.stood, n.known = emptied(n.stood), emptied(n.known)
	}
}
