package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// senders are what a table says of where values come from, as facts have it.
var senders = map[string]facts.Origin{"sender": facts.Sender, "page": facts.Page, "user": facts.User, "own": facts.Own, "clean": facts.Own, "handler": facts.Sender}

// known is the origin of a full name that the table of flows has.
func known(language, name string) (facts.Origin, bool) {
	row, ok := tables.Of(tables.Flow).Find(language, name, "sender", "page", "user", "own", "clean", "handler")
	return senders[row.Role], ok && name != ""
}

// ends tells an instruction whose result has an origin by its name.
func (x *lowered) ends(f *il.Function, in *il.Instr) bool {
	name := ""
	switch in.Op {
	case il.Call:
		name, _ = x.callee(f, in)
	case il.Get:
		if s := x.Names.Operand(f, il.Operand{Kind: il.Local, ID: in.Dst}); s != nil {
			name = s.Outside
		}
	default:
		return false
	}
	_, ok := known(f.Module.Language, name)
	return ok
}

// handsOn tells a call outside of the program whose result is made of what it is
// given.
func (x *lowered) handsOn(f *il.Function, in *il.Instr) bool {
	name, ok := x.callee(f, in)
	if !ok {
		return false
	}
	if _, attribute := (call{f: f, in: in}).receiver(); attribute && textMethods.MatchString(last(in.Kind)) {
		return true
	}
	return tables.Of(tables.Flow).Has(f.Module.Language, name, "text")
}

// textMethods are methods that give a part or another form of what they are called
// on.
var textMethods = regexp.MustCompile(`(?i)^(trim\w*|to_?lower\w*|to_?upper\w*|split\w*|slice|sub_?str(ing)?|get|get_?all|entries|values|keys|next|pop|shift|at|char_?at|filter|map|lines|chars|bytes|` +
	`decode\w*|string|text|json|body|query|read\w*|collect|nth|iter|into_iter|first|last|item|as_?\w+|to_?\w+|or_?else|or_?default|is_?present|param|header|strip_\w+|into_\w+|unwrap\w*)$`)

// fillers are methods that fill what they are given.
var fillers = regexp.MustCompile(`(?i)^(decode|unmarshal\w*|(should)?bind\w*|bodyparser|queryparser|paramsparser|scan\w*|readjson|readbody)$`)

// fills tells a call of Go that fills what it is given.
func fills(f *il.Function, in *il.Instr) bool {
	return f.Module.Language == "go" && fillers.MatchString(last(in.Kind))
}

var anyText = regexp.MustCompile(`\[\^|\.[*+]|\\S`)

// cuts tells a call that takes out of a text what matches a pattern that does not let
// anything pass.
func (x *lowered) cuts(s analyse.Step) bool {
	name, _ := x.callee(s.Function, s.Use)
	pattern, _ := s.Use.Argument("pattern", 0)
	text, constant := s.Function.Str(s.Function.Root(pattern))
	return name == "re.findall" && constant && !anyText.MatchString(text)
}

// flow is where the parts of a value come from that an instruction reads: the worst
// of them.
func (x *lowered) flow(f *il.Function, o il.Operand, use *il.Instr) facts.Origin {
	return x.worst(f, o, use, x.weigh)
}

// scriptFlow is flow for what is run as a script or as code: a test counts by what it
// lets through.
func (x *lowered) scriptFlow(f *il.Function, o il.Operand, use *il.Instr) facts.Origin {
	return x.worst(f, o, use, x.weighScript)
}

func (x *lowered) worst(f *il.Function, o il.Operand, use *il.Instr, weigh func(*il.Function, analyse.Origin) facts.Origin) facts.Origin {
	worst := facts.Own
	for _, from := range x.origins.Of(f, o, use) {
		if worst = max(worst, weigh(f, from)); worst == facts.Sender {
			break
		}
	}
	return worst
}

