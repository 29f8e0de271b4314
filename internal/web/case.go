package web

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// pathOf is the address of a submission's page.
func pathOf(id string) string { return "/cases/" + url.PathEscape(id) }

// Path is the address of the submission's page.
func (e entry) Path() string { return pathOf(e.ID) }

// caseView is what stands above the report.
type caseView struct {
	view
	Case          entry
	Before, After *entry // in the list that the reader came from; nil: there is none
	Walk          string // that list, for addresses
	Whole         *desk  // nil: there is no record
	Manual        []desk // criteria that no judge heard
	Links         []docket.Link
	Now           time.Time
}

// around finds the neighbours of the case in the list that a query makes. A case that is in it no more, as it was decided on,
// has the place that it had.
func (v *caseView) around(t *table, q url.Values) {
	rows := t.rows
	if v.Walk != "" {
		rows = t.listed(q)
	}
	i := slices.IndexFunc(rows, func(e entry) bool { return e.ID == v.Case.ID })
	if i < 0 { // the first of the list is next
		if len(rows) > 0 {
			v.After = &rows[0]
		}
		return
	}
	if i > 0 {
		v.Before = &rows[i-1]
	}
	if i+1 < len(rows) {
		v.After = &rows[i+1]
	}
}

// theCase is the submission that an address names.
func (s *Server) theCase(r *http.Request) (*table, entry, error) {
	t, err := s.table(r.Context())
	if err != nil {
		return nil, entry{}, err
	}
	e, err := t.find(r.PathValue("id"))
	return t, e, err
}

func (s *Server) casePage(w http.ResponseWriter, r *http.Request) error {
	t, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	v := caseView{view: s.view(r, e.Name), Case: e, Walk: walkOf(r.URL.Query())}
	v.around(t, r.URL.Query())
	if !e.Ended() {
		return s.show(w, r, http.StatusOK, "unended", e.Name, v)
	}
	d, err := s.decided(r.Context(), e, v.Decides, v.Walk)
	if err != nil {
		return err
	}
	v.Whole, v.Now = &d.whole, s.Now()
	of := map[string]template.HTML{}
	for _, k := range d.desks {
		if k.Manual {
			v.Manual = append(v.Manual, k)
		} else if of[k.Criterion], err = s.fragment("decide", k); err != nil {
			return err
		}
	}
	if v.Links, err = s.Docket.Links(r.Context(), s.Cohort.ID, e.ID); err != nil {
		return err
	}
	around := &report.Around{CSS: s.css, Files: e.Path() + "/", Of: of}
	if around.Source, err = s.sources(r, e, d.record, e.Path()); err != nil {
		return err
	}
	if around.Nav, err = s.fragment("ways", v.view); err != nil {
		return err
	}
	if around.Head, err = s.fragment("desk", v); err != nil {
		return err
	}
	return s.within(w, around, func(b io.Writer) error { return trial.RenderAround(b, d.record, around) })
}

// within sends a page of the report that stands in one of ours, under its own policy.
func (s *Server) within(w http.ResponseWriter, around *report.Around, render func(io.Writer) error) error {
	var b bytes.Buffer
	if err := render(&b); err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", around.Policy+unframed)
	send(w, "text/html; charset=utf-8", http.StatusOK, b.Bytes())
	return nil
}

// written is what the machine said of a submission, as it was written.
func (s *Server) written(ctx context.Context, e entry) ([]byte, error) {
	if !e.Ended() {
		return nil, errNotHere
	}
	return s.Docket.Blob(ctx, e.Record)
}

// record is what the machine said of a submission.
func (s *Server) record(ctx context.Context, e entry) (*court.Record, error) {
	if !e.Ended() {
		return nil, errNotHere
	}
	rec, err := s.Cohort.Record(ctx, s.Docket, e.Record)
	if err != nil {
		return nil, fmt.Errorf("reading the record of %q: %w", e.ID, err)
	}
	return rec, nil
}

func (s *Server) recordFile(w http.ResponseWriter, r *http.Request) error {
	_, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	return s.sendRecord(w, r, e)
}

func (s *Server) sendRecord(w http.ResponseWriter, r *http.Request, e entry) error {
	raw, err := s.written(r.Context(), e)
	if err != nil {
		return err
	}
	send(w, "application/json", http.StatusOK, raw)
	return nil
}

func (s *Server) reportFile(w http.ResponseWriter, r *http.Request) error {
	_, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	return s.sendReport(w, r, e)
}

// sendReport is the machine's report as a file of its own. Its policy keeps it from doing anything in this origin.
func (s *Server) sendReport(w http.ResponseWriter, r *http.Request, e entry) error {
	rec, err := s.record(r.Context(), e)
	if err != nil {
		return err
	}
	f, _ := report.FormatNamed("html") // it is one of ours
	var b bytes.Buffer
	if err := trial.Render(&b, f, rec); err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="report.html"`)
	send(w, "text/html; charset=utf-8", http.StatusOK, b.Bytes())
	return nil
}

// comparePage shows two submissions side by side.
func (s *Server) comparePage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	a, b := r.URL.Query().Get("a"), r.URL.Query().Get("b")
	if a == "" || b == "" {
		return s.show(w, r, http.StatusOK, "compare", "Compare", struct {
			Rows []entry
			A, B string
		}{t.rows, a, b})
	}
	var sides [2]*court.Record
	for i, id := range []string{a, b} {
		e, err := t.find(id)
		if err != nil {
			return err
		}
		if !e.Ended() {
			return errNotHere
		}
		if _, sides[i], err = s.Cohort.Standing(r.Context(), s.Docket, e.Row); err != nil {
			return err
		}
	}
	around := &report.Around{CSS: s.css}
	if around.Nav, err = s.fragment("ways", s.view(r, "Compare")); err != nil {
		return err
	}
	return s.within(w, around, func(b io.Writer) error {
		return report.HTMLComparison(b, report.Compare(sides[0], sides[1]), around)
	})
}
