package judicial

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
)

// files adds prompt files: texts whose name is a judge's, in a folder of
// prompts or named by the code.
func (b *bench) files(pr *prompts) {
	var names []string
	for p := range b.texts {
		names = append(names, p)
	}
	slices.Sort(names)
	for _, p := range names {
		ext := strings.ToLower(path.Ext(p))
		if !slices.Contains([]string{".txt", ".md", ".prompt", ".j2", ".jinja", ".jinja2"}, ext) {
			continue
		}
		if sc := b.p.Layout.Scope(p); sc == code.ScopeTest || sc == code.ScopeVendor || sc == code.ScopeExample || sc == code.ScopeAudit {
			continue
		}
		base := strings.TrimSuffix(path.Base(p), path.Ext(p))
		judge := who(split(base))
		dir := split(path.Base(path.Dir(p)))
		if judge == nobody || !starts(append(dir, split(base)...), "prompt", "persona") || !b.named(path.Base(p), base) {
			continue
		}
		text, _ := code.File{Path: p, Bytes: b.texts[p]}.Text()
		pr.own[judge].add(text, court.Place{Path: p, Line: 1, EndLine: min(10, strings.Count(text, "\n")+1)})
	}
}

// named reports whether production code names a file, or builds such a name.
func (b *bench) named(file, base string) bool {
	for _, m := range b.p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for _, t := range m.Strings() {
			if strings.Contains(t.Text, file) || strings.Contains(t.Text, base) {
				return true
			}
		}
	}
	return false
}
