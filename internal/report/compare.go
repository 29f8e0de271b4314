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
	Old      Side     `json:"old"`
	New      Side     `json:"new"`
	Warnings []string `json:"warnings"` // why the scores may not be held against each other
	Criteria []Change `json:"criteria"` // in the order of the new rubric, then those that are gone
	Overall  Change   `json:"overall"`
	// Regressed tells that the overall score or that of a criterion fell. It is
	// never claimed of records under different rubrics, checks or laws.
	Regressed bool `json:"regressed"`
}

// Side is one of the two records.
type Side struct {
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
}

// Delta is how far the score moved; 0 when a side has none.
func (c Change) Delta() court.Fixed {
	if c.Old == nil || c.New == nil {
		return 0
	}
	return *c.New - *c.Old
}

// Trace names one piece of evidence of one of the records.
type Trace struct {
	Label    string        `json:"label"`
	Check    string        `json:"check"`
	Outcome  court.Outcome `json:"outcome"`
	Location string        `json:"location"`
}

// Compare holds two records against each other. Evidence is matched by its
// check, outcome and content, not by its line, so that code which moved is not
// new.
func Compare(old, now *court.Record) Comparison {
	a, b := newDocket(old), newDocket(now)
	c := Comparison{Old: sideOf(old), New: sideOf(now), Warnings: append([]string{}, warnings(old, now)...), Criteria: []Change{}}
	for _, x := range b.heard() {
		c.Criteria = append(c.Criteria, change(a, b, x.ID, nameOf(x)))
	}
	for _, x := range a.heard() {
		if !slices.ContainsFunc(c.Criteria, func(k Change) bool { return k.ID == x.ID }) {
			c.Criteria = append(c.Criteria, change(a, b, x.ID, nameOf(x)))
		}
	}
	c.Overall = Change{ID: "overall", Name: "Overall", Old: a.total(), New: b.total(), Gone: []Trace{}, Came: []Trace{}, Note: append([]string{}, capNote(a, b)...)}
	if len(c.Warnings) == 0 {
		c.Regressed = c.Overall.fell() || slices.ContainsFunc(c.Criteria, Change.fell)
	}
	return c
}

// fell tells whether a score went down, or away.
func (c Change) fell() bool { return c.Old != nil && (c.New == nil || *c.New < *c.Old) }

func sideOf(rec *court.Record) Side {
	return Side{rec.Case.ID, rec.Case.Commit, rec.Digest, string(rec.Status)}
}

// warnings says what beside the submission differs, but for a change that was
// asked for.
func warnings(old, now *court.Record) []string {
	var list []string
	if now.Hypothetical && now.Parent == old.Digest {
		return nil
	}
	differ := func(what, a, b string) {
		if a != b {
			list = append(list, fmt.Sprintf("the %s differ: %s and %s", what, cmp.Or(a, "none"), cmp.Or(b, "none")))
		}
	}
	differ("rubrics", digest12(old.Rubric.Digest), digest12(now.Rubric.Digest))
	differ("checks", digest12(old.Rubric.Checks), digest12(now.Rubric.Checks))
	differ("laws", fmt.Sprint(old.Origin.Law), fmt.Sprint(now.Origin.Law))
	differ("benches", benchLine(old), benchLine(now))
	return list
}

func change(a, b *docket, id, name string) Change {
	c := Change{ID: id, Name: name, Old: a.exact(id), New: b.exact(id), Gone: missing(a.of(id), b.of(id)), Came: missing(b.of(id), a.of(id)), Note: []string{}}
	r, s := a.rulings[id], b.rulings[id]
	if r == nil || s == nil {
		return c
	}
	if r.Status != s.Status {
		c.Note = append(c.Note, fmt.Sprintf("%s, was %s", s.Status, r.Status))
	}
	for _, h := range s.Holdings {
		was := holding(r, h.Rule)
		switch {
		case was == nil || (was.Outcome == court.Fired) == (h.Outcome == court.Fired):
		case h.Outcome == court.Fired:
			c.Note = append(c.Note, h.Rule+" fires")
		default:
			c.Note = append(c.Note, h.Rule+" no longer fires")
		}
	}
	return c
}

func capNote(a, b *docket) []string {
	was, _ := a.cap()
	is, _ := b.cap()
	switch {
	case was == is:
		return nil
	case is == "":
		return []string{was + " no longer fires"}
	default:
		return []string{is + " fires"}
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
	if d.rec.Verdict == nil {
		return nil
	}
	return &d.rec.Verdict.Overall.Exact
}

// missing lists the evidence of one side that the other does not have, what
// speaks against the submission first.
func missing(of, from []court.Exhibit) []Trace {
	have := map[string]int{}
	for _, x := range from {
		if x.Stands() {
			have[likeness(x)]++
		}
	}
	list := []Trace{}
	for _, x := range of {
		if !x.Stands() {
			continue
		}
		if k := likeness(x); have[k] > 0 {
			have[k]--
			continue
		}
		list = append(list, Trace{cmp.Or(x.Label, x.ID), x.Check, x.Outcome, x.Location})
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
