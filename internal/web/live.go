package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
)

// Watching is asking the docket again and again: who judges may be another process. What is sent is a part of the page, whole
// each time, so that it does not matter where it went on, or with whom.
const (
	beat        = 500 * time.Millisecond // how often is asked
	quietBeats  = 30                     // after so many a line without meaning keeps the connection open
	mostStreams = 64
)

var errStreams = &refusal{http.StatusServiceUnavailable, "Too many pages are watching: reload this one by hand."}

// piece is a part of a page as it is now: its id changes with it, and over says that nothing more comes.
type piece struct {
	id   string
	over bool
	html string
}

// stream sends a part of a page whenever it is another one, until it is over.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, look func(ctx context.Context) (piece, error)) error {
	if s.streams.Add(1) > mostStreams {
		s.streams.Add(-1)
		return errStreams
	}
	defer s.streams.Add(-1)
	seen := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("after"))
	p, err := look(r.Context())
	if err != nil {
		return err
	}
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // where it cannot be set, the browser comes again
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // proxies are to pass it on at once
	t := time.NewTicker(s.beat)
	defer t.Stop()
	for quiet := 0; ; quiet++ {
		text := ""
		switch {
		case p.over:
			text = "event: over\ndata:\n\n"
		case p.id != seen:
			text = "id: " + p.id + "\ndata: " + strings.ReplaceAll(strings.TrimSpace(p.html), "\n", "\ndata: ") + "\n\n"
		case quiet%quietBeats == 0:
			text = ":\n\n"
		}
		if text != "" {
			seen, quiet = p.id, 0
			if _, err := w.Write([]byte(text)); err != nil || out.Flush() != nil || p.over {
				return nil // who went away needs no answer
			}
		}
		select {
		case <-r.Context().Done():
			return nil
		case <-t.C:
		}
		if p, err = look(r.Context()); err != nil {
			return nil // the browser comes again, and is told
		}
	}
}

// over tells whether nothing is done about a submission any more, unless somebody asks for it.
func (e entry) over() bool { return e.State != docket.Pending && !e.atWork() }

// Open is the contrary, for pages.
func (e entry) Open() bool { return !e.over() }

// Stage is where a submission is, as people are told it: one that is open waits or is being worked at.
func (e entry) Stage() string {
	switch e.State {
	case docket.Pending:
		return "queued"
	case docket.Fetching:
		return "being fetched"
	case docket.Hearing:
		return "being judged"
	}
	return e.Word
}

func (e entry) atWork() bool { return e.State == docket.Fetching || e.State == docket.Hearing }

// hearingOf is what was told of a submission so far.
func (s *Server) hearingOf(ctx context.Context, e entry, h *hearing) error {
	if e.Run == "" {
		return nil
	}
	if e.over() && e.Ended() {
		raw, err := s.Docket.File(ctx, e.Run, store.EventsName)
		if err != nil {
			return err
		}
		h.fold(string(raw))
		return nil
	}
	lines, last, err := s.Docket.Events(ctx, e.Run, h.seq)
	h.fold(lines)
	h.seq = last
	return err
}

// liveView is the page on which a case is watched.
type liveView struct {
	Case    entry
	Hearing *hearing
	From    string // address of what is new; empty: nothing comes any more
}

func (s *Server) livePage(w http.ResponseWriter, r *http.Request) error {
	t, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	v := liveView{Case: e, Hearing: s.newHearing(t)}
	if err := s.hearingOf(r.Context(), e, v.Hearing); err != nil {
		return err
	}
	if !e.over() {
		v.From = e.Path() + "/events?after=" + idOf(e, v.Hearing)
	}
	return s.show(w, r, http.StatusOK, "live", e.Name, v)
}

// idOf changes with everything that the part of a case shows.
func idOf(e entry, h *hearing) string { return fmt.Sprintf("%s-%d-%d", e.State, e.Attempt, h.seq) }

func (s *Server) liveEvents(w http.ResponseWriter, r *http.Request) error {
	t, _, err := s.theCase(r)
	if err != nil {
		return err
	}
	h, run := s.newHearing(t), ""
	return s.stream(w, r, func(ctx context.Context) (p piece, err error) {
		_, e, err := s.theCase(r)
		if err != nil {
			return p, err
		}
		if p.over = e.over(); p.over {
			return p, nil
		}
		if e.Run != run { // another commit, or another rubric
			h, run = s.newHearing(t), e.Run
		}
		if err := s.hearingOf(ctx, e, h); err != nil {
			return p, err
		}
		p.id = idOf(e, h)
		html, err := s.fragment("hearing", liveView{Case: e, Hearing: h})
		p.html = string(html)
		return p, err
	})
}

// workView is how far the class is.
type workView struct {
	Of, Over, Failed, Waiting int
	At                        []atWork
	From                      string
}

// atWork is a case that is being judged.
type atWork struct {
	Case    entry
	Hearing *hearing
}

// work looks how far the class is. What was told of cases at work before is in known, by run.
func (s *Server) work(ctx context.Context, known map[string]*hearing) (v workView, id string, err error) {
	t, err := s.table(ctx)
	if err != nil {
		return v, "", err
	}
	v.Of, v.Failed = len(t.rows), t.class.Tally[report.CaseFailed]
	var b strings.Builder
	for _, e := range t.rows {
		switch {
		case e.over():
			v.Over++
			continue
		case !e.atWork():
			v.Waiting++
			continue
		}
		h := known[e.Run]
		if h == nil || e.Run == "" {
			h = s.newHearing(t)
			known[e.Run] = h
		}
		if e.State == docket.Hearing {
			if err := s.hearingOf(ctx, e, h); err != nil {
				return v, "", err
			}
		}
		v.At = append(v.At, atWork{e, h})
		fmt.Fprintf(&b, "-%d.%d.%d", e.Seq, len(e.State), h.seq)
	}
	id = fmt.Sprintf("%d-%d-%d%s", v.Over, v.Failed, v.Waiting, b.String())
	if v.Waiting+len(v.At) > 0 {
		v.From = "/live/events?after=" + id
	}
	return v, id, nil
}

func (s *Server) workPage(w http.ResponseWriter, r *http.Request) error {
	v, _, err := s.work(r.Context(), map[string]*hearing{})
	if err != nil {
		return err
	}
	return s.show(w, r, http.StatusOK, "work", "At work", v)
}

func (s *Server) workEvents(w http.ResponseWriter, r *http.Request) error {
	known := map[string]*hearing{}
	return s.stream(w, r, func(ctx context.Context) (p piece, err error) {
		v, id, err := s.work(ctx, known)
		if err != nil {
			return p, err
		}
		if wait := r.URL.Query().Get("wait"); wait != "" { // there is a page on which nothing is at work
			p.id, p.over = wait, id != wait
			return p, nil
		}
		p.id, p.over = id, v.From == ""
		html, err := s.fragment("progress", v)
		p.html = string(html)
		return p, err
	})
}

// Took is how long the hearing took.
func (v liveView) Took() string { return report.Duration(v.Hearing.Millis) }
