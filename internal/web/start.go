package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
)

// Starter begins what is asked for from pages, always with the operator's rubric, judges, gate and budget. An error that is
// batch.Problems says what is wrong with what came, and docket.ErrBusy that another process judges the class.
type Starter interface {
	// Keep takes an upload in: a document, or the files of a submission.
	Keep(name string, document bool, from io.Reader) (Upload, error)
	// Add puts submissions on the roster, and has them judged. Those that are there are replaced, or are a problem.
	Add(ctx context.Context, list []Sent, replace bool) error
	// Again has a submission judged again: at the commit that it has now, or at the one that was judged.
	Again(ctx context.Context, id string, newest bool) error
	// Working tells whether this server judges just now, and what made it stop; empty: nothing did.
	Working() (now bool, trouble string)
}

// Upload is a file that was sent.
type Upload struct {
	Path    string // as a roster names it; empty: none was sent
	Release func() // is called at the end: it is removed then unless a roster names it
}

// Sent is a submission that came over the network: it names addresses, and no files of this machine but its uploads.
type Sent struct {
	batch.Entry
	Archive, Document Upload
}

// starts are the ways in that begin something.
func (s *Server) starts() []route {
	if s.Start == nil {
		return nil
	}
	whole := s.MaxUpload + maxForm // with the form around the files
	return []route{
		{"GET /new", starter, s.newPage},
		{"POST /new", starter, s.uploading(whole, s.begin)},
		{"POST /new/roster", starter, s.uploading(mostRoster+maxForm, s.beginAll)},
		{"POST /cases/{id}/again", starter, s.again},
		{"POST /api/v1/cases", starter, s.uploading(whole, s.apiBegin)},
		{"POST /api/v1/cases/{id}/again", starter, s.apiAgain},
	}
}

// refused says to people why something was not started. Nil: the error is no matter of theirs.
func refused(err error) *refusal {
	bad, wrong := errors.AsType[batch.Problems](err)
	large, tooLarge := errors.AsType[*http.MaxBytesError](err)
	no, known := errors.AsType[*refusal](err)
	switch {
	case known:
		return no
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlow
	case wrong:
		return &refusal{http.StatusUnprocessableEntity, "Nothing was started: " + strings.Join(bad, "; ") + "."}
	case tooLarge:
		return &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("Nothing was started: more than %d MiB were sent.", large.Limit>>20)}
	case errors.Is(err, docket.ErrBusy):
		return &refusal{http.StatusConflict, busyText + " Nothing was started: try again when it has ended."}
	case errors.Is(err, store.ErrSpace):
		return &refusal{http.StatusInsufficientStorage, "Nothing was started: the disk of the server is full."}
	}
	return nil
}

// busyText says that another process has the class.
const busyText = "Another process judges this class just now."

// newView is the page on which submissions come.
type newView struct {
	Given   order
	Why     []string // nothing was started
	Busy    string
	Trouble string
	Most    int64 // MiB of an upload
	Rubric  string
}

// Replace tells whether those that are there were to be replaced.
func (v newView) Replace() bool { return v.Given.replace }

func (s *Server) newPage(w http.ResponseWriter, r *http.Request) error {
	return s.showNew(w, r, http.StatusOK, newView{})
}

func (s *Server) showNew(w http.ResponseWriter, r *http.Request, status int, v newView) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	v.Most, v.Rubric = s.MaxUpload>>20, t.class.Rubric
	now, trouble := s.Start.Working()
	if v.Trouble = trouble; !now && t.atWork() {
		v.Busy = busyText
	}
	return s.show(w, r, status, "new", "Add submissions", v)
}

// atWork tells whether anything is being judged.
func (t *table) atWork() bool {
	for _, e := range t.rows {
		if e.atWork() {
			return true
		}
	}
	return false
}

// told is an error as people are told it, if it is one of theirs.
func told(err error) error {
	if no := refused(err); no != nil {
		return no
	}
	return err
}

