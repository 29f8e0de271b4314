package intree

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// pattern is a text with "*" for each part that is not known; known: there is none.
type pattern struct {
	text  string
	known bool
}

// Text is the only text that an expression can be; false where it can be another, or something
// else. Of what was not lowered only a literal is known. The caller holds the lock of the analyses.
func (x *Program) Text(n code.Node) (string, bool) {
	if list, all := x.patterns(n); all && len(list) == 1 && list[0].known {
		return list[0].text, true
	}
	return "", false
}

// Texts are those that an expression can be, with "*" for each part that is not known. It can be
// something else, too. The caller holds the lock of the analyses.
func (x *Program) Texts(n code.Node) (out []string) {
	list, _ := x.patterns(n)
	for _, p := range list {
		out = append(out, p.text)
	}
	return out
}

func (x *Program) patterns(n code.Node) (out []pattern, all bool) {
	if text, ok := n.Literal(); ok {
		return []pattern{{text, true}}, true
	}
	v, ok := Value(x.all, n)
	if !ok {
		return nil, false
	}
	all = true
	for _, s := range x.all.Values.Shapes(v.Function, v.Operand, v.Use) {
		switch {
		case s.Kind == analyse.Single: // what calls give a parameter is for origins to say
			list, only := x.constants(v)
			all = all && only
			for _, k := range list {
				if all = all && k.Type == il.StrConst; k.Type == il.StrConst {
					out = append(out, pattern{k.Text, true})
				}
			}
		case s.Kind == analyse.Text:
			p := pattern{known: s.Why == ""}
			for _, part := range s.Parts {
				p = p.with(x.part(part))
			}
			out = append(out, p)
		default:
			all = false
		}
	}
	slices.SortFunc(out, func(a, b pattern) int { return strings.Compare(a.text, b.text) })
	return slices.Compact(out), all
}

// with is a pattern with another behind it.
func (p pattern) with(q pattern) pattern {
	p.known = p.known && q.known
	if q.text != "*" || q.known || !strings.HasSuffix(p.text, "*") {
		p.text += q.text
	}
	return p
}

// part is what is known of a part of a text: it may be a constant that callers give.
func (x *Program) part(part analyse.Part) pattern {
	if part.Maybe || part.Many || part.Rest {
		return pattern{text: "*"}
	}
	if part.Known {
		return pattern{part.Text, true}
	}
	if part.In == nil {
		return pattern{text: "*"}
	}
	switch list, only := x.constants(analyse.Step{Function: part.In, Operand: part.Of}); {
	case !only || len(list) != 1:
	case list[0].Type == il.StrConst:
		return pattern{list[0].Text, true}
	case list[0].Type == il.IntConst:
		return pattern{strconv.FormatFloat(list[0].Num, 'f', -1, 64), true}
	}
	return pattern{text: "*"}
}

// constants are those that a value comes from as a whole; only: it comes from nothing else.
func (x *Program) constants(v analyse.Step) (out []il.Const, only bool) {
	from := x.Origins.by.Of(v.Function, v.Operand, v.Use)
	only = len(from) > 0
	for _, o := range from {
		k, ok := o.Function.Const(o.Operand)
		if o.Kind == analyse.FromParameter && len(from) == 1 { // nobody in sight fills it
			k, ok = o.Function.Const(o.Function.Params[o.Param].Default)
			ok = ok && k.Type != il.NoneConst
		}
		if !ok && o.Symbol.Const != nil {
			k, ok = *o.Symbol.Const, true
		}
		if ok = ok && (o.Kind == analyse.FromConst || o.Kind == analyse.FromParameter) && !o.Part && len(o.Keys) == 0; !ok {
			only = false
		} else if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out, only
}

// Number is the only number that an expression can be; false where it can be another, or something
// else. The caller holds the lock of the analyses.
func (x *Program) Number(n code.Node) (float64, bool) {
	if k, ok := n.Number(); ok {
		return k, true
	}
	v, ok := Value(x.all, n)
	if !ok {
		return 0, false
	}
	if one, ok := x.all.Values.Of(v.Function, v.Operand).One(); ok {
		return one, true
	}
	list, only := x.constants(v)
	if !only || len(list) != 1 || list[0].Type != il.IntConst && list[0].Type != il.FloatConst {
		return 0, false
	}
	return list[0].Num, true
}

// Constant tells a value that is made of constants alone, in one way. The caller holds the lock of
// the analyses.
func (x *Program) Constant(n code.Node) bool {
	if _, ok := n.Literal(); ok {
		return true
	}
	v, ok := Value(x.all, n)
	return ok && x.constant(v, 0)
}

// maxHeld bounds how deep a value is looked into.
const maxHeld = 8

func (x *Program) constant(v analyse.Step, deep int) bool {
	shapes := x.all.Values.Shapes(v.Function, v.Operand, v.Use)
	if len(shapes) != 1 || deep > maxHeld {
		return false
	}
	if shapes[0].Kind == analyse.Single {
		list, only := x.constants(v)
		return only && len(list) == 1
	}
	return shapes[0].Whole() && !slices.ContainsFunc(shapes[0].Parts, func(p analyse.Part) bool {
		if p.In == nil || p.Known || p.Of.Kind == il.Constant {
			return p.In == nil && !p.Known
		}
		return !x.constant(analyse.Step{Function: p.In, Operand: p.Of, Use: p.Use()}, deep+1)
	})
}
