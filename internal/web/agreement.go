package web

import (
	"errors"
	"net/http"

	"github.com/automaton-auditor/automaton/internal/calibration"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
)

// agreementView is how far the court agrees with the scores that people gave.
type agreementView struct {
	Criteria []agreement
	Marks    int
	Wrong    string // why there is nothing to show
}

// agreement is one criterion.
type agreement struct {
	Name, Why string
	Rows      []agreementRow
}

// agreementRow is the court, or one judge.
type agreementRow struct {
	Who string
	calibration.Figures
}

// calibrationPage compares the scores of people with those of the court and of each judge. It reads the records of the
// cases that people decided on, and no others.
func (s *Server) calibrationPage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	list, err := s.Docket.Decisions(r.Context(), s.Cohort.ID, "")
	if err != nil {
		return err
	}
	var marks []calibration.Mark
	var records []calibration.Heard
	had := map[string]bool{}
	for _, x := range decision.InForce(list) {
		e, err := t.find(x.Submission)
		if x.Kind != decision.Score || err != nil || !e.Ended() {
			continue
		}
		marks = append(marks, calibration.Mark{Line: len(marks) + 1, Case: x.Submission, Criterion: x.Criterion, Marker: x.By, Score: *x.To})
		if had[x.Submission] {
			continue
		}
		had[x.Submission] = true
		rec, err := s.record(r.Context(), e)
		if err != nil {
			return err
		}
		if rec.Verdict != nil {
			records = append(records, calibration.Heard{Record: rec, Names: []string{x.Submission}})
		}
	}
	v := agreementView{Marks: len(marks)}
	f, _, err := calibration.Make(records, marks)
	switch {
	case errors.Is(err, calibration.ErrNone):
	case err != nil:
		v.Wrong = err.Error()
	default:
		v.Criteria = agreements(f, t)
	}
	return s.show(w, r, http.StatusOK, "calibration", "Calibration", v)
}

func agreements(f *calibration.File, t *table) (list []agreement) {
	for _, c := range f.Criteria {
		a := agreement{Name: t.name(c.ID), Why: c.Why, Rows: []agreementRow{{"Court", c.Court}}}
		for _, seat := range court.Personas() {
			if g, ok := c.Judges[seat]; ok {
				a.Rows = append(a.Rows, agreementRow{seat.Title(), g})
			}
		}
		list = append(list, a)
	}
	return list
}
