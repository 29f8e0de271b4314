package rubric

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// guidance reads judicial_logic: one string for all judges, or an object with
// one entry per judge, spelled in any case.
func (l *loader) guidance(v *value, criterion string) court.Guidance {
	var g court.Guidance
	switch v.kind {
	case aString:
		g.Shared = v.text
	case anObject:
		for _, m := range v.fields {
			words := l.instruct(m.value)
			switch strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(m.key)) {
			case "prosecutor":
				g.Prosecutor = words
			case "defense", "defence":
				g.Defense = words
			case "techlead":
				g.TechLead = words
			case "shared":
				g.Shared = words
			default:
				l.unknown(m, criterion, []string{"prosecutor", "defense", "tech_lead", "shared"})
			}
		}
	default:
		l.wrong(v, "type", "a string or an object with prosecutor, defense and tech_lead")
	}
	return g
}

// instructKeys is the order in which the parts of one judge's words are joined.
var instructKeys = []string{"core_philosophy", "handbook", "focus"}

// instruct is what one judge is told: a string, or an object of strings and
// lists joined as lines, the known parts first, the others by name.
func (l *loader) instruct(v *value) string {
	if v.kind != anObject {
		s, _ := l.lines(v)
		return s
	}
	var parts []string
	for _, m := range v.sorted(instructKeys...) {
		if s, _ := l.lines(m.value); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}
