package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Use is an operand where an instruction of a function reads it.
type Use struct {
	Function *il.Function
	Operand  il.Operand
	At       *il.Instr
}

// Slice is what values hang on: what they are computed from, and the conditions that
// choose among it (Weiser, Program slicing, 1981). It over-approximates as Origins
// does: what is not in it has no part in the values, if Whole.
type Slice struct {
	Origins []Origin
	Whole   bool // nothing was lost from sight

	a    *Analyses
	seen map[Use]bool // without At
	work []Use

	told    map[Use]bool // containers, without At
	entered map[*il.Function]bool
}

// Slice follows uses back. ends tells an instruction that is an origin by itself; nil:
// none. A computation that can only have one result hangs on nothing. What a function
// outside of the program gives is made of all that it is given.
func (a *Analyses) Slice(ends func(*il.Function, *il.Instr) bool, of ...Use) *Slice {
	s := &Slice{Whole: true, a: a, seen: map[Use]bool{}, work: slices.Clone(of), told: map[Use]bool{}, entered: map[*il.Function]bool{}}
	w := &Origins{Names: a.Names, Through: func(*il.Function, *il.Instr) bool { return true },
		Ends: func(f *il.Function, in *il.Instr) bool { return ends != nil && ends(f, in) || a.settled(f, in) },
		Seen: s.note,
	}
	t, asked := &trace{Origins: w}, map[Use]bool{}
	for len(s.work) > 0 {
		u := s.work[0]
		s.work = s.work[1:]
		if asked[u] {
			continue
		}
		asked[u] = true
		found := t.of(u.Function, u.Operand, u.At)
		s.Origins = append(s.Origins, found...)
		if len(found) >= maxOrigins || len(asked) > maxSliced {
			s.Whole = false
			break
		}
	}
	for _, x := range s.Origins {
		known := x.Symbol.Outside != "" || x.Symbol.Function != nil && x.Symbol.Function.Kind == il.ClassBody || ends != nil && x.At != nil && ends(x.Function, x.At)
		filled := x.Kind == FromParameter && len(x.Keys) > 0 && a.setKeys()[x.Keys[0]] // somebody else may set it
		s.Whole = s.Whole && !filled && x.Kind != OutOfSight && (x.Kind != FromCall || known)
	}
	return s
}

// Handed tells a function that is handed on: who calls it, and what becomes of what it
// gives, is not known.
func (x Origin) Handed() bool {
	return x.Kind == FromName && x.Symbol.Function != nil && x.Symbol.Function.Kind != il.ClassBody && x.Symbol.Function.Kind != il.Top
}

// maxSliced bounds how many operands a slice asks for.
const maxSliced = 4000

// settled tells a computation that can only give one number.
func (a *Analyses) settled(f *il.Function, in *il.Instr) bool {
	if in.Op != il.Call && (in.Op != il.Bind || in.Kind == "") {
		return false
	}
	_, one := a.Values.Of(f, local(in.Dst)).One()
	return one
}

// setKeys are the keys and fields that something in the program sets.
func (a *Analyses) setKeys() map[string]bool {
	if a.sets == nil {
		a.sets = map[string]bool{}
		for f := range a.Program.All() {
			for _, in := range f.Instructions() {
				if key, ok := f.Str(setKey(in)); ok {
					a.sets[key] = true
				}
			}
		}
	}
	return a.sets
}

func setKey(in *il.Instr) il.Operand {
	if in.Op != il.Set || len(in.Args) < 2 {
		return il.Operand{}
	}
	return in.Args[1]
}

// Enters tells whether something of a function is part of the slice.
func (s *Slice) Enters(f *il.Function) bool { return s.entered[f] }

// Has tells whether what an instruction binds is part of the slice.
func (s *Slice) Has(f *il.Function, in *il.Instr) bool {
	return in.Dst != il.NoDst && s.seen[Use{Function: f, Operand: f.Root(local(in.Dst))}]
}

