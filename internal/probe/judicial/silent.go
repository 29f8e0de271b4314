package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
)

// silenced returns a place where making or asking the model fails inside a
// handler after which no opinion is made; zero unless every judge has one.
func (b *bench) silenced() code.Node {
	needs := b.demanding()
	var first code.Node
	for _, root := range b.judges.roots {
		w := &swallow{b: b, root: root, needs: needs, seen: map[stop]bool{}}
		at := w.visit(root, code.Node{}, code.Node{}, 0)
		if !at.Valid() && root.Kind == code.DefMethod {
			if m := b.p.Method(root.Parent, "__init__"); m != nil {
				at = w.visit(m, code.Node{}, code.Node{}, 0)
			}
		}
		if !at.Valid() {
			return code.Node{}
		}
		if !first.Valid() {
			first = at
		}
	}
	return first
}

// swallow looks, from one judge's function, for a failure that is caught and
// leaves no opinion.
type swallow struct {
	b     *bench
	root  *code.Definition
	needs map[code.Node]bool
	seen  map[stop]bool
}

// stop is a function, and the try statement that it is run in.
type stop struct {
	d *code.Definition
	t code.Node
}

// visit walks what a function runs. An error in it is caught by the try
// statement t, at the call site in that statement's body; both are zero where
// nothing on the way catches it.
func (w *swallow) visit(d *code.Definition, t, site code.Node, depth int) code.Node {
	if w.seen[stop{d, t}] || depth > maxRoomDepth {
		return code.Node{}
	}
	w.seen[stop{d, t}] = true
	for _, c := range w.b.p.CallsIn(d) {
		if w.b.p.Dead(c.Node) || w.b.spared(c.Node) {
			continue
		}
		t, site := t, site
		if own := catching(c.Node); own.Valid() {
			t, site = own, c.Node
		}
		if t.Valid() && (w.needs[c.Node] || w.b.models.calls(c)) && !w.yields(t, site) {
			return c.Node
		}
		for _, next := range runs(w.b.p, c) {
			if at := w.visit(next, t, site, depth+1); at.Valid() {
				return at
			}
		}
	}
	if at := refuses(d); at.Valid() && t.Valid() && !w.yields(t, site) {
		return at
	}
	return code.Node{}
}

// yields reports whether an opinion without an answer may be made when the body
// of a try statement fails at the call site: by what runs from the judge's
// function apart from that body, or by what the body does before or instead.
func (w *swallow) yields(t, site code.Node) bool {
	body := t.Field("body")
	off := map[code.Node]bool{}
	for _, x := range w.b.builds(w.b.judges) {
		off[x.call.Node] = !x.asked && !x.quotes
	}
	seen := map[*code.Definition]bool{}
	var from func(d *code.Definition, depth int) bool
	from = func(d *code.Definition, depth int) bool {
		if seen[d] || depth > maxRoomDepth {
			return false
		}
		seen[d] = true
		around := d.Body().Contains(body)
		lost := func(n code.Node) bool {
			return around && body.Contains(n) && n.Start() >= site.Start() && !exclusive(n, site)
		}
		for n := range d.Body().WalkScope() {
			if n.Is("dictionary") && !lost(n) && opinionLike(n) {
				return true
			}
		}
		for _, c := range w.b.p.CallsIn(d) {
			if w.b.p.Dead(c.Node) || lost(c.Node) {
				continue
			}
			if makes, known := off[c.Node]; makes || !known && (c.Callee.Def == nil || !c.Callee.Def.IsFunction()) && w.b.standsIn(c) {
				return true
			}
			for _, next := range runs(w.b.p, c) {
				if from(next, depth+1) {
					return true
				}
			}
		}
		if around {
			return false
		}
		for _, next := range w.b.judges.next(w.b.p, d) {
			if from(next, depth+1) {
				return true
			}
		}
		return false
	}
	return from(w.root, 0)
}

// opinionLike reports whether a dict has the parts of an opinion.
func opinionLike(n code.Node) bool {
	have := map[string]bool{}
	for c := range n.Children() {
		if key, ok := literal(c.Field("key")); ok {
			have[kindOfField(key)] = true
		}
	}
	return have["score"] && have["argument"]
}

// exclusive reports whether two statements stand in different branches of one
// if statement.
func exclusive(a, b code.Node) bool {
	for x := range a.Around() {
		if !x.Is("if_statement") {
			continue
		}
		if x.Contains(b) {
			return branchOf(x, a) != branchOf(x, b)
		}
	}
	return false
}
