package wiring

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// instruction runs one instruction that does not end its block.
func (x *machine) instruction(fr *frame, in *il.Instr) {
	var out value
	switch in.Op {
	case il.Bind:
		out = x.operator(fr, in)
	case il.Assume:
		out = x.operand(fr, in.Args[0])
	case il.Call:
		out = x.call(fr, in)
	case il.Get:
		out = x.get(fr, in)
	case il.Set:
		out = x.change(fr, in)
	case il.Make:
		out = x.make(fr, in)
	case il.Import:
		out = x.imported(fr, in)
	case il.Define:
		out = one(x.define(fr, in))
	case il.Yield:
		fr.yields = append(fr.yields, item{value: x.operand(fr, in.Args[0]), when: x.here(fr, in), many: x.many(0)})
		out = one(unknownOf(""))
	default:
		out = one(unknownOf(""))
	}
	x.bind(fr, in.Dst, out)
}

// many tells that one of the loops from a depth on has turns that are not known.
func (x *machine) many(depth int) bool {
	return slices.ContainsFunc(x.turns[min(depth, len(x.turns)):], func(t *turn) bool { return t.many })
}

// fresh names something that is like nothing else.
func (x *machine) fresh(what string) string {
	x.count++
	return fmt.Sprintf("%s %d", what, x.count)
}

// operator computes a copy or an operator.
func (x *machine) operator(fr *frame, in *il.Instr) value {
	if in.Kind == "" || in.Kind == "cast" {
		return x.operand(fr, in.Args[0])
	}
	var apply func(a, b *thing) *thing
	undecided := unknownOf("") // all that is not known of the result is one thing
	switch {
	case len(in.Args) != 2:
	case slices.Contains(comparisons, in.Kind):
		apply = func(a, b *thing) *thing {
			if is := compare(in.Kind, a, b); is != agentgraph.Unknown {
				return truthOf(is == agentgraph.Yes)
			}
			return undecided
		}
	case slices.Contains([]string{"+", "%", "|", "-", "*"}, in.Kind):
		apply = func(a, b *thing) *thing { return cmp.Or(x.combine(in.Kind, a, b), undecided) }
	}
	undecided.truth = in.Kind == "not" || slices.Contains(comparisons, in.Kind)
	if apply == nil {
		return one(undecided)
	}
	return x.pairs(x.operand(fr, in.Args[0]), x.operand(fr, in.Args[1]), apply)
}

