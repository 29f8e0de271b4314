package judicial

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// answering are methods of a model's class by which it gives its answer.
var answering = append([]string{"_generate", "_agenerate", "_call", "_acall"}, asking...)

// modelBases are classes that a model's class is derived from.
var modelBases = []string{"langchain*.BaseChatModel", "langchain*.SimpleChatModel", "langchain*.BaseLLM", "langchain*.LLM", "langchain*.BaseLanguageModel"}

// canned tells a function that gives an answer and surely asks nobody: all that it calls
// is known, and none of it is a model.
func (m *models) canned(n code.Node) bool {
	body := n
	if n.Is("identifier", "attribute") {
		d := m.p.Resolve(n).Def
		if d == nil || !d.IsFunction() || m.reaches(d) {
			return false
		}
		body = d.Body()
	} else if !n.Is("lambda") {
		return false
	}
	for x := range body.Walk() {
		if !x.Is("call") {
			continue
		}
		c := m.p.Call(x)
		if c == nil || !c.Callee.Known() || ofClient(c.Callee.Qualified) || c.Callee.Def != nil && c.Callee.Def.IsFunction() && m.reaches(c.Callee.Def) {
			return false
		}
	}
	return true
}

// overwritten are the classes of clients whose way to answer the program overwrites with
// one that asks nobody, and where.
func (m *models) overwritten() map[string]code.Node {
	if m.patched != nil {
		return m.patched
	}
	m.patched = map[string]code.Node{}
	note := func(object code.Node, name string, value, at code.Node) {
		if !slices.Contains(answering, name) {
			return
		}
		if s := m.p.Resolve(object); s.Def == nil && clientName(s.Qualified) != "" && !m.il.off(at) && m.canned(value) {
			m.patched[s.Qualified] = at
		}
	}
	for _, mod := range m.p.Modules {
		if mod.Scope != code.ScopeProduction || mod.Shadowed {
			continue
		}
		for n := range mod.Root().Walk() {
			if left := n.Field("left"); n.Is("assignment") && left.Is("attribute") {
				note(left.Field("object"), left.Field("attribute").Text(), n.Field("right"), n)
			}
		}
	}
	for _, c := range m.p.Calls("builtins.setattr") {
		if name, ok := c.Arg("", 1).Literal(); ok && c.Node.Module().Scope == code.ScopeProduction {
			note(c.Arg("", 0), name, c.Arg("", 2), c.Node)
		}
	}
	if len(m.patched) > 0 { // what was known before did not know of these
		m.known, m.leads = map[code.Node]bool{}, map[*code.Definition]bool{}
	}
	return m.patched
}

// overwrites is where a class is overwritten that a name stands for, or an object of it.
func (m *models) overwrites(name string) (code.Node, bool) {
	patched := m.overwritten()
	for _, class := range slices.Sorted(maps.Keys(patched)) {
		if rest, ok := strings.CutPrefix(name, class); ok && (rest == "" || rest[0] == '.' || rest[0] == '(') {
			return patched[class], true
		}
	}
	return code.Node{}, false
}

// stoodFor is where the program sees to it that what an expression stands for asks no
// model: its class answers by itself, or is overwritten to; whatever the expression may
// come from.
func (m *models) stoodFor(n code.Node, depth int) (code.Node, bool) {
	n = n.Unparen()
	for _, s := range m.p.ResolveAll(n) {
		if at, ok := m.overwrites(s.Qualified); ok {
			return at, true
		}
	}
	if depth > maxModel {
		return code.Node{}, false
	}
	if c := m.p.Call(n); n.Is("call") && c != nil {
		if d := c.Callee.Def; d != nil && d.Kind == code.DefClass {
			return d.Node, m.answersItself(d)
		}
		if !c.Receiver.Valid() || !slices.Contains(binders, c.Name) {
			return code.Node{}, false
		}
		return m.stoodFor(c.Receiver, depth+1)
	}
	at := code.Node{}
	for _, o := range m.origins.Of(n) {
		if o.Part || !o.Node.Is("call") {
			return code.Node{}, false
		}
		where, ok := m.stoodFor(o.Node, depth+1)
		if !ok {
			return code.Node{}, false
		}
		at = where
	}
	return at, at.Valid()
}

// answersItself tells a class of the program that is derived from a library's model, and
// whose way to answer surely asks nobody.
func (m *models) answersItself(d *code.Definition) bool {
	if !m.p.Inherits(d, modelBases...) {
		return false
	}
	found := false
	for _, name := range answering {
		if f := m.p.Method(d, name); f != nil {
			if found = true; !m.quiet(f) {
				return false
			}
		}
	}
	return found
}

// quiet tells a function all of whose calls are known and ask nobody.
func (m *models) quiet(d *code.Definition) bool {
	if m.reaches(d) {
		return false
	}
	for x := range d.Body().Walk() {
		if x.Is("call") {
			if c := m.p.Call(x); c == nil || !c.Callee.Known() || ofClient(c.Callee.Qualified) {
				return false
			}
		}
	}
	return true
}

