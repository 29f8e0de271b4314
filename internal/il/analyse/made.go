package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// fieldTest is a test that the way to a block has passed: a field of an object, held
// against a constant.
type fieldTest struct {
	field string
	means []string // methods that make another text of it first, in order
	op    string
	truth bool
	than  Value
	part  bool // the constant is looked for in the field
}

// unmet tells a side of a test that no object takes which the program makes: each call of
// its class, those that lie aside left out, is held against all that the way there asks of one object together. A rule
// that waits for evidence of a goal that is not found is never applied where that evidence
// is always written as found.
//
// It is sound where every object of the class is made by such a call: a class that is
// handed on, made from data, has more classes below it or methods that change what it is
// given says nothing, nor does a field that is set elsewhere.
func (r *run) unmet(s *state, b *il.Block, side int) bool {
	if s.f.Module.Language != "python" {
		return false
	}
	if side == 0 && r.onNothing(s, b.End()) {
		return true
	}
	about, first, ok := r.fieldTest(s, b.End(), side == 0)
	if !ok {
		return false
	}
	class := r.v.classOf(s.f, about, 0)
	if class == nil || !r.v.closed(class) {
		return false
	}
	asked := []fieldTest{first}
	for at := b; at != nil; at = at.Dominator() {
		if len(at.Preds) != 1 || at.Preds[0].End().Op != il.Branch {
			continue
		}
		d := at.Preds[0]
		if o, t, ok := r.fieldTest(s, d.End(), d.Succs[0] == at); ok && o == about && d.Succs[0] != d.Succs[1] {
			asked = append(asked, t)
		}
	}
	sites := slices.DeleteFunc(slices.Clone(r.v.Names.Sites(class)), func(x Site) bool {
		return r.v.Aside != nil && r.v.Aside(x.Function.Module.Path) && !r.v.Aside(s.f.Module.Path)
	})
	for _, site := range sites {
		if !slices.ContainsFunc(asked, func(t fieldTest) bool { return r.fails(s, site, class, t) }) {
			return false
		}
	}
	return len(sites) > 0
}

// Unmet lists the tests of a function that no object passes which the program makes.
func (v *Values) Unmet(f *il.Function) (out []*il.Instr) {
	r := v.runs(false)
	s := r.state(f)
	if s.lost != "" {
		return nil
	}
	for _, b := range f.Blocks {
		if test := b.End(); test.Op == il.Branch && s.reached[b.ID] && r.unmet(s, b, 0) {
			out = append(out, test)
		}
	}
	return out
}

// fieldTest reads a test of a field against a constant, and says of which object.
func (r *run) fieldTest(s *state, test *il.Instr, truth bool) (about il.Operand, t fieldTest, ok bool) {
	test = compared(s.f, test)
	if test.Op != il.Branch || len(test.Args) == 0 || len(test.Args) > 2 {
		return about, t, false
	}
	t.op, t.truth, t.than = test.Kind, truth, nothing()
	field := s.f.Root(test.Args[0])
	if len(test.Args) == 2 {
		than := s.f.Root(test.Args[1])
		switch {
		case t.op == "in" || t.op == "not in":
			field, than, t.part = than, field, true
		case than.Kind != il.Constant:
			field, than, t.op = than, field, swapped[t.op]
		}
		c, ok := s.f.Const(than)
		if !ok || t.op == "" {
			return about, t, false
		}
		t.than = constant(c)
	}
	about, t.field, t.means = fieldOf(s.f, field, 0)
	return about, t, t.field != ""
}

// compared is a branch on what a comparison gave as a branch on the comparison.
func compared(f *il.Function, test *il.Instr) *il.Instr {
	if test.Op == il.Branch && test.Kind == "true" && len(test.Args) == 1 {
		if def := f.Def(f.Root(test.Args[0])); def != nil && def.Op == il.Bind && negated[def.Kind] != "" && len(def.Args) == 2 {
			return &il.Instr{Op: il.Branch, Kind: def.Kind, Args: def.Args}
		}
	}
	return test
}

// fieldOf is the field of an object that an operand is read from, and the methods that
// make another text of it; a version that only tests have parted is one.
func fieldOf(f *il.Function, o il.Operand, depth int) (about il.Operand, field string, means []string) {
	def := f.Def(f.Root(o))
	switch {
	case def == nil || depth > maxBases:
	case def.Op == il.Phi:
		for i, a := range def.Args {
			of, key, m := fieldOf(f, a, depth+1)
			if i > 0 && (of != about || key != field || !slices.Equal(m, means)) {
				return about, "", nil
			}
			about, field, means = of, key, m
		}
	case def.Op == il.Get && def.Kind == "attr":
		if of := f.Root(def.Args[0]); of.Kind == il.Local {
			field, _ = f.Str(def.Args[1])
			about = of
		}
	case def.Op == il.Call && len(def.Args) == 1 && textual[lastName(def.Kind)] != nil:
		if get := f.Def(f.Root(def.Args[0])); get != nil && get.Op == il.Get && get.Kind == "attr" {
			about, field, means = fieldOf(f, get.Args[0], depth+1)
			means = append(means[:len(means):len(means)], lastName(def.Kind))
		}
	}
	return about, field, means
}

