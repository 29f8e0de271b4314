package web

import (
	"bytes"
	"net/http"

	"github.com/automaton-auditor/automaton/internal/report"
)

// export sends grades as files: csv, jsonl, or the decisions. With published=1, submissions whose score nobody gave out are left out.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	format := r.URL.Query().Get("format")
	kinds := map[string]string{"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl", "decisions": "application/jsonl"}
	kind, ok := kinds[format]
	if !ok {
		return s.show(w, r, http.StatusOK, "export", "Export", nil)
	}
	var b bytes.Buffer
	var err error
	if format == "decisions" {
		err = s.Cohort.WriteDecisions(r.Context(), s.Docket, &b)
	} else {
		err = s.grades(r, &b, format)
	}
	if err != nil {
		return err
	}
	name := map[string]string{"csv": "grades.csv", "jsonl": "grades.jsonl", "decisions": "decisions.jsonl"}[format]
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	send(w, kind, http.StatusOK, b.Bytes())
	return nil
}

func (s *Server) grades(r *http.Request, b *bytes.Buffer, format string) error {
	rows, err := s.Docket.Rows(r.Context(), s.Cohort.ID)
	if err != nil {
		return err
	}
	published := r.URL.Query().Get("published") != ""
	var list []report.Grade
	for _, row := range rows {
		if !row.Listed || published && row.Published.IsZero() {
			continue
		}
		x, _, err := s.Cohort.Grade(r.Context(), s.Docket, row, s.people[row.ID])
		if err != nil {
			return err
		}
		list = append(list, x)
	}
	if format == "csv" {
		return report.WriteGradesCSV(b, list, nil)
	}
	return report.WriteGradesJSONL(b, list, nil)
}