// unclear is the origin of what is not known. Python's programs are followed
// whole.
func unclear(f *il.Function) facts.Origin {
	if f.Module.Language == python {
		return facts.Open
	}
	return facts.Unclear
}

// weigh is the origin of one part of a value, after what is tested on its way.
func (x *lowered) weigh(f *il.Function, from analyse.Origin) facts.Origin {
	o := x.source(from)
	switch {
	case o == facts.Own:
	case slices.ContainsFunc(from.Steps(), x.harmless):
		return facts.Own
	case o >= facts.User && (slices.ContainsFunc(from.Steps(), x.tested) || slices.ContainsFunc(from.Steps()[1:], x.cleaned)):
		return unclear(f)
	}
	return o
}

// weighScript is the origin of one part of what is run, after what is proven of it on
// its way.
func (x *lowered) weighScript(f *il.Function, from analyse.Origin) facts.Origin {
	o := x.source(from)
	if o == facts.Own || slices.ContainsFunc(from.Steps(), func(s analyse.Step) bool { return x.harmless(s) || x.rinsed(s) }) {
		return facts.Own
	}
	best := nothing
	for i, s := range from.Steps() {
		if s.Use != nil && !s.Inside {
			best = max(best, x.proves(s))
		}
		if i > 0 && x.cleaned(s) {
			best = max(best, perhaps)
		}
	}
	switch {
	case best == proven:
		return facts.Own
	case best == perhaps && o >= facts.User:
		return unclear(f)
	}
	return o
}

// harmless tells a step behind which a value is a number, or one of some constants.
func (x *lowered) harmless(s analyse.Step) bool {
	if v := x.values.Of(s.Function, s.Operand); !v.Empty() && !v.AnyStr && !v.Other {
		return true
	}
	if s.Use == nil {
		return false
	}
	if s.Use.Op == il.Call {
		if callee := x.Names.Operand(s.Function, s.Use.Args[0]); callee != nil && callee.Function != nil && callee.Function.Kind == il.ClassBody {
			return slices.ContainsFunc(x.Names.Above(callee.Function), func(base string) bool { return strings.HasPrefix(base, "enum.") })
		}
	}
	return numeric(s) || x.listed(s)
}

// listed tells a value that is used behind a test that it is one of some constants.
func (x *lowered) listed(s analyse.Step) bool {
	return slices.ContainsFunc(x.guards(s), func(g analyse.Guard) bool {
		t := g.Test
		return len(t.Args) == 2 && (t.Kind == "in" && g.Truth || t.Kind == "not in" && !g.Truth) && x.same(s.Function, t.Args[0], s.Operand) && x.constant(s.Function, t.Args[1], t)
	})
}

// guards are the tests of a value before its use, and those of what it is read from.
func (x *lowered) guards(s analyse.Step) (out []analyse.Guard) {
	for o := s.Operand; ; {
		out = append(out, analyse.Guards(s.Function, x.Names, o, s.Use)...)
		def := s.Function.Def(s.Function.Root(o))
		if def == nil || def.Op != il.Get {
			return out
		}
		o = def.Args[0]
	}
}

// same tells two operands that are one value, or read the same of one.
func (x *lowered) same(f *il.Function, a, b il.Operand) bool {
	a, b = f.Root(a), f.Root(b)
	if a == b {
		return true
	}
	p, q := f.Def(a), f.Def(b)
	return p != nil && q != nil && p.Op == il.Get && q.Op == il.Get && p.Kind == q.Kind && x.same(f, p.Args[0], q.Args[0]) && x.same(f, p.Args[1], q.Args[1])
}

