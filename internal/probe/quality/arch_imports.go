package quality

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func archImports() probe.Probe {
	return probe.Probe{
		ID: "arch.imports", Version: "2", Target: court.GithubRepo,
		Title: "Modules do not import each other in circles",
		Doc: "Draws the graph of the project's modules by their imports at the top level and looks for circles. In Python and JavaScript imports for type checkers, inside of functions and in code that never runs are left out: " +
			"they do not run when the module is loaded; in TypeScript so are those of which only types are used. That importing a Python module loads its packages too is not counted. " +
			"In Java, where circles cost no run, packages that import each other count by share; a package and those inside of it are one. Go's packages and Rust's crates cannot form circles, and the modules of one crate are compiled as one.",
		Remedy: "Move what both modules need into a third one that imports neither.",
		Effort: 60, Recall: 9800,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{d.tangled()}, nil
		},
	}
}

func (d *codebase) tangled() probe.Finding {
	run, names := d.loads(), map[string]string{}
	for _, m := range d.modules {
		names[m.Path] = m.Name
	}
	d.loadScripts(run)
	circles, _ := run.circles()
	packages, folders := d.javaPackages()
	all := len(folders)
	loops, tied := packages.circles()
	if len(d.modules)+len(d.files) < 2 {
		return probe.Nothing(d.coverage, d.source(), "%s", d.said("There are no two files that could import each other."))
	}
	if len(circles)+len(loops) == 0 {
		return probe.Clean(d.coverage, d.source(), "%s", d.said("The imports of "+d.units(all)+" form no circle."))
	}
	at, words := told(run, circles, names)
	more, told := told(packages, loops, folders)
	what := inCircles(append(words, told...))
	if len(circles) > 0 {
		return probe.Against(d.source(), append(at, more...), "%s", d.said(what)).DoAt(at, "Break the circle at %s: move what both modules need into a third one.")
	}
	f := probe.Partly(probe.Ratio(all-tied, all), d.source(), more, "%s", d.said(fmt.Sprintf("%s %s in Java %s in circles.", what, safetext.Capital(court.Of(tied, all, "package")), court.Agree(tied, all, "is", "are")))).DoAt(more, "Break the circle at %s: move what both packages need into a third one.")
	f.Coverage = d.coverage
	return f
}

// units counts the modules and packages that the graph is made of.
func (d *codebase) units(java int) string {
	scripts, folders := 0, map[string]bool{}
	for _, f := range d.files {
		switch {
		case script(f):
			scripts++
		case f.Language == "go":
			folders[path.Dir(f.Path)] = true
		}
	}
	if len(d.files) == 0 {
		return court.Count(len(d.modules), "module")
	}
	packages := java + len(folders)
	switch modules := len(d.modules) + scripts; {
	case packages == 0 && modules > 0:
		return court.Count(modules, "module") + d.in()
	case modules == 0 && packages > 0:
		return court.Count(packages, "package") + d.in()
	case modules+packages == 0:
		return "code" + d.in()
	default:
		return court.Count(modules, "module") + " and " + court.Count(packages, "package") + d.in()
	}
}

func inCircles(words []string) string {
	more := ""
	if len(words) > 3 {
		more = fmt.Sprintf(" and %d more", len(words)-3)
	}
	return fmt.Sprintf("The imports form %s: %s%s.", court.Count(len(words), "circle"), court.Clean(strings.Join(words[:min(len(words), 3)], "; "), 400), more)
}

// told are the statements of circles, and each circle in words.
func told(g loading, circles [][]string, names map[string]string) (at []court.Place, words []string) {
	for _, c := range circles {
		var list []string
		for i, m := range c {
			at = append(at, g[m][c[(i+1)%len(c)]])
			if names[m] != "" {
				m = names[m]
			}
			list = append(list, m)
		}
		words = append(words, strings.Join(append(list, list[0]), " -> "))
	}
	return at, words
}

// loads is the graph of the Python modules.
func (d *codebase) loads() loading {
	g := loading{}
	ours := map[*code.Module]bool{}
	for _, m := range d.modules {
		ours[m] = true
	}
	for _, m := range d.modules {
		for _, i := range m.Imports() {
			to := i.Module
			if to == nil || to == m || !ours[to] || i.Inner || i.TypeOnly || i.Missing || d.p.Dead(i.Node) || to.Shadowed || !to.Parsed || late(i.Node) {
				continue
			}
			g.add(m.Path, to.Path, place(i.Node, 3))
		}
	}
	return g
}

// late tells an import inside of a function or class body, one in a try
// statement, which is made to survive its failure, or one that only a module which
// is run itself comes to.
func late(n code.Node) bool {
	for a := range n.Around() {
		if a.Is("function_definition", "lambda", "try_statement") || a.Is("if_statement") && strings.Contains(a.Field("condition").Text(), "__main__") {
			return true
		}
	}
	return false
}

// script tells the languages that share one way to import.
func script(f *syntax.File) bool { return f.Language == "javascript" || f.Language == "typescript" }

