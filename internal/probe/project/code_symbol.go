package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func codeSymbol() probe.Probe {
	return probe.Probe{
		ID: "code.symbol", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "The code defines the named thing",
		Doc:    "Looks for a function, class, method, field or constant of that name (a glob; with a dot, the end of the full name), and with kind any also for a name that is imported and used. Python, Go, JavaScript, TypeScript, Java and Rust are read in full, other languages by their declarations. Where the name only stands in code, the answer is unknown.",
		Remedy: "Define what the rubric names.",
		Effort: 30,
		Args: []probe.Arg{
			{Name: "name", Type: "string", Default: "*", Doc: "glob"},
			{Name: "kind", Type: "string", Allowed: []string{"function", "class", "method", "constant", "any"}, Default: "any"},
			{Name: "base", Type: "string", Doc: "classes only: a base class, direct or not, by its full name"},
			{Name: "min", Type: "int", Default: 1, Doc: "so many at least"},
		},
		Run: beyond(func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			w, err := wantedSymbol(a)
			if err != nil {
				return nil, err
			}
			found, source, err := w.find(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			return enough(ctx, s, found, source, a, "Definitions or uses of", w.shown(), w.word())
		}),
	}
}

// symbolWanted is what code.symbol is asked for.
type symbolWanted struct {
	name, kind, base string
	re               *regexp.Regexp
}

func wantedSymbol(a probe.Args) (symbolWanted, error) {
	w := symbolWanted{name: a.String("name"), kind: a.String("kind"), base: a.String("base")}
	if w.name == "" {
		w.name = "*"
	}
	if w.kind == "" {
		w.kind = "any"
	}
	re, err := nameGlob(w.name)
	w.re = re
	return w, err
}

// nameGlob matches a dotted name or its end. Case counts: names are code.
func nameGlob(name string) (*regexp.Regexp, error) {
	if len(name) > 200 {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the name that was asked for is too long"}
	}
	var b strings.Builder
	for _, r := range name {
		if r == '*' {
			b.WriteString(`.*`)
		} else {
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	re, err := regexp.Compile(`(?s)^(?:.*\.)?` + b.String() + `$`)
	if err != nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "the name that was asked for cannot be read"}
	}
	return re, nil
}

func (w symbolWanted) shown() string {
	if w.base != "" {
		return shown(w.name) + " with base " + shown(w.base)
	}
	return shown(w.name)
}

// word is the last part of the name, for the sentinel; "" for a pattern.
func (w symbolWanted) word() string {
	name := w.name[strings.LastIndexByte(w.name, '.')+1:]
	if w.base != "" {
		name = w.base[strings.LastIndexByte(w.base, '.')+1:]
	}
	if strings.ContainsRune(name, '*') {
		return ""
	}
	return name
}

func (w symbolWanted) find(ctx context.Context, s *probe.Scene, scope string) ([]court.Place, court.Source, error) {
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, "", err
	}
	var at, taken []court.Place
	for _, m := range p.Modules {
		if (file{scope: m.Scope}).inScope(scope) && !m.Shadowed {
			at = append(at, w.inModule(p, m)...)
			taken = append(taken, w.imported(m)...)
		}
	}
	others, err := trees(ctx, s)
	if err != nil {
		return nil, "", err
	}
	python := len(at)
	more, used := w.inTrees(others, scope)
	at, taken = append(at, more...), append(taken, used...)
	source := court.AST
	if slices.ContainsFunc(more, func(p court.Place) bool { return sourceOf(others.File(p.Path)) != court.AST }) {
		source = court.Structure
	}
	if w.base != "" {
		slices.SortFunc(at, comparePlaces)
		return at, source, nil
	}
	all, err := sources(ctx, s, scope)
	if err != nil {
		return nil, "", err
	}
	if python+len(more) == 0 {
		source = court.Structure
	}
	for _, d := range all {
		if d.byLines() {
			at = append(at, w.declared(d)...)
		}
	}
	if len(at) == 0 && len(taken) > 0 { // a name of others, which the code takes and uses
		slices.SortFunc(taken, comparePlaces)
		return taken, court.AST, nil
	}
	slices.SortFunc(at, comparePlaces)
	return at, source, nil
}