// notStarted shows the form again, with what was given and what was wrong with it.
func (s *Server) notStarted(w http.ResponseWriter, r *http.Request, given order, err error) error {
	no := refused(err)
	if no == nil {
		return err
	}
	v := newView{Given: given, Why: []string{no.text}}
	if bad, ok := errors.AsType[batch.Problems](err); ok {
		v.Why = bad
	}
	return s.showNew(w, r, no.status, v)
}

// begin takes one submission from the page, which is watched from now on.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) error {
	o, err := s.orderOf(r)
	defer o.release()
	if err == nil {
		err = s.add(r.Context(), &o)
	}
	if err != nil {
		return s.notStarted(w, r, o, err)
	}
	http.Redirect(w, r, pathOf(o.ID)+"/live", http.StatusSeeOther)
	return nil
}

// add has one submission judged. One without an id is called after its address, or its archive.
func (s *Server) add(ctx context.Context, o *order) error {
	if name := path.Base(o.Archive.Path); o.ID == "" && o.Archive.Path != "" {
		o.ID = strings.TrimSuffix(strings.TrimSuffix(name, path.Ext(name)), ".tar")
	} else if list, err := batch.Roster([]byte(o.Target), batch.Reading{}); o.ID == "" && err == nil {
		o.ID = list[0].ID
	}
	return s.Start.Add(ctx, []Sent{o.Sent}, o.replace)
}

// beginAll takes a roster.
func (s *Server) beginAll(w http.ResponseWriter, r *http.Request) error {
	o, err := s.orderOf(r)
	defer o.release()
	if err == nil {
		err = s.addAll(r.Context(), o)
	}
	if err != nil {
		return s.notStarted(w, r, o, err)
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

func (s *Server) addAll(ctx context.Context, o order) error {
	list, err := batch.Roster(o.roster, s.Reading)
	if _, some := errors.AsType[batch.Problems](err); some {
		return err
	} else if err != nil {
		return batch.Problems{"the roster cannot be read: " + err.Error()}
	}
	sent := make([]Sent, len(list))
	for i, e := range list {
		sent[i].Entry = e
	}
	return s.Start.Add(ctx, sent, o.replace)
}

// again has a submission judged again.
func (s *Server) again(w http.ResponseWriter, r *http.Request) error {
	e, err := s.reopen(r, r.PostForm.Get("commit") != "same")
	if err != nil {
		return err
	}
	http.Redirect(w, r, e.Path()+"/live", http.StatusSeeOther)
	return nil
}

func (s *Server) reopen(r *http.Request, newest bool) (entry, error) {
	_, e, err := s.theCase(r)
	if err != nil {
		return e, err
	}
	if !e.over() {
		return e, &refusal{http.StatusConflict, "This submission is being judged, or waits for it."}
	}
	if err := s.Start.Again(r.Context(), e.ID, newest); err != nil {
		return e, told(err)
	}
	return e, nil
}

// apiBegin takes one submission from a program, as JSON or as a form with files.
func (s *Server) apiBegin(w http.ResponseWriter, r *http.Request) error {
	var o order
	var err error
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" {
		err = o.decode(r.Body)
	} else {
		o, err = s.orderOf(r)
	}
	defer o.release()
	if err == nil {
		err = s.add(r.Context(), &o)
	}
	if err != nil {
		return told(err)
	}
	return s.accepted(w, r, o.ID)
}

func (s *Server) apiAgain(w http.ResponseWriter, r *http.Request) error {
	e, err := s.reopen(r, r.URL.Query().Get("commit") != "same")
	if err != nil {
		return err
	}
	return s.accepted(w, r, e.ID)
}

// accepted answers with the submission that will be judged, and where it can be asked for.
func (s *Server) accepted(w http.ResponseWriter, r *http.Request, id string) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	e, err := t.find(id)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/api/v1"+e.Path())
	s.json(w, http.StatusAccepted, t.apiCaseOf(e))
	return nil
}
