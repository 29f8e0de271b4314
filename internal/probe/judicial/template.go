package judicial

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	includes = regexp.MustCompile(`\{%-?\s*(?:include|extends|import|from)\s+["']([^"'\n]{1,200})["']`)
	slots    = regexp.MustCompile(`\{\{[^{}\n]{1,200}\}\}`)
)

// maxTemplates bounds the templates that one part of the program fills.
const maxTemplates = 64

// templates lists the template files that a part of the program fills, and those that
// they include or extend, in the order in which they are met.
func (b *bench) templates(r *programPart) []string {
	var out []string
	take := func(name string) {
		for _, p := range b.texted(name) {
			if !slices.Contains(out, p) && len(out) < maxTemplates {
				out = append(out, p)
			}
		}
	}
	for _, c := range r.calls(b.p, b.il) {
		if c.Name == "get_template" || c.Name == "select_template" {
			for a := range c.Node.Field("arguments").Walk() {
				if name, ok := a.Literal(); ok {
					take(name)
				}
			}
		}
	}
	for i := 0; i < len(out); i++ {
		for _, m := range includes.FindAllStringSubmatch(string(b.texts[out[i]]), maxTemplates) {
			take(m[1])
		}
	}
	return out
}

// texted lists the text files of the commit that a template's name may mean.
func (b *bench) texted(name string) []string {
	var out []string
	for p := range b.texts {
		sc := b.p.Layout.Scope(p)
		if (p == name || strings.HasSuffix(p, "/"+strings.TrimPrefix(name, "/"))) && name != "" && sc != code.ScopeTest && sc != code.ScopeVendor && sc != code.ScopeExample {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// fill adds the templates that the judges' code fills to what the judges are told.
func (b *bench) fill(pr *prompts) {
	for _, p := range b.templates(b.judges) {
		text, _ := code.File{Path: p, Bytes: b.texts[p]}.Text()
		at := court.Place{Path: p, Line: 1, EndLine: min(10, strings.Count(text, "\n")+1)}
		if judge := who(split(strings.TrimSuffix(path.Base(p), path.Ext(p)))); judge != nobody {
			pr.own[judge].add(text, at)
		} else {
			pr.common.add(text, at)
		}
	}
}

// remedyTemplate is where a template that the chief justice's code fills speaks of
// remediation, and what the holes of that file are made of.
func (b *bench) remedyTemplate() (at []court.Place, m mark) {
	for _, p := range b.templates(b.chief) {
		text, _ := code.File{Path: p, Bytes: b.texts[p]}.Text()
		line := 0
		for row := range strings.Lines(text) {
			if line++; starts(split(row), remedyStems...) && !strings.Contains(row, "{%") {
				at = append(at, court.Place{Path: p, Line: line, EndLine: line})
			}
		}
		if len(at) == 0 {
			continue
		}
		for _, hole := range slots.FindAllString(text, maxTemplates) {
			for _, word := range strings.FieldsFunc(hole, func(c rune) bool { return !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') }) {
				m |= ofAttribute(word)
			}
		}
		return at, m
	}
	return nil, 0
}
