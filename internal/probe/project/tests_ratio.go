package project

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// enoughTests is how many tests for every function count as full, in basis
// points: one for two functions. A design choice.
const enoughTests court.Fixed = 5000

func testsRatio() probe.Probe {
	return probe.Probe{
		ID: "tests.ratio", Version: "1", Target: court.GithubRepo,
		Title: "The code has enough tests, spread over its modules",
		Doc: "Takes the mean of two shares of the code in Python, Go, JavaScript, TypeScript, Java and Rust: tests for every production function, where one test for two functions is enough, and production modules with functions that tests import, also by way of another module that only passes them on; where there is more than Python, modules weigh as much as they have functions. " +
			"A module is a file, in Go a package. Tests in a package of Go reach it, those in a package of Java the classes that they name, those in a file of Rust the file; a test that starts a program of Rust reaches its files, as it cannot import them. In these languages what only hands a field in or out is not a function to test. " +
			"How much of the code the tests run is not known; a test with several cases counts once.",
		Remedy: "Write tests for the modules that no test imports.",
		Effort: 120, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			all, err := tests(ctx, s)
			if err != nil {
				return nil, err
			}
			others, err := trees(ctx, s)
			if err != nil {
				return nil, err
			}
			more, err := probe.Shared(s, "project.units", func() (map[string]*subject, error) {
				found := units(others)
				reach(others, found, all.tests)
				return found, nil
			})
			if err != nil {
				return nil, err
			}
			return []probe.Finding{testRatio(inv, p, all, more)}, nil
		},
	}
}

func testRatio(inv *inventory, p *intree.Program, all *suite, more map[string]*subject) probe.Finding {
	functions, own := productive(p)
	open, others := unreached(more)
	functions, modules := functions+others, len(own)+len(more)
	source, verb := court.AST, "import"
	for _, u := range more {
		source, verb = weaker(source, sourceAt([]court.Place{u.at})), "reach"
	}
	if modules == 0 {
		if other := inv.otherCode(); other != "" {
			return probe.Cannot(court.NoDetector, nil, "The audit counts functions of Python, but the code is in %s.", other)
		}
		return probe.Nothing(court.One, court.AST, "There is no production function to test.")
	}
	n := 0
	for _, t := range all.tests {
		if t.tree || p.Module(t.at.Path) != nil {
			n++
		}
	}
	if n == 0 {
		return probe.Missing(court.One, source, "No test exists for %s in %s.", court.Count(functions, "function"), court.Count(modules, "module"))
	}
	reached := imported(p)
	within := 0 // functions of modules that are reached
	for _, u := range more {
		if u.reached {
			within += u.functions
		}
	}
	for _, m := range own {
		if !reached[m] {
			open = append(open, court.Place{Path: m.Path})
		} else if len(more) > 0 {
			within += functionsIn(p, m)
		}
	}
	slices.SortFunc(open, comparePlaces)
	amount := min(court.One, probe.Ratio(int(probe.Ratio(n, functions)), int(enoughTests)))
	share := (amount + probe.Ratio(modules-len(open), modules)) / 2
	note := ""
	if len(more) > 0 { // a package of Go is much more than a file of a script: functions are what they have in common
		share = (amount + probe.Ratio(within, functions)) / 2
		note = fmt.Sprintf(", which %s %d of the functions", court.Agree(modules-len(open), modules, "has", "have"), within)
	}
	at := open
	if len(at) == 0 {
		at = []court.Place{all.tests[0].at}
	}
	f := probe.Partly(share, source, at, "The project has %s for %s (half as many are enough). Tests %s %s%s.",
		court.Count(n, "test"), court.Count(functions, "production function"), verb, court.Of(modules-len(open), modules, "module"), note)
	if len(open) > 0 {
		f = f.DoAt(open, "Write tests for the modules that no test reaches: %s.")
	}
	f.Data = map[string]any{"tests": n, "functions": functions, "modules": modules, "imported": modules - len(open)}
	return f
}

// productive counts the production functions and lists the modules with any.
func productive(p *intree.Program) (functions int, own []*code.Module) {
	for _, m := range p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		if n := functionsIn(p, m); n > 0 {
			functions += n
			own = append(own, m)
		}
	}
	return functions, own
}

// functionsIn counts the functions of a module that can run.
func functionsIn(p *intree.Program, m *code.Module) int {
	n := 0
	for _, d := range m.Definitions() {
		if d.IsFunction() && d.Kind != code.DefLambda && !p.Dead(d.Node) {
			n++
		}
	}
	return n
}

// imported lists the modules that tests load by an import: what they name, and
// what a package without functions of its own passes on.
func imported(p *intree.Program) map[*code.Module]bool {
	out := map[*code.Module]bool{}
	var add func(m *code.Module)
	add = func(m *code.Module) {
		if m == nil || out[m] {
			return
		}
		out[m] = true
		if m.Package {
			for _, i := range m.Imports() {
				add(i.Module)
			}
		}
	}
	for _, m := range p.Modules {
		if m.Scope != code.ScopeTest {
			continue
		}
		for _, i := range m.Imports() {
			add(i.Module)
			if at := strings.LastIndexByte(i.Target, '.'); at > 0 {
				add(p.ModuleNamed(i.Target[:at]))
			}
			add(p.ModuleNamed(i.Target))
		}
		for _, t := range m.Strings() { // patch("pkg.module.name"), subprocess [..., "-m", "pkg.module"]
			text := strings.Trim(t.Text, `"'`)
			for range 3 {
				if x := p.ModuleNamed(text); x != nil {
					add(x)
					break
				}
				cut := strings.LastIndexByte(text, '.')
				if cut < 0 {
					break
				}
				text = text[:cut]
			}
		}
	}
	return out
}

// otherCode names the languages of production code other than Python; "" when
// there is none.
func (inv *inventory) otherCode() string {
	var out []string
	seen := map[code.Language]bool{}
	for _, f := range inv.files {
		if f.scope == code.ScopeProduction && f.lang.Code() && f.lang != "python" && f.lang != "sql" && f.lang != "terraform" && !seen[f.lang] {
			seen[f.lang] = true
			out = append(out, string(f.lang))
		}
	}
	return strings.Join(out, ", ")
}
