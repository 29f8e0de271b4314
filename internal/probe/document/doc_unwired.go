package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docUnwired() probe.Probe {
	return probe.Probe{
		ID: "doc.unwired", Version: "2", Target: court.PDFReport,
		Title:  "Every component that the document claims is called",
		Doc:    "Takes the functions and classes that the document names as part of the program and that the production code defines once, and asks whether any code but tests uses them. What a decorator registers, what is passed on and what a manifest names counts as used. So are asked those of which it proposes what is there and used by now. Methods are left out, and what other projects may use in languages that say so.",
		Remedy: "Call the component, or say that it is not in use.", Effort: 30,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{unwired(l)}, nil
		},
	}
}

// idle says of each component in the ledger that no code uses it.
func (l *ledger) idle() {
	known := map[string]bool{}
	for i := range l.claims {
		c := &l.claims[i]
		if c.Kind != ofSymbol || c.Modality != done || c.Fate != holds {
			continue
		}
		idle, asked := known[c.Subject]
		if !asked {
			d := l.repo.component(c.Subject)
			idle = d != nil && !l.repo.used(d)
			known[c.Subject] = idle
		}
		if idle {
			c.Why = "The code defines it, but no code outside tests uses it."
		}
	}
}

func unwired(l *ledger) probe.Finding {
	var idle []claim
	looked := 0
	named := with(holds, l.of(ofSymbol))
	for _, c := range l.claims {
		if c.Kind == ofSymbol && c.Modality == planned && c.Fate == holds { // it is there by now
			named = append(named, c)
		}
	}
	for _, c := range once(named) {
		d := l.repo.component(c.Subject)
		if d == nil || c.Modality == planned && !l.repo.used(d) {
			continue
		}
		looked++
		if !l.repo.used(d) {
			c.proof = []court.Place{d.at()}
			idle = append(idle, c)
		}
	}
	if looked == 0 {
		return probe.Nothing(court.One, l.source(court.Crossref), "The document names no function and no class of the code.")
	}
	if len(idle) == 0 {
		return probe.Clean(court.One, l.source(court.Crossref), "The code uses every function and class that the document names (%d).", looked)
	}
	return l.cited(probe.Against(l.source(court.Crossref), nil, "The document names %s, but no code outside tests uses it.", subjects(idle)).Do("Call %s from the program, or say in the document that it is not in use.", subjects(idle)), idle...)
}

// component is the one production function or class of a name, nil when there
// is none or several.
func (a *against) component(name string) *declaration {
	var found *declaration
	for _, d := range a.defined[fold(name)] {
		if d.scope != code.ScopeProduction || d.name != name || !d.topmost {
			continue
		}
		if found != nil {
			return nil
		}
		found = d
	}
	return found
}

// used tells whether anything but tests and the definition itself uses it.
func (a *against) used(x *declaration) bool {
	d := x.python
	if d == nil {
		return x.exported || x.name == "main" || x.name == "init" || x.node.Child("decorator").Valid() || a.mentions(x)
	}
	if len(d.Decorators()) > 0 || strings.HasPrefix(d.Name, "__") || d.Name == "main" {
		return true
	}
	for _, n := range a.program.Uses(d) {
		if n.Module().Scope != code.ScopeTest && !d.Node.Contains(n) {
			return true
		}
	}
	for _, e := range a.program.Entries() {
		if e.Def == d {
			return true
		}
	}
	for _, m := range a.program.Modules { // by another name, or through what could not be resolved
		if m.Scope == code.ScopeTest {
			continue
		}
		for _, t := range m.Words(d.Name) {
			if m != d.Module || t.Pos < d.Node.Start() || t.Pos >= d.Node.End() {
				if !imported(m, t.Line) {
					return true
				}
			}
		}
		for _, t := range m.Strings() {
			if strings.Contains(t.Text, d.Name) && m != d.Module {
				return true
			}
		}
	}
	return false
}

// imported tells whether a line belongs to an import statement.
func imported(m *code.Module, line int) bool {
	for _, im := range m.Imports() {
		if line >= im.Node.Line() && line <= im.Node.EndLine() {
			return true
		}
	}
	return false
}
