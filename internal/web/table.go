package web

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
)

// table is the cohort as its pages show it, made from the index alone.
type table struct {
	class    report.Class
	rows     []entry // those of the newest roster, in its order
	at       map[string]int
	appeals  int          // that wait
	stamp    docket.Stamp // the state of the cohort that it shows
	complete bool         // nothing can have changed since, unseen
}

// entry is one submission.
type entry struct {
	docket.Row
	Name, Repo, Word string // Word is the state as people are told it
	Appeals          int    // that wait for a person
	Cells            []cell
}

// cell is the score of one criterion.
type cell struct {
	Name  string
	Exact *court.Fixed // nil: none
	Human bool         // a person marked it
}

// Class is the colour of the score.
func (c cell) Class() string { return bandOf(c.Exact) }

// bandOf is the class of a score's colour; a number stands beside it.
func bandOf(f *court.Fixed) string {
	if f == nil {
		return "b0"
	}
	return fmt.Sprintf("b%d", min(5, max(1, f.Score())))
}

// Said is the strip in words.
func (e entry) Said() string {
	list := make([]string, 0, len(e.Cells))
	for _, c := range e.Cells {
		words := c.Name + " " + shown(c.Exact)
		if c.Human {
			words += " by a person"
		}
		list = append(list, words)
	}
	return strings.Join(list, ", ")
}

// Shown is the total, or a dash.
func (e entry) Shown() string { return shown(e.Overall) }

// Band is the colour of the total.
func (e entry) Band() string { return bandOf(e.Overall) }

// Standing is what became of the score: draft, given out, or nothing where there is none.
func (e entry) Standing() string {
	switch {
	case e.Overall == nil:
		return ""
	case e.Published.IsZero():
		return "draft"
	}
	return "given out"
}

// Ended tells whether there is a record to look at.
func (e entry) Ended() bool { return e.Record != "" }

func shown(f *court.Fixed) string {
	if f == nil {
		return "–"
	}
	return f.Shown()
}

// unsettled is how long after a change another one may still come with the same time.
const unsettled = time.Second

// table gives the cohort as it is now. It is made again only when something changed.
func (s *Server) table(ctx context.Context) (*table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stamp, err := s.Docket.Stamp(ctx, s.Cohort.ID)
	if err != nil {
		return nil, err
	}
	if s.last != nil && s.last.complete && s.last.stamp == stamp {
		return s.last, nil
	}
	began := s.Now()
	t, err := s.readTable(ctx)
	if err != nil {
		return nil, err
	}
	t.stamp, t.complete = stamp, began.Sub(stamp.Changed) > unsettled
	s.last = t
	return t, nil
}

func (s *Server) readTable(ctx context.Context) (*table, error) {
	class, err := batch.Summary(ctx, s.Docket, s.Cohort.ID)
	if err != nil {
		return nil, err
	}
	class.Name = s.Name
	rows, err := s.Docket.Rows(ctx, s.Cohort.ID)
	if err != nil {
		return nil, err
	}
	marks, err := s.Docket.Marks(ctx, s.Cohort.ID)
	if err != nil {
		return nil, err
	}
	of := map[string]map[string]docket.Mark{}
	for _, m := range marks {
		if of[m.Submission] == nil {
			of[m.Submission] = map[string]docket.Mark{}
		}
		of[m.Submission][m.Criterion] = m
	}
	t := &table{class: class, at: map[string]int{}}
	decided, err := s.Docket.Decisions(ctx, s.Cohort.ID, "")
	if err != nil {
		return nil, err
	}
	appeals := map[string]int{}
	for _, a := range decision.Appeals(decided) {
		appeals[a.Submission]++
		t.appeals++
	}
	needs := map[string]report.ClassCase{}
	for _, c := range class.Cases {
		needs[c.ID] = c
	}
	for _, r := range rows {
		if !r.Listed {
			continue
		}
		c := needs[r.ID]
		r.Needs, r.Overall = c.Needs, c.Score
		person := s.Cohort.Entry(r.ID)
		e := entry{Row: r, Name: cmp.Or(person.Name, r.ID), Repo: person.Target, Word: c.State, Appeals: appeals[r.ID]}
		for _, k := range class.Criteria {
			m := of[r.ID][k.ID]
			c := cell{Name: cmp.Or(k.Name, k.ID), Human: m.Human}
			if m.Final != nil {
				c.Exact = m.Exact
			}
			e.Cells = append(e.Cells, c)
		}
		t.at[r.ID] = len(t.rows)
		t.rows = append(t.rows, e)
	}
	return t, nil
}

// index is the place of a criterion among the cells of all; -1: it has none.
func (t *table) index(criterion string) int {
	return slices.IndexFunc(t.class.Criteria, func(k report.ClassMark) bool { return k.ID == criterion })
}

// name is how a criterion is called.
func (t *table) name(criterion string) string {
	if i := t.index(criterion); i >= 0 {
		return cmp.Or(t.class.Criteria[i].Name, criterion)
	}
	return criterion
}

// exact is the score of a criterion of a submission; nil: there is none.
func (t *table) exact(e entry, criterion string) *court.Fixed {
	if i := t.index(criterion); i >= 0 {
		return e.Cells[i].Exact
	}
	return nil
}

// needy is how many submissions a person should look at.
func (t *table) needy() (n int) {
	for _, e := range t.rows {
		if len(e.Needs) > 0 {
			n++
		}
	}
	return n
}

// find is the submission of an id.
func (t *table) find(id string) (entry, error) {
	i, ok := t.at[id]
	if !ok {
		return entry{}, errNotHere
	}
	return t.rows[i], nil
}

// scores are the totals that there are, the lowest first.
func (t *table) scores() (list []court.Fixed) {
	for _, e := range t.rows {
		if e.Overall != nil {
			list = append(list, *e.Overall)
		}
	}
	slices.Sort(list)
	return list
}
