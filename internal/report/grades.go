package report

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Grade is one submission of a cohort with its scores. A score that is nil is not there: it is an empty cell, and never a
// zero. Scores have the two digits that reports show, in every format.
type Grade struct {
	ID     string       `json:"id"`
	Name   string       `json:"name,omitempty"`
	Email  string       `json:"email,omitempty"`
	URL    string       `json:"repo_url,omitempty"` // empty: it has no address
	Commit string       `json:"commit,omitempty"`
	State  string       `json:"status"` // of the submission: done, partial, failed, …
	Reason string       `json:"reason,omitempty"`
	Score  *court.Fixed `json:"overall"` // the one that counts
	Low    *court.Fixed `json:"low"`
	High   *court.Fixed `json:"high"`
	Court  *court.Fixed `json:"court_score"` // the total without what people gave
	Scaled *court.Fixed `json:"scaled,omitempty"`

	Calibrated *court.Fixed    `json:"calibrated,omitempty"` // the total as a calibration has it
	Published  string          `json:"published,omitempty"`  // when this score was given out; empty: it is a draft
	Decisions  int             `json:"decisions,omitempty"`  // of people on its rulings, in force
	CappedBy   string          `json:"capped_by,omitempty"`
	Needs      []string        `json:"needs_person"` // why a person should look
	Criteria   []criterionMark `json:"criteria"`
	Models     *court.Models   `json:"models,omitempty"` // what models were asked; nil: none were

	comment string // the outcome in two or three sentences
	held    bool   // it is no grade to give out
}

// Held is a grade that is not given out: a file that is filled in stays as it is where its student has a row.
func (g Grade) Held() Grade { g.held = true; return g }

// criterionMark is one criterion of a grade.
type criterionMark struct {
	ID         string       `json:"criterion_id"`
	Score      *court.Fixed `json:"score"` // the one that counts
	Court      *court.Fixed `json:"court_score"`
	Human      *court.Fixed `json:"human_score"`
	Calibrated *court.Fixed `json:"calibrated,omitempty"`
	Low        *court.Fixed `json:"low"`
	High       *court.Fixed `json:"high"`
	Status     court.Status `json:"status,omitempty"`
	Note       string       `json:"note,omitempty"`

	name string
}

// GradeOf fills a grade from the record of its submission. alone is the verdict without what people gave.
func (g Grade) GradeOf(rec *court.Record, alone *court.Verdict) Grade {
	d := newDocket(rec)
	if !strings.HasPrefix(rec.Case.RepoURL, "file:") { // a name on this machine opens nowhere
		g.URL = rec.Case.RepoURL
	}
	g.Commit, g.Models, g.Criteria = rec.Case.Commit, rec.Run.Models, []criterionMark{}
	if v := rec.Verdict; v != nil {
		g.Low, g.High, g.comment = graded(&v.Overall.Low), graded(&v.Overall.High), d.lead()
		if g.Calibrated = graded(d.totalCalibrated()); !v.Overall.Unscored {
			g.Score = graded(&v.Overall.Exact)
		}
	} else {
		g.Reason = cmp.Or(g.Reason, mistrialWords(rec))
	}
	if alone != nil && !alone.Overall.Unscored {
		g.Court = graded(&alone.Overall.Exact)
	}
	said := map[string]*court.Fixed{} // by the court alone
	if alone != nil {
		for _, r := range alone.Rulings {
			if r.Final != nil {
				said[r.Criterion] = graded(&r.Exact)
			}
		}
	}
	for _, c := range d.heard() {
		m := criterionMark{ID: c.ID, Score: graded(d.rec.Counts(c.ID)), Human: graded(d.human(c.ID)), Calibrated: graded(d.calibrated(c.ID)), Court: said[c.ID], Note: d.note(c), name: nameOf(c)}
		low, high := d.reach(c.ID)
		m.Low, m.High = graded(low), graded(high)
		if r := d.rulings[c.ID]; r != nil {
			m.Status = r.Status
		}
		g.Criteria = append(g.Criteria, m)
	}
	return g
}

// graded is a score as grades have it: with two digits, cut like everywhere in reports, so that no bar seems to be reached that
// is not.
func graded(f *court.Fixed) *court.Fixed {
	if f == nil {
		return nil
	}
	v := f.Cut()
	return &v
}

// gradeColumns are the columns of a cohort as a table, a submission a row. overall is the score that counts, court_score
// the same without what people gave; the columns behind them are the criteria with the scores that count.
var gradeColumns = []string{"id", "name", "email", "repo_url", "commit", "status", "overall", "low", "high", "capped_by", "needs_person", "court_score", "scored_by_people"}

