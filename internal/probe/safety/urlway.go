package safety

import (
	"iter"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// urlTest finds a test of a site's URL that keeps a bad one from being cloned, on a
// way from an entry point to the clone. ok is false when the URL could not be told.
func (x *lowered) urlTest(s *site) (found refusal, tested, ok bool) {
	if !s.url.valid() {
		return refusal{}, false, false
	}
	for r := range x.testsOf(s.url) {
		return r, true, true
	}
	return refusal{}, false, true
}

// testsOf yields the tests on the ways of a value that keep its use from happening,
// those nearest to the use first.
func (x *lowered) testsOf(use operand) iter.Seq[refusal] {
	return func(yield func(refusal) bool) {
		w := x.wayOf(use)
		for _, v := range w.held {
			for _, r := range x.refusals(v, 0) {
				if !yield(r) {
					return
				}
			}
		}
		for _, p := range w.fields {
			if class := x.classOf(p.f, p.o); class != nil {
				if r, ok := x.constrained(class, p.key, 1); ok && !yield(r) {
					return
				}
			}
		}
		for _, k := range w.keys {
			for _, ask := range []func(string, *way) []refusal{x.argumentTest, x.nodeTest, x.routedTest} {
				for _, r := range ask(k, w) {
					if !yield(r) {
						return
					}
				}
			}
		}
	}
}

// way is everything that is known of a value before its use.
type way struct {
	home   *il.Function // of the use
	held   []operand    // the value in the functions that it comes through, and before what it has to be tested
	fields []part       // objects that it is read from by a name
	keys   []string     // names under which a state holds it
}

// maxKeys bounds how often a way goes through a key of the state.
const maxKeys = 3

// wayOf follows a value back: to callers, and through keys of the state to the code
// that stores a value there.
func (x *lowered) wayOf(use operand) *way {
	w := &way{home: use.f}
	seen := map[operand]bool{}
	level := []operand{use}
	for range maxKeys {
		var next []operand
		for _, v := range level {
			if seen[v] {
				continue
			}
			seen[v] = true
			for _, from := range x.origins.Of(v.f, v.o, v.use) {
				if !w.follow(x, from) {
					continue
				}
				if k := recordKey(from); k != "" && !slices.Contains(w.keys, k) {
					w.keys = append(w.keys, k)
					next = append(next, x.stored(k)...)
				}
			}
		}
		level = next
	}
	return w
}

// follow notes the steps of a value's way as far as it runs through production code;
// false where it leaves it.
func (w *way) follow(x *lowered, from analyse.Origin) bool {
	used := map[*il.Function]*il.Instr{} // where a function hands the value on
	key := ""
	for _, s := range from.Steps() {
		f := s.Function
		if !x.production(f) {
			return false
		}
		if s.Use != nil && used[f] == nil {
			used[f], key = s.Use, ""
		}
		if base, k := read(f, f.Def(f.Root(s.Operand))); k != "" && !s.Inside {
			if key = k; base.Kind != il.Opaque {
				w.fields = append(w.fields, part{operand{f: f, o: base}, k})
			}
		}
		if !s.Inside {
			w.hold(f, s.Operand, used[f])
		} else if key != "" {
			for _, o := range reads(f, key) {
				w.hold(f, o, used[f])
			}
		}
	}
	return true
}

// hold notes a value of a function before its use.
func (w *way) hold(f *il.Function, o il.Operand, use *il.Instr) {
	if v := (operand{f: f, o: o, use: use}); use != nil && !slices.Contains(w.held, v) {
		w.held = append(w.held, v)
	}
}

// recordKey is the name by which a value is read from a state, a record or parsed
// arguments that no known code makes, "" where it is read from none.
func recordKey(from analyse.Origin) string {
	outside := from.Symbol.Outside
	if head, rest, ok := strings.Cut(outside, "parse_args()."); ok && strings.HasPrefix(head, "argparse.") {
		return rest
	}
	known := outside != "" && !strings.HasSuffix(outside, "parse_args") || from.Symbol.Modules != nil
	if len(from.Keys) == 0 || known || from.Kind == analyse.FromConst || from.Kind == analyse.FromName {
		return ""
	}
	if k := from.Keys[len(from.Keys)-1]; k != "*" && !strings.HasPrefix(k, "#") {
		return k
	}
	return ""
}

// argumentTest looks for a function that the command line's declaration of a name has
// look at the text.
func (x *lowered) argumentTest(k string, _ *way) (out []refusal) {
	for c := range x.calls() {
		if c.method() != "add_argument" || !x.production(c.f) || !declares(c, 1, k) {
			continue
		}
		if o, ok := c.in.Argument("type", -1); ok {
			if s := x.Names.Operand(c.f, o); s != nil && s.Function != nil && s.Function.Kind != il.ClassBody && len(s.Function.Params) > 0 {
				out = append(out, x.refusedBy(s.Function, 0, 1)...)
			}
		}
	}
	return out
}

// nodeTest looks for a function that reads the same key of the state and raises: that
// ends the run before the clone.
func (x *lowered) nodeTest(k string, w *way) (out []refusal) {
	for f := range x.functions() {
		if f.Module.Language != python || !x.production(f) || x.rank(f) > 1 || slices.ContainsFunc(w.held, func(v operand) bool { return v.f == f }) {
			continue
		}
		for _, o := range reads(f, k) {
			out = append(out, x.always(f, o, 1)...)
		}
	}
	return out
}

// valueAt is the value that an expression of Python's tree stands for.
func (x *lowered) valueAt(n code.Node) (operand, bool) {
	if !n.Valid() {
		return operand{}, false
	}
	v, ok := intree.Value(x.Analyses, n)
	return operand{f: v.Function, o: v.Operand, use: v.Use}, ok
}

// callAt is the call that a node writes: what the models of trees found is asked
// about where it stands.
func (x *lowered) callAt(n code.Node) (call, bool) {
	s, ok := x.CallAt(n.Path(), n.Start(), n.End())
	return call{f: s.Function, in: s.At}, ok
}