// replace finds the calls of the judges that a stand-in answers in every run: on all ways
// on which a run comes to them, the object is one of the program's own that asks nobody.
func (b *bench) replace() {
	for _, c := range b.models.in(b.judges) {
		if !slices.Contains(asking, c.Name) {
			continue
		}
		if b.models.mocked(c) {
			b.standsFor(c.Node)
			continue
		}
		at, ok := b.il.call(c.Node)
		if !ok {
			continue
		}
		get := at.f.Def(at.f.Root(at.in.Args[0]))
		if get == nil || get.Op != il.Get || get.Kind != "attr" || !b.onlyStandIns(at.f, get.Args[0], c.Name, map[il.Operand]bool{}) {
			continue
		}
		b.standsFor(c.Node)
	}
}

// standsFor notes that a call asks a stand-in.
func (b *bench) standsFor(call code.Node) {
	b.models.known[call] = false
	b.models.leads = map[*code.Definition]bool{}
	b.standing = append(b.standing, call)
}

// mocked tells a call, or one that made what it asks, that runs only while the test library
// of Python holds something else in a client's place.
func (m *models) mocked(c *intree.Call) bool {
	if m.inMock(c.Node) {
		return true
	}
	for _, o := range m.origins.Of(c.Receiver) {
		if o.Node.Is("call") && m.inMock(o.Node) {
			return true
		}
	}
	return false
}

func (m *models) inMock(n code.Node) bool {
	for a := range n.Around() {
		for part := range a.Children() {
			if a.Is("with_statement") && part.FieldName() != "body" || a.Is("decorated_definition") && part.Is("decorator") {
				for x := range part.Walk() {
					if x.Is("call") && m.mocks(m.p.Call(x)) {
						return true
					}
				}
			}
		}
	}
	return false
}

// mocks tells a call that puts something else in the place of a client or of its way to
// answer; not one that looks on while the real one answers.
func (m *models) mocks(c *intree.Call) bool {
	if c == nil || c.Arg("wraps", -1).Valid() {
		return false
	}
	ways := slices.Concat(answering, binders)
	switch {
	case c.Matches("unittest.mock.patch.object"):
		name, _ := c.Arg("attribute", 1).Literal()
		return slices.Contains(ways, name) && clientName(m.p.Resolve(c.Arg("target", 0)).Qualified) != ""
	case c.Matches("unittest.mock.patch"):
		target, _ := c.Arg("target", 0).Literal()
		if at := strings.LastIndexByte(target, '.'); at > 0 && slices.Contains(ways, target[at+1:]) {
			target = target[:at]
		}
		return clientName(m.p.Lookup(target).Qualified) != ""
	}
	return false
}

// onlyStandIns tells a value that is an object of the program which asks nobody, whichever
// way a run takes.
func (b *bench) onlyStandIns(f *il.Function, o il.Operand, method string, seen map[il.Operand]bool) bool {
	o = f.Root(o)
	def := f.Def(o)
	if def == nil || seen[o] {
		return false
	}
	seen[o] = true
	switch def.Op {
	case il.Phi:
		some := false
		for i, p := range f.Block(def).Preds {
			if off, ok := b.il.Values.Off(f, p); ok && off.Is == analyse.No || b.il.Values.Dead(f, p) {
				continue
			}
			if some = true; !b.onlyStandIns(f, def.Args[i], method, seen) {
				return false
			}
		}
		return some
	case il.Call:
		s := b.il.Names.Operand(f, def.Args[0])
		if s == nil || s.Function == nil || s.Function.Kind != il.ClassBody {
			return false
		}
		m := b.il.Names.Method(s.Function, method)
		if m == nil {
			return false
		}
		i := slices.IndexFunc(b.functions(), func(d *code.Definition) bool { return b.il.function(d) == m })
		return i >= 0 && b.models.quiet(b.functions()[i])
	}
	return false
}

// impostors are the places where the judges get their answers from something that asks no
// model.
func (b *bench) impostors() []code.Node {
	at := slices.Clone(b.standing)
	for _, c := range b.judges.calls(b.p, b.il) {
		d := c.Callee.Def
		switch {
		case d == nil && c.Matches(fakes...):
			at = append(at, c.Node)
		case d != nil && d.Kind == code.DefMethod && slices.Contains(asking, c.Name) && b.models.quiet(d) && (b.makesOpinion(enter(b.p, b.il, []*code.Definition{d}, false)) || speaksOfScore(d)):
			at = append(at, c.Node, d.Node)
		case slices.Contains(asking, c.Name) && c.Receiver.Valid():
			if where, ok := b.models.stoodFor(c.Receiver, 0); ok {
				at = append(at, c.Node, where)
			}
		}
	}
	return at
}