// source is the origin by the place where a value comes from.
func (x *lowered) source(from analyse.Origin) facts.Origin {
	f, outside := from.Function, from.Symbol.Outside
	switch from.Kind {
	case analyse.FromConst:
		return facts.Own
	case analyse.FromParameter:
		return x.parameter(from)
	case analyse.FromName, analyse.FromPart, analyse.FromCall:
		if outside == "" && from.At != nil && from.At.Op == il.Call {
			outside, _ = x.callee(f, from.At)
		}
		switch fn := from.Symbol.Function; {
		case fn != nil && from.Kind == analyse.FromCall && fn.Kind != il.ClassBody:
			return unclear(f) // its body is not followed
		case fn != nil || from.Symbol.Modules != nil:
			return facts.Own
		}
		if from.At != nil && from.At.Op == il.Call {
			c := call{f: f, in: from.At}
			if o, ok := c.receiver(); ok && o.Kind == il.Local && f.Versions[o.ID].Param >= 0 {
				return x.parameter(analyse.Origin{Function: f, Operand: o, Param: f.Versions[o.ID].Param, Keys: []string{c.method()}})
			}
			if kind, ok := c.in.Argument("type", -1); ok && strings.HasPrefix(c.method(), "get") {
				if s := x.Names.Operand(f, kind); s != nil && x.typeCarries(f, s.Outside) == facts.Own {
					return facts.Own
				}
			}
		}
		for i := len(from.Keys); i >= 0; i-- {
			if o, ok := known(f.Module.Language, strings.Join(append([]string{outside}, from.Keys[:i]...), ".")); ok {
				return o
			}
		}
		if o, ok := x.commandLine(from, outside); ok {
			return o
		}
	case analyse.FromException, analyse.OutOfSight:
	}
	return unclear(f)
}

// cleaners are functions that make a value harmless, or refuse it.
var cleaners = regexp.MustCompile(`(?i)(escap|sanit|quot|clean|valid|assert|check|verif|normali[sz]e|allow|safe|purify|strip_?tags|ensure|permit|whitelist|slug|hash)`)

// tested tells a step behind a test of the value.
func (x *lowered) tested(s analyse.Step) bool {
	return s.Use != nil && !s.Inside && (x.guarded(s) || x.demanded(s))
}

// cleaned tells a step through a call that may make the value harmless.
func (x *lowered) cleaned(s analyse.Step) bool {
	if s.Use == nil || s.Use.Op != il.Call {
		return false
	}
	name, outside := x.callee(s.Function, s.Use)
	return outside && cleaners.MatchString(last(max(name, s.Use.Kind))) || x.cuts(s)
}

var placeholder = regexp.MustCompile(`%[^%a-zA-Z]*([a-zA-Z])`)

// numeric tells the formatting of a text all whose placeholders are of numbers.
func numeric(s analyse.Step) bool {
	if s.Use.Op != il.Bind || s.Use.Kind != "%" {
		return false
	}
	text, _ := s.Function.Str(s.Function.Root(s.Use.Args[0]))
	found := placeholder.FindAllStringSubmatch(strings.ReplaceAll(text, "%%", ""), -1)
	return len(found) > 0 && !slices.ContainsFunc(found, func(m []string) bool { return !strings.Contains("diufFeEgGxXoc", m[1]) })
}

// guarded tells a value that is used behind a test of what it is, more than of
// whether there is one.
func (x *lowered) guarded(s analyse.Step) bool {
	return slices.ContainsFunc(x.guards(s), func(g analyse.Guard) bool {
		if g.Test.Op == il.Call {
			return true
		}
		return x.weighs(s.Function, g.Test, s.Operand) && (g.Leaves != "" || !x.usedElsewhere(s, g))
	})
}

// usedElsewhere tells whether the other side of a test has a use for the value, too.
func (x *lowered) usedElsewhere(s analyse.Step, g analyse.Guard) bool {
	b := s.Function.Block(g.Test)
	other := b.Succs[0]
	if g.Truth {
		other = b.Succs[1]
	}
	for c, in := range s.Function.Instructions() {
		if len(other.Preds) == 1 && other.Dominates(c) && slices.ContainsFunc(in.Args, func(o il.Operand) bool { return x.same(s.Function, o, s.Operand) }) {
			return true
		}
	}
	return false
}

