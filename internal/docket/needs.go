package docket

import (
	"cmp"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// nearBar is the distance to a bar under which a person should look: 0.05.
const nearBar = 5 * court.One / 100

// Needs are the reasons for which a person should look at a case, in words, the weightiest first; none: nobody has to.
func Needs(rec *court.Record) []string {
	needs := []string{}
	if rule := cappedBy(rec); rule != "" {
		needs = append(needs, "capped by "+rule)
	}
	if rec.Status == court.Partway {
		needs = append(needs, "the audit is partial")
	}
	if rec.Verdict == nil {
		return needs
	}
	name := map[string]court.Criterion{}
	for _, c := range rec.Rubric.Criteria {
		name[c.ID] = c
	}
	for _, status := range []court.Status{court.Contested, court.Insufficient, court.Open} {
		for _, r := range rec.Verdict.Rulings {
			if r.Status == status && (status != court.Insufficient || r.Final != nil) {
				needs = append(needs, fmt.Sprintf("%s: %s, spread %d", status, nameOf(name[r.Criterion]), r.Spread))
			}
		}
	}
	for _, r := range rec.Verdict.Rulings {
		if r.Final == nil {
			needs = append(needs, "no score: "+nameOf(name[r.Criterion]))
		}
	}
	for _, c := range rec.Rubric.Criteria {
		if c.ForPeople() && rec.Case.Answer(c.ID) == nil {
			needs = append(needs, "a person scores: "+nameOf(c))
		}
	}
	return append(needs, atBar(rec)...)
}

// atBar are the bars that a case is close to, or that cannot be held against it.
func atBar(rec *court.Record) (needs []string) {
	if rec.Gate == nil {
		return nil
	}
	if rec.Gate.Outcome == "insufficient" {
		needs = append(needs, "the gate cannot tell")
	}
	exact := map[string]court.Fixed{court.OverallID: rec.Verdict.Overall.Exact}
	for _, r := range rec.Verdict.Rulings {
		if r.Final != nil {
			exact[r.Criterion] = r.Exact
		}
	}
	for _, c := range append([]court.Criterion{{ID: court.OverallID}}, rec.Rubric.Criteria...) {
		bar, barred := rec.Gate.Bars[c.ID]
		if got, ok := exact[c.ID]; ok && barred && got-bar < nearBar && bar-got < nearBar {
			needs = append(needs, fmt.Sprintf("within 0.05 of the bar: %s", nameOf(c)))
		}
	}
	return needs
}

func nameOf(c court.Criterion) string { return cmp.Or(c.Name, c.ID) }