var comparisons = []string{"==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "not in", "is", "is not"}

// pairs applies something to each two things that two values may be together.
func (x *machine) pairs(v, w value, apply func(a, b *thing) *thing) (out value) {
	for _, a := range v {
		for _, b := range w {
			if c := x.bounded(x.and(a.when, b.when)); c != never && len(out) < maxAlts {
				out = x.with(out, alt{apply(a.thing, b.thing), c})
			}
		}
	}
	return out
}

// combine adds and formats.
func (x *machine) combine(op string, a, b *thing) *thing {
	switch {
	case op == "+" && a.is(list) && b.is(list) && len(a.obj.items)+len(b.obj.items) <= maxItems:
		out := &record{depth: len(x.turns), open: a.obj.open || b.obj.open, items: slices.Concat(a.obj.items, b.obj.items)}
		return &thing{kind: object, obj: out}
	case op == "|" && a.is(table) && b.is(table):
		out := &record{form: table, depth: len(x.turns), open: a.obj.open || b.obj.open, items: slices.Clone(a.obj.items)}
		for _, i := range b.obj.items {
			x.put(out, i)
		}
		return &thing{kind: object, obj: out}
	case a.kind == constant && b.kind == constant && a.lit.Type == il.IntConst && b.lit.Type == il.IntConst:
		switch op {
		case "+":
			return numberOf(int(a.lit.Num + b.lit.Num))
		case "-":
			return numberOf(int(a.lit.Num - b.lit.Num))
		case "*":
			return numberOf(int(a.lit.Num * b.lit.Num))
		}
	case op == "+" && (isText(a) || isText(b)):
		return written(a, b)
	case op == "%" && isText(a):
		s, ok := a.str()
		if !ok {
			return nil
		}
		args := []*thing{b}
		if b.is(list) {
			args = nil
			for _, i := range b.obj.items {
				args = append(args, i.value.only())
			}
		}
		return filled(strings.NewReplacer("%s", "\x00", "%d", "\x00", "%r", "\x00").Replace(s), args)
	}
	return nil
}

// only is the only thing that a value is; one that is not known where it may be several.
func (v value) only() *thing {
	if len(v) == 1 {
		return v[0].thing
	}
	return unknownOf("")
}

func isText(t *thing) bool {
	_, ok := t.str()
	return ok || t.kind == text
}

// filled is a text with its gaps filled in their order.
func filled(s string, args []*thing) *thing {
	var parts []*thing
	for i, p := range strings.Split(s, "\x00") {
		if i > 0 {
			if i > len(args) {
				return nil
			}
			parts = append(parts, args[i-1])
		}
		parts = append(parts, textOf(p))
	}
	return written(parts...)
}

// written is a text of parts.
func written(parts ...*thing) *thing {
	out, size := &thing{kind: text}, 0
	for _, p := range parts {
		if p.kind == text {
			out.parts = append(out.parts, p.parts...)
		} else {
			out.parts = append(out.parts, p)
		}
	}
	for _, p := range out.parts {
		if size += len(p.lit.Text); size > maxText || len(out.parts) > maxText {
			return unknownOf("")
		}
	}
	var b strings.Builder
	for _, p := range out.parts {
		if p.kind != constant {
			if t := p.terminal(); t != "" {
				b.WriteString(t)
				continue
			}
			return out
		}
		if s, ok := p.str(); ok {
			b.WriteString(s)
		} else {
			b.WriteString(p.lit.String())
		}
	}
	return textOf(b.String())
}

// make makes a list, a table or a text.
func (x *machine) make(fr *frame, in *il.Instr) value {
	if in.Kind == "text" {
		out := one(textOf(""))
		for _, a := range in.Args {
			out = x.pairs(out, x.operand(fr, a), func(a, b *thing) *thing { return written(a, b) })
		}
		return out
	}
	r := &record{depth: len(x.turns)}
	var keys []il.Span
	if in.Kind == "map" {
		r.form = table
		if slices.Contains(in.Names, "") {
			keys = x.Keys(fr.f, in.Span)
		}
	}
	for k, a := range in.Args {
		v, name := x.operand(fr, a), ""
		if k < len(in.Names) {
			name = in.Names[k]
		}
		switch {
		case name == "*" || name == "**":
			for _, t := range v {
				x.spread(r, t.thing)
			}
		case r.form == table:
			key := one(textOf(name))
			if name == "" {
				key = x.computed(fr, keys, k)
			}
			x.put(r, item{key: key, value: v, when: always, at: in})
		default:
			r.items = append(r.items, item{value: x.at(v, place{fr.f, in}), when: always, at: in})
		}
	}
	return one(&thing{kind: object, obj: r, at: place{fr.f, in}})
}

// computed is a key of a table that is no constant text.
func (x *machine) computed(fr *frame, keys []il.Span, k int) value {
	if k >= len(keys) {
		return one(unknownOf(""))
	}
	switch word := x.Text(fr.f, keys[k]); {
	case word == "True" || word == "true":
		return one(truthOf(true))
	case word == "False" || word == "false":
		return one(truthOf(false))
	case !strings.ContainsAny(word, ".[( "):
		if v, ok := fr.names[word]; ok {
			return x.known(v, fr.now)
		}
		return x.word(fr, word)
	}
	for _, s := range x.Written(fr.f.Module.Path, int(keys[k].From), int(keys[k].To)) {
		if s.Function == fr.f && s.At.Dst != il.NoDst && fr.versions[s.At.Dst] != nil {
			return fr.versions[s.At.Dst]
		}
	}
	return one(unknownOf(""))
}

// at notes where constants stand.
func (x *machine) at(v value, p place) value {
	out := slices.Clone(v)
	for i, a := range out {
		if a.kind == constant && a.at.in == nil {
			c := *a.thing
			c.at = p
			out[i].thing = &c
		}
	}
	return out
}

// symbolOf is what a name stands for that no run has bound.
func (x *machine) symbolOf(s *analyse.Symbol, name string) *thing {
	switch {
	case s == nil:
		return &thing{kind: outside, name: "?." + name}
	case s.Function != nil && s.Function.Kind == il.ClassBody:
		return x.classOf(s.Function)
	case s.Function != nil:
		return &thing{kind: function, fn: s.Function, up: x.aroundOf(s.Function)}
	case s.Const != nil:
		return constantOf(*s.Const)
	case s.Modules != nil || s.Package != "":
		return &thing{kind: module, symbol: s}
	case s.Outside != "":
		return &thing{kind: outside, name: s.Outside}
	}
	return unknownOf("")
}
