package il

import "slices"

// placePhis puts a Phi for each variable that lives across blocks on the
// dominance frontier of its bindings. It gives the variables of each block's, and
// false where they would be too many.
func (f *Function) placePhis() ([][]int32, bool) {
	bound, across := f.bindings()
	frontier := f.frontiers()
	has := make([]int, len(f.Blocks))
	phis := make([][]*Instr, len(f.Blocks))
	vars := make([][]int32, len(f.Blocks))
	args := 0
	for v := range f.Vars {
		if !across[v] {
			continue
		}
		work := bound[v]
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, d := range frontier[b.ID] {
				if has[d.ID] == v+1 {
					continue
				}
				has[d.ID] = v + 1
				if args += len(d.Preds); args > maxPhiArgs {
					return nil, false
				}
				phis[d.ID] = append(phis[d.ID], &Instr{Op: Phi, Dst: int32(v), Args: make([]Operand, len(d.Preds)), Span: d.Instrs[0].Span})
				vars[d.ID] = append(vars[d.ID], int32(v))
				work = append(work, d)
			}
		}
	}
	for i, b := range f.Blocks {
		b.Instrs = append(phis[i], b.Instrs...)
	}
	return vars, true
}

// bindings are the blocks that bind each variable, and the variables that a block
// uses without having bound them.
func (f *Function) bindings() (bound [][]*Block, across []bool) {
	bound, across = make([][]*Block, len(f.Vars)), make([]bool, len(f.Vars))
	mark := make([]int, len(f.Vars)) // the last block that binds it, plus one
	for b, in := range f.Instructions() {
		for _, a := range in.Args {
			if a.Kind == Local && mark[a.ID] != b.ID+1 {
				across[a.ID] = true
			}
		}
		if in.Dst != NoDst && mark[in.Dst] != b.ID+1 {
			mark[in.Dst] = b.ID + 1
			bound[in.Dst] = append(bound[in.Dst], b)
		}
	}
	return bound, across
}

// frontiers are, for each block, those where its dominance ends.
func (f *Function) frontiers() [][]*Block {
	frontier := make([][]*Block, len(f.Blocks))
	for _, b := range f.Blocks {
		if len(b.Preds) < 2 {
			continue
		}
		for _, p := range b.Preds {
			for r := p; r != nil && r != b.idom; r = r.idom {
				if n := len(frontier[r.ID]); n == 0 || frontier[r.ID][n-1] != b {
					frontier[r.ID] = append(frontier[r.ID], b)
				}
			}
		}
	}
	return frontier
}

// renamer walks the dominator tree and replaces variables by versions.
type renamer struct {
	f    *Function
	kids [][]*Block
	phis [][]int32
	now  []Operand // the version of each variable
}

// undo is what a variable was before a block bound it.
type undo struct {
	v   int32
	was Operand
}

func (f *Function) rename(phis [][]int32) {
	r := &renamer{f: f, kids: f.children(), phis: phis, now: make([]Operand, len(f.Vars))}
	for v := range r.now {
		r.now[v] = Operand{Undef, int32(v)}
	}
	for i := range f.Params {
		v := f.Params[i].Var
		r.bind(v, nil, f.Blocks[0], i)
		f.Params[i].Var = r.now[v].ID
	}
	type frame struct {
		b     *Block
		undos []undo
		next  int
	}
	stack := []frame{{b: f.Blocks[0], undos: r.enter(f.Blocks[0])}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next < len(r.kids[top.b.ID]) {
			k := r.kids[top.b.ID][top.next]
			top.next++
			stack = append(stack, frame{b: k, undos: r.enter(k)})
			continue
		}
		for _, u := range slices.Backward(top.undos) {
			r.now[u.v] = u.was
		}
		stack = stack[:len(stack)-1]
	}
	f.trace()
	f.sweep()
	for _, in := range f.Instructions() {
		for k, a := range in.Args {
			if a.Kind == Local && !slices.Contains(in.Args[:k], a) {
				f.Versions[a.ID].Uses = append(f.Versions[a.ID].Uses, in)
			}
		}
	}
}

// trace notes the root and the object of each version. What a version is bound to has one of
// a lower number, but for joins, which are roots.
func (f *Function) trace() {
	for id := range f.Versions {
		v := &f.Versions[id]
		v.root, v.object = Operand{Local, int32(id)}, int32(id)
		if v.Def == nil || v.Def.Op != Assume && v.Def.Op != Bind && v.Def.Op != Set {
			continue
		}
		of := v.Def.Args[0]
		if v.Def.Op == Assume || v.Def.Op == Bind && v.Def.Kind == "" {
			v.root = f.Root(of)
		}
		if of.Kind == Local && v.Def.same() {
			v.object = f.Versions[of.ID].object
		}
	}
}

// same tells an instruction that gives the object that it is given, as it is or changed; one
// that declares a type for it says more.
func (in *Instr) same() bool {
	switch in.Op {
	case Assume:
		return true
	case Set:
		return in.Kind != "outer" && in.Kind != "export"
	case Bind:
		return in.Kind == "" && len(in.Names) == 0
	}
	return false
}

// sweep drops the joins and assumptions that nothing reads.
func (f *Function) sweep() {
	uses := make([]int32, len(f.Versions))
	for _, in := range f.Instructions() {
		for _, a := range in.Args {
			if a.Kind == Local {
				uses[a.ID]++
			}
		}
	}
	idle := func(in *Instr) bool { return (in.Op == Phi || in.Op == Assume) && uses[in.Dst] == 0 }
	var work []*Instr
	for _, in := range f.Instructions() {
		if idle(in) {
			work = append(work, in)
		}
	}
	for len(work) > 0 {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		for _, a := range in.Args {
			if a.Kind != Local {
				continue
			}
			if uses[a.ID]--; uses[a.ID] == 0 {
				if def := f.Versions[a.ID].Def; def != nil && idle(def) {
					work = append(work, def)
				}
			}
		}
	}
	for _, b := range f.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, idle)
	}
}

func (r *renamer) bind(v int32, def *Instr, b *Block, param int) {
	r.f.Versions = append(r.f.Versions, Version{Var: r.f.Vars[v], Def: def, Block: b, Param: param})
	r.now[v] = Operand{Local, int32(len(r.f.Versions) - 1)}
}

// enter renames one block and the joins behind it.
func (r *renamer) enter(b *Block) (undos []undo) {
	for _, in := range b.Instrs {
		if in.Op != Phi {
			for k, a := range in.Args {
				if a.Kind == Local {
					in.Args[k] = r.now[a.ID]
				}
			}
		}
		v := in.Dst
		if v == NoDst {
			continue
		}
		undos = append(undos, undo{v, r.now[v]})
		if in.Op == Delete {
			in.Dst, r.now[v] = NoDst, Operand{Undef, v}
			continue
		}
		r.bind(v, in, b, -1)
		in.Dst = r.now[v].ID
	}
	for _, s := range b.Succs {
		for k, p := range s.Preds {
			if p != b {
				continue
			}
			for j, v := range r.phis[s.ID] {
				s.Instrs[j].Args[k] = r.now[v]
			}
		}
	}
	return undos
}
