package safety

import (
	"iter"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// refusal is a test that keeps a text of bad content from its use.
type refusal struct {
	at      court.Place
	demands bool // a beginning, a pattern or a scheme, as opposed to forbidding characters
}

// refusals are the tests of a text that keep a bad one from its use: every way to it
// passes one, and by one side of it no run gets there; in a function that is called only
// as it raises.
func (x *lowered) refusals(v operand, deep int) (out []refusal) {
	l := x.looksAt(v.f, v.o, deep)
	home, from := v.f.Block(v.use), v.f.Blocks[0]
	if home == nil {
		return nil
	}
	if def := v.f.Def(l.value); def != nil {
		from = v.f.Block(def)
	}
	var turns []side
	tests, strict := map[*il.Instr]sight{}, true
	for b, in := range v.f.Instructions() {
		if in.Op == il.Branch {
			if at := l.tests(in); at >= forbids {
				tests[in] = at
				turns = append(turns, x.turns(l, in, v.use, from)...)
			}
		} else if in.Op == il.Call && in != v.use && b.Dominates(home) && (b != home || in.Span.From < v.use.Span.From) && deep < maxTests {
			out = append(out, x.demandedBy(l, in)...)
		}
	}
	if len(turns) == 0 || analyse.Comes(v.f, from, v.use, func(t *il.Instr, truth bool) bool {
		return tests[t] > 0 || !truth && t.Kind == "true" && x.same(v.f, t.Args[0], l.value)
	}) {
		return out
	}
	strict = !analyse.Comes(v.f, from, v.use, func(t *il.Instr, truth bool) bool {
		return tests[t] == demands && truth == !slices.Contains([]string{"!=", "not in", "is"}, t.Kind)
	})
	var found []refusal
	for _, t := range turns {
		if deep == 0 || t.ends == "raise" || t.ends == "exit" {
			found = append(found, refusal{refusedAt(v.f, t), strict})
		}
	}
	return append(found, out...)
}

// side is an outcome of a test, and how the ways from there end.
type side struct {
	test  *il.Instr
	truth bool
	ends  string
}

// turns are the sides of a test by which no run comes to a use of the text: the text is
// not bound anew and tested again, nor does such a side go another way with it, as one
// with a local path does.
func (x *lowered) turns(l *sighting, test, use *il.Instr, bound *il.Block) (out []side) {
	b := l.f.Block(test)
	again := func(t *il.Instr, _ bool) bool { return t == test || l.f.Block(t) == bound }
	for i, next := range b.Succs {
		if analyse.Comes(l.f, next, use, again) || !analyse.Comes(l.f, b.Succs[1-i], use, again) {
			continue
		}
		s := side{test, i == 0, analyse.Ends(l.f, test, i == 0)}
		if x.refuses(l, s) {
			out = append(out, s)
		}
	}
	return out
}

// refuses tells whether a side of a test ends the way, as opposed to one that goes
// another way with the same text.
func (x *lowered) refuses(l *sighting, s side) bool {
	switch s.ends {
	case "":
		return !slices.ContainsFunc(within(l.f, s.block(l.f)), func(in *il.Instr) bool { return in.Op == il.Call && x.worksOn(l, in) })
	case "return":
		return !slices.ContainsFunc(within(l.f, s.block(l.f)), func(in *il.Instr) bool { return in.Op == il.Return && x.givesBack(l, in.Args[0], 0) })
	}
	return true
}

func (s side) block(f *il.Function) *il.Block {
	if s.truth {
		return f.Block(s.test).Succs[0]
	}
	return f.Block(s.test).Succs[1]
}

// worksOn tells a call that is given the text itself, more than to tell of it.
func (x *lowered) worksOn(l *sighting, in *il.Instr) bool {
	name, _ := x.callee(l.f, in)
	return !named(name, "builtins.print", "logging.*", "*.append") && !telling.MatchString(in.Kind) && slices.ContainsFunc(in.Args[1:], func(o il.Operand) bool {
		def := l.f.Def(l.f.Root(o))
		return l.of(o) == heard && (def == nil || def.Op != il.Make && def.Op != il.Bind)
	})
}

var telling = regexp.MustCompile(`(?i)^(\w+\.)*(log(ger)?|console|st)\.\w+$|(error|exception)$`)

// givesBack tells a result that is the text itself, or what is made of it as a path
// is.
func (x *lowered) givesBack(l *sighting, o il.Operand, deep int) bool {
	o = l.f.Root(o)
	if x.same(l.f, o, l.value) {
		return true
	}
	def := l.f.Def(o)
	if def == nil || def.Op != il.Call || deep > maxTests {
		return false
	}
	name, outside := x.callee(l.f, def)
	return (!outside || named(name, "pathlib.*", "os.path.*", "builtins.str")) && slices.ContainsFunc(def.Args, func(a il.Operand) bool { return x.givesBack(l, a, deep+1) })
}

// within are the instructions that run only by way of a block.
func within(f *il.Function, side *il.Block) (out []*il.Instr) {
	for c, in := range f.Instructions() {
		if side.Dominates(c) {
			out = append(out, in)
		}
	}
	return out
}

// refusedAt is a test with the statement that leaves.
func refusedAt(f *il.Function, s side) court.Place {
	span := s.test.Span
	for n, b := 0, s.block(f); n < maxStored && s.ends != ""; n, b = n+1, b.Succs[0] {
		if in := b.End(); len(b.Succs) != 1 {
			if in.Span.From > span.From {
				span.To = max(span.To, in.Span.To)
			}
			break
		}
	}
	return shownAt(f, span)
}

// urlTypes are types that refuse what is no URL.
var urlTypes = []string{"pydantic.HttpUrl", "pydantic.AnyUrl", "pydantic.AnyHttpUrl", "pydantic.networks.*Url", "pydantic_core.Url", "yarl.URL"}

// demandedBy are what makes a call that is given the text raise for a bad one: a type
// of URLs, a model whose field refuses it, a function that tests it.
func (x *lowered) demandedBy(l *sighting, in *il.Instr) (out []refusal) {
	c := call{f: l.f, in: in}
	s := x.Names.Operand(l.f, in.Args[0])
	for i, o := range in.Args[1:] {
		if l.of(o) == apart {
			continue
		}
		if name, outside := x.callee(l.f, in); outside && (named(name, urlTypes...) || c.method() == "validate_python" && x.ofURLs(c)) {
			return []refusal{{shownAt(l.f, in.Span), true}}
		}
		if s != nil && s.Function != nil && s.Function.Kind == il.ClassBody {
			if at, ok := x.constrained(s.Function, in.Names[i], l.deep+1); ok {
				out = append(out, at)
			}
		}
		if g, param := x.Names.Argument(l.f, in, i); g != nil && g != l.f {
			out = append(out, x.refusedBy(g, param, l.deep+1)...)
		}
	}
	return out
}

// ofURLs tells a method of what was made for a type of URLs.
func (x *lowered) ofURLs(c call) bool {
	object, ok := c.receiver()
	def := c.f.Def(c.f.Root(object))
	return ok && def != nil && def.Op == il.Call && slices.ContainsFunc(def.Args[1:], func(o il.Operand) bool {
		s := x.Names.Operand(c.f, o)
		return s != nil && named(s.Outside, urlTypes...)
	})
}

// refusedBy are the tests because of which a function raises for a bad parameter: it
// returns by no way that has passed none.
func (x *lowered) refusedBy(f *il.Function, param, deep int) (out []refusal) {
	if deep > maxTests || f.Kind == il.ClassBody {
		return nil
	}
	q := question{"refuses", f, param, deep}
	if known, ok := x.asked[q]; ok {
		return known.([]refusal)
	}
	x.asked[q] = []refusal(nil)
	out = x.always(f, il.Operand{Kind: il.Local, ID: f.Params[param].Var}, deep)
	x.asked[q] = out
	return out
}

// always are the tests of a value of a function of which every return has passed one.
func (x *lowered) always(f *il.Function, o il.Operand, deep int) (out []refusal) {
	for _, in := range f.Instructions() {
		if in.Op != il.Return {
			continue
		}
		passed := x.refusals(operand{f: f, o: o, use: in}, deep)
		if len(passed) == 0 {
			return nil
		}
		for _, r := range passed {
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// constrained finds what makes a field of a model refuse bad content: a pattern, a
// type of URLs, or a validator that raises.
func (x *lowered) constrained(class *il.Function, field string, deep int) (refusal, bool) {
	model := slices.ContainsFunc(x.Names.Above(class), func(base string) bool { return strings.HasPrefix(base, "pydantic.") })
	if written, def, ok := declaration(class, field); ok && model {
		made := class.Def(class.Root(il.Operand{Kind: il.Local, ID: def.Dst}))
		if x.ofURL(class, written) || made != nil && made.Op == il.Call && patterned(call{f: class, in: made}) {
			return refusal{shownAt(class, def.Span), true}, true
		}
	}
	for m := range x.validators(class, field, model) {
		for _, o := range m.holds {
			if found := x.always(m.f, o, deep); len(found) > 0 {
				return found[0], true
			}
		}
	}
	return refusal{}, false
}

// ofURL tells a type, as it is written, that refuses what is no URL or does not match
// a pattern.
func (x *lowered) ofURL(f *il.Function, written string) bool {
	return slices.ContainsFunc(typeWord.FindAllString(strings.TrimLeft(written, ": "), -1), func(word string) bool {
		return word == "pattern" || word == "regex" || named(x.typeName(f, strings.Trim(word, `"'`)), urlTypes...) || x.refusesFirst(x.Names.Lookup(f, word))
	})
}

// refusesFirst tells a function that raises for a bad first parameter.
func (x *lowered) refusesFirst(s *analyse.Symbol) bool {
	return s != nil && s.Function != nil && s.Function.Kind != il.ClassBody && len(s.Function.Params) > 0 && len(x.refusedBy(s.Function, 0, 1)) > 0
}

// patterned tells the declaration of a field that sets a pattern.
func patterned(c call) bool {
	for i, name := range c.in.Names {
		if (name == "pattern" || name == "regex") && !empty(c.f, c.in.Args[i+1]) {
			return true
		}
	}
	return false
}

// validator is a method that validates a field, and where it holds it.
type validator struct {
	f     *il.Function
	holds []il.Operand
}

// validators are the methods of a model, and of its bases in the program, that look at
// a field.
func (x *lowered) validators(class *il.Function, field string, model bool) iter.Seq[validator] {
	return func(yield func(validator) bool) {
		for m := range x.Program.All() {
			if m.Outer == nil || m.Outer.Kind != il.ClassBody || x.Names.Method(class, last(m.Name)) != m {
				continue
			}
			v := validator{f: m, holds: reads(m, field)}
			looks := last(m.Name) == "__post_init__"
			for _, c := range x.decorations(m) {
				switch c.method() {
				case "field_validator", "validator":
					if model && slices.ContainsFunc(c.in.Args[1:], func(o il.Operand) bool { text, ok := c.f.Str(o); return ok && (text == field || text == "*") }) {
						looks, v.holds = true, []il.Operand{{Kind: il.Local, ID: m.Params[min(1, len(m.Params)-1)].Var}}
					}
				case "model_validator", "root_validator":
					looks = model
				}
			}
			if looks && !yield(v) {
				return
			}
		}
	}
}
