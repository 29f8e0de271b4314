package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// loosened is a shape of which more, or other parts may be there.
func (s Shape) loosened(why string) Shape {
	if s.Why == "" {
		s.Why = why
	}
	return s
}

// asList is the shape as the list that it must be.
func (s Shape) asList(f *il.Function, in *il.Instr) Shape { return s.as(List, f, in) }

// asMap is the shape as the map that it must be.
func (s Shape) asMap(f *il.Function, in *il.Instr) Shape { return s.as(Map, f, in) }

func (s Shape) as(kind ShapeKind, f *il.Function, in *il.Instr) Shape {
	if s.Kind != Single {
		return s
	}
	s.Kind, s.Parts = kind, slices.Clone(s.Parts)
	for i := range s.Parts {
		s.Parts[i].Rest, s.Parts[i].At, s.Parts[i].By = s.Parts[i].loop == nil, in.Span, f
	}
	return s
}

// asText is the shape as a part of a text, what is not text as a hole.
func (s Shape) asText(f *il.Function, o il.Operand, in *il.Instr) Shape {
	switch s.Kind {
	case Text:
		return s
	case Single:
		s.Parts = slices.Clone(s.Parts)
		s.Parts[0].At, s.Parts[0].By, s.Kind, s.Why = in.Span, f, Text, ""
		return s
	}
	return Shape{Kind: Text, Parts: []Part{{In: f, Of: o, At: in.Span, By: f}}}
}

// with is a shape with the parts of another of its kind behind its own. In a map
// the later of two parts with the same key counts.
func (s Shape) with(o Shape) Shape {
	out := Shape{Kind: s.Kind, Parts: slices.Clone(s.Parts), Why: s.Why}
	if out.Why == "" {
		out.Why = o.Why
	}
	for _, p := range o.Parts {
		n := len(out.Parts)
		switch {
		case s.Kind == Map && p.Key != "" && !p.loose():
			out.Parts = slices.DeleteFunc(out.Parts, func(q Part) bool { return q.Key == p.Key && !q.Rest })
			out.Parts = append(out.Parts, p)
		case s.Kind == Text && n > 0 && p.Known && out.Parts[n-1].Known && !p.loose() && !out.Parts[n-1].loose():
			if len(out.Parts[n-1].Text)+len(p.Text) > longest {
				out.Parts[n-1] = Part{At: p.At, By: p.By}
				out = out.loosened("it is too long")
				continue
			}
			out.Parts[n-1].Text += p.Text
			out.Parts[n-1].Of = il.Operand{}
		case s.Kind == Text && p.Known && p.Text == "":
		default:
			out.Parts = append(out.Parts, p)
		}
	}
	return out
}

func (s Shape) equal(o Shape) bool {
	return s.Kind == o.Kind && s.Why == o.Why && slices.EqualFunc(s.Parts, o.Parts, Part.equal)
}

// equal tells parts that are the same, wherever they were put in.
func (p Part) equal(q Part) bool {
	if p.Known && q.Known && p.Text == q.Text {
		p.In, p.Of = q.In, q.Of
	}
	p.At, p.By = q.At, q.By
	return p == q
}

// few are the shapes without those that are there twice; where they are too many,
// one that is all of them.
func few(list []Shape) (out []Shape) {
	for _, s := range list {
		if len(s.Parts) > mostParts {
			s = Shape{Kind: s.Kind, Parts: s.Parts[:mostParts], Why: "it has too many parts"}
		}
		if !slices.ContainsFunc(out, s.equal) {
			out = append(out, s)
		}
	}
	if len(out) > maxWays {
		return []Shape{merged(out)}
	}
	return out
}

// merged is a shape that each of some is an instance of: what not all have, may be
// missing.
func merged(list []Shape) Shape {
	out := list[0]
	for _, s := range list[1:] {
		switch kind := max(out.Kind, s.Kind); {
		case out.Kind != s.Kind && out.Kind != Single && s.Kind != Single:
			return Shape{Parts: []Part{{}}, Why: "it is made in too many ways"}
		case kind == Single:
			if !out.equal(s) {
				return Shape{Parts: []Part{{}}, Why: "it is made in too many ways"}
			}
		default:
			if kind != Text {
				out, s = out.as(kind, nil, &il.Instr{}), s.as(kind, nil, &il.Instr{})
			}
			out.Kind, s.Kind = kind, kind
			out = out.either(s)
		}
	}
	return out
}

// either is one or the other, of the same kind.
func (s Shape) either(o Shape) Shape {
	out := Shape{Kind: s.Kind, Why: s.Why}
	if out.Why == "" {
		out.Why = o.Why
	}
	a, b := s.Parts, o.Parts
	same := func(p, q Part) bool {
		p.Maybe = q.Maybe
		return p.equal(q)
	}
	long := make([][]int, len(a)+1) // the most parts that two ends have in common
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if long[i][j] = max(long[i+1][j], long[i][j+1]); same(a[i], b[j]) {
				long[i][j] = long[i+1][j+1] + 1
			}
		}
	}
	maybe := func(p Part) {
		p.Maybe = true
		out.Parts = append(out.Parts, p)
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && same(a[i], b[j]):
			p := a[i]
			p.Maybe = p.Maybe || b[j].Maybe
			out.Parts = append(out.Parts, p)
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && long[i+1][j] >= long[i][j+1]:
			maybe(a[i])
			i++
		default:
			maybe(b[j])
			j++
		}
	}
	return out
}

// unrolled are the shapes of a join: of those that hang on the join itself, which a
// loop makes of what was there before, the parts that are added may be there any
// number of times.
func unrolled(join *il.Instr, o il.Operand, f *il.Function, ways []Shape) []Shape {
	mine := func(p Part) bool { return p.loop == join }
	var first []Shape
	var added []Part
	why, kind := "", Single
	for _, w := range ways {
		i := slices.IndexFunc(w.Parts, mine)
		if i < 0 {
			first = append(first, w)
			continue
		}
		if w.Why != "" || i > 0 && w.Kind != Map {
			why = "it is changed in a loop"
		}
		kind = max(kind, w.Kind)
		for _, p := range slices.Concat(w.Parts[:i], w.Parts[i+1:]) {
			if mine(p) {
				why = "it is changed in a loop"
				continue
			}
			if p.Many, p.Maybe = p.Key == "", p.Key != ""; !slices.ContainsFunc(added, p.equal) {
				added = append(added, p)
			}
		}
	}
	if len(first) == 0 {
		return single(f, o, "")
	}
	first = few(first)
	if why == "" && len(added) == 0 {
		return first
	}
	for i, w := range first {
		switch {
		case w.Kind == Single && kind == Text:
			w = w.asText(f, o, join)
		case w.Kind == Single || w.Kind == List && len(w.Parts) == 0 && kind != Text: // an empty list may be a map
			if w.Kind == List {
				w.Kind = max(kind, List)
			}
			w = w.as(kind, f, join)
		}
		w = w.with(Shape{Kind: w.Kind, Parts: added})
		if why != "" {
			w = w.loosened(why)
		}
		first[i] = w
	}
	return first
}

// find are the parts that a constant key may lead to, nil where others may be.
func (s Shape) find(key il.Const) (out []Part) {
	if s.Kind == List {
		if i, ok := s.index(key); ok {
			return s.Parts[i : i+1]
		}
		return nil
	}
	for _, p := range slices.Backward(s.Parts) {
		switch {
		case p.Key == "":
			return nil
		case p.Key != key.Text || key.Type != il.StrConst:
		case p.Maybe:
			out = append(out, p)
		default:
			return append(out, p)
		}
	}
	return out
}
