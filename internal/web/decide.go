package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// made is a decision as pages show it.
type made struct {
	decision.Entry
	Off  bool // taken back, or another one took its place
	Path string
	Name string // of the criterion; only of lists that have several
}

// When is its time, in UTC.
func (m made) When() string { return m.At.UTC().Format("2006-01-02 15:04") }

// Words say what was decided.
func (m made) Words() string {
	if len(m.Answers) == 0 {
		return m.act()
	}
	list := make([]string, len(m.Answers))
	for i, n := range m.Answers {
		list[i] = fmt.Sprint(n)
	}
	return m.act() + ", answering appeal " + strings.Join(list, " and ")
}

func (m made) act() string {
	switch m.Kind {
	case decision.Score, decision.Answer:
		return "gave " + shown(m.To) + ", from " + shown(m.From)
	case decision.Dismiss:
		return "dismissed a flaw"
	case decision.Accept:
		return "accepted"
	case decision.Comment:
		return "commented"
	case decision.Appeal:
		return "appealed, naming " + strings.Join(m.Points, ", ")
	case decision.Publish:
		return "gave the score out"
	case decision.Undo:
		return fmt.Sprintf("took back number %d", m.Undoes)
	}
	return string(m.Kind)
}

// Places are those that an appeal names, and where they lead.
func (m made) Places() (list []sourcePlace) {
	for _, text := range m.Points {
		link := ""
		if p, err := court.ParsePlace(text); err == nil && m.Path != "" {
			link = sourceAt(m.Path) + p.Query()
		}
		list = append(list, sourcePlace{text, link})
	}
	return list
}

// Undoable tells whether it can be taken back.
func (m made) Undoable() bool { return !m.Off && m.Kind != decision.Appeal }

// madeOf are decisions as pages show them, the newest first.
func madeOf(list []decision.Entry) (out []made) {
	force := decision.InForce(list)
	in := func(seq int64) bool {
		return slices.ContainsFunc(force, func(e decision.Entry) bool { return e.Seq == seq })
	}
	for _, e := range slices.Backward(list) {
		out = append(out, made{Entry: e, Off: e.Kind != decision.Undo && !in(e.Seq), Path: pathOf(e.Submission)})
	}
	return out
}

// desk is where one criterion, or the case as a whole, is decided on.
type desk struct {
	Path      string // of the case
	Walk      string // the list that the reader goes through
	Seen      int64  // the newest decision that the page knows
	Criterion string
	Name      string
	Manual    bool // only people mark it
	Machine   string
	Standing  string
	Differs   bool // what stands is not what the machine said
	Flaws     []court.Exhibit
	Made      []made
	Waiting   []made // appeals
	Accepted  bool
	Decides   bool
	Published string // when; empty: it is a draft
	Again     bool   // another score was given out before
}

// decided is a record as it stands, with the places where it can be decided on.
type decided struct {
	record *court.Record
	whole  desk
	desks  []desk // of the criteria, in the order of the rubric
}

// decided is a case as it stands, with its desks.
func (s *Server) decided(ctx context.Context, e entry, decides bool, walk string) (*decided, error) {
	rec, stands, err := s.Cohort.Standing(ctx, s.Docket, e.Row)
	if err != nil {
		return nil, err
	}
	list, err := s.Docket.Decisions(ctx, s.Cohort.ID, e.ID)
	if err != nil {
		return nil, err
	}
	out := &decided{record: stands}
	seen := int64(0)
	if len(list) > 0 {
		seen = list[len(list)-1].Seq
	}
	all, open := madeOf(list), decision.Appeals(list)
	deskOf := func(criterion, name string) desk {
		d := desk{Path: e.Path(), Walk: walk, Seen: seen, Criterion: criterion, Name: name, Decides: decides, Accepted: decision.Accepted(rec, list, criterion)}
		for _, m := range all {
			if m.Criterion == criterion {
				d.Made = append(d.Made, m)
			}
		}
		for _, a := range open {
			if a.Criterion == criterion || criterion == "" {
				d.Waiting = append(d.Waiting, made{Entry: a, Path: d.Path})
			}
		}
		return d
	}
	out.whole = deskOf("", "the case")
	out.whole.Standing, out.whole.Machine = shown(e.Overall), shown(e.Machine)
	out.whole.Differs = e.Machine != nil
	out.whole.Again = e.Published.IsZero() && everPublished(list)
	if !e.Published.IsZero() {
		out.whole.Published = e.Published.UTC().Format("2006-01-02 15:04")
	}
	if rec.Verdict == nil {
		return out, nil
	}
	for _, c := range rec.Rubric.Asked(rec.Case.Only) {
		d := deskOf(c.ID, c.Name)
		d.Manual = c.ForPeople()
		d.Machine, d.Standing = shown(rec.Counts(c.ID)), shown(out.record.Counts(c.ID))
		d.Differs = d.Machine != d.Standing
		for _, x := range out.record.Evidences[c.ID] {
			if x.Security != nil && x.Stands() && !x.Security.Dismissed && x.Outcome == court.Violation {
				d.Flaws = append(d.Flaws, x)
			}
		}
		out.desks = append(out.desks, d)
	}
	return out, nil
}

