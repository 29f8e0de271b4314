package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// note is what stands beside a criterion's score, in whole sentences: what a person
// said, the points, then the first that applies of the rule that capped, too little
// that could be checked, judges who disagree, one who was overruled, a missing
// human, each with what is wrong; and a violation that is not confirmed.
func (d *docket) note(c court.Criterion) string {
	r := d.rulings[c.ID]
	if r == nil {
		return sentence(safetext.Capital(d.why(c)))
	}
	var parts []string
	if d.rec.Case.Answer(c.ID) != nil {
		parts = append(parts, sentence(d.answered(c)))
	}
	if r.Points != nil {
		parts = append(parts, sentence(pointsOf(r)))
	}
	parts = append(parts, d.remark(c, r)...)
	if c.Generic() && len(c.Checks) > 0 {
		parts = append(parts, sentence(safetext.Capital(byWords)))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

func (d *docket) remark(c court.Criterion, r *court.Ruling) []string {
	rule := r.CappedBy()
	switch {
	case rule != "":
		return []string{d.cappedNote(r, rule)}
	case r.Status == court.Insufficient && r.Final == nil:
		return []string{sentence(safetext.Capital(d.why(c)))}
	case r.Status == court.Insufficient:
		return []string{sentence(d.unknownBehind("Too little could be checked", c.ID))}
	case r.Status == court.Contested && r.Spread > 1:
		return []string{fmt.Sprintf("The judges disagree by %d points.", r.Spread), d.problem(c.ID)}
	case len(r.Overruled) > 0:
		var seats []string
		for _, seat := range r.Overruled {
			seats = append(seats, seat.Title())
		}
		return []string{"The evidence overrules " + strings.Join(seats, " and ") + ".", d.problem(c.ID)}
	case c.ForPeople():
		return []string{sentence(safetext.Capital(d.why(c)))}
	default:
		return []string{d.problem(c.ID)}
	}
}

// cappedNote says which rule capped a score, and what it found.
func (d *docket) cappedNote(r *court.Ruling, rule string) string {
	h, caps := holding(r, rule), "caps this score"
	if h.Before == h.After {
		caps = "is proven; its cap lowers nothing here"
	}
	what := "The rule " + rule
	if rule == "security_override" {
		what = "A confirmed security flaw"
		if h.Before == h.After && d.binds() {
			caps = "caps the total"
		}
	}
	for _, id := range h.Evidence {
		if x := d.byID[id]; x != nil {
			return what + " " + caps + ": " + behindColon(*x)
		}
	}
	return what + " " + caps + "."
}

// problem is what is wrong with a criterion: what the strongest evidence says
// against the weightiest check that more probably fails than holds, in the court's
// own standard, or else a violation. Empty: there is none.
func (d *docket) problem(criterion string) string {
	worst := d.worst(criterion)
	x := d.against(criterion, worst)
	if x == nil {
		if worst == "" {
			return ""
		}
		return sentence(safetext.Capital(d.unknownBehind(notChecked, criterion)))
	}
	s := rationale(*x)
	if unconfirmed(*x) {
		return s + " " + noCap
	}
	for _, y := range d.of(criterion) {
		if unconfirmed(y) {
			return s + " Not confirmed: " + behindColon(y)
		}
	}
	return s
}

// rationale is what evidence says, as sentences. The letters of a name in the quote
// stay as they are.
func rationale(x court.Exhibit) string {
	s := cmp.Or(x.Rationale, x.Goal)
	if word := plainWord.FindString(s); word != "" && !strings.Contains(x.Content, strings.TrimSpace(word)) {
		s = safetext.Capital(s)
	}
	return statement(s)
}

// behindColon is the same as it goes on behind a colon.
func behindColon(x court.Exhibit) string {
	return safetext.Small(sentence(cmp.Or(x.Rationale, x.Goal)))
}

// plainWord is a first word that looks like one of a sentence.
var plainWord = regexp.MustCompile(`^[a-z]+ `)

// unconfirmed tells a security flaw that stands in the record and caps nothing.
func unconfirmed(x court.Exhibit) bool {
	return x.Outcome == court.Violation && x.Security != nil && !x.Security.Confirmed && !x.Security.Dismissed && x.Stands()
}

// noCap is said beside such a flaw.
const noCap = "This security flaw is not confirmed, so no cap follows."

// inQuotes is a check's title as it stands in other text.
func inQuotes(title string) string { return "“" + sentence(title) + "”" }

// worst is the weightiest check of a criterion that more probably fails than
// holds, of those with evidence against them if there are any; empty: there is none.
func (d *docket) worst(criterion string) string {
	worst, weight, shown := "", int64(0), false
	for _, row := range d.failing(criterion) {
		w, has := row.Weight*int64(row.Fails()), d.against(criterion, row.Check) != nil
		if w > weight && has == shown || has && !shown {
			worst, weight, shown = row.Check, w, has
		}
	}
	return worst
}

// failing are the rows of the checks that more probably fail than hold.
func (d *docket) failing(criterion string) []court.Row {
	h := d.hearings[criterion]
	if h == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(h.Ledger[court.TechLead]), func(r court.Row) bool { return r.Fails() <= r.B || r.Fails() <= court.One/2 })
}

// against is the strongest evidence against a check; without a check, that of the
// strongest violation. nil: there is none.
func (d *docket) against(criterion, check string) *court.Exhibit {
	var list []court.Exhibit
	for _, x := range d.of(criterion) {
		bad := x.Outcome == court.Violation || check != "" && (x.Outcome == court.Absent || x.Outcome == court.Partial)
		if (x.Check == check || check == "") && bad && x.Stands() {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return nil
	}
	best := slices.MinFunc(list, func(a, b court.Exhibit) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), cmp.Compare(a.ID, b.ID))
	})
	return &best
}

