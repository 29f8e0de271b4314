package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// uncounted tells an opinion that is made without an answer and that the chief justice
// never counts: it goes by the criteria of the rubric, none of which the opinion is for, or
// leaves out opinions that lack what this one is made without.
func (b *bench) uncounted(x built) bool {
	if b.r.State == nil || b.r.State.Reviews == nil || !b.chief.wired {
		return false
	}
	for _, a := range x.call.Args {
		text, ok := b.p.Text(a.Value)
		switch {
		case kindOfField(a.Name) == "criterion" && ok:
			if ids := b.rubricIDs(); len(ids) > 0 && !ids[text] && b.byRubric() {
				return true
			}
		case slices.Contains([]string{"[]", "()", "None", `""`, "''", "list()"}, a.Value.Text()) && b.leavesOut(a.Name):
			return true
		}
	}
	return false
}

// byRubric tells that the chief justice goes through criteria that no opinion names, where it
// begins: its helpers may go through its results.
func (b *bench) byRubric() bool {
	some, roots := false, b.lowers(b.chief.roots)
	for f, in := range b.live(b.chief) {
		if !roots[f] || in.Op != il.Get || in.Kind != "each" && in.Kind != "key" {
			continue
		}
		called := func(to *il.Instr) bool {
			if to.Dst == il.NoDst {
				return false
			}
			name := f.Variable(il.Operand{Kind: il.Local, ID: to.Dst})
			return aboutCriteria(name) || has(split(name), "dim", "cid")
		}
		of := f.Def(f.Root(in.Args[0]))
		criteria := called(in) || slices.ContainsFunc(f.Versions[in.Dst].Uses, called)
		mapped := of != nil && of.Op == il.Call && has([]string{lastName(of)}, "items", "keys", "values")
		if (criteria || mapped) && slices.ContainsFunc(b.il.Slice(nil, analyse.Use{Function: f, Operand: in.Args[0], At: in}).Origins, b.ofReviews) {
			return false
		}
		some = some || criteria
	}
	return some
}

// ofReviews tells what is read of the state's opinions.
func (b *bench) ofReviews(x analyse.Origin) bool {
	return slices.Contains(x.Keys, b.r.State.Reviews.Name)
}

// leavesOut tells that the chief justice takes of the state's opinions only those in which a
// field is not empty.
func (b *bench) leavesOut(field string) bool {
	some := false
	for f, in := range b.live(b.chief) {
		if text, _ := f.Str(keyOf(in)); text != b.r.State.Reviews.Name || in.Dst == il.NoDst {
			continue
		}
		for _, use := range usesOf(f, in.Dst) {
			switch {
			case use.Op == il.Get && use.Kind == "each":
				for _, taking := range usesOf(f, use.Dst) {
					if b.takesUp(f, taking, use.Dst) && !b.onlyWith(f, taking, use.Dst, field) {
						return false
					}
				}
				some = true
			case use.Op == il.Make || use.Op == il.Return || use.Op == il.Set || use.Op == il.Call && b.il.callee(f, use) != nil:
				return false // they go on as they are
			default: // it is counted, or tested
			}
		}
	}
	return some
}

// usesOf are the instructions that read a value, under whatever name.
func usesOf(f *il.Function, id int32) (out []*il.Instr) {
	seen := map[int32]bool{}
	for work := []int32{id}; len(work) > 0; work = work[1:] {
		if work[0] == il.NoDst || seen[work[0]] {
			continue
		}
		seen[work[0]] = true
		for _, in := range f.Versions[work[0]].Uses {
			if in.Op == il.Bind && in.Kind == "" || in.Op == il.Phi || in.Op == il.Assume {
				work = append(work, in.Dst)
			} else {
				out = append(out, in)
			}
		}
	}
	return out
}

// takesUp tells an instruction by which an opinion, or its score, goes on.
func (b *bench) takesUp(f *il.Function, in *il.Instr, opinion int32) bool {
	switch in.Op {
	case il.Get:
		text, _ := f.Str(keyOf(in))
		return text == "score"
	case il.Call:
		return !slices.Contains(silent, lastName(in))
	case il.Set, il.Make, il.Return, il.Yield:
		return f.Root(in.Args[0]) != f.Root(il.Operand{Kind: il.Local, ID: opinion})
	default:
		return false
	}
}

// onlyWith tells an instruction to which a run comes only where a field of an object is not
// empty.
func (b *bench) onlyWith(f *il.Function, in *il.Instr, object int32, field string) bool {
	return slices.ContainsFunc(analyse.Guards(f, b.il.Names, il.Operand{Kind: il.Local, ID: object}, in), func(g analyse.Guard) bool {
		n, truth := b.node(f, g.Test.Span).Unparen(), g.Truth
		for ; n.Is("not_operator"); n = n.Field("argument").Unparen() {
			truth = !truth
		}
		if n.Is("call") && last(n) == "len" {
			n = n.Field("arguments").Child(0)
		}
		return truth && n.Is("attribute") && last(n) == field
	})
}
