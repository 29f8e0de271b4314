package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// enoughTests is how many tests for every function count as full, in basis
// points: one for two functions. A design choice.
const enoughTests court.Fixed = 5000

func testsRatio() probe.Probe {
	return probe.Probe{
		ID: "tests.ratio", Version: "1", Target: court.GithubRepo,
		Title: "There are enough tests for the code, over its modules",
		Doc: "Takes the mean of two shares of a Python project: tests for every production function, where one test for two functions is enough, and production modules with functions that tests import, also by way of another module that only passes them on. " +
			"How much of the code the tests run is not known; a test with several cases counts once.",
		Remedy: "Write tests for the modules that no test imports.",
		Effort: 120, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			p, err := s.Python(ctx)
			if err != nil {
				return nil, err
			}
			all, err := tests(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{testRatio(inv, p, all)}, nil
		},
	}
}

func testRatio(inv *inventory, p *code.Program, all *suite) probe.Finding {
	functions, own := productive(p)
	if len(own) == 0 {
		if other := inv.otherCode(); other != "" {
			return probe.Cannot(court.NoDetector, nil, "Functions are counted in Python; the code is in %s.", other)
		}
		return probe.Clean(court.One, court.AST, "There is no production function to test.")
	}
	n := 0
	for _, t := range all.tests {
		if p.Module(t.at.Path) != nil {
			n++
		}
	}
	if n == 0 {
		return probe.Missing(court.One, court.AST, "No test is there for %s in %s.", count(functions, "function"), count(len(own), "module"))
	}
	reached := imported(p)
	var open []court.Place
	for _, m := range own {
		if !reached[m] {
			open = append(open, court.Place{Path: m.Path})
		}
	}
	amount := min(court.One, probe.Ratio(int(probe.Ratio(n, functions)), int(enoughTests)))
	share := (amount + probe.Ratio(len(own)-len(open), len(own))) / 2
	at := open
	if len(at) == 0 {
		at = []court.Place{all.tests[0].at}
	}
	f := probe.Partly(share, court.AST, at, "%s for %s (half as many are enough); tests import %d of %s.",
		count(n, "test"), count(functions, "production function"), len(own)-len(open), count(len(own), "module"))
	f.Data = map[string]any{"tests": n, "functions": functions, "modules": len(own), "imported": len(own) - len(open)}
	return f
}

// productive counts the production functions and lists the modules with any.
func productive(p *code.Program) (functions int, own []*code.Module) {
	for _, m := range p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		n := 0
		for _, d := range m.Definitions() {
			if d.IsFunction() && d.Kind != code.DefLambda && !p.Dead(d.Node) {
				n++
			}
		}
		if n > 0 {
			functions += n
			own = append(own, m)
		}
	}
	return functions, own
}

// imported lists the modules that tests load by an import: what they name, and
// what a package without functions of its own passes on.
func imported(p *code.Program) map[*code.Module]bool {
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
