package quality

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func typesCoverage() probe.Probe {
	return probe.Probe{
		ID: "types.coverage", Version: "2", Target: court.GithubRepo,
		Title: "Parameters and results have types",
		Doc: "Counts the parameters and results of public Python functions and methods with an annotation or a type comment, self, cls and starred parameters and the result of __init__ left out. " +
			"Modules with a stub file beside them are left out too. Whether the types are right, and whether Python's say Any, is not asked. " +
			"In Go, Java and TypeScript the types that say nothing are counted: any and interface{}, Object and generic types without their arguments, any and, where the compiler is not strict, parameters without a type. In JavaScript parameters count in files in which JSDoc gives types. Rust has types everywhere.",
		Remedy: "Give the parameters and results of public functions types.",
		Effort: 60, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, typed(ctx, s)...)
			if err != nil {
				return nil, err
			}
			slots, typed := 0, 0
			var bad []court.Place
			for _, f := range d.functions() {
				if _, stub := s.Entry(f.Module.Path + "i"); stub || !offered(f) {
					continue
				}
				n, ok := annotated(f)
				slots, typed = slots+n, typed+ok
				if ok < n {
					bad = append(bad, head(f))
				}
			}
			more, ok, at := d.slots()
			slots, typed, bad = slots+more, typed+ok, append(bad, at...)
			if slots == 0 {
				return []probe.Finding{probe.Nothing(d.coverage, d.source(), "%s", d.said("There is no parameter or result of a public function"+d.in()+"."))}, nil
			}
			if typed == slots {
				return []probe.Finding{probe.Clean(d.coverage, d.source(), "%s", d.said(fmt.Sprintf("All %s and results of public functions%s have a type.", court.Count(slots, "parameter"), d.in())))}, nil
			}
			what := "have a type"
			if len(d.files) > 0 {
				what += " that says something"
			}
			found := probe.Partly(probe.Ratio(typed, slots), d.source(), bad, "%s", d.said(fmt.Sprintf("%d of %s and results of public functions%s %s. Some are missing in %s.%s",
				typed, court.Count(slots, "parameter"), d.in(), what, court.Count(len(bad), "function"), d.silenced()))).DoAt(bad, "Give the parameters and results of these functions types: %s.")
			found.Coverage = d.coverage
			return []probe.Finding{found}, nil
		},
	}
}

// offered tells a definition that others may use: public, like its module and
// all that is around it, and none inside of a function.
func offered(f *code.Definition) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(f.Module.Path, ".py"), "/") {
		if !public(part) && part != "__init__" && part != "__main__" {
			return false
		}
	}
	if f.Name != "__init__" && f.Name != "__call__" && !public(f.Name) {
		return false
	}
	for p := f.Parent; p != nil && p.Kind != code.DefModule; p = p.Parent {
		if p.Kind != code.DefClass || !public(p.Name) {
			return false
		}
	}
	return true
}

// annotated counts the parameters of a function with its result, and those
// that have a type.
func annotated(f *code.Definition) (slots, typed int) {
	if strings.Contains(f.Module.Line(f.Line()), "# type: (") || strings.Contains(f.Module.Line(f.Body().Line()), "# type: (") ||
		f.Body().Line() > 1 && strings.Contains(f.Module.Line(f.Body().Line()-1), "# type: (") {
		return 1, 1
	}
	static := false
	for _, x := range f.Decorators() {
		static = static || x.Text() == "staticmethod"
		if strings.HasSuffix(x.Text(), "overload") || strings.HasSuffix(x.Text(), ".setter") || strings.HasSuffix(x.Text(), ".deleter") {
			return 0, 0
		}
	}
	for i, p := range f.Params() {
		if p.Star > 0 || i == 0 && f.Kind == code.DefMethod && !static || strings.HasPrefix(p.Name, "_") {
			continue
		}
		slots++
		if p.Annotation.Valid() || strings.Contains(f.Module.Line(p.Node.EndLine()), "# type:") {
			typed++
		}
	}
	if f.Name == "__init__" {
		return slots, typed
	}
	slots++
	if f.Returns().Valid() {
		typed++
	}
	return slots, typed
}
