package web

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/report"
)

// export sends grades as files: csv, jsonl, or the decisions. With published=1, submissions whose score nobody gave out are left out.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	format := r.URL.Query().Get("format")
	kinds := map[string]string{"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl", "decisions": "application/jsonl"}
	kind, ok := kinds[format]
	if !ok {
		v, err := s.drafts(r)
		if err != nil {
			return err
		}
		return s.show(w, r, http.StatusOK, "export", "Export", v)
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

// draftsView is how many scores are not given out.
type draftsView struct {
	All, Clear int // of all cases, and of those that nobody needs to look at
	Seen       int64
	ids        map[string]int64 // newest decision on each draft, by id
	needy      map[string]bool
}

func (s *Server) drafts(r *http.Request) (v draftsView, err error) {
	t, err := s.table(r.Context())
	if err != nil {
		return v, err
	}
	v = draftsView{Seen: t.stamp.Decided, ids: map[string]int64{}, needy: map[string]bool{}}
	for _, e := range t.rows {
		if e.Overall == nil || !e.Published.IsZero() {
			continue
		}
		v.All++
		v.ids[e.ID] = e.Seq
		if v.needy[e.ID] = len(e.Needs) > 0; !v.needy[e.ID] {
			v.Clear++
		}
	}
	return v, nil
}

// publish gives the scores of many cases out: one decision for each, under one name.
func (s *Server) publish(w http.ResponseWriter, r *http.Request) error {
	v, err := s.drafts(r)
	if err != nil {
		return err
	}
	if r.PostForm.Get("seen") != strconv.FormatInt(v.Seen, 10) {
		return &refusal{http.StatusConflict, "Nothing was given out: somebody decided since you opened the page. Open it again."}
	}
	which := r.PostForm.Get("which")
	var list []decision.Entry
	for _, id := range slices.Sorted(maps.Keys(v.ids)) {
		if which == "all" || which == "clear" && !v.needy[id] {
			list = append(list, decision.Entry{By: visitor(r.Context()).name, Kind: decision.Publish, Submission: id, Group: "given out together, " + s.Now().UTC().Format("2006-01-02 15:04:05")})
		}
	}
	if len(list) == 0 {
		return badForm("whose score to give out")
	}
	if err := s.keep(r.Context(), v.ids, list...); err != nil {
		return notDecided(err)
	}
	http.Redirect(w, r, "/log", http.StatusSeeOther)
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
		x, _, err := s.Cohort.Grade(r.Context(), s.Docket, row, s.Cohort.Entry(row.ID))
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
