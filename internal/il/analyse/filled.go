package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// onNothing tells a test of a list that is never filled. A list that is filled only behind that test
// itself, as in a loop, is not told to be empty: what is being asked counts as no.
func (r *run) onNothing(s *state, test *il.Instr) bool {
	if test.Op != il.Branch || test.Kind != "true" || len(test.Args) != 1 {
		return false
	}
	if s.asked == nil {
		s.asked = map[*il.Instr]bool{}
		defer func() { s.asked = nil }()
	}
	if known, ok := s.asked[test]; ok {
		return known
	}
	s.asked[test] = false
	s.asked[test] = r.without(s, test.Args[0], false)
	return s.asked[test]
}

// without tells a list that is filled where it stands, and only on ways that no object
// takes which the program makes; or else, where some may be in it, with nothing true.
func (r *run) without(s *state, list il.Operand, some bool) bool {
	seen := map[int32]bool{}
	for work := []il.Operand{list}; len(work) > 0; {
		o := s.f.Root(work[len(work)-1])
		work = work[:len(work)-1]
		if o.Kind == il.Local && seen[o.ID] {
			continue
		}
		def := s.f.Def(o)
		if def == nil || len(seen) > maxHeld {
			return false
		}
		seen[o.ID] = true
		switch {
		case !onlyLookedAt(s.f, o, 0):
			return false
		case def.Op == il.Phi:
			work = append(work, def.Args...)
		case def.Op == il.Set && def.Kind == "add" && (r.cutOff(s, s.f.Block(def)) || some && r.neverTrue(s, def.Args[2], 0)):
			work = append(work, def.Args[0])
		case def.Op == il.Make && def.Kind == "list" && len(def.Args) == 0:
		default:
			return false
		}
	}
	return true
}

// onlyLookedAt tells a version of a list that nothing changes other than by a new version,
// and that is handed on to nobody.
func onlyLookedAt(f *il.Function, list il.Operand, depth int) bool {
	for _, use := range f.Versions[list.ID].Uses {
		switch {
		case use.Op == il.Phi || use.Op == il.Branch || use.Op == il.Loop || use.Op == il.Assume:
		case use.Op == il.Set && use.Kind == "add" && use.Args[0] == list && use.Args[2] != list:
		case use.Op == il.Call && (use.Kind == "any" || use.Kind == "len"):
		case use.Op == il.Get && use.Kind == "each":
		case use.Op == il.Get && use.Kind == "attr" && use.Args[0] == list && adds(f, use):
		case use.Op == il.Bind && depth <= maxBases && onlyLookedAt(f, il.Operand{Kind: il.Local, ID: use.Dst}, depth+1):
		default:
			return false
		}
	}
	return true
}

// adds tells the read of a method that is called to add an element: what it changes is
// bound anew.
func adds(f *il.Function, get *il.Instr) bool {
	key, ok := f.Str(get.Args[1])
	return ok && key == "append" && !slices.ContainsFunc(f.Versions[get.Dst].Uses, func(use *il.Instr) bool {
		return use.Op != il.Call || f.Root(use.Args[0]).ID != get.Dst
	})
}

// neverTrue tells a value that is false on every way that an object can take which the
// program makes.
func (r *run) neverTrue(s *state, o il.Operand, depth int) bool {
	if c, ok := s.f.Const(o); ok {
		return c.Type == il.BoolConst && c.Num == 0
	}
	if o.Kind != il.Local || depth > maxBases {
		return false
	}
	ver := s.f.Versions[o.ID]
	switch def := ver.Def; {
	case def == nil:
	case def.Op == il.Assume:
		return !def.Truth && def.Cond.Kind == "true" && s.f.Root(def.Cond.Args[0]) == s.f.Root(def.Args[0])
	case def.Op == il.Bind && def.Kind == "":
		return r.neverTrue(s, def.Args[0], depth+1)
	case def.Op == il.Phi:
		b := s.f.Block(def)
		for i, a := range def.Args {
			if !r.cutOff(s, b.Preds[i]) && !r.neverTrue(s, a, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// cutOff tells a block behind a side of a test that no object takes.
func (r *run) cutOff(s *state, b *il.Block) bool {
	for at := b; at != nil; at = at.Dominator() {
		if len(at.Preds) != 1 || at.Preds[0].End().Op != il.Branch {
			continue
		}
		if d := at.Preds[0]; d.Succs[0] != d.Succs[1] && r.unmet(s, d, slices.Index(d.Succs, at)) {
			return true
		}
	}
	return false
}
