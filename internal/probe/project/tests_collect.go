package project

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func testsCollect() probe.Probe {
	return probe.Probe{
		ID: "tests.collect", Version: "1", Target: court.GithubRepo,
		Title: "Everything that tests import exists",
		Doc: "Follows what tests import from the project's own modules, outside of functions and of try statements: a module, in Python also a name, that is not there makes the test file fail before any test runs. " +
			"Of tests in Go it follows packages and the names that are taken from them, in JavaScript and TypeScript files that are named by where they lie, in Rust modules that are declared. " +
			"Modules that make their names at run time, that are built or generated, and packages of which nothing is in the repository are left out; packages of others are not looked at.",
		Remedy: "Correct the import, or remove the test of what is gone.",
		Effort: 10, Recall: 8000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			others, err := trees(ctx, s)
			if err != nil {
				return nil, err
			}
			all, err := s.Analyses(ctx)
			if err != nil {
				return nil, err
			}
			all.Lock()
			defer all.Unlock()
			return []probe.Finding{collected(inv, p, others, all)}, nil
		},
	}
}

func collected(inv *inventory, p *intree.Program, others *syntax.Program, all *analyse.Analyses) probe.Finding {
	var at []court.Place
	first, looked, other := "", 0, false
	for _, f := range inv.testFiles() {
		m := p.Module(f.path)
		if m == nil || !m.Parsed {
			x := others.File(f.path)
			other = other || x == nil || !x.Parsed
			continue
		}
		for _, i := range m.Imports() {
			if i.External && !i.Missing || i.Inner || i.TypeOnly || p.Dead(i.Node) {
				continue
			}
			looked++
			here := court.Place{Path: m.Path, Line: i.Node.Line(), EndLine: i.Node.EndLine()}
			if !i.Missing || survives(i.Node) || inv.madeElsewhere(p, i) || slices.Contains(at, here) {
				continue
			}
			at = append(at, here)
			if first == "" {
				first = i.Target
			}
		}
	}
	source := court.AST
	if more := treeCollected(inv, others, all); more.looked > 0 {
		if looked, at = looked+more.looked, append(at, more.missing...); first == "" {
			first = more.first
		}
		for _, x := range others.Files {
			if x.Scope == code.ScopeTest {
				source = weaker(source, sourceOf(x))
			}
		}
	}
	switch {
	case len(at) > 0:
		slices.SortStableFunc(at, comparePlaces)
		return probe.Against(source, at, "The tests have %s of modules or names that do not exist. The first is %s.", court.Count(len(at), "import"), shown(first)).DoAt(at, "Correct the imports at %s, or remove the tests of what is gone.")
	case looked == 0 && other:
		return probe.Cannot(court.NoDetector, nil, "The imports of tests are not read in their language.")
	}
	if looked == 0 {
		return probe.Nothing(court.One, source, "No test imports code of the project.")
	}
	return probe.Clean(court.One, source, "All %s of the project's own code in tests lead to something that exists.", court.Count(looked, "import"))
}

// survives tells an import whose failure is met, or that a condition decides.
func survives(n code.Node) bool {
	for a := range n.Around() {
		if a.Is("try_statement", "if_statement", "with_statement", "elif_clause", "else_clause") {
			return true
		}
	}
	return strings.Contains(n.Module().Text(), "importorskip")
}

// madeElsewhere tells whether what an import misses may come into being
// outside of the text: names made at run time, modules that are built.
func (inv *inventory) madeElsewhere(p *intree.Program, i code.Import) bool {
	last := i.Target[strings.LastIndexByte(i.Target, '.')+1:]
	if strings.HasSuffix(last, "_pb2") || strings.HasSuffix(last, "_pb2_grpc") || strings.Contains(strings.ToLower(last), "version") {
		return true
	}
	name := i.Target
	for range 3 {
		if m := p.ModuleNamed(name); m != nil && makesNames(m) {
			return true
		}
		if at := strings.LastIndexByte(name, '.'); at > 0 {
			name = name[:at]
		}
	}
	if i.Module != nil && makesNames(i.Module) {
		return true
	}
	parts := strings.Split(i.Target, ".")
	for _, f := range inv.files {
		base := strings.TrimSuffix(f.base, path.Ext(f.base))
		switch path.Ext(f.base) {
		case ".pyx", ".so", ".pyd", ".pyi", ".c", ".cpp", ".rs":
			if slices.ContainsFunc(parts, func(p string) bool { return strings.EqualFold(p, base) }) {
				return true
			}
		}
		if f.base == ".gitignore" && slices.ContainsFunc(strings.Fields(f.text), func(l string) bool { return strings.HasSuffix(strings.Trim(l, "/"), last+".py") }) {
			return true
		}
	}
	return false
}

// makesNames tells a module whose names are not all written in it.
func makesNames(m *code.Module) bool {
	if !m.Parsed || len(m.Broken()) > 0 {
		return true
	}
	for _, w := range []string{"__getattr__", "globals", "exec", "setattr", "vars", "__path__"} {
		if len(m.Words(w)) > 0 {
			return true
		}
	}
	for _, i := range m.Imports() {
		if i.Local == "" && (i.External || i.Module == nil) {
			return true
		}
	}
	return false
}