// inModule lists the definitions, fields and constants.
func (w symbolWanted) inModule(p *intree.Program, m *code.Module) []court.Place {
	var lines []int
	add := func(name string, line int, kinds ...string) {
		if w.re.MatchString(name) && (w.kind == "any" || slices.Contains(kinds, w.kind)) {
			lines = append(lines, line)
		}
	}
	for _, d := range m.Definitions() {
		switch d.Kind {
		case code.DefClass:
			if w.base == "" || p.Inherits(d, w.base, "*."+w.base) {
				add(d.Qualified, d.Line(), "class")
			}
			if w.base == "" && w.name != "*" {
				for _, f := range p.Fields(intree.Symbol{Qualified: d.Qualified, Def: d}) {
					if f.Owner == d {
						add(d.Qualified+"."+f.Name, f.Line)
					}
				}
			}
		case code.DefMethod:
			if w.base == "" {
				add(d.Qualified, d.Line(), "method", "function")
			}
		case code.DefFunction:
			if w.base == "" {
				add(d.Qualified, d.Line(), "function")
			}
		default: // modules and lambdas have no name to look for
		}
	}
	if w.base == "" {
		for n := range m.Root().Children() {
			if asg := n.Child(0); n.Is("expression_statement") && asg.Is("assignment") && asg.Field("left").Is("identifier") {
				add(m.Name+"."+asg.Field("left").Text(), n.Line(), "constant")
			}
		}
	}
	return placesIn(m, lines)
}

// imported lists the imports of the name that the module uses.
func (w symbolWanted) imported(m *code.Module) []court.Place {
	if w.kind != "any" || w.name == "*" || w.base != "" {
		return nil
	}
	var lines []int
	for _, i := range m.Imports() {
		if i.Local != "" && w.re.MatchString(i.Target) && len(m.Words(i.Local)) > 1 {
			lines = append(lines, i.Node.Line())
		}
	}
	return placesIn(m, lines)
}

func placesIn(m *code.Module, lines []int) []court.Place {
	slices.Sort(lines)
	var at []court.Place
	for _, line := range slices.Compact(lines) {
		at = append(at, court.Place{Path: m.Path, Line: line})
	}
	return at
}

// declared lists declarations in another language.
func (w symbolWanted) declared(d divided) []court.Place {
	name := strings.ReplaceAll(regexp.QuoteMeta(w.name[strings.LastIndexByte(w.name, '.')+1:]), `\*`, `\w*`)
	words := map[string]string{
		"function": `func|function|fn|def|fun`, "class": `class|interface|type|struct|enum|trait|record|object`, "constant": `const|let|var|val|static`,
		"method": `func|fn|def|fun|function`, "any": `func|function|fn|def|fun|class|interface|type|struct|enum|trait|record|object|const|let|var|val|static`,
	}[w.kind]
	re, err := regexp.Compile(`\b(?:` + words + `)\s+(?:\([^)]{0,200}\)\s*)?(?:mut\s+|final\s+)?` + name + `\b`)
	if err != nil {
		return nil
	}
	var at []court.Place
	for _, m := range re.FindAllStringIndex(d.code(), 200) {
		at = append(at, d.file.place(lineOf(d.text, m[0])))
	}
	return at
}

// enough answers a generic question about places in code: as many as asked
// for, some, none, or a word that nobody could place.
func enough(ctx context.Context, s *probe.Scene, at []court.Place, source court.Source, a probe.Args, what, name, word string) ([]probe.Finding, error) {
	want := max(a.Int("min", 1), 1)
	switch {
	case len(at) >= want:
		return []probe.Finding{probe.Present(source, at, "%s %s are in %s.", what, name, court.Count(len(at), "place"))}, nil
	case len(at) > 0 && a.Avoid:
		return []probe.Finding{fewEnough(len(at), want, source, what+" "+name)}, nil
	case len(at) > 0:
		return []probe.Finding{probe.Partly(probe.Ratio(len(at), want), source, at, "%s %s are in %s; %d are asked for.", what, name, court.Count(len(at), "place"), want)}, nil
	}
	all, err := sources(ctx, s, a.Scope)
	if err != nil {
		return nil, err
	}
	known, total := 0, 0
	for _, d := range all {
		total++
		if level := d.file.lang.Level(); level == 'A' || level == 'B' {
			known++
		}
		if i := wordIn(d.code(), word); i >= 0 {
			here := []court.Place{d.file.place(lineOf(d.text, i))}
			return []probe.Finding{probe.Cannot(court.Dynamic, here, "The code uses the name %s here, but not in the form that the rubric asks for.", shown(word))}, nil
		}
	}
	if total > 0 && known == 0 {
		return []probe.Finding{probe.Cannot(court.NoDetector, nil, "The code is in languages of which only lines can be read.")}, nil
	}
	return []probe.Finding{probe.Missing(probe.Ratio(known, total), source, "%s %s are in none of %s.", what, name, counted(total, "source file", a.Scope)).OfNothing(total == 0)}, nil
}

// fewEnough says that what is not wanted in such number is there less often:
// that is not a fault.
func fewEnough(n, most int, source court.Source, what string) probe.Finding {
	return probe.Missing(court.One, source, "%s are in %s, fewer than the %d that are too many.", what, court.Count(n, "place"), most)
}
