package quality

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func errRate() probe.Probe {
	return probe.Probe{
		ID: "err.rate", Version: "2", Target: court.GithubRepo,
		Title: "Calls that can fail are guarded",
		Doc: "Counts calls that open files, use the network or start processes and raise when that fails. Guarded is a call in a try statement with a handler, under suppress, behind a test that the file exists, in a function that retries or whose docstring says what it raises, and one whose callers are all guarded so, four deep. " +
			"Where a function may be called from outside, by a framework or by nobody known, the caller's guard cannot be seen, and its calls are not counted. " +
			"In Go and Rust a call is guarded whose error is given a name, tested or handed on, in JavaScript and TypeScript also one whose promise has a handler, in Java also one that is declared by throws and does not end the program.",
		Remedy: "Handle the errors of files, network and processes, or document that they are raised.",
		Effort: 30, Recall: 8000,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			entry := map[*code.Definition]bool{}
			for _, e := range d.p.Entries() {
				if e.Def != nil {
					entry[e.Def] = true
				}
			}
			total := 0
			var bad []court.Place
			for _, m := range d.modules {
				for _, c := range m.Calls() {
					if !c.Callee.In(tables.Of(tables.Fail), "outside") || d.p.Dead(c.Node) || c.Callee.Matches("subprocess.run", "subprocess.Popen") && d.p.Eval(c.Arg("check", -1)).Int != 1 {
						continue
					}
					if name, _ := d.p.Eval(c.Arg("database", 0)).Str(); name == ":memory:" {
						continue
					}
					switch d.guard(c.Node, entry, 4) {
					case guarded:
						total++
					case unguarded:
						total++
						bad = append(bad, place(c.Node.Statement(), 3))
					default: // not known
					}
				}
			}
			t := d.risks()
			bad, total = append(bad, t.bad...), total+t.total
			what := "No call" + d.in() + " that can fail is known to run without a caller."
			if total > 0 {
				what = fmt.Sprintf("%d of %s%s that can fail have no handler around them.", len(bad), court.Count(total, "call"), d.in())
			}
			return []probe.Finding{d.judged(bad, total, what, "Handle the errors of these calls, or document that they are raised")}, nil
		},
	}
}

type guard int

const (
	unsure guard = iota
	guarded
	unguarded
)

var (
	caresFor  = regexp.MustCompile(`(?i)retry|backoff|catch|handle|suppress|safe|guard`)
	suppress  = regexp.MustCompile(`suppress|raises|retry|catch|handle|guard`)
	docRaises = regexp.MustCompile(`(?i)\braises?\b|:raises|\bthrows?\b`)
)

// guard tells whether an error that a node raises is met by a handler.
func (d *codebase) guard(n code.Node, entry map[*code.Definition]bool, depth int) guard {
	if handledHere(n) || d.testedFor(n) {
		return guarded
	}
	f := d.p.Enclosing(n)
	for f != nil && f.Kind == code.DefClass {
		f = f.Parent
	}
	if f == nil || f.Kind == code.DefModule {
		if f != nil && f.Module.Scope == code.ScopeProduction && !importedModule(d, f.Module) {
			return unguarded
		}
		return unsure
	}
	if text, doc := f.Docstring(); doc.Valid() && docRaises.MatchString(text) {
		return guarded
	}
	for _, x := range f.Decorators() {
		if caresFor.MatchString(x.Text()) {
			return guarded
		}
	}
	return d.callers(f, entry, depth)
}

// callers is the guard that the callers of a function give.
func (d *codebase) callers(f *code.Definition, entry map[*code.Definition]bool, depth int) guard {
	known := d.p.Callers(f)
	if depth == 0 || f.Kind == code.DefLambda || d.p.PassedOn(f) || len(f.Decorators()) > 0 {
		return unsure
	}
	if len(known) == 0 {
		if entry[f] {
			return unguarded
		}
		return unsure
	}
	out := guarded
	for _, c := range known {
		if c.Node.Module().Scope == code.ScopeTest {
			continue
		}
		switch d.guard(c.Node, entry, depth-1) {
		case unguarded:
			return unguarded
		case unsure:
			out = unsure
		case guarded:
		}
	}
	return out
}

// handledHere tells whether a try statement with a handler, or suppress, is
// around a node in its function.
func handledHere(n code.Node) bool {
	below := n
	for a := range n.Around() {
		switch {
		case a.Is("function_definition", "lambda"):
			return false
		case a.Is("try_statement") && below.FieldName() == "body":
			for c := range a.Children() {
				if c.Is("except_clause", "except_group_clause") {
					return true
				}
			}
		case a.Is("with_statement"):
			if suppress.MatchString(a.Child(0).Text()) {
				return true
			}
		}
		below = a
	}
	return false
}

var tested = regexp.MustCompile(`\b(?:exists|is_file|is_dir|isfile|isdir|which|access|islink)\b`)

// testedFor tells whether the code asked before whether the file is there.
func (d *codebase) testedFor(n code.Node) bool {
	for _, g := range d.p.Guards(n) {
		if tested.MatchString(g.Condition.Text()) {
			return true
		}
	}
	f := d.p.Enclosing(n)
	if f == nil || !f.IsFunction() {
		return false
	}
	for st := range f.Body().Children() { // if not path.exists(): return
		if st.Start() >= n.Start() {
			return false
		}
		if st.Is("if_statement") && tested.MatchString(st.Field("condition").Text()) {
			return true
		}
	}
	return false
}

// importedModule tells whether another production module imports this one.
func importedModule(d *codebase, m *code.Module) bool {
	d.importedOnce.Do(func() {
		d.imported = map[*code.Module]bool{}
		for _, x := range d.p.Modules {
			for _, i := range x.Imports() {
				if i.Module != nil && i.Module != x {
					d.imported[i.Module] = true
				}
			}
		}
	})
	return d.imported[m]
}