// WriteGradesCSV writes one row per submission, in their order: RFC 4180 with line feeds. r is the scale of one more
// column; nil: there is none.
func WriteGradesCSV(w io.Writer, list []Grade, r *Range) error {
	var b bytes.Buffer
	table := csv.NewWriter(&b)
	head := slices.Clone(gradeColumns)
	if r != nil {
		head = append(head, "scaled")
	}
	calibrated := slices.ContainsFunc(list, func(g Grade) bool { return g.Calibrated != nil })
	if calibrated {
		head = append(head, "calibrated")
	}
	out := slices.ContainsFunc(list, func(g Grade) bool { return g.Published != "" })
	if out {
		head = append(head, "published")
	}
	asked := slices.ContainsFunc(list, func(g Grade) bool { return g.Models != nil })
	if asked {
		head = append(head, "model_calls", "model_tokens", "model_usd")
	}
	ids := criteriaOf(list)
	_ = table.Write(cellsOf(slices.Concat(head, ids))) // to memory
	for _, g := range list {
		var people []string
		score := map[string]*court.Fixed{}
		for _, m := range g.Criteria {
			score[m.ID] = m.Score
			if m.Human != nil {
				people = append(people, m.ID)
			}
		}
		row := []string{g.ID, g.Name, g.Email, g.URL, g.Commit, g.State, number(g.Score), number(g.Low), number(g.High), g.CappedBy,
			strings.Join(g.Needs, "; "), number(g.Court), strings.Join(people, " ")}
		if r != nil {
			row = append(row, r.text(g.Score))
		}
		if calibrated {
			row = append(row, number(g.Calibrated))
		}
		if out {
			row = append(row, g.Published)
		}
		if asked {
			row = append(row, spent(g.Models)...)
		}
		for _, id := range ids {
			row = append(row, number(score[id]))
		}
		_ = table.Write(cellsOf(row)) // to memory
	}
	table.Flush()
	return put(w, b.Bytes())
}

// spent are the cells that say what models were asked; empty where none were.
func spent(m *court.Models) []string {
	if m == nil {
		return []string{"", "", ""}
	}
	return []string{strconv.Itoa(m.Calls), strconv.Itoa(m.In + m.Out), m.USD}
}

// criteriaOf lists the criteria of all grades, in the order in which they come first.
func criteriaOf(list []Grade) (ids []string) {
	seen := map[string]bool{}
	for _, g := range list {
		for _, m := range g.Criteria {
			if !seen[m.ID] {
				seen[m.ID] = true
				ids = append(ids, m.ID)
			}
		}
	}
	return ids
}

// number is a score as a cell; none is empty.
func number(f *court.Fixed) string {
	if f == nil {
		return ""
	}
	return f.Shown()
}

// WriteGradesJSONL writes one JSON object a line per submission.
func WriteGradesJSONL(w io.Writer, list []Grade, r *Range) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, g := range list {
		g.Scaled = r.of(g.Score)
		g.Needs, g.Criteria = append([]string{}, g.Needs...), append([]criterionMark{}, g.Criteria...)
		if err := enc.Encode(g); err != nil {
			return fmt.Errorf("writing grades: %w", err)
		}
	}
	return put(w, safetext.JSON(b.Bytes()))
}

// Range is the scale that grades are written on in place of 1 to 5.
type Range struct{ Low, High court.Fixed }

const mostGrade = 10_000 * court.One

// Set reads a scale such as 0..100.
func (r *Range) Set(s string) error {
	low, high, ok := strings.Cut(s, "..")
	a, err := court.ParseFixed(low)
	b, err2 := court.ParseFixed(high)
	if !ok || err != nil || err2 != nil || a < 0 || b <= a || b > mostGrade {
		return fmt.Errorf("it is LOW..HIGH such as 0..100, and HIGH is above LOW and at most %s", mostGrade)
	}
	r.Low, r.High = a, b
	return nil
}

// of is a score from 1 to 5 on the scale, rounded half up at one decimal; nil where there is none of either.
func (r *Range) of(f *court.Fixed) *court.Fixed {
	if r == nil || f == nil {
		return nil
	}
	const tenth = int64(court.One) / 10
	n := int64(r.Low)*4*int64(court.One) + int64(*f-court.One)*int64(r.High-r.Low)
	v := court.Fixed(court.Div(n, 4*int64(court.One)*tenth) * tenth)
	return &v
}

// value is a grade on the scale, or from 1 to 5 without one.
func (r *Range) value(f *court.Fixed) *court.Fixed {
	if r == nil {
		return f
	}
	return r.of(f)
}

// text is a grade as it is filled in; empty where there is none.
func (r *Range) text(f *court.Fixed) string {
	if v := r.of(f); v != nil {
		return v.String()
	}
	return number(f)
}

// top is the best grade that there is.
func (r *Range) top() court.Fixed {
	if r == nil {
		return 5 * court.One
	}
	return r.High
}
