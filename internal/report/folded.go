package report

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// argued is an argument, or a part of one, with the evidence that it cites.
type argued struct {
	text  string
	cited []string
}

// folded are the points that all three judges of a criterion rest on, and what is
// left of the argument of each. Nothing is shared where a judge is missing, or told
// claim by claim.
func (d *docket) folded(criterion string) (shared argued, own map[court.Persona]argued) {
	own = map[court.Persona]argued{}
	var all []*court.Opinion
	whole := true
	for _, seat := range seats() {
		o := d.opinion(criterion, seat)
		if o == nil {
			whole = false
			continue
		}
		if claims, _ := d.listed(o); claims {
			whole = false
		}
		own[seat] = argued{o.Argument, o.Cited}
		all = append(all, o)
	}
	if !whole {
		return argued{}, own
	}
	for i, list := range spoken(all, d.label) {
		var mine, ours []string
		var cited, both []string
		for _, s := range list {
			if s.shared {
				ours, both = append(ours, s.text), append(both, s.claim.ID)
			} else {
				mine = append(mine, s.text)
			}
		}
		if len(both) == 0 {
			return argued{}, own
		}
		for _, id := range all[i].Cited {
			if !slices.Contains(both, id) || strings.Contains(strings.Join(mine, " "), d.label(id)) {
				cited = append(cited, id)
			}
		}
		shared = argued{strings.Join(ours, " "), both}
		own[all[i].Judge] = argued{strings.Join(mine, " "), cited}
	}
	return shared, own
}
