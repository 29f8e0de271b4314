package quality

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func docsPublic() probe.Probe {
	return probe.Probe{
		ID: "docs.public", Version: "2", Target: court.GithubRepo,
		Title: "Public items are documented",
		Doc: "Counts the public Python classes, functions and methods with a docstring, or with a comment right above or as their first line. " +
			"Methods of another's interface, such as __init__ or what a base class declares, need none. What the documentation says is not read. " +
			"In Go exported functions, types and methods outside of package main count, in JavaScript and TypeScript functions and classes that the entries of published packages hand out, in Java public classes and methods that do more than give or take a field, " +
			"in Rust public items that a library hands out; a program offers nothing to others.",
		Remedy: "Say in a comment what each public class and function is for.",
		Effort: 60, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			total, bad, first := 0, []court.Place(nil), ""
			for _, m := range d.modules {
				for _, f := range m.Definitions() {
					if !d.wantsDoc(f) {
						continue
					}
					total++
					if !documented(f) {
						bad = append(bad, head(f))
						if first == "" {
							first = f.Name
						}
					}
				}
			}
			texts, err := s.Texts(ctx)
			if err != nil {
				return nil, err
			}
			for _, n := range d.interfaces(texts) {
				if total++; !explained(n) {
					bad = append(bad, above(n))
					first = cmp.Or(first, n.Name())
				}
			}
			if total == 0 && len(d.modules) == 0 && len(d.files) > 0 {
				return nil, &probe.Unable{Reason: court.NoArtifact, Why: "the code in " + d.named() + " is a program and offers nothing to others"}
			}
			what := "There is no public item" + d.in() + "."
			if total > 0 {
				what = fmt.Sprintf("%s%s %s documented.", safetext.Capital(court.Of(total-len(bad), total, "public item")), d.in(), court.Agree(total-len(bad), total, "is", "are"))
			}
			if first != "" {
				what += fmt.Sprintf(" The first without documentation is %s.", shown(first))
			}
			return []probe.Finding{d.judged(bad, total, what, map[bool]string{true: "Write a docstring for each of these", false: "Write a comment for each of these"}[d.python()])}, nil
		},
	}
}

// wantsDoc tells a definition of the project's own interface.
func (d *codebase) wantsDoc(f *code.Definition) bool {
	switch f.Kind {
	case code.DefClass:
		return offered(f) && !d.p.Dead(f.Node)
	case code.DefFunction, code.DefMethod:
		if !public(f.Name) || !offered(f) || d.p.Dead(f.Node) || d.overrides(f) {
			return false
		}
		for _, x := range f.Decorators() {
			if strings.HasSuffix(x.Text(), "overload") || strings.HasSuffix(x.Text(), ".setter") || strings.HasSuffix(x.Text(), ".deleter") {
				return false
			}
		}
		return true
	default: // modules and lambdas
		return false
	}
}

// overrides tells whether a method may stand for one of a base class.
func (d *codebase) overrides(f *code.Definition) bool {
	c := f.Class()
	if f.Kind != code.DefMethod || c == nil {
		return false
	}
	for _, b := range d.p.Bases(c) {
		switch {
		case b.Def == nil && !b.Matches("builtins.object", "pydantic.BaseModel", "abc.ABC", "enum.*", "typing.TypedDict", "typing.NamedTuple", "typing.Generic", "builtins.Exception"):
			return true // what it declares is not known
		case b.Def != nil && d.p.Method(b.Def, f.Name) != nil:
			return true
		}
	}
	return false
}

// documented tells whether words stand where one looks for them.
func documented(f *code.Definition) bool {
	if text, n := f.Docstring(); n.Valid() && strings.TrimSpace(strings.Trim(text, `"'`)) != "" {
		return true
	}
	first := f.Line()
	if around := f.Node.Parent(); around.Is("decorated_definition") {
		first = around.Line()
	}
	comment := func(line int) bool {
		t := strings.TrimSpace(f.Module.Line(line))
		return strings.HasPrefix(t, "#") && strings.ContainsAny(strings.ToLower(t), "abcdefghijklmnopqrstuvwxyz")
	}
	return comment(first-1) || comment(f.Node.Field("body").Line()-1) && f.Node.Field("body").Line()-1 > f.Line() || comment(f.Node.Field("body").Line())
}