// weighs tells a branch that depends on what a value is.
func (x *lowered) weighs(f *il.Function, test *il.Instr, value il.Operand) bool {
	w := weighing{x, f, f.Root(value), map[il.Operand]bool{}}
	strong := test.Kind != "true" && test.Kind != "false" && !slices.ContainsFunc(test.Args, func(o il.Operand) bool { return empty(f, o) })
	return slices.ContainsFunc(test.Args, func(o il.Operand) bool { return w.from(o, strong) })
}

// empty tells a constant that a test of presence compares with.
func empty(f *il.Function, o il.Operand) bool {
	c, ok := f.Const(f.Root(o))
	return ok && (c.Type == il.NoneConst || c.Type == il.StrConst && strings.TrimSpace(c.Text) == "")
}

// weighing follows a condition back to a value, and notes whether what lies between
// looks at what the value is.
type weighing struct {
	*lowered
	f     *il.Function
	value il.Operand
	seen  map[il.Operand]bool
}

// presence are functions and methods that leave the question whether there is a
// value what it is.
var presence = map[string]bool{"len": true, "strip": true, "get": true, "lower": true, "upper": true, "str": true, "bool": true, "getlist": true, "split": true,
	"trim": true, "toLowerCase": true, "toString": true, "String": true, "is_empty": true, "isEmpty": true, "isBlank": true}

func (w weighing) from(o il.Operand, strong bool) bool {
	if o = w.f.Root(o); w.same(w.f, o, w.value) {
		return strong
	}
	def := w.f.Def(o)
	if def == nil || w.seen[o] {
		return false
	}
	w.seen[o] = true
	switch def.Op {
	case il.Call:
		name := last(def.Kind)
		c := call{f: w.f, in: def}
		if kind, ok := c.in.Argument("", 1); name == "isinstance" && ok {
			if s := w.Names.Operand(w.f, kind); s != nil && s.Outside == "builtins.str" {
				return false
			}
		}
		strong = strong && name != "len" || !presence[name] && name != "len"
		if object, ok := c.receiver(); ok && w.from(object, strong) {
			return true
		}
		return slices.ContainsFunc(def.Args[1:], func(a il.Operand) bool { return w.from(a, strong) })
	case il.Get:
		if key, ok := w.f.Str(def.Args[1]); ok && (key == "method" || key == "is_authenticated" || key == "content_type" || key == "length") {
			return false
		}
		if def.Kind == "item" && w.from(def.Args[1], true) { // what a table has for it
			return true
		}
		return w.from(def.Args[0], strong)
	case il.Bind:
		strong = strong || len(def.Args) > 1 && !slices.ContainsFunc(def.Args, func(a il.Operand) bool { return empty(w.f, a) })
	default:
	}
	return slices.ContainsFunc(def.Args, func(a il.Operand) bool { return w.from(a, strong) })
}

var refusers = regexp.MustCompile(`(?i)^(valid|assert|check|ensure|verif|require|guard|reject)`)

// demanded tells a value that was given, before its use, to a call that raises for a
// bad one: a conversion of the table, or what is called so and gives nothing.
func (x *lowered) demanded(s analyse.Step) bool {
	f, root, home := s.Function, s.Function.Root(s.Operand), s.Function.Block(s.Use)
	for b, in := range f.Instructions() {
		if in.Op != il.Call || in == s.Use || root.Kind != il.Local || home == nil || !b.Dominates(home) || in.Span.From > s.Use.Span.From ||
			!slices.ContainsFunc(in.Args[1:], func(o il.Operand) bool { return f.Root(o) == root }) {
			continue
		}
		name, outside := x.callee(f, in)
		unused := len(f.Versions[in.Dst].Uses) == 0
		if outside && (tables.Of(tables.Flow).Has(f.Module.Language, name, "demand") || unused && refusers.MatchString(last(max(name, in.Kind)))) {
			return true
		}
	}
	return false
}