// note takes in an operand on a way, and asks for the conditions that it hangs on.
func (s *Slice) note(f *il.Function, o il.Operand) {
	u := Use{Function: f, Operand: f.Root(o)}
	if s.seen[u] {
		return
	}
	s.seen[u], s.entered[f] = true, true
	s.filled(f, o)
	def := f.Def(u.Operand)
	switch {
	case def == nil:
		return
	case def.Op == il.Phi:
		if s.several(f, u.Operand) {
			s.chosen(f, f.Block(def))
		}
	case def.Op == il.Get: // a part of what a call outside gave is known by its name alone
		s.ask(f, def.Args[1], def)
		if sym := s.a.Names.Operand(f, u.Operand); sym != nil && sym.Outside != "" {
			s.ask(f, def.Args[0], def)
		}
	case def.Op == il.Bind && (negated[def.Kind] != "" || telltale[def.Kind]):
		for _, a := range def.Args {
			s.ask(f, a, def)
		}
	case def.Op == il.Call:
		if g := s.a.Outcome.callee(f, def); g != nil {
			s.returned(g)
			return
		}
		known := s.a.Names.Operand(f, def.Args[0])
		if get := f.Def(f.Root(def.Args[0])); (known == nil || known.empty()) && f.Root(def.Args[0]).Kind == il.Local && (get == nil || get.Op != il.Get || get.Kind != "attr") {
			s.Whole = false // a value is called: it may be any function
		}
	}
}

// filled asks for what is put into a container under whatever name, where a function or
// method may do that with what it is given, too. It trusts that what lies in another
// container is not filled there.
func (s *Slice) filled(f *il.Function, o il.Operand) {
	o = f.Root(o)
	def := f.Def(o)
	if def == nil || def.Op != il.Call && (def.Op != il.Make || def.Kind == "text") || s.told[Use{Function: f, Operand: o}] {
		return
	}
	if def.Op == il.Call {
		if sym := s.a.Names.Operand(f, def.Args[0]); !strings.HasSuffix(def.Kind, ".setdefault") && (sym == nil || !containers[sym.Outside]) {
			return
		}
	}
	s.told[Use{Function: f, Operand: o}] = true
	seen := map[int32]bool{}
	for work := []int32{o.ID}; len(work) > 0; {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if id == il.NoDst || seen[id] {
			continue
		}
		seen[id] = true
		for _, in := range f.Versions[id].Uses {
			switch {
			case in.Op == il.Bind && in.Kind == "" || in.Op == il.Phi || in.Op == il.Assume:
				work = append(work, in.Dst)
			case in.Op == il.Set && in.Args[0].Is(id):
				s.ask(f, in.Args[len(in.Args)-1], in)
				work = append(work, in.Dst)
			case in.Op == il.Get && in.Args[0].Is(id) && in.Kind != "attr":
				work = append(work, in.Dst) // a container in it
			case in.Op == il.Get && in.Args[0].Is(id):
				for _, call := range f.Versions[in.Dst].Uses {
					if call.Op == il.Call && call.Args[0].Is(in.Dst) {
						s.given(f, call)
					}
				}
			case in.Op == il.Call && s.a.Outcome.callee(f, in) != nil:
				s.given(f, in)
			}
		}
	}
}

// containers are functions of Python that make one.
var containers = map[string]bool{"builtins.dict": true, "builtins.list": true, "builtins.set": true, "collections.defaultdict": true, "collections.OrderedDict": true,
	"collections.deque": true, "collections.Counter": true}

// given asks for the arguments of a call, and for what is put into what it gives.
func (s *Slice) given(f *il.Function, call *il.Instr) {
	for _, a := range call.Args[1:] {
		s.ask(f, a, call)
	}
	if call.Dst != il.NoDst && strings.HasSuffix(call.Kind, ".setdefault") {
		s.filled(f, local(call.Dst))
	}
}

