package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// group is one check that failed over the same words in several submissions.
type group struct {
	docket.Alike
	Number  int
	Name    string // of the criterion
	Text    string // of the check
	Words   string // that it failed over, from one of the cases
	Members []member
	Flaw    bool // of security
}

// member is one submission of a group.
type member struct {
	entry
	Label, Place string
	Standing     string // score of the criterion
}

// State is how the check came out.
func (g group) State() string {
	if g.Outcome == court.Unknown {
		return "not checked"
	}
	return string(g.Outcome)
}

// Shown is where the finding is, or its label.
func (m member) Shown() string { return cmp.Or(m.Place, m.Label) }

// mostGroups is how many groups the page has.
const mostGroups = 50

func (s *Server) groupsPage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	failed, err := s.Docket.Alike(r.Context(), s.Cohort.ID)
	if err != nil {
		return err
	}
	open, err := s.Docket.Untold(r.Context(), s.Cohort.ID)
	if err != nil {
		return err
	}
	var v groupsView
	read := map[string]*court.Record{}
	if v.Failed, err = s.groups(r, t, failed, 1, read); err == nil {
		v.Open, err = s.groups(r, t, open, 1+len(v.Failed), read)
	}
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusOK, "groups", "Groups", v)
}

// groupsView are the groups of checks that failed, and of those that could not be answered.
type groupsView struct{ Failed, Open []group }

// groups are the first of a list, numbered from a number on.
func (s *Server) groups(r *http.Request, t *table, list []docket.Alike, first int, read map[string]*court.Record) (groups []group, err error) {
	for i, a := range list[:min(len(list), mostGroups)] {
		g := group{Alike: a, Number: first + i, Name: t.name(a.Criterion), Text: a.Check}
		for _, c := range t.class.Checks {
			if c.Criterion == a.Criterion && c.Check == a.Check {
				g.Text = cmp.Or(c.Text, a.Check)
			}
		}
		for _, c := range a.Cases {
			e, err := t.find(c.ID)
			if err != nil {
				return nil, err
			}
			g.Members = append(g.Members, member{entry: e, Label: c.Label, Place: c.Place, Standing: shown(t.exact(e, a.Criterion))})
		}
		if err := s.quote(r, &g, read); err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// quote reads the words of a group from the record of its first member. Records that were read are kept for the next.
func (s *Server) quote(r *http.Request, g *group, read map[string]*court.Record) error {
	rec := read[g.Members[0].ID]
	if rec == nil {
		var err error
		if rec, err = s.record(r.Context(), g.Members[0].entry); err != nil {
			return err
		}
		read[g.Members[0].ID] = rec
	}
	for _, x := range rec.Evidences[g.Criterion] {
		if x.Label == g.Members[0].Label {
			g.Words, g.Flaw = court.Clean(x.Content, mostWords), x.Security != nil
			if x.Outcome == court.Unknown { // there are no words, and why there is no answer may be another reason elsewhere
				g.Words = court.Clean(x.Rationale, mostWords)
			}
		}
	}
	return nil
}

// mostWords is how much of a quote a group shows, in bytes.
const mostWords = 400

// decideGroup makes one decision for all members of a group that are ticked: an entry for each, under one name.
func (s *Server) decideGroup(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	seen := map[string]int64{}
	var list []decision.Entry
	name := fmt.Sprintf("%s, many cases at once, %s", r.PostForm.Get("check"), s.Now().UTC().Format("2006-01-02 15:04:05"))
	for _, m := range r.PostForm["member"] {
		// seq, label and id, in this order: an id may hold anything
		seq, rest, _ := strings.Cut(m, " ")
		label, id, _ := strings.Cut(rest, " ")
		n, err := strconv.ParseInt(seq, 10, 64)
		if err != nil {
			return badForm("which decisions the page had shown")
		}
		e, err := t.find(id)
		if err != nil {
			return err
		}
		x, _, err := entryOf(r, id)
		if err != nil && x.Kind != decision.Dismiss {
			return err
		}
		if x.Kind == decision.Dismiss {
			if x.Evidence, err = s.evidence(r, e, x.Criterion, label); err != nil {
				return err
			}
		}
		x.Group = name
		list, seen[id] = append(list, x), n
	}
	if len(list) == 0 {
		return badForm("which submissions it is about")
	}
	if err := s.keep(r.Context(), seen, list...); err != nil {
		return notDecided(err)
	}
	http.Redirect(w, r, "/log", http.StatusSeeOther)
	return nil
}

// notDecided says why an act on many cases did not take place for any.
func notDecided(err error) error {
	status := http.StatusUnprocessableEntity
	if errors.Is(err, docket.ErrConflict) {
		status = http.StatusConflict
	}
	return &refusal{status, "Nothing was decided: " + strings.TrimPrefix(err.Error(), "deciding: ") + "."}
}

// evidence is the id of a finding by its label.
func (s *Server) evidence(r *http.Request, e entry, criterion, label string) ([]string, error) {
	rec, err := s.record(r.Context(), e)
	if err != nil {
		return nil, err
	}
	for _, x := range rec.Evidences[criterion] {
		if x.Label == label {
			return []string{x.ID}, nil
		}
	}
	return nil, errNotHere
}