// textual are methods of texts without arguments.
var textual = map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper, "casefold": strings.ToLower, "strip": strings.TrimSpace}

// closed tells a class whose objects are made by calls with what they hold, and not
// otherwise.
func (v *Values) closed(class *il.Function) bool {
	if known, ok := v.whole[class]; ok {
		return known
	}
	c := v.Names.Class(class)
	ok := c != nil && (v.model(class, 0) || len(c.Bases) == 0) && // without bases and __init__, a dataclass or the like
		len(v.Names.below1(class)) == 0 && len(v.Names.bases(class)) == 0 && len(c.Bases) <= 1
	for _, m := range class.Module.Functions {
		changes := m.Name == "__init__" || m.Name == "__post_init__" || m.Name == "__new__" || m.Name == "model_post_init" ||
			slices.ContainsFunc(m.Decorators, func(d string) bool { return strings.Contains(lastName(d), "validator") })
		ok = ok && (m.Outer != class || !changes)
	}
	for _, s := range v.Names.Sites(class) {
		ok = ok && s.Call && !s.spreads() && s.skip == 0
	}
	ok = ok && !v.readFrom(class)
	if v.whole == nil {
		v.whole = map[*il.Function]bool{}
	}
	v.whole[class] = ok
	return ok
}

// mentions are what the program says of classes other than to make their objects.
type mentions struct {
	read   map[*il.Function]bool // a part of the class is read, or it is a part of a generic type
	told   map[string]bool       // texts that calls are given
	unread bool                  // something of the program was not read, and may say more
}

// readFrom tells a class of which more is read than that it is one: it may make its
// objects from data, or be asked for by name. So may every class where something of the
// program was not read.
func (v *Values) readFrom(class *il.Function) bool {
	if v.mentioned == nil {
		v.mentioned = &mentions{read: map[*il.Function]bool{}, told: map[string]bool{}}
		for f := range v.Names.program.All() {
			v.mentioned.unread = v.mentioned.unread || f.Lost != "" || f.Module.Damaged && f.Module.Language == "python"
			for _, in := range f.Instructions() {
				v.mention(f, in)
			}
		}
	}
	return v.mentioned.unread || v.mentioned.read[class] || v.mentioned.told[lastName(class.Name)]
}

func (v *Values) mention(f *il.Function, in *il.Instr) {
	switch in.Op {
	case il.Get:
		for _, a := range in.Args {
			if sym := v.Names.Operand(f, a); sym != nil && sym.Function != nil && sym.Function.Kind == il.ClassBody {
				v.mentioned.read[sym.Function] = true
			}
		}
	case il.Call:
		for _, a := range in.Args[1:] {
			if text, ok := f.Str(f.Root(a)); ok {
				v.mentioned.told[text] = true
			}
		}
	default:
	}
}

// fails tells whether what a call gives a field never passes a test.
func (r *run) fails(s *state, site Site, class *il.Function, t fieldTest) bool {
	if r.v.written[t.field] {
		return false
	}
	v := r.v.given(site, class, t.field)
	if v.any() || len(t.means) > 0 && (v.AnyStr || len(v.Strs) == 0) {
		return false
	}
	v.Strs = slices.Clone(v.Strs)
	for _, method := range t.means {
		for i, text := range v.Strs {
			v.Strs[i] = textual[method](text)
		}
	}
	if !t.part {
		return s.rules.refine(v, t.op, t.truth, t.than).Empty()
	}
	if v.AnyStr || len(v.Strs) == 0 || len(t.than.Strs) != 1 || v.Other || v.None || !v.Num.empty() || v.True || v.False {
		return false
	}
	return !slices.ContainsFunc(v.Strs, func(text string) bool {
		return strings.Contains(text, t.than.Strs[0]) == ((t.op == "in") == t.truth)
	})
}

// given is what a call that makes an object gives one of its fields, as far as it is
// written there.
func (v *Values) given(site Site, class *il.Function, field string) Value {
	f, in := site.Function, site.At
	for i, a := range in.Args[1:] {
		if in.Names[i] == field || in.Names[i] == "" && v.Names.fieldAt(class, i) == field {
			return v.literal(f, a, 0)
		}
	}
	for _, ver := range class.Versions { // the default
		if ver.Var == field && ver.Def != nil && ver.Def.Op == il.Bind {
			if c, ok := class.Const(class.Root(ver.Def.Args[0])); ok {
				return constant(c)
			}
		}
	}
	return anything()
}

// literal is what an operand can be by what is written for it, without a look at what
// runs before.
func (v *Values) literal(f *il.Function, o il.Operand, depth int) Value {
	o = f.Root(o)
	if c, ok := f.Const(o); ok {
		return constant(c)
	}
	if o.Kind == il.Free {
		if c, sure, ok := v.bound(f, o); ok && sure {
			return constant(*c)
		}
		return anything()
	}
	def := f.Def(o)
	switch {
	case def == nil || depth > maxBases:
		return anything()
	case def.Op == il.Phi:
		out := nothing()
		for _, a := range def.Args {
			out = out.join(v.literal(f, a, depth+1))
		}
		return out
	case def.Op == il.Make && def.Kind == "text":
		return someText()
	case def.Op == il.Bind && negated[def.Kind] != "":
		return truths()
	}
	return anything()
}