func (s *Slice) ask(f *il.Function, o il.Operand, at *il.Instr) {
	if o.Kind == il.Local || o.Kind == il.Free {
		s.work = append(s.work, Use{f, o, at})
	}
}

// several tells a join of more than one value, or of too many to tell: tests make versions of a
// variable that are still the same.
func (s *Slice) several(f *il.Function, join il.Operand) bool {
	ways := s.a.Names.alternatives(f, join)
	return len(ways) > 1 || slices.Contains(ways, join)
}

// chosen asks for the conditions that choose by which way a run comes to a block, and
// for what a loop that begins there goes through.
func (s *Slice) chosen(f *il.Function, join *il.Block) {
	if join == nil {
		return
	}
	if end := join.End(); end.Op == il.Loop {
		s.ask(f, end.Args[0], end)
	}
	ends := map[*il.Block]bool{}
	for _, p := range join.Preds {
		ends[p] = true
	}
	s.deciding(f, join, ends)
}

// returned asks for the conditions that choose by which return a function ends.
func (s *Slice) returned(f *il.Function) {
	ends := map[*il.Block]bool{}
	for _, b := range f.Blocks {
		if b.End().Op == il.Return {
			ends[b] = true
		}
	}
	if len(ends) > 1 {
		s.deciding(f, nil, ends)
	}
}

// deciding asks for the tests whose sides lead to different ends, without a block.
func (s *Slice) deciding(f *il.Function, without *il.Block, ends map[*il.Block]bool) {
	if len(ends) < 2 {
		return
	}
	at := junction{f, without}
	deciding, known := s.a.deciding[at]
	if !known {
		var tests []*il.Block
		for _, b := range f.Blocks {
			if b.End().Op == il.Branch && !s.a.Values.Dead(f, b) && len(b.Succs) >= 2 {
				tests = append(tests, b)
			}
		}
		deciding = parting(f, tests, without, ends)
		s.a.deciding[at] = deciding
	}
	for _, b := range deciding {
		for _, a := range b.End().Args {
			s.ask(f, a, b.End())
		}
	}
}

// junction is a block that ways come to, or nil for the returns of a function.
type junction struct {
	f  *il.Function
	at *il.Block
}

// parting are the tests of which one side leads to an end to which the other does not. A side that is the block without
// which they are looked for leads to the test itself.
func parting(f *il.Function, tests []*il.Block, without *il.Block, ends map[*il.Block]bool) []*il.Block {
	parts := make([]bool, len(f.Blocks))
	seen := make([]bool, len(f.Blocks))
	for end := range ends {
		clear(seen)
		for work := []*il.Block{end}; len(work) > 0; {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if b != without && !seen[b.ID] {
				seen[b.ID] = true
				work = append(work, b.Preds...)
			}
		}
		for _, b := range tests {
			one, other := seen[b.Succs[0].ID], seen[b.Succs[1].ID]
			if b.Succs[0] == without {
				one = end == b
			}
			if b.Succs[1] == without {
				other = end == b
			}
			parts[b.ID] = parts[b.ID] || one != other
		}
	}
	return slices.DeleteFunc(tests, func(b *il.Block) bool { return !parts[b.ID] })
}

// Deciding are the values that tests and loops of a function read on whose outcome it hangs
// whether a run comes to a block.
func (a *Analyses) Deciding(f *il.Function, home *il.Block) (out []Use) {
	for _, b := range f.Blocks {
		end := b.End()
		if len(b.Succs) < 2 || end.Op == il.Jump || a.Values.Dead(f, b) {
			continue
		}
		some, all := false, true
		for _, s := range b.Succs {
			leads := s == home || leadsTo(f, s, home, b)
			some, all = some || leads, all && leads
		}
		if some && !all {
			for _, o := range end.Args {
				out = append(out, Use{Function: f, Operand: o, At: end})
			}
		}
	}
	return out
}
