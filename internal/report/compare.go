package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Comparison is what changed between two records.
type Comparison struct {
	Old      sided    `json:"old"`
	New      sided    `json:"new"`
	Warnings []string `json:"warnings"` // why the scores may not be held against each other
	Criteria []Change `json:"criteria"` // in the order of the new rubric, then those that are gone
	Overall  Change   `json:"overall"`
	// Fallen holds the ids of what fell, "overall" among them. Nothing is said
	// to fall between records under other terms.
	Fallen    []string `json:"fallen"`
	Regressed bool     `json:"regressed"` // something fell

	Asked    []string `json:"asked,omitempty"`     // what was supposed, in sentences
	NoEffect string   `json:"no_effect,omitempty"` // that nothing comes of it, or not of a rule that does not fire
}

// sided is one of the two records.
type sided struct {
	Case   string `json:"case"`
	Commit string `json:"commit"`
	Digest string `json:"digest"`
	Status string `json:"status"`
}

// Change is what became of one score. A side without a score is nil.
type Change struct {
	ID   string       `json:"criterion_id"`
	Name string       `json:"name"`
	Old  *court.Fixed `json:"old"`
	New  *court.Fixed `json:"new"`
	Gone []Trace      `json:"gone"` // evidence of the old record that the new one does not have
	Came []Trace      `json:"came"` // the reverse
	Note []string     `json:"notes"`

	Apart bool `json:"apart,omitempty"` // the two scores are not of the same kind
}

// Delta is how far the score moved as printed, so that the three numbers of a
// line agree; 0 when a side has none, or one of another kind.
func (c Change) Delta() court.Fixed {
	if c.Old == nil || c.New == nil || c.Apart {
		return 0
	}
	return c.New.Cut() - c.Old.Cut()
}

// Trace names one piece of evidence of one of the records.
type Trace struct {
	Label    string        `json:"label"`
	Check    string        `json:"check"`
	Goal     string        `json:"goal"`
	Outcome  court.Outcome `json:"outcome"`
	Location string        `json:"location"`
	Link     string        `json:"link,omitempty"` // its place at the commit, where the forge is known
}

// Compare holds two records against each other. Evidence is matched by its
// check, outcome and content, not by its line, so that code which moved is not
// new.
func Compare(old, now *court.Record) Comparison {
	a, b := newDocket(old), newDocket(now)
	c := Comparison{Old: sideOf(old), New: sideOf(now), Warnings: []string{}, Fallen: []string{}, Criteria: []Change{}}
	for _, x := range b.heard() {
		c.Criteria = append(c.Criteria, change(a, b, x.ID, nameOf(x)))
	}
	for _, x := range a.heard() {
		if !slices.ContainsFunc(c.Criteria, func(k Change) bool { return k.ID == x.ID }) {
			c.Criteria = append(c.Criteria, change(a, b, x.ID, nameOf(x)))
		}
	}
	c.Overall = Change{ID: court.OverallID, Name: "Overall", Old: a.total(), New: b.total(), Gone: []Trace{}, Came: []Trace{}, Note: append([]string{}, capNote(a, b)...)}
	c.Overall.Note = append(c.Overall.Note, aloneNote(a, b, a.bareTotal(), b.bareTotal())...)
	asked := now.Hypothetical && now.Parent == old.Digest
	if !asked {
		c.Warnings = append(c.Warnings, old.Terms().Apart(now.Terms())...)
	}
	if len(c.Warnings) == 0 {
		c.Fallen = fallenIDs(now.Verdict.Fallen(old.Verdict))
	}
	c.Regressed = len(c.Fallen) > 0
	if old.Verdict != nil && now.Verdict != nil && !now.Verdict.SameHeard(old.Verdict) {
		c.Overall.Apart = true
		c.Overall.Note = append(c.Overall.Note, "The totals are over different criteria and cannot be compared.")
	}
	if asked && a.judged() && b.judged() {
		c.about(a, b)
	}
	return c
}

func fallenIDs(list []court.Fall) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, f.Criterion)
	}
	return out
}

func sideOf(rec *court.Record) sided {
	return sided{rec.Case.ID, rec.Case.Commit, rec.Digest, string(rec.Status)}
}

func change(a, b *docket, id, name string) Change {
	c := Change{ID: id, Name: name, Old: a.exact(id), New: b.exact(id), Gone: []Trace{}, Came: []Trace{}, Note: []string{}}
	r, s := a.rulings[id], b.rulings[id]
	switch {
	case r == nil && s == nil: // mistrials
		return c
	case s == nil:
		c.Note = append(c.Note, "It was judged in the first audit only.")
		return c
	case r == nil:
		c.Note = append(c.Note, "It was judged in the second audit only.")
		return c
	}
	c.Gone, c.Came = a.without(b, id), b.without(a, id)
	if r.Status != s.Status {
		c.Note = append(c.Note, fmt.Sprintf("It is %s; it was %s.", s.Status, r.Status))
	}
	for _, h := range s.Holdings {
		was := holding(r, h.Rule)
		switch {
		case was == nil || (was.Outcome == court.Fired) == (h.Outcome == court.Fired):
		case h.Outcome == court.Fired:
			c.Note = append(c.Note, "The rule "+h.Rule+" fires now.")
		default:
			c.Note = append(c.Note, "The rule "+h.Rule+" no longer fires.")
		}
	}
	c.Note = append(c.Note, aloneNote(a, b, a.bare(id), b.bare(id))...)
	return c
}

func capNote(a, b *docket) []string {
	was, _ := a.cap()
	is, _ := b.cap()
	switch {
	case was == is:
		return nil
	case is == "":
		return []string{"The rule " + was + " no longer fires."}
	default:
		return []string{"The rule " + is + " fires now."}
	}
}

// exact is a criterion's score, or nil.
func (d *docket) exact(criterion string) *court.Fixed {
	if r := d.rulings[criterion]; r != nil && r.Final != nil {
		return &r.Exact
	}
	return nil
}

func (d *docket) total() *court.Fixed {
	if d.rec.Verdict == nil || d.rec.Verdict.Overall.Unscored {
		return nil
	}
	return &d.rec.Verdict.Overall.Exact
}

// without lists the evidence of one side that the other does not have, what
// speaks against the submission first.
func (d *docket) without(other *docket, criterion string) []Trace {
	have := map[string]int{}
	for _, x := range other.of(criterion) {
		if x.Stands() {
			have[likeness(x)]++
		}
	}
	list := []Trace{}
	for _, x := range d.of(criterion) {
		if !x.Stands() {
			continue
		}
		if k := likeness(x); have[k] > 0 {
			have[k]--
			continue
		}
		list = append(list, Trace{cmp.Or(x.Label, x.ID), x.Check, x.Goal, x.Outcome, x.Location, firstLink(d.rec.Case, x.At)})
	}
	order := []court.Outcome{court.Violation, court.Absent, court.Partial, court.Unknown}
	slices.SortStableFunc(list, func(a, b Trace) int {
		rank := func(t Trace) int {
			if i := slices.Index(order, t.Outcome); i >= 0 {
				return i
			}
			return len(order)
		}
		return cmp.Compare(rank(a), rank(b))
	})
	return list
}

// likeness is what two pieces of evidence share that say the same thing. What
// was not found has no content; there the check and the outcome say it.
func likeness(x court.Exhibit) string {
	content := strings.Join(strings.Fields(x.Content), " ")
	path := ""
	if len(x.At) > 0 && content != "" {
		path = x.At[0].File()
	}
	return strings.Join([]string{x.Check, x.Ask, string(x.Outcome), string(x.Reason), path, content}, "\x00")
}