// loadScripts adds JavaScript and TypeScript to a graph.
func (d *codebase) loadScripts(g loading) {
	ours := map[*syntax.File]bool{}
	for _, f := range d.files {
		ours[f] = script(f) && !strings.HasSuffix(f.Path, ".d.ts")
	}
	for _, f := range d.files {
		if !ours[f] {
			continue
		}
		var used map[string]bool
		for _, i := range d.others.Imports(f) {
			if len(i.Files) == 0 || !ours[i.Files[0]] || i.Node.Has(syntax.TypeOnly) || deferred(i.Node) {
				continue
			}
			if f.Language == "typescript" {
				if used == nil {
					used = values(f)
				}
				if erased(i, used) {
					continue
				}
			}
			g.add(f.Path, i.Files[0].Path, place(i.Node, 3))
		}
	}
}

// deferred tells an import that does not run when its module is loaded, or
// that is made to survive its failure.
func deferred(n syntax.Node) bool {
	if n.Enclosing("func", "try").Valid() {
		return true
	}
	return n.Has(syntax.Dynamic) && !strings.Contains(n.Text(), "require")
}

// values are the names of a file that stand for values; names that only stand
// in types are not among them.
func values(f *syntax.File) map[string]bool {
	out := map[string]bool{}
	for n := range f.Root().Walk() {
		switch {
		case n.Is("name") && n.Parent().Kind() != "bind":
			out[n.Name()] = true
		case n.Is("element"):
			name, _, _ := strings.Cut(n.Name(), ".")
			out[name] = true
		case n.Is("decorator"):
			name, _, _ := strings.Cut(n.Name(), ".")
			out[name] = true
		case n.Is("type") && n.Role() == "base" && extends(n):
			name, _, _ := strings.Cut(n.Name(), "<")
			name, _, _ = strings.Cut(name, ".")
			out[strings.TrimSpace(name)] = true
		}
	}
	return out
}

// extends tells the base that a class is made from; an interface that it
// implements is a type only.
func extends(base syntax.Node) bool {
	c := base.Parent()
	before := c.File().Text()[c.Start():max(base.Start(), c.Start())]
	return c.Detail() != "interface" && c.Detail() != "alias" && strings.LastIndex(before, "extends") > strings.LastIndex(before, "implements")
}

// erased tells an import that TypeScript drops when it compiles: nothing that
// it binds is used as a value, or what it hands on are types.
func erased(i syntax.Import, used map[string]bool) bool {
	binds := 0
	for b := range i.Node.Children("bind") {
		binds++
		if i.Node.Has(syntax.Reexport) {
			of := b.Name()
			if o := b.Child("of"); o.Valid() {
				of = o.Name()
			}
			if !typeOf(i.Files[0], of) {
				return false
			}
		} else if used[b.Name()] {
			return false
		}
	}
	return binds > 0
}

// typeOf tells a name that a module declares as a type and as nothing else.
func typeOf(f *syntax.File, name string) bool {
	found := false
	for c := range f.Root().Children() {
		if c.Name() != name || !c.Is("class", "func", "assign") {
			continue
		}
		if !c.Is("class") || !slices.Contains([]string{"interface", "alias", "type"}, c.Detail()) {
			return false
		}
		found = true
	}
	return found
}

// javaPackages is the graph of the Java packages by their folders, with their
// names: a package that is spread over several modules of a build is several. A
// package and those inside of it are one family, and no circle.
func (d *codebase) javaPackages() (loading, map[string]string) {
	g, names := loading{}, map[string]string{}
	for _, f := range d.files {
		if f.Language != "java" {
			continue
		}
		names[path.Dir(f.Path)] = "(default)"
		for c := range f.Root().Children() {
			if c.Is("package") {
				names[path.Dir(f.Path)] = c.Name()
			}
		}
	}
	for _, f := range d.files {
		from := path.Dir(f.Path)
		if f.Language != "java" {
			continue
		}
		var used map[string]bool
		for _, i := range d.others.Imports(f) {
			if len(i.Files) == 0 || path.Dir(i.Files[0].Path) != path.Dir(i.Files[len(i.Files)-1].Path) {
				continue
			}
			to := path.Dir(i.Files[0].Path)
			if names[to] == "" || family(names[from], names[to]) || family(names[to], names[from]) {
				continue
			}
			if used == nil {
				used = wordsOf(f)
			}
			if b := i.Node.Child("bind"); b.Child("of").Valid() || used[b.Name()] {
				g.add(from, to, place(i.Node, 1))
			}
		}
	}
	return g, names
}

// family tells a package that is, or lies inside of, another.
func family(outer, inner string) bool { return inner == outer || strings.HasPrefix(inner, outer+".") }

// wordsOf are the words of a file's code: what only its comments name, such as
// a link in a Javadoc, is not used.
func wordsOf(f *syntax.File) map[string]bool {
	out := map[string]bool{}
	for n := range f.Root().Children() {
		if !n.Is("import", "package") {
			eachWord(bare(f, n.Start(), n.End()), func(w string) { out[w] = true })
		}
	}
	return out
}
