package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// bind is a copy, or an operator.
func (s *shaper) bind(fr *running, o il.Operand, def *il.Instr) []Shape {
	f := fr.f
	switch {
	case def.Kind == "" || def.Kind == "cast":
		if empty, ok := zero(f, def); ok {
			s.from = append(s.from, def)
			return []Shape{{Kind: empty}}
		}
		return s.trace(fr, def.Args[0])
	case len(def.Args) < 2:
		return single(f, o, "")
	}
	a, b := def.Args[0], def.Args[1]
	switch def.Kind {
	case "+":
		return s.sum(fr, o, def, s.left(fr, def), s.read(fr, b, def))
	case "|":
		return s.each2(o, f, s.left(fr, def), s.read(fr, b, def), func(x, y Shape) (Shape, bool) {
			if x.Kind != Map && y.Kind != Map {
				return x, false
			}
			return x.asMap(f, def).with(y.asMap(f, def)), true
		})
	case "%":
		return s.percent(fr, o, def)
	case "*":
		n, ok := s.v.Of(f, b).One()
		return s.each(o, f, s.read(fr, a, def), func(x Shape) (Shape, bool) {
			if x.Kind != List {
				return x, false
			}
			if !ok || n < 0 || n*float64(len(x.Parts)) > mostParts {
				return x.loosened("it is repeated"), true
			}
			x.Parts = slices.Repeat(x.Parts, int(n))
			return x, true
		})
	}
	return single(f, o, "")
}

// left is the first operand of an operator: of "a += b" the object that it changes.
func (s *shaper) left(fr *running, def *il.Instr) []Shape {
	if augmented(fr.f, def) {
		s.chain[def] = true
		return s.trace(fr, def.Args[0])
	}
	s.from = append(s.from, def)
	return s.read(fr, def.Args[0], def)
}

// zero is what a declaration without a value gives: in Go an empty list.
func zero(f *il.Function, def *il.Instr) (ShapeKind, bool) {
	if f.Module.Language != "go" || len(def.Names) == 0 {
		return Single, false
	}
	c, none := f.Const(def.Args[0])
	if def.Args[0].Kind != il.Opaque && (!none || c.Type != il.NoneConst) {
		return Single, false
	}
	return List, strings.HasPrefix(def.Names[0], "[]")
}

// sum is "a + b": of texts and of lists; of what neither is known to be, nothing is
// said.
func (s *shaper) sum(fr *running, o il.Operand, def *il.Instr, as, bs []Shape) []Shape {
	return s.each2(o, fr.f, as, bs, func(a, b Shape) (Shape, bool) {
		switch {
		case a.Kind == List && (b.Kind == List || b.Kind == Single), b.Kind == List && a.Kind == Single:
			return a.asList(fr.f, def).with(b.asList(fr.f, def)), true
		case a.Kind == Text || b.Kind == Text:
			return a.asText(fr.f, def.Args[0], def).with(b.asText(fr.f, def.Args[1], def)), true
		}
		return a, false
	})
}

// each makes a shape of each; one that it cannot makes the operand a single one.
func (s *shaper) each(o il.Operand, f *il.Function, list []Shape, make func(Shape) (Shape, bool)) (out []Shape) {
	for _, a := range list {
		w, ok := make(a)
		if !ok {
			w = single(f, o, "")[0]
			if loops([]Shape{a}) {
				w = a
				w.Why = "it is computed in a loop"
			}
		}
		out = append(out, w)
	}
	return few(out)
}

func (s *shaper) each2(o il.Operand, f *il.Function, as, bs []Shape, make func(a, b Shape) (Shape, bool)) (out []Shape) {
	if len(as)*len(bs) > maxWays*maxWays/2 {
		as, bs = []Shape{merged(as)}, []Shape{merged(bs)}
	}
	for _, b := range bs {
		out = append(out, s.each(o, f, as, func(a Shape) (Shape, bool) { return make(a, b) })...)
	}
	return few(out)
}
