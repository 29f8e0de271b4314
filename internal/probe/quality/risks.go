package quality

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// riskReader counts the calls that can fail, and those of them whose error nobody
// meets. Those of which that cannot be told are not counted.
type riskReader struct {
	dropReader
	entry    map[*il.Function]bool
	imported map[*il.Module]bool
	says     map[*il.Function]bool // its docstring says what it raises
	held     map[*il.Function][]il.Span
	known    map[asked]guard
}

// asked is the question what guard the callers of a function give.
type asked struct {
	f       *il.Function
	promise bool
	depth   int
}

// maxCallers bounds how far an error is followed to those who call.
const maxCallers = 4

func (d *codebase) risks(all *analyse.Analyses) tally {
	r := &riskReader{dropReader: dropReader{d: d, a: all}, entry: map[*il.Function]bool{}, imported: all.Names.ImportedModules(),
		says: map[*il.Function]bool{}, held: map[*il.Function][]il.Span{}, known: map[asked]guard{}}
	for _, m := range d.modules {
		for _, x := range m.Definitions() {
			text, _ := x.Docstring()
			r.says[d.p.Body(x)] = docRaises.MatchString(text)
		}
	}
	for _, e := range d.p.Entries() {
		if e.Def != nil {
			r.entry[d.p.Body(e.Def)] = true
		}
	}
	for f := range d.lowered(all.Program) {
		for b, in := range f.Instructions() {
			if !r.fails(f, in) || all.Values.Dead(f, b) {
				continue
			}
			if is := r.guard(f, in, !strings.HasSuffix(in.Kind, "Sync"), maxCallers); is != unsure {
				r.count(is == unguarded, lies(f, in.Span, 3))
			}
		}
	}
	slices.SortFunc(r.bad, func(a, b court.Place) int { return cmp.Or(cmp.Compare(a.Path, b.Path), a.Line-b.Line) })
	return r.tally
}

// fails tells a call that raises, or gives an error, when the world does not play along.
func (r *riskReader) fails(f *il.Function, in *il.Instr) bool {
	if in.Op != il.Call || in.Mode == il.Deferred || in.Mode == il.Spawned || strings.HasPrefix(lastPart(in.Kind), "close") {
		return false
	}
	s := r.a.Names.Operand(f, in.Args[0])
	if s == nil || !tables.Of(tables.Fail).Has(f.Module.Language, s.Outside, "outside") {
		return false
	}
	switch s.Outside {
	case "subprocess.run", "subprocess.Popen":
		i := slices.Index(in.Names, "check")
		return i >= 0 && r.a.Values.Of(f, in.Args[i+1]).True && !r.a.Values.Of(f, in.Args[i+1]).False
	case "sqlite3.connect":
		name, _ := f.Str(f.Root(in.Args[min(1, len(in.Args)-1)]))
		return name != ":memory:"
	}
	return true
}

type guard int

const (
	unsure guard = iota
	guarded
	unguarded
)

var (
	caresFor  = regexp.MustCompile(`(?i)retry|backoff|catch|handle|suppress|safe|guard`)
	docRaises = regexp.MustCompile(`(?i)\braises?\b|:raises|\bthrows?\b`)
	existing  = regexp.MustCompile(`(?i)exists|^access|is_?file|is_?dir|is_?link|^which$`)
)

// guard tells whether the error of a call is met. promise: it is given by a promise,
// where the language has them.
func (r *riskReader) guard(f *il.Function, in *il.Instr, promise bool, depth int) guard {
	switch f.Module.Language {
	case "go":
		return r.guardGo(f, in)
	case "rust":
		return r.guardRust(f, in)
	case "javascript", "typescript":
		if promise {
			met, thrown := r.guardPromise(f, in)
			if met != unsure || thrown == nil {
				return met
			}
			in, promise = thrown, thrown.Op == il.Return
		}
	default:
		promise = false
	}
	if in == nil || f.Block(in) == nil {
		return unsure
	}
	by, _ := r.a.Outcome.Thrown(f, in)
	switch {
	case len(by) > 0 && !promise, r.holds(f, in), r.a.Outcome.After(f, in, func(test *il.Instr) bool { return existing.MatchString(lastPart(test.Kind)) }):
		return guarded
	case f.Kind == il.ClassBody && f.Module.Language == "python":
		return r.guard(f.Outer, r.a.Definition(f), false, depth)
	case f.Kind == il.Top && (r.d.p.Layout.Scope(f.Module.Path) != code.ScopeProduction || r.imported[f.Module] || r.placed(f.Module)), f.Kind == il.ClassBody:
		return unsure
	case f.Kind == il.Top:
		return unguarded
	case r.says[f] || slices.ContainsFunc(f.Decorators, caresFor.MatchString):
		return guarded
	}
	k := asked{f, promise, depth}
	if _, ok := r.known[k]; !ok {
		r.known[k] = r.callers(f, promise, depth)
	}
	return r.known[k]
}

