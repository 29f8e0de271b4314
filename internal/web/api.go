package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
)

// The interface for programs, as openapi.yaml describes it. Scores are decimal numbers, as they are in records.

type apiCohort struct {
	Name        string         `json:"name"`
	Rubric      string         `json:"rubric"`
	Bench       string         `json:"bench"`
	Submissions int            `json:"submissions"`
	States      map[string]int `json:"states"`
	Need        int            `json:"need_a_person"`
	Median      *court.Fixed   `json:"median"`
}

type apiCases struct {
	Total int       `json:"total"` // that the query finds
	Page  int       `json:"page"`
	Cases []apiCase `json:"cases"`
}

type apiCase struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Repo      string         `json:"repo_url"`
	Commit    string         `json:"commit"`
	State     string         `json:"state"`
	Stage     string         `json:"stage"`
	Reason    string         `json:"reason"`
	Score     *court.Fixed   `json:"score"`
	Machine   *court.Fixed   `json:"machine_score"`
	CappedBy  string         `json:"capped_by"`
	Gate      string         `json:"gate"`
	Needs     []string       `json:"needs"`
	Decided   int            `json:"decisions"`
	Published *time.Time     `json:"published"`
	Record    string         `json:"record"`
	Criteria  []apiCriterion `json:"criteria"`
}

type apiCriterion struct {
	ID    string       `json:"criterion_id"`
	Name  string       `json:"name"`
	Score *court.Fixed `json:"score"`
	Human bool         `json:"human"`
}

type apiDecisions struct {
	Holds     bool             `json:"chain_holds"`
	Decisions []decision.Entry `json:"decisions"`
}

// apiCaseOf is a submission without what only pages need.
func (t *table) apiCaseOf(e entry) apiCase {
	c := apiCase{ID: e.ID, Name: e.Name, Repo: e.Repo, Commit: e.Pinned, State: e.Word, Stage: e.Stage(), Reason: e.Reason, Score: e.Overall, Machine: e.Machine, CappedBy: e.CappedBy,
		Gate: e.Gate, Needs: append([]string{}, e.Needs...), Decided: e.Human, Record: e.Record, Criteria: []apiCriterion{}}
	if c.Machine == nil {
		c.Machine = e.Overall
	}
	if !e.Published.IsZero() {
		c.Published = &e.Published
	}
	for i, k := range e.Cells {
		c.Criteria = append(c.Criteria, apiCriterion{ID: t.class.Criteria[i].ID, Name: k.Name, Score: k.Exact, Human: k.Human})
	}
	return c
}

func (s *Server) apiCohort(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	c := apiCohort{Name: s.Name, Rubric: t.class.Rubric, Bench: t.class.Bench, Submissions: len(t.rows), States: t.class.Tally, Need: t.needy()}
	if list := t.scores(); len(list) > 0 {
		m := middle(list)
		c.Median = &m
	}
	s.json(w, http.StatusOK, c)
	return nil
}

// apiCases lists the submissions that a query finds, in the order of the roster, a page at a time.
func (s *Server) apiCases(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	out := apiCases{Cases: []apiCase{}}
	if n := r.URL.Query().Get("page"); n != "" {
		if out.Page, err = strconv.Atoi(n); err != nil || out.Page < 0 {
			return &refusal{http.StatusBadRequest, "page is a number from 0"}
		}
	}
	want := parseQuery(r.URL.Query().Get("find"))
	for _, e := range t.rows {
		if !want.holds(e) {
			continue
		}
		if out.Total/onePage == out.Page {
			out.Cases = append(out.Cases, t.apiCaseOf(e))
		}
		out.Total++
	}
	s.json(w, http.StatusOK, out)
	return nil
}

func (s *Server) apiCase(w http.ResponseWriter, r *http.Request) error {
	t, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	s.json(w, http.StatusOK, t.apiCaseOf(e))
	return nil
}

func (s *Server) apiDecisions(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Docket.Decisions(r.Context(), s.Cohort.ID, r.URL.Query().Get("case"))
	if err != nil {
		return err
	}
	all := list
	if r.URL.Query().Get("case") != "" {
		if all, err = s.Docket.Decisions(r.Context(), s.Cohort.ID, ""); err != nil {
			return err
		}
	}
	s.json(w, http.StatusOK, apiDecisions{Holds: decision.Verify(all) == nil, Decisions: append([]decision.Entry{}, list...)})
	return nil
}

// apiDescription is the description of all this.
func (s *Server) apiDescription(w http.ResponseWriter, _ *http.Request) error {
	raw, err := pageFiles.ReadFile("page/openapi.yaml")
	if err != nil {
		return err
	}
	send(w, "application/yaml", http.StatusOK, raw)
	return nil
}
