package web

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// Links to one submission, for the one who is judged.
const (
	linkDays    = 30
	linkBytes   = 32
	mostAppeals = 20 // that wait, of one submission
)

var errLink = &refusal{http.StatusNotFound, "This link leads nowhere, or no longer."}

// madeLink is a link that was just made. Its token is shown this once and is kept nowhere.
type madeLink struct {
	Case    entry
	Address string
	Until   string
	Here    bool // it opens on this machine alone
}

// link makes a link to one submission.
func (s *Server) link(w http.ResponseWriter, r *http.Request) error {
	_, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	raw := make([]byte, linkBytes)
	if _, err := rand.Read(raw); err != nil {
		return fmt.Errorf("making a link: %w", err)
	}
	token := base64.RawURLEncoding.EncodeToString(raw)
	until := s.Now().Add(linkDays * 24 * time.Hour)
	if err := s.Docket.AddLink(r.Context(), s.Cohort.ID, docket.Link{Hash: docket.Digest([]byte(token)), Submission: e.ID, By: visitor(r.Context()).name, Until: until}); err != nil {
		return err
	}
	scheme := "http"
	if s.Access.Encrypted {
		scheme = "https"
	}
	at, here := s.outside(r.Host)
	return s.show(w, r, http.StatusOK, "link", "Link for "+e.Name, madeLink{e, scheme + "://" + at + "/s/" + token, until.UTC().Format("2006-01-02 15:04"), here})
}

// outside is a name of this server that others than this machine can use; here: it has none.
func (s *Server) outside(host string) (name string, here bool) {
	for _, name := range append([]string{host}, s.Access.Hosts...) {
		if !loopback(name) {
			return name, false
		}
	}
	return host, true
}

// loopback tells whether a name with or without a port leads to the machine itself.
func loopback(name string) bool {
	host, _, err := net.SplitHostPort(name)
	if err != nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// unlink ends all links to one submission.
func (s *Server) unlink(w http.ResponseWriter, r *http.Request) error {
	_, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	if err := s.Docket.Revoke(r.Context(), s.Cohort.ID, e.ID); err != nil {
		return err
	}
	http.Redirect(w, r, e.Path()+"#decide", http.StatusSeeOther)
	return nil
}

// linked is the submission that a link leads to. Guessing is slowed down as it is for tokens.
func (s *Server) linked(r *http.Request) (entry, error) {
	if s.guard.blocked(r) {
		return entry{}, errGuessing
	}
	l, ok, err := s.Docket.Link(r.Context(), s.Cohort.ID, docket.Digest([]byte(r.PathValue("token"))))
	if err != nil {
		return entry{}, err
	}
	if !ok || !l.Open(s.Now()) {
		s.guard.miss(r)
		return entry{}, errLink
	}
	t, err := s.table(r.Context())
	if err != nil {
		return entry{}, err
	}
	e, err := t.find(l.Submission)
	if err != nil {
		return entry{}, errLink
	}
	if e.Published.IsZero() || !e.Ended() {
		return entry{}, s.draft(r, e)
	}
	return e, nil
}

// draft says why there is nothing to show yet.
func (s *Server) draft(r *http.Request, e entry) error {
	list, err := s.Docket.Decisions(r.Context(), s.Cohort.ID, e.ID)
	if err != nil {
		return err
	}
	if everPublished(list) {
		return &refusal{http.StatusForbidden, "A person has changed the score since it was given out. It is shown here when it is given out again."}
	}
	return &refusal{http.StatusForbidden, "The score is not given out yet."}
}

// judgedView is what the one who is judged sees of a desk: what was decided, and where to appeal.
type judgedView struct {
	desk
	Case entry
	Link string // its path
}

// Made are the decisions in force. Comments are between those who decide.
func (v judgedView) Made() []made {
	return slices.DeleteFunc(slices.Clone(v.desk.Made), func(m made) bool { return m.Off || m.Kind == decision.Comment })
}

func (s *Server) studentPage(w http.ResponseWriter, r *http.Request) error {
	e, err := s.linked(r)
	if err != nil {
		return err
	}
	d, err := s.decided(r.Context(), e, false, "")
	if err != nil {
		return err
	}
	path := "/s/" + r.PathValue("token")
	for i := range d.desks {
		for j := range d.desks[i].Waiting {
			d.desks[i].Waiting[j].Path = path
		}
	}
	around := &report.Around{CSS: s.css, Files: path + "/", Of: map[string]template.HTML{}}
	if around.Source, err = s.sources(r, e, d.record, path); err != nil {
		return err
	}
	if around.Head, err = s.fragment("judged", judgedView{d.whole, e, path}); err != nil {
		return err
	}
	for _, k := range d.desks {
		if k.Manual { // no report shows it
			continue
		}
		if around.Of[k.Criterion], err = s.fragment("appeal", judgedView{k, e, path}); err != nil {
			return err
		}
	}
	return s.within(w, around, func(b io.Writer) error { return trial.RenderAround(b, d.record, around) })
}

// studentFile is the record or the report of the machine.
func (s *Server) studentFile(w http.ResponseWriter, r *http.Request) error {
	e, err := s.linked(r)
	if err != nil {
		return err
	}
	switch r.PathValue("file") {
	case "record.json":
		return s.sendRecord(w, r, e)
	case "report.html":
		return s.sendReport(w, r, e)
	case "source":
		return s.source(w, r, e, "/s/"+r.PathValue("token"))
	}
	return errNotHere
}

// appeal takes an appeal of the one who is judged. It names places to look at, and changes no score.
func (s *Server) appeal(w http.ResponseWriter, r *http.Request) error {
	e, err := s.linked(r)
	if err != nil {
		return err
	}
	list, err := s.Docket.Decisions(r.Context(), s.Cohort.ID, e.ID)
	if err != nil {
		return err
	}
	if len(decision.Appeals(list)) >= mostAppeals {
		return &refusal{http.StatusTooManyRequests, "Your earlier appeals are heard first."}
	}
	x := decision.Entry{By: e.ID, Kind: decision.Appeal, Submission: e.ID, Criterion: r.PostForm.Get("criterion"),
		Points: strings.FieldsFunc(r.PostForm.Get("points"), func(c rune) bool { return c == '\n' || c == '\r' }),
		Reason: strings.ReplaceAll(strings.TrimSpace(r.PostForm.Get("reason")), "\r\n", "\n")}
	if err := s.keep(r.Context(), map[string]int64{e.ID: e.Seq}, x); errors.Is(err, docket.ErrConflict) {
		return &refusal{http.StatusConflict, "Somebody decided on your case this moment: send the appeal again."}
	} else if err != nil {
		return &refusal{http.StatusUnprocessableEntity, "The appeal was not taken: " + strings.TrimPrefix(err.Error(), "deciding: ") + "."}
	}
	http.Redirect(w, r, "/s/"+r.PathValue("token")+anchorOf(x.Criterion), http.StatusSeeOther)
	return nil
}
