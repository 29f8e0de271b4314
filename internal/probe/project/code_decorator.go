package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func codeDecorator() probe.Probe {
	return probe.Probe{
		ID: "code.decorator", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The named decorator is used",
		Doc:    "Looks for decorators of Python functions and classes, by full or last name through aliases, and for decorators of TypeScript, annotations of Java and attributes of Rust, what Rust derives among them; in other languages by their text.",
		Remedy: "Use the decorator that the rubric names.",
		Effort: 15,
		Args:   []probe.Arg{{Name: "name", Type: "string", Required: true, Doc: "without @; * is any run of characters"}},
		Run: beyond(func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			name := strings.TrimPrefix(a.String("name"), "@")
			re, err := nameGlob(name)
			if err != nil {
				return nil, err
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			p.Lock()
			at := decorators(p, re, a.Scope)
			p.Unlock()
			others, err := annotations(ctx, s, re, name, a.Scope)
			if err != nil {
				return nil, err
			}
			source := court.AST
			if len(at) == 0 {
				source = court.Structure
			}
			at = append(at, others...)
			slices.SortFunc(at, comparePlaces)
			return enough(ctx, s, at, source, a, "Uses of decorator", shown(name), strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "*"))
		}),
	}
}

func decorators(p *intree.Program, re *regexp.Regexp, scope string) []court.Place {
	var at []court.Place
	for _, m := range p.Modules {
		if !(file{scope: m.Scope}).inScope(scope) {
			continue
		}
		for _, d := range m.Definitions() {
			for _, n := range d.Decorators() {
				if n.Is("call") {
					n = n.Field("function")
				}
				if re.MatchString(n.Text()) || re.MatchString(p.Resolve(n).Qualified) {
					at = append(at, court.Place{Path: m.Path, Line: n.Line()})
				}
			}
		}
	}
	return at
}

func annotations(ctx context.Context, s *probe.Scene, named *regexp.Regexp, name, scope string) ([]court.Place, error) {
	others, err := trees(ctx, s)
	if err != nil {
		return nil, err
	}
	at := treeDecorators(others, named, scope)
	all, err := sources(ctx, s, scope)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(`@(?:\w+\.)*` + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, `\w*`) + `\b`)
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the name that was asked for cannot be read"}
	}
	for _, d := range all {
		if !d.byLines() {
			continue
		}
		for _, m := range re.FindAllStringIndex(d.code(), 100) {
			at = append(at, d.file.place(lineOf(d.text, m[0])))
		}
	}
	return at, nil
}
