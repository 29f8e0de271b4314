package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Condition is what is known of one side of a branch: Is says whether it can be
// taken, Flag what it hangs on where it is taken only against a default.
type Condition struct {
	Answer
	Test  *il.Instr
	Truth bool
	Flag  string
}

// Conditions lists the sides of branches in a function that no run takes (No),
// those that are taken only if a flag is changed (Unknown, with the Flag), and
// those that are shown to be possible (Yes: some value that the program declares
// takes this side, if a run gets to the test). All others are left out, and so are
// tests of constants, which are meant.
//
// No is sound as Values is. Yes is said only of a value that nothing else on the
// way has narrowed.
func (v *Values) Conditions(f *il.Function) (out []Condition) {
	open := v.runs(false).state(f)
	usual := v.runs(true).state(f)
	if open.lost != "" || usual.lost != "" {
		return nil
	}
	for _, b := range f.Blocks {
		end := b.End()
		if end.Op != il.Branch || !open.reached[b.ID] || !slices.ContainsFunc(end.Args, func(a il.Operand) bool { return a.Kind != il.Constant }) {
			continue
		}
		for i := range b.Succs {
			c := Condition{Answer: Answer{Places: []il.Place{f.Place(end.Span)}}, Test: end, Truth: i == 0}
			side := map[bool]string{true: "true", false: "false"}[i == 0]
			switch {
			case !open.taken[b.ID][i]:
				c.Is, c.Why = No, "no value makes the condition "+side
			case usual.reached[b.ID] && !usual.taken[b.ID][i]:
				if c.Flag = v.flagsOf(f, end); c.Flag == "" {
					continue
				}
				c.Why = "it hangs on " + c.Flag
			case v.possible(open, b):
				c.Is, c.Why = Yes, "a declared value makes the condition "+side
			default:
				continue
			}
			out = append(out, c)
		}
	}
	return out
}

// possible tells whether every value that the tested operand is said to have can
// come to the test. The other operand must be one constant.
func (v *Values) possible(s *state, b *il.Block) bool {
	end, r := b.End(), v.runs(false)
	var about il.Operand
	for k, a := range end.Args {
		root := s.f.Root(a)
		if root.Kind == il.Constant && k == 1 {
			continue
		}
		if root.Kind != il.Local || about.Kind == il.Local || !r.operand(s, a).Exact {
			return false
		}
		about = root
	}
	if about.Kind != il.Local {
		return false
	}
	if def := s.f.Def(about); def != nil && def.Op != il.Get {
		return false
	}
	for d := b.Dominator(); d != nil; d = d.Dominator() {
		test := d.End()
		if test.Op != il.Branch {
			continue
		}
		for _, a := range test.Args {
			if o := s.f.Root(a); o.Kind == il.Opaque || o.Kind != il.Constant && o != about && v.kin(s.f, about, a) {
				return false
			}
		}
	}
	return true
}

// kin tells whether an operand may say something of a value: it is computed from
// it, or is a read of a field of the same name.
func (v *Values) kin(f *il.Function, about, o il.Operand) bool {
	def := f.Def(about)
	for _, from := range origins(f, []il.Operand{o}) {
		if from == about {
			return true
		}
		if other := f.Def(from); def != nil && other != nil && other.Op == il.Get && def.Op == il.Get && f.Root(other.Args[1]) == f.Root(def.Args[1]) {
			return true
		}
		if f.Def(from) != nil && f.Def(from).Op == il.Call {
			return true // it may have asked for it
		}
	}
	return false
}

// vacant tells a loop over what has no elements, as it is written.
func vacant(f *il.Function, end *il.Instr) bool {
	if end.Op != il.Loop || len(end.Args) == 0 {
		return false
	}
	over := f.Def(f.Root(end.Args[0]))
	if over != nil && over.Op == il.Call && f.Word(over.Args[0]) == "range" && len(over.Args) == 2 {
		c, ok := f.Const(over.Args[1])
		return ok && c.Type == il.IntConst && c.Num <= 0
	}
	return over != nil && over.Op == il.Make && len(over.Args) == 0 && over.Dst != il.NoDst &&
		!slices.ContainsFunc(f.Versions[over.Dst].Uses, func(use *il.Instr) bool { return use != end && (use.Op != il.Get || use.Kind != "each") })
}

// forTypes tells a test that holds for checkers of types only, and in no run.
func (v *Values) forTypes(f *il.Function, end *il.Instr) bool {
	if end.Op != il.Branch || len(end.Args) != 1 {
		return false
	}
	return !slices.ContainsFunc(f.Alternatives(end.Args[0]), func(o il.Operand) bool { // whatever an earlier test of it said
		s := v.Names.Operand(f, o)
		return s == nil || s.Outside != "typing.TYPE_CHECKING" && s.Outside != "typing_extensions.TYPE_CHECKING"
	})
}