// holds tells a call in a with statement whose manager says by its name that it sees to errors.
func (r *riskReader) holds(f *il.Function, in *il.Instr) bool {
	if _, ok := r.held[f]; !ok {
		r.held[f] = managed(f)
	}
	return slices.ContainsFunc(r.held[f], func(s il.Span) bool { return s.From <= in.Span.From && in.Span.To <= s.To })
}

// managed are the stretches of a function from where such a manager is opened to where it is closed.
func managed(f *il.Function) (out []il.Span) {
	for _, open := range f.Instructions() {
		if open.Op != il.Call || open.Mode != il.Deferred {
			continue
		}
		get := f.Def(open.Args[0])
		if get == nil || get.Op != il.Get {
			continue
		}
		if made := f.Def(f.Root(get.Args[0])); made == nil || made.Op != il.Call || !caresFor.MatchString(made.Kind) {
			continue
		}
		at := il.Span{From: open.Span.To}
		for _, end := range f.Versions[get.Dst].Uses {
			if end != open {
				at.To = max(at.To, end.Span.From)
			}
		}
		out = append(out, at)
	}
	return out
}

// callers is the guard that the callers of a function give. In Java the compiler makes
// everybody declare what is not handled: only at main it is nobody's.
func (r *riskReader) callers(f *il.Function, promise bool, depth int) guard {
	out, java := unsure, f.Module.Language == "java"
	made := f
	if name := lastPart(f.Name); f.Outer.Kind == il.ClassBody && (name == "__init__" || name == "constructor") {
		made = f.Outer
	}
	if java && f.Kind != il.Lambda {
		if out = guarded; lastPart(f.Name) == "main" {
			return unguarded
		}
	}
	sites := slices.DeleteFunc(slices.Clone(r.a.Names.Sites(made)), func(s analyse.Site) bool {
		return s.At.Kind == "export" || r.d.p.Layout.Scope(s.Function.Module.Path) == code.ScopeTest
	})
	switch {
	case depth == 0, !java && (len(f.Decorators) > 0 || slices.ContainsFunc(sites, func(s analyse.Site) bool { return !s.Call })):
		return out
	case len(sites) == 0 && r.entry[f]:
		return unguarded
	case len(sites) > 0:
		out = guarded
	}
	for _, s := range sites {
		if !s.Call {
			continue
		}
		switch r.guard(s.Function, s.At, promise || f.Async, depth-1) {
		case unguarded:
			return unguarded
		case unsure:
			out = unsure
		default:
		}
	}
	return out
}

// placed tells a module that a framework or tool may run.
func (r *riskReader) placed(m *il.Module) bool {
	return m.Language != "python" && (r.d.others.File(m.Path) == nil || placed(r.d.others.File(m.Path)))
}

// guardGo tells whether the error of a call, its last result, is given a name or handed on.
func (r *riskReader) guardGo(f *il.Function, call *il.Instr) guard {
	last := call
	for _, u := range f.Versions[call.Dst].Uses {
		if u.Op != il.Get || u.Kind != "item" {
			return guarded
		}
		last = u
	}
	if len(f.Versions[last.Dst].Uses) == 0 && !r.remarked(f, call.Span) {
		return unguarded
	}
	return guarded
}

// guardRust tells whether the result of a call is looked at.
func (r *riskReader) guardRust(f *il.Function, call *il.Instr) guard {
	for at := call; ; {
		uses := f.Versions[at.Dst].Uses
		if len(uses) == 0 && !r.remarked(f, at.Span) {
			return unguarded
		}
		next, name := onward(f, at)
		switch {
		case next == nil:
			return guarded
		case name == "unwrap" || name == "expect":
			return unguarded
		case name != "ok" && name != "or_else" && name != "and_then" && !strings.HasPrefix(name, "map") && !strings.HasSuffix(name, "context"):
			return guarded
		}
		at = next
	}
}

// guardPromise follows the promise that a call gives to a handler, or to the instruction
// where its error is thrown or handed on.
func (r *riskReader) guardPromise(f *il.Function, call *il.Instr) (met guard, thrown *il.Instr) {
	for at := call; ; {
		uses := f.Versions[at.Dst].Uses
		if at.Mode == il.Awaited {
			return unsure, at
		}
		if len(uses) == 0 {
			return unguarded, nil // nobody holds the promise
		}
		if len(uses) == 1 && uses[0].Op == il.Return || uses[0].Op == il.Yield && uses[0].Kind == "await" {
			return unsure, uses[0]
		}
		next, name := onward(f, at)
		switch {
		case next == nil || name != "then" && name != "catch" && name != "finally":
			return unsure, nil
		case name == "catch" || len(next.Args) > 2:
			return guarded, nil
		}
		at = next
	}
}

// onward is the call of a method of what a call gives, and the method's name; nil where
// it is used otherwise.
func onward(f *il.Function, call *il.Instr) (*il.Instr, string) {
	for _, get := range f.Versions[call.Dst].Uses {
		if get.Op != il.Get || get.Kind != "attr" {
			return nil, ""
		}
		for _, in := range f.Versions[get.Dst].Uses {
			if in.Op == il.Call && in.Args[0].Is(get.Dst) {
				name, _ := f.Str(get.Args[1])
				return in, name
			}
		}
	}
	return nil, ""
}
