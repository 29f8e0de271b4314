package safety

import (
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// matches is what a pattern says of the value.
func (p proving) matches(c call, method string, truth bool) proof {
	pattern, extra := p.pattern(c)
	if pattern == "" || extra {
		return perhaps
	}
	re, err := syntax.Parse(strings.ReplaceAll(pattern, `\Z`, `\z`), syntax.Perl)
	switch {
	case err != nil:
		return perhaps
	case !truth:
		return forbidsAll(re)
	case method != "fullmatch" && !ends(re, syntax.OpEndText), method == "search" && !ends(re, syntax.OpBeginText):
		return nothing
	case admits(re, acted):
		return nothing
	case admits(re, " \t"):
		return perhaps
	}
	return proven
}

// pattern is the constant pattern of a call that matches; extra where it is given more
// than the pattern and the text.
func (p proving) pattern(c call) (text string, extra bool) {
	f, given := p.f, c.in.Args[1:]
	if len(given) == 2 {
		text, _ = f.Str(f.Root(given[0]))
		if text == "" {
			text = p.constantText(f, given[0])
		}
		return text, false
	}
	object, ok := c.receiver()
	if !ok || len(given) != 1 {
		return "", true
	}
	g, o := f, f.Root(object)
	if o.Kind == il.Free {
		if g, o, ok = p.Names.Binding(f, f.Word(o)); !ok {
			return "", true
		}
		o = g.Root(o)
	}
	def := g.Def(o)
	if def == nil || def.Op != il.Call || last(def.Kind) != "compile" || len(def.Args) != 2 {
		return "", true
	}
	return p.constantText(g, def.Args[1]), false
}

// constantText is the text that an operand stands for, "" where it is not one.
func (p proving) constantText(f *il.Function, o il.Operand) string {
	text, _ := p.values.Of(f, o).OneText()
	return text
}

// forbidsAll is what a pattern that is not found says: perhaps enough, where it looks
// for each of the characters that begin another command.
func forbidsAll(re *syntax.Regexp) proof {
	for _, r := range ";&|$`" {
		if !admits(re, string(r)) {
			return nothing
		}
	}
	return perhaps
}

// ends tells whether each alternative of a pattern ends, or begins, at an end of the
// text.
func ends(re *syntax.Regexp, op syntax.Op) bool {
	switch re.Op {
	case op:
		return true
	case syntax.OpConcat:
		if op == syntax.OpBeginText {
			return ends(re.Sub[0], op)
		}
		return ends(re.Sub[len(re.Sub)-1], op)
	case syntax.OpCapture:
		return ends(re.Sub[0], op)
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return !ends(s, op) })
	}
	return false
}

// admits tells a pattern that lets one of some characters through: by a class or by
// anything. What it writes out is its own.
func admits(re *syntax.Regexp, characters string) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpCharClass:
		return strings.ContainsFunc(characters, func(r rune) bool {
			for i := 0; i+1 < len(re.Rune); i += 2 {
				if re.Rune[i] <= r && r <= re.Rune[i+1] {
					return true
				}
			}
			return false
		})
	}
	return slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return admits(s, characters) })
}

// rinsed tells a step that takes out of a text all that a shell acts on.
func (x *lowered) rinsed(s analyse.Step) bool {
	if s.Use == nil || s.Use.Op != il.Call {
		return false
	}
	c := call{f: s.Function, in: s.Use}
	name, _ := x.callee(s.Function, s.Use)
	if name != "re.sub" || len(s.Use.Args) < 4 || !x.same(s.Function, s.Use.Args[3], s.Operand) {
		return false
	}
	p := proving{x, s.Function, s.Operand, 0}
	first, _ := c.in.Argument("pattern", 0)
	second, _ := c.in.Argument("repl", 1)
	by, constant := s.Function.Str(s.Function.Root(second))
	re, err := syntax.Parse(p.constantText(s.Function, first), syntax.Perl)
	if err != nil || !constant || strings.ContainsAny(by, acted+`\`) {
		return false
	}
	for re.Op == syntax.OpPlus || re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	if re.Op != syntax.OpCharClass {
		return false
	}
	return !strings.ContainsFunc(acted, func(r rune) bool { return !admits(re, string(r)) })
}
