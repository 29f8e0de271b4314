package web

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/automaton-auditor/automaton/internal/report"
)

// statisticsView is the class as a whole.
type statisticsView struct {
	report.Class
	Failing []report.ClassCheck // that fail most, first
	Missed  []report.ClassCheck // that everybody fails
	Met     []report.ClassCheck // that everybody meets
}

// Digits are the scores that a criterion can have.
func (statisticsView) Digits() []int { return []int{1, 2, 3, 4, 5} }

// mostChecks is how many checks the page lists by how often they fail.
const mostChecks = 40

func (s *Server) statisticsPage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	v := statisticsView{Class: t.class}
	for _, c := range t.class.Checks {
		told := len(c.Failed) + c.Partly + c.Met
		switch {
		case told == 0 || len(t.rows) == 1:
		case c.Met == told:
			v.Met = append(v.Met, c)
		case len(c.Failed) == told:
			v.Missed = append(v.Missed, c)
		}
		if len(c.Failed) > 0 {
			v.Failing = append(v.Failing, c)
		}
	}
	slices.SortStableFunc(v.Failing, func(a, b report.ClassCheck) int { return len(b.Failed) - len(a.Failed) })
	v.Failing = v.Failing[:min(len(v.Failing), mostChecks)]
	return s.show(w, r, http.StatusOK, "statistics", "The class", v)
}

// similarityFile is the page that comparing all submissions left in the cohort's folder.
const similarityFile = "similarity.html"

// similarityPage shows it within the app. It has no script, and none may run.
func (s *Server) similarityPage(w http.ResponseWriter, r *http.Request) error {
	raw, err := os.ReadFile(filepath.Join(s.Folder, similarityFile))
	if errors.Is(err, fs.ErrNotExist) {
		return &refusal{http.StatusNotFound, "The submissions were not compared: automaton batch " + s.Name + " --similarity does."}
	}
	if err != nil {
		return err
	}
	around := &report.Around{CSS: s.css}
	if around.Nav, err = s.fragment("ways", s.view(r, "Similarity")); err != nil {
		return err
	}
	return s.within(w, around, func(b io.Writer) error { return around.Similarity(b, raw) })
}
