package safety

import (
	"iter"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// urlTest finds a test of a site's URL that keeps a bad one from being cloned,
// on a way from an entry point to the clone. ok is false when the URL could not
// be told.
func (v *survey) urlTest(s *site) (at code.Node, ok bool) {
	if !s.url.Valid() {
		return code.Node{}, false
	}
	return v.tested(s.url, v.leads(s)), true
}

// tested finds a test on the way of a value that keeps the use from happening
// when it fails.
func (v *survey) tested(use code.Node, l lead) code.Node {
	for at := range v.testsOf(use, l) {
		return at
	}
	return code.Node{}
}

// testsOf yields all such tests, those nearest to the use first.
func (v *survey) testsOf(use code.Node, l lead) iter.Seq[code.Node] {
	return func(yield func(code.Node) bool) {
		w := v.way(use)
		for _, fn := range w.order {
			for at := range v.about(fn, w.texts[fn], 0).rejections(l) {
				if !yield(at) {
					return
				}
			}
		}
		for _, n := range w.reads {
			if at := v.recordTest(n); at.Valid() && !yield(at) {
				return
			}
		}
		for k := range slices.Values(w.keys) {
			if at := v.nodeTest(k, w, l); at.Valid() && !yield(at) {
				return
			}
			if at := v.routedTest(k, l); at.Valid() && !yield(at) {
				return
			}
		}
	}
}

// way is everything that is known of a value before its use: under which names
// each function has it.
type way struct {
	order []*code.Definition
	texts map[*code.Definition]map[string]bool
	reads []code.Node // reads from a record by name
	keys  []string    // names under which a state holds it
}

// maxKeys bounds how often a way goes through a state key.
const maxKeys = 3

// way follows a value back: through assignments and callers, and through state
// keys to the code that stores a value there.
func (v *survey) way(use code.Node) *way {
	w := &way{texts: map[*code.Definition]map[string]bool{}}
	seen := map[code.Node]bool{}
	level := []code.Node{use}
	for range maxKeys {
		var next []code.Node
		for _, n := range level {
			if seen[n] {
				continue
			}
			seen[n] = true
			for _, o := range v.p.Origins(n) {
				next = append(next, w.follow(v, o)...)
			}
		}
		level = next
	}
	return w
}

// follow notes one origin's way as far as it runs through production code, and
// gives the expressions to go on with: what is stored under a state key, and the
// text that a substitution works on.
func (w *way) follow(v *survey, o code.Origin) []code.Node {
	var next []code.Node
	var record code.Node // what was read by name: what it is read from is not the value
	for _, x := range o.Path {
		if !v.production(x) {
			break
		}
		if record.Valid() && record.Contains(x) {
			continue
		}
		w.note(v, x)
		k := key(x)
		if k != "" {
			record = x
		}
		if c := v.p.Call(x); c != nil && c.Callee.Matches("re.sub", "re.subn") {
			next = append(next, c.Arg("string", 2))
			continue
		}
		if k == "" || v.foreign(x) {
			continue
		}
		if !slices.Contains(w.reads, x) {
			w.reads = append(w.reads, x)
		}
		if !slices.Contains(w.keys, k) {
			w.keys = append(w.keys, k)
			next = append(next, v.keys()[k]...)
		}
	}
	return next
}

// foreign tells a read from a module or the environment, which is no record.
func (v *survey) foreign(n code.Node) bool {
	n = rooted(n)
	s := v.p.Resolve(n)
	return s.Module != nil || s.External && !s.Instance && !s.Node.Valid()
}

// note keeps the name of the value in its function.
func (w *way) note(v *survey, n code.Node) {
	if !n.Is("identifier", "attribute", "subscript", "call") || n.Is("call") && key(n) == "" {
		return
	}
	fn := v.function(n)
	if fn == nil {
		return
	}
	if w.texts[fn] == nil {
		w.texts[fn] = map[string]bool{}
		w.order = append(w.order, fn)
	}
	w.texts[fn][n.Text()] = true
}

// recordTest looks for a constraint on the field that an expression reads, or
// on the argument of the command line.
func (v *survey) recordTest(n code.Node) code.Node {
	k := key(n)
	if k == "" || !n.Is("attribute") {
		return code.Node{}
	}
	for _, s := range v.p.ResolveAll(n.Field("object")) {
		if s.Def != nil && s.Def.Kind == code.DefClass {
			if at := v.constrained(s.Def, k); at.Valid() {
				return at
			}
		}
	}
	for _, c := range v.p.Calls("*.add_argument", "argparse.ArgumentParser().add_argument") {
		if !v.production(c.Node) || !slices.ContainsFunc(c.Args, func(a code.Argument) bool {
			text, ok := plain(a.Value)
			return ok && strings.ReplaceAll(strings.TrimLeft(text, "-"), "-", "_") == k
		}) {
			continue
		}
		fn := v.p.Resolve(c.Arg("type", -1)).Def
		if fn == nil || !fn.IsFunction() || len(fn.Params()) == 0 {
			continue
		}
		if at := v.about(fn, map[string]bool{fn.Params()[0].Name: true}, 1).rejects(); at.Valid() {
			return at
		}
	}
	return code.Node{}
}

// nodeTest looks for a function of the graph that reads the same key and
// raises: that ends the run before the clone.
func (v *survey) nodeTest(k string, w *way, l lead) code.Node {
	for _, m := range v.p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for _, d := range m.Definitions() {
			if !d.IsFunction() || v.rank(d) > 1 || w.texts[d] != nil || len(l.calls[d]) > 0 {
				continue
			}
			texts := map[string]bool{}
			for n := range d.Body().WalkScope() {
				if n.Is("subscript", "call") && key(n) == k {
					texts[n.Text()] = true
				}
			}
			if len(texts) == 0 {
				continue
			}
			if at := v.about(d, texts, 1).rejects(); at.Valid() {
				return at
			}
		}
	}
	return code.Node{}
}

// rooted is the name that an attribute or element is taken from.
func rooted(n code.Node) code.Node {
	for n.Is("attribute", "subscript", "call") {
		switch n.Kind() {
		case "attribute":
			n = n.Field("object")
		case "subscript":
			n = n.Field("value")
		default:
			n = n.Field("function")
		}
	}
	return n
}