// everPublished tells whether a score was given out, of whatever size, and nobody took that back.
func everPublished(list []decision.Entry) bool {
	return slices.ContainsFunc(decision.InForce(list), func(x decision.Entry) bool { return x.Kind == decision.Publish })
}

// decide takes a decision on one case.
func (s *Server) decide(w http.ResponseWriter, r *http.Request) error {
	_, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	x, seen, err := entryOf(r, e.ID)
	if err != nil {
		return err
	}
	if err := s.keep(r.Context(), map[string]int64{e.ID: seen}, x); err != nil {
		return s.conflict(w, r, e, x, err)
	}
	to := e.Path() + walkOf(r.URL.Query()) + anchorOf(x.Criterion)
	if r.PostForm.Get("from") == "queue" {
		to = "/appeals"
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// anchorOf leads back to where the form was. What it lies in is unfolded by that, with scripts or without.
func anchorOf(criterion string) string {
	if criterion == "" {
		return "#decide"
	}
	return "#" + (&url.URL{Fragment: "d-" + criterion}).EscapedFragment()
}

// entryOf reads a decision from a form, with the newest one that the page had shown.
func entryOf(r *http.Request, id string) (x decision.Entry, seen int64, err error) {
	f := r.PostForm
	x = decision.Entry{By: visitor(r.Context()).name, Kind: decision.Kind(f.Get("kind")), Submission: id, Criterion: f.Get("criterion"),
		Evidence: f["evidence"], Reason: strings.ReplaceAll(strings.TrimSpace(f.Get("reason")), "\r\n", "\n")}
	if n := f.Get("undoes"); n != "" {
		if x.Undoes, err = strconv.ParseInt(n, 10, 64); err != nil {
			return x, 0, badForm("which decision to take back")
		}
	}
	for _, n := range f["answers"] {
		seq, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			return x, 0, badForm("which appeals are answered")
		}
		x.Answers = append(x.Answers, seq)
	}
	if seen, err = strconv.ParseInt(f.Get("seen"), 10, 64); err != nil {
		return x, 0, badForm("which decisions the page had shown")
	}
	if x.Kind == decision.Score || x.Kind == decision.Answer {
		n, err := court.ParseFixed(strings.TrimSpace(strings.Replace(f.Get("score"), ",", ".", 1)))
		if err != nil {
			return x, 0, badForm("a score from 1 to 5")
		}
		x.To = &n
	}
	if err := x.Check(); err != nil {
		return x, 0, &refusal{http.StatusUnprocessableEntity, "This cannot be decided: " + strings.ReplaceAll(err.Error(), "\n", "; ") + "."}
	}
	return x, seen, nil
}

func badForm(what string) error {
	return &refusal{http.StatusUnprocessableEntity, "The form does not say " + what + "."}
}

// keep writes decisions down.
func (s *Server) keep(ctx context.Context, seen map[string]int64, list ...decision.Entry) error {
	_, err := s.Cohort.Decide(ctx, s.Docket, s.Folder, seen, list...)
	return err
}

// conflictView is what stands in the way of a decision: those of others, which came in between.
type conflictView struct {
	Case  entry
	Mine  decision.Entry
	Since []made
}

// conflict shows what somebody else decided meanwhile, and keeps what was written.
func (s *Server) conflict(w http.ResponseWriter, r *http.Request, e entry, mine decision.Entry, err error) error {
	if !errors.Is(err, docket.ErrConflict) {
		return &refusal{http.StatusUnprocessableEntity, "This was not decided: " + strings.TrimPrefix(err.Error(), "deciding: ") + "."}
	}
	list, err := s.Docket.Decisions(r.Context(), s.Cohort.ID, e.ID)
	if err != nil {
		return err
	}
	seen, _ := strconv.ParseInt(r.PostForm.Get("seen"), 10, 64) // it was read before
	v := conflictView{Case: e, Mine: mine}
	for _, m := range madeOf(list) {
		if m.Seq > seen {
			v.Since = append(v.Since, m)
		}
	}
	return s.show(w, r, http.StatusConflict, "conflict", "Decided meanwhile", v)
}

// logView is every decision.
type logView struct {
	Made  []made
	Whole string // what is wrong with the chain; empty: it holds
	Total int
}

// mostLogged is how many decisions the page of the log shows.
const mostLogged = 500

func (s *Server) logPage(w http.ResponseWriter, r *http.Request) error {
	list, err := s.Docket.Decisions(r.Context(), s.Cohort.ID, "")
	if err != nil {
		return err
	}
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	v := logView{Made: madeOf(list), Total: len(list)}
	for i, m := range v.Made {
		v.Made[i].Name = t.name(m.Criterion)
	}
	if err := decision.Verify(list); err != nil {
		v.Whole = err.Error()
	}
	v.Made = v.Made[:min(len(v.Made), mostLogged)]
	return s.show(w, r, http.StatusOK, "log", "Decisions", v)
}
