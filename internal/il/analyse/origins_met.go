package analyse

import "github.com/automaton-auditor/automaton/internal/il"

// met are tests that a value passed on the way of a question: what it is for truth, and that
// it is there.
type met uint8

const (
	metTrue met = 1 << iota
	metFalse
	metThere
)

// meets is what is known of a value behind a test of itself.
func meets(f *il.Function, assume *il.Instr) met {
	test := assume.Cond
	if len(test.Args) == 0 || test.Args[0] != assume.Args[0] {
		return 0
	}
	none := false
	if len(test.Args) > 1 {
		k, ok := f.Const(test.Args[1])
		none = ok && k.Type == il.NoneConst
	}
	switch {
	case test.Kind == "true" && assume.Truth:
		return metTrue
	case test.Kind == "true":
		return metFalse
	case none && (test.Kind == "is" || test.Kind == "==") && !assume.Truth, none && (test.Kind == "is not" || test.Kind == "!=") && assume.Truth:
		return metThere
	}
	return 0
}

// refuses tells a constant that does not come through: it fails the tests, or a part is
// asked of none.
func (v visit) refuses(k il.Const) bool {
	r, c, none := rulesOf(v.f.Module.Language), constant(k), k.Type == il.NoneConst
	return none && (v.met&metThere != 0 || v.path != "" && !v.part && !r.lacks) ||
		v.met&metTrue != 0 && r.refine(c, "true", true, Value{}).Empty() || v.met&metFalse != 0 && r.refine(c, "true", false, Value{}).Empty()
}