// pointsOf is a ruling on the rubric's own scale.
func pointsOf(r *court.Ruling) string {
	s := fmt.Sprintf("%s of %s points", r.Points.Points.Cut(), r.Points.Max.Cut())
	if r.Points.Level != "" {
		s += " (" + r.Points.Level + ")"
	}
	return s
}

// lead is the outcome in two or three sentences: a word for the total, how many
// criteria do well, and the biggest problem with its place.
func (d *docket) lead() string {
	return strings.TrimSpace(sentence(d.rec.Verdict.Headline) + " " + d.summary())
}

// summary is lead without its first word.
func (d *docket) summary() string {
	if s := d.biggest(); s != "" {
		return d.reached() + " Biggest problem: " + s
	}
	return d.reached()
}

// reached says how many criteria do well, by the scores that count.
func (d *docket) reached() string {
	good, scored, none := 0, 0, 0
	for _, c := range d.heard() {
		switch e := d.rec.Counts(c.ID); {
		case e == nil:
			none++
		case e.Score() >= 4:
			good++
			fallthrough
		default:
			scored++
		}
	}
	if scored == 0 {
		return "No criterion has a score, because too little could be checked."
	}
	reach, have := "criteria reach", "have"
	switch {
	case scored == 1:
		reach = "criterion reaches"
	case good == 1:
		reach = "criteria reaches"
	}
	if none == 1 {
		have = "has"
	}
	s := fmt.Sprintf("%d of %d %s 4 or more", good, scored, reach)
	if none > 0 {
		s += fmt.Sprintf("; %d more %s no score", none, have)
	}
	return s + "."
}

// biggest tells what costs the case most, with its criterion and its place: a
// confirmed flaw that caps the total, else code that cannot be parsed where it hides
// more than any check costs, else the check that takes the largest share of the whole. Empty: nothing more probably fails than holds.
func (d *docket) biggest() string {
	if rule, criterion := d.cap(); criterion != "" {
		caps := "a confirmed security flaw"
		if d.binds() {
			caps += " caps the total"
		}
		if h := holding(d.rulings[criterion], rule); len(h.Evidence) > 0 && d.byID[h.Evidence[0]] != nil {
			return caps + ": " + d.told(criterion, *d.byID[h.Evidence[0]])
		}
		return caps + "."
	}
	var of, check string
	most := int64(0)
	for _, c := range d.heard() {
		if d.hearings[c.ID] == nil || d.rec.LeftOut(c.ID) || d.rec.Case.Answer(c.ID) != nil {
			continue
		}
		if name, cost := d.costliest(c); cost > most {
			of, check, most = c.ID, name, cost
		}
	}
	if _, cost := d.hidden(); cost > most {
		if at := unparsed(d.rec.Faults); len(at) > 0 {
			return sentence(d.cannotBeParsed(at))
		}
	}
	if of == "" {
		return ""
	}
	return d.told(of, *d.against(of, check))
}

// costliest is the check of a criterion that takes most of the whole case, of those
// with evidence against them. What fails without evidence of its own, as it cannot
// hold then, is counted with it.
func (d *docket) costliest(c court.Criterion) (check string, cost int64) {
	all, alone, most := int64(0), int64(0), int64(0)
	for _, row := range d.hearings[c.ID].Ledger[court.TechLead] {
		all += row.Weight
	}
	for _, row := range d.failing(c.ID) {
		share := int64(c.Weight) * row.Weight * int64(row.Fails()) / max(all, 1)
		switch {
		case d.against(c.ID, row.Check) == nil:
			alone += share
		case share > most:
			check, most = row.Check, share
		}
	}
	if check == "" {
		return "", 0
	}
	return check, most + alone
}

// told is what evidence says behind a colon, with its criterion and its place in brackets.
func (d *docket) told(criterion string, x court.Exhibit) string {
	where := d.name(criterion)
	if located(x.Location) && !strings.Contains(x.Rationale, x.Location) {
		where += ", " + strings.TrimPrefix(x.Location, "pdf:")
	}
	return strings.TrimSuffix(behindColon(x), ".") + " (" + where + ")."
}
