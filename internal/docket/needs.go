package docket

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
)

// nearBar is the distance to a bar under which a person should look: 0.05.
const nearBar = 5 * court.One / 100

// needsOf are the reasons for which a person should look at a case, in words, the weightiest first; none: nobody has to.
func needsOf(rec *court.Record) []string {
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
	var contested, insufficient, unscored []string
	var manual []court.Criterion
	for _, r := range rec.Verdict.Rulings {
		switch c := nameOf(name[r.Criterion]); {
		case rec.Case.Answer(r.Criterion) != nil: // a person did
		case r.Final == nil:
			unscored = append(unscored, c)
		case r.Status == court.Contested:
			contested = append(contested, fmt.Sprintf("%s (spread %d)", c, r.Spread))
		case r.Status == court.Insufficient:
			insufficient = append(insufficient, c)
		}
	}
	for _, c := range rec.Rubric.Asked(rec.Case.Only) {
		if c.ForPeople() && rec.Case.Answer(c.ID) == nil {
			manual = append(manual, c)
		}
	}
	for _, why := range []struct {
		words    string
		criteria []string
	}{{"contested", contested}, {"too little seen", insufficient}, {"no score", unscored}} {
		if len(why.criteria) > 0 {
			needs = append(needs, why.words+": "+strings.Join(why.criteria, ", "))
		}
	}
	if why := ByPeople(manual); why != "" {
		needs = append(needs, why)
	}
	return append(needs, atBar(rec)...)
}

// standingNeeds are those of a case with decisions: none when a person accepted it as it is. What was accepted of a criterion
// needs nobody, either.
func standingNeeds(stands, rec *court.Record, list []decision.Entry) []string {
	if decision.Accepted(rec, list, "") {
		return []string{}
	}
	seen := *stands
	if v := stands.Verdict; v != nil {
		settled := *v
		settled.Rulings = slices.DeleteFunc(slices.Clone(v.Rulings), func(r court.Ruling) bool { return decision.Accepted(rec, list, r.Criterion) })
		seen.Verdict = &settled
	}
	return needsOf(&seen)
}

// ByPeople is the reason for which a person should look at a case whose criteria only people mark, when they did not; empty
// without such criteria.
func ByPeople(criteria []court.Criterion) string {
	var names []string
	for _, c := range criteria {
		names = append(names, nameOf(c))
	}
	if len(names) == 0 {
		return ""
	}
	return "a person scores: " + strings.Join(names, ", ")
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
		if r.Final != nil && rec.Case.Answer(r.Criterion) == nil {
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
