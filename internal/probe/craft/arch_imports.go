package craft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func archImports() probe.Probe {
	return probe.Probe{
		ID: "arch.imports", Version: "1", Target: court.GithubRepo,
		Title: "Modules do not import each other in circles",
		Doc: "Draws the graph of the project's Python modules by their imports at the top level and looks for circles. Imports for type checkers, inside of functions and in code that never runs are left out: " +
			"they do not run when the module is loaded. That importing a module loads its packages too is not counted.",
		Remedy: "Move what both modules need into a third one that imports neither.",
		Effort: 60, Recall: 9800,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			g := d.loads()
			circles := g.circles()
			if len(circles) == 0 {
				return []probe.Finding{probe.Clean(d.coverage, court.AST, "%s", d.said(fmt.Sprintf("No circle is in the imports of %s.", count(len(d.modules), "module"))))}, nil
			}
			var at []court.Place
			var words []string
			for _, c := range circles {
				names := []string{}
				for i, m := range c {
					at = append(at, place(g[m][c[(i+1)%len(c)]], 3))
					names = append(names, m.Name)
				}
				words = append(words, strings.Join(append(names, c[0].Name), " -> "))
			}
			more := ""
			if len(words) > 3 {
				more = fmt.Sprintf("; and %d more", len(words)-3)
			}
			return []probe.Finding{probe.Against(court.AST, at, "%s in the imports: %s%s.", count(len(circles), "circle"), court.Clean(strings.Join(words[:min(len(words), 3)], "; "), 400), more)}, nil
		},
	}
}

// loading tells which modules a module loads when it is loaded itself, and by
// which statement.
type loading map[*code.Module]map[*code.Module]code.Node

func (d *desk) loads() loading {
	g := loading{}
	for _, m := range d.modules {
		g[m] = map[*code.Module]code.Node{}
		for _, i := range m.Imports() {
			to := i.Module
			if to == nil || to == m || i.Inner || i.TypeOnly || i.Missing || d.p.Dead(i.Node) || to.Shadowed || !to.Parsed || late(i.Node) {
				continue
			}
			if _, ok := g[m][to]; !ok {
				g[m][to] = i.Node
			}
		}
	}
	return g
}

// late tells an import inside of a function or class body, or one in a try
// statement, which is made to survive its failure.
func late(n code.Node) bool {
	for a := range n.Around() {
		if a.Is("function_definition", "lambda", "try_statement") {
			return true
		}
	}
	return false
}

// circles lists one shortest circle for every knot of modules that load each
// other, in the order of paths.
func (g loading) circles() [][]*code.Module {
	byPath := func(a, b *code.Module) int { return strings.Compare(a.Path, b.Path) }
	nodes := make([]*code.Module, 0, len(g))
	for m := range g {
		nodes = append(nodes, m)
	}
	slices.SortFunc(nodes, byPath)
	done := map[*code.Module]bool{}
	var out [][]*code.Module
	for _, m := range nodes {
		if done[m] {
			continue
		}
		c := g.shortest(m)
		if c == nil {
			continue
		}
		out = append(out, c)
		for _, x := range nodes { // the rest of the knot is told by this one
			if g.reaches(m, x) && g.reaches(x, m) {
				done[x] = true
			}
		}
	}
	return out
}

// shortest is a shortest way from a module back to itself; nil: there is none.
func (g loading) shortest(from *code.Module) []*code.Module {
	before := map[*code.Module]*code.Module{}
	queue := []*code.Module{from}
	for len(queue) > 0 {
		m := queue[0]
		queue = queue[1:]
		for _, to := range g.next(m) {
			if to == from {
				var way []*code.Module
				for x := m; x != from; x = before[x] {
					way = append(way, x)
				}
				way = append(way, from)
				slices.Reverse(way)
				return way
			}
			if _, seen := before[to]; !seen {
				before[to] = m
				queue = append(queue, to)
			}
		}
	}
	return nil
}

func (g loading) reaches(from, to *code.Module) bool {
	seen := map[*code.Module]bool{}
	queue := []*code.Module{from}
	for len(queue) > 0 {
		m := queue[0]
		queue = queue[1:]
		if m == to {
			return true
		}
		for _, x := range g.next(m) {
			if !seen[x] {
				seen[x] = true
				queue = append(queue, x)
			}
		}
	}
	return false
}

func (g loading) next(m *code.Module) []*code.Module {
	out := make([]*code.Module, 0, len(g[m]))
	for to := range g[m] {
		if g[to] != nil {
			out = append(out, to)
		}
	}
	slices.SortFunc(out, func(a, b *code.Module) int { return strings.Compare(a.Path, b.Path) })
	return out
}
