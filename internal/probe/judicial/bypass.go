package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// anyway reports whether an effect under a condition changes no score: where it is not
// carried out, the score gets the same value; or its name is known in this branch
// alone, and goes into texts only.
func (b *bench) anyway(e effect) bool { return b.insteadOf(e, e.value) }

// insteadOf reports whether a score is that of an expression where an effect under a condition
// is not carried out, or goes into texts only.
func (b *bench) insteadOf(e effect, n code.Node) bool {
	other, known := intree.Value(b.il.Analyses, n)
	v, ok := intree.Value(b.il.Analyses, e.value)
	if !ok || !known || other.Function != v.Function || e.graded || e.copied || !slices.ContainsFunc(e.guards, says) || e.target != "" && !e.node.Field("left").Is("identifier") {
		return false
	}
	f, in := b.carriedOut(e)
	for r := range returns(v.Function) {
		if e.target == "" && e.node.Start() <= int(r.Span.From) && int(r.Span.To) <= e.node.End() {
			f, in = v.Function, r
		}
	}
	if in == nil || f != v.Function {
		return false
	}
	w := bypass{b: b, f: f, home: f.Block(in), value: f.Alternatives(other.Operand)}
	for w.test = w.home.Dominator(); w.test != nil && !w.past(w.test); {
		w.test = w.test.Dominator()
	}
	if w.test == nil {
		return false
	}
	if in.Op == il.Return {
		return w.returned(in, v.Operand)
	}
	return w.used(in.Dst)
}

// bypass looks at what there is where a test leads past a block.
type bypass struct {
	b          *bench
	f          *il.Function
	test, home *il.Block
	value      []il.Operand
}

// past tells whether a way from a block leads to the end of the function past the home.
func (w bypass) past(from *il.Block) bool {
	seen := map[*il.Block]bool{w.home: true}
	for work := []*il.Block{from}; len(work) > 0; work = work[1:] {
		if work[0].End().Op == il.Return {
			return true
		}
		for _, s := range work[0].Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

func (w bypass) same(o il.Operand) bool {
	return len(w.value) == 1 && slices.Equal(w.f.Alternatives(o), w.value)
}

// used tells whether all that a name is used for is the same without the block.
func (w bypass) used(id int32) bool {
	told, given := false, false
	for work := []int32{id}; len(work) > 0; work = work[1:] {
		for _, u := range w.f.Versions[work[0]].Uses {
			o := il.Operand{Kind: il.Local, ID: work[0]}
			switch made := w.onlyReturned(u); {
			case u.Op == il.Assume || u.Op == il.Bind && u.Kind == "":
				work = append(work, u.Dst)
			case u.Op == il.Make && u.Kind == "text":
				told = true
			case u.Op == il.Phi && w.joined(u), u.Op == il.Return && w.returned(u, o), made != nil && w.returned(made, o):
				given = true
			default:
				return false
			}
		}
	}
	return given || told && !slices.ContainsFunc(w.f.Versions, func(v il.Version) bool {
		return v.Var == w.f.Versions[id].Var && (v.Block == nil || !w.home.Dominates(v.Block))
	})
}

// joined tells whether a join gets the same from all ways past the block.
func (w bypass) joined(phi *il.Instr) (some bool) {
	for i, from := range w.f.Block(phi).Preds {
		if w.home.Dominates(from) {
			continue
		}
		if !w.same(phi.Args[i]) {
			return false
		}
		some = true
	}
	return some
}

// onlyReturned is the return of a tuple that an instruction makes, nil for others.
func (w bypass) onlyReturned(in *il.Instr) *il.Instr {
	if in.Op != il.Make || in.Kind != "list" {
		return nil
	}
	if uses := w.f.Versions[in.Dst].Uses; len(uses) == 1 && uses[0].Op == il.Return {
		return uses[0]
	}
	return nil
}

// returned tells whether what a return gives, at the place where it gives a value, all
// others give that the test may lead to past the block.
func (w bypass) returned(r *il.Instr, value il.Operand) (some bool) {
	at := w.elements(r)
	i := slices.IndexFunc(at, func(o il.Operand) bool { return w.f.Root(o) == w.f.Root(value) })
	for o := range returns(w.f) {
		if o == r || w.home.Dominates(w.f.Block(o)) || !w.b.il.Values.Later(w.f, w.test.End(), o) {
			continue
		}
		all := w.elements(o)
		if i < 0 || len(all) != len(at) || !w.same(all[i]) {
			return false
		}
		some = true
	}
	return some
}

// elements are the elements of the tuple that is returned, or the one value.
func (w bypass) elements(r *il.Instr) []il.Operand {
	if def := w.f.Def(w.f.Root(r.Args[0])); def != nil && w.onlyReturned(def) == r {
		return def.Args
	}
	return r.Args
}
