package web

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
)

// appealView is an appeal that waits.
type appealView struct {
	made
	Case     entry
	Name     string // of the criterion
	Standing string
	Seen     int64
	Others   []made // that wait on the same criterion of the same case
	Hears    bool   // it can be heard here
	Heard    *heardView
}

// heardAppeal is what hearing an appeal gave. It is kept until the server ends; hearing it again gives the same.
type heardAppeal struct {
	rec, then *court.Record
	told      []store.Line
}

// heardView is what a hearing found.
type heardView struct {
	Before, After string
	Exact         *court.Fixed // what the court gives after it; nil: no score
	Places        []heardPlace
}

type heardPlace struct{ Place, Result, Text string }

// mostHeard bounds how many hearings are kept.
const mostHeard = 200

// waiting are the appeals that wait, with the submissions that the roster still has.
func (s *Server) waiting(r *http.Request) (list []appealView, err error) {
	t, err := s.table(r.Context())
	if err != nil {
		return nil, err
	}
	all, err := s.Docket.Decisions(r.Context(), s.Cohort.ID, "")
	if err != nil {
		return nil, err
	}
	wait := decision.Appeals(all)
	for _, a := range wait {
		e, err := t.find(a.Submission)
		if err != nil { // it is in the roster no more
			continue
		}
		v := appealView{made: made{Entry: a, Path: e.Path()}, Case: e, Name: t.name(a.Criterion), Standing: shown(t.exact(e, a.Criterion)), Seen: e.Seq, Hears: s.Hear != nil && e.Ended()}
		for _, o := range wait {
			if o.Submission == a.Submission && o.Criterion == a.Criterion && o.Seq != a.Seq {
				v.Others = append(v.Others, made{Entry: o})
			}
		}
		if h, ok := s.heardOf(a.Seq); ok && h.rec.Digest == a.Record {
			v.Heard = h.view(a.Criterion)
		}
		list = append(list, v)
	}
	return list, nil
}

func (s *Server) appealsPage(w http.ResponseWriter, r *http.Request) error {
	open, err := s.waiting(r)
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusOK, "appeals", "Appeals", open)
}

// theAppeal is the one that waits under the number in an address.
func (s *Server) theAppeal(r *http.Request) (appealView, error) {
	open, err := s.waiting(r)
	if err != nil {
		return appealView{}, err
	}
	seq, _ := strconv.ParseInt(r.PathValue("seq"), 10, 64) // what is no number is none that waits
	if i := slices.IndexFunc(open, func(v appealView) bool { return v.Seq == seq }); i >= 0 {
		return open[i], nil
	}
	return appealView{}, &refusal{http.StatusNotFound, "No appeal with this number waits."}
}

// hear examines an appeal: its checks look again at the places that it names. It decides nothing.
func (s *Server) hear(w http.ResponseWriter, r *http.Request) error {
	v, err := s.theAppeal(r)
	if err != nil {
		return err
	}
	rec, err := s.record(r.Context(), v.Case)
	switch {
	case err != nil:
		return err
	case !v.Hears:
		return &refusal{http.StatusNotFound, "This server cannot hear appeals."}
	case rec.Digest != v.Record:
		return &refusal{http.StatusConflict, "The case was judged again since the appeal: look at the new report first, and decide there."}
	}
	then, told, err := s.Hear(r.Context(), s.Cohort.Entry(v.Case.ID), rec, v.Entry)
	if err != nil {
		return &refusal{http.StatusUnprocessableEntity, "The appeal was not heard: " + strings.TrimPrefix(err.Error(), "hearing an appeal: ") + "."}
	}
	s.mu.Lock()
	if len(s.heard) >= mostHeard {
		clear(s.heard)
	}
	s.heard[v.Seq] = heardAppeal{rec, then, told}
	s.mu.Unlock()
	http.Redirect(w, r, fmt.Sprintf("/appeals#a-%d", v.Seq), http.StatusSeeOther)
	return nil
}

func (s *Server) heardOf(seq int64) (heardAppeal, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.heard[seq]
	return h, ok
}

// heardPage compares the record with the one that the hearing gave.
func (s *Server) heardPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.theAppeal(r)
	if err != nil {
		return err
	}
	h, ok := s.heardOf(v.Seq)
	if !ok || v.Heard == nil {
		return errNotHere
	}
	around := &report.Around{CSS: s.css}
	if around.Nav, err = s.fragment("ways", s.view(r, "Appeal")); err != nil {
		return err
	}
	return s.within(w, around, func(b io.Writer) error {
		return report.HTMLComparison(b, report.Compare(h.rec, h.then), around)
	})
}

// view is what was heard, for the queue.
func (h heardAppeal) view(criterion string) *heardView {
	v := &heardView{Exact: h.then.Counts(criterion)}
	v.Before, v.After = shown(h.rec.Counts(criterion)), shown(v.Exact)
	words := map[store.Result]string{store.OK: "seen", store.No: "not there", store.Skipped: "nothing found"}
	for _, l := range h.told {
		v.Places = append(v.Places, heardPlace{court.Clean(l.Check, 400), cmp.Or(words[l.Result], string(l.Result)), court.Clean(l.Text, 1000)})
	}
	return v
}

// Moved tells whether the hearing gives another score.
func (v heardView) Moved() bool { return v.Before != v.After && v.Exact != nil }
