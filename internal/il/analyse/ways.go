package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Way is the calls by which a run comes into a function, the innermost first.
type Way []Site

// Bounds of the ways into a function.
const (
	maxHops  = 4  // calls in each other
	mostWays = 64 // of one instruction
)

// Ways are the ways by which what an instruction reads may differ: by the calls of its
// function, and of theirs, as far as they hand over what it is made of. One that is not
// called by any call that counts, or reads no parameter, has one of no calls.
func (n *Names) Ways(f *il.Function, in *il.Instr, counts func(Site) bool) (out []Way) {
	var follow func(f *il.Function, in *il.Instr, before Way)
	follow = func(f *il.Function, in *il.Instr, before Way) {
		at := len(out)
		if len(before) < maxHops && takesParameter(f, in) {
			for _, s := range n.Sites(f) {
				if s.Call && s.Function != f && counts(s) && len(out) < mostWays && !slices.ContainsFunc(before, func(b Site) bool { return b.At == s.At }) {
					follow(s.Function, s.At, append(slices.Clip(before), s))
				}
			}
		}
		if len(out) == at && len(out) < mostWays {
			out = append(out, before)
		}
	}
	follow(f, in, nil)
	return out
}

// takesParameter tells an instruction that reads something of the function's parameters,
// of a method's its own object aside.
func takesParameter(f *il.Function, in *il.Instr) bool {
	return slices.ContainsFunc(origins(f, in.Args), func(o il.Operand) bool {
		return o.Kind == il.Local && (f.Versions[o.ID].Param > 0 || f.Versions[o.ID].Param == 0 && !receives(f))
	})
}

// GivenBy is what an operand is by a way: of a parameter what the call hands over, or its
// default, where that is written, and the rest of the way.
func (v *Values) GivenBy(way Way, f *il.Function, o il.Operand, at *il.Instr) (Step, Way) {
	for {
		i := slices.IndexFunc(way, func(s Site) bool { return s.symbol.Function == f })
		root := f.Root(o)
		if i < 0 || root.Kind != il.Local || f.Versions[root.ID].Param < 0 || f.Params[f.Versions[root.ID].Param].Spread != "" {
			return Step{Function: f, Operand: o, Use: at}, way
		}
		s, param := way[i], f.Versions[root.ID].Param
		given, ok := s.Argument(param)
		if p := f.Params[param]; !ok {
			if p.Filled && p.Default.Kind == il.Constant && !s.spreads() {
				return Step{Function: f, Operand: p.Default, Use: at}, way
			}
			return Step{Function: f, Operand: o, Use: at}, way
		}
		f, o, at, way = s.Function, given, s.At, way[i+1:]
	}
}

// Calling is a call as a place where a function is called.
func (n *Names) Calling(f *il.Function, call *il.Instr, g *il.Function) Site {
	s, skip := called(n, f, call)
	if s.Function != g {
		s, skip = &Symbol{Function: g}, 0
	}
	return Site{f, call, true, skip, s}
}

// ShapesBy are Shapes where runs come by a way.
func (v *Values) ShapesBy(way Way, f *il.Function, o il.Operand, at *il.Instr) []Shape {
	s := &shaper{v: v, state: v.runs(false), busy: map[seat]bool{}, memo: map[reading]read{}}
	var frame func(f *il.Function, way Way) *running
	frame = func(f *il.Function, way Way) *running {
		fr := &running{f: f}
		if i := slices.IndexFunc(way, func(s Site) bool { return s.symbol.Function == f }); i >= 0 && way[i].skip == 0 {
			fr.call, fr.sym, fr.outer = way[i].At, way[i].symbol, frame(way[i].Function, way[i+1:])
		}
		return fr
	}
	return s.read(frame(f, way), o, at)
}

// rest is what a parameter that takes the rest of a call's arguments holds.
func (s *shaper) rest(fr *running, o il.Operand, i int) []Shape {
	kind, in := List, fr.call
	if fr.f.Params[i].Spread == "**" {
		kind = Map
	}
	var args []il.Operand
	var names []string
	for k, a := range in.Args[1:] {
		name := in.Names[k]
		switch p, key, ok := parameter(fr.sym, in, k); {
		case ok && p == i && key != "" && kind == List:
			args, names = append(args, a), append(names, "")
		case ok && p == i && key != "":
			args, names = append(args, a), append(names, name)
		case !ok && name == "*" && kind == List, !ok && name == "**" && kind == Map:
			args, names = append(args, a), append(names, name)
		case !ok && name != "*" && name != "**":
			return single(fr.f, o, "")
		}
	}
	return s.elements(fr.outer, kind, in, args, names)
}
