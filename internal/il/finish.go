package il

import "slices"

// Bounds on what Finish does for one function. A function beyond them has a
// body of which nothing is known, and says so: answers about it are unknown, on every machine.
const (
	maxPhiArgs = 1 << 20 // operands of joins
	maxRounds  = 64      // over the blocks, until dominators stand still
	maxBlocks  = 2048    // four times as many as the longest function that people wrote, of 144,000 and those of 41 students
)

// Lost reasons of Finish.
const (
	lostJoins = "too many ways meet"
	lostWays  = "its ways cross too often"
	lostLong  = "it has too many branches"
)

// Finish completes a function that was written with variables: it drops blocks
// that nothing leads to, gives the ends of branches blocks of their own, makes
// variables of the fields that are read more than once, binds at both ends of a
// branch what it tests anew (Assume), computes dominators, and gives each binding
// a version of its own, with a Phi where ways with different bindings meet.
//
// So a lowering knows nothing of SSA, and an analysis nothing of conditions: what
// a test tells about a value is a binding like any other. The source is Cytron et
// al., Efficiently Computing Static Single Assignment Form, 1991.
func (f *Function) Finish() {
	if f.Lost != "" || len(f.Blocks) == 0 {
		f.lose(f.Lost)
		return
	}
	f.order()
	if len(f.Blocks) > maxBlocks {
		f.lose(lostLong)
		return
	}
	f.split()
	f.order()
	f.fields()
	f.assume()
	if !f.dominators() {
		f.lose(lostWays)
		return
	}
	phis, ok := f.placePhis()
	if !ok {
		f.lose(lostJoins)
		return
	}
	f.rename(phis)
}

// Beyond tells a function that was left out because a bound was reached.
func (f *Function) Beyond() bool {
	return slices.Contains([]string{lostJoins, lostWays, lostLong}, f.Lost)
}

// lose takes the body away. What stands there instead is one thing that nobody knows.
func (f *Function) lose(why string) {
	f.Blocks, f.Versions, f.Dropped, f.Lost = nil, nil, nil, why
	if f.Beyond() {
		f.Blocks = []*Block{{Instrs: []*Instr{{Op: Unknown, Kind: why, Dst: NoDst, Span: f.Span}, {Op: Return, Dst: NoDst, Args: []Operand{{}}, Span: f.Span}}, last: 1}}
	}
	for i, p := range f.Params {
		if p.Name == "" {
			p.Name = "%unnamed"
		}
		f.Versions = append(f.Versions, Version{Var: p.Name, Param: i, root: Operand{Local, int32(i)}, object: int32(i)})
		f.Params[i].Var = int32(i)
	}
}

// order sorts the blocks in reverse postorder, drops those that nothing leads to,
// and links each to its predecessors.
func (f *Function) order() {
	for i, b := range f.Blocks {
		b.ID = i
	}
	seen := make([]bool, len(f.Blocks))
	seen[0] = true
	type frame struct {
		b    *Block
		next int
	}
	var post []*Block
	stack := []frame{{b: f.Blocks[0]}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next < len(top.b.Succs) {
			s := top.b.Succs[top.next]
			if top.next++; !seen[s.ID] {
				seen[s.ID] = true
				stack = append(stack, frame{b: s})
			}
			continue
		}
		post = append(post, top.b)
		stack = stack[:len(stack)-1]
	}
	for _, b := range f.Blocks {
		if first := b.Instrs[0]; !seen[b.ID] && first.Op != Jump && first.Span.To > 0 {
			f.Dropped = append(f.Dropped, first.Span)
		}
	}
	slices.Reverse(post)
	f.Blocks = post
	for i, b := range post {
		b.ID, b.Preds = i, nil
	}
	for _, b := range post {
		for _, s := range b.Succs {
			s.Preds = append(s.Preds, b)
		}
	}
}

// split gives both ends of each branch a block of their own.
func (f *Function) split() {
	for _, b := range f.Blocks[:len(f.Blocks):len(f.Blocks)] {
		end := b.End()
		if end.Op != Branch && end.Op != Loop {
			continue
		}
		for i, s := range b.Succs {
			if len(s.Preds) > 1 {
				own := &Block{Succs: []*Block{s}, Instrs: []*Instr{{Op: Jump, Dst: NoDst, Span: end.Span}}}
				b.Succs[i] = own
				f.Blocks = append(f.Blocks, own)
			}
		}
	}
}

// assume binds the variables that a branch tests anew at both of its ends, but
// for temporaries that nothing else reads.
func (f *Function) assume() {
	uses := make([]int, len(f.Vars))
	for _, in := range f.Instructions() {
		for _, a := range in.Args {
			if a.Kind == Local {
				uses[a.ID]++
			}
		}
	}
	for _, b := range f.Blocks {
		end := b.End()
		if end.Op != Branch {
			continue
		}
		for i, s := range b.Succs {
			var known []*Instr
			for k, a := range end.Args {
				if a.Kind == Local && !slices.Contains(end.Args[:k], a) && (f.Vars[a.ID][0] != '%' || uses[a.ID] > 1) {
					known = append(known, &Instr{Op: Assume, Dst: a.ID, Args: []Operand{a}, Cond: end, Truth: i == 0, Span: end.Span})
				}
			}
			s.Instrs = append(known, s.Instrs...)
		}
	}
}

// dominators iterates over the blocks in reverse postorder: Cooper, Harvey and
// Kennedy, A Simple, Fast Dominance Algorithm, 2001.
func (f *Function) dominators() bool {
	entry := f.Blocks[0]
	entry.idom = entry
	for range maxRounds {
		changed := false
		for _, b := range f.Blocks[1:] {
			var d *Block
			for _, p := range b.Preds {
				switch {
				case p.idom == nil:
				case d == nil:
					d = p
				default:
					d = meet(p, d)
				}
			}
			if b.idom != d {
				b.idom, changed = d, true
			}
		}
		if !changed {
			entry.idom = nil
			return true
		}
	}
	return false
}

// meet is the closest block that every way to both passes.
func meet(a, b *Block) *Block {
	for a != b {
		for a.ID > b.ID {
			a = a.idom
		}
		for b.ID > a.ID {
			b = b.idom
		}
	}
	return a
}

// children is the dominator tree. It numbers the blocks so that Dominates is two
// comparisons.
func (f *Function) children() [][]*Block {
	kids := make([][]*Block, len(f.Blocks))
	size := make([]int, len(f.Blocks))
	for _, b := range f.Blocks[1:] {
		kids[b.idom.ID] = append(kids[b.idom.ID], b)
	}
	// A dominator stands before what it dominates in reverse postorder: no
	// recursion is needed.
	for i := len(f.Blocks) - 1; i >= 0; i-- {
		size[i]++
		if d := f.Blocks[i].idom; d != nil {
			size[d.ID] += size[i]
		}
	}
	f.Blocks[0].first, f.Blocks[0].last = 0, size[0]
	for i, b := range f.Blocks {
		at := b.first + 1
		for _, k := range kids[i] {
			k.first, k.last = at, at+size[k.ID]
			at = k.last
		}
	}
	return kids
}
