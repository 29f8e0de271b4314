package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// What an upload may take: so many at once, and any while as long as enough of it comes. Who sends nothing holds nobody up.
const (
	mostUploads = 4
	uploadWhile = time.Minute
	uploadRate  = 32 << 10 // bytes in a second
	mostFields  = 20
	mostField   = 4 << 10 // bytes
	mostRoster  = 8 << 20 // bytes
)

var (
	errUploads = &refusal{http.StatusServiceUnavailable, "Too many uploads are on their way: try again in a minute."}
	errSlow    = &refusal{http.StatusRequestTimeout, "The upload took too long. Nothing was started."}
	errKind    = &refusal{http.StatusUnsupportedMediaType, "A submission is sent as a form with files (multipart/form-data), or as JSON."}
)

// patient is a body that is cut off when too little of it comes.
type patient struct {
	io.ReadCloser
	came atomic.Int64
}

// Read reads, and counts.
func (p *patient) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.came.Add(int64(n))
	return n, err
}

// watch cuts the body off as soon as a while brings too little, until stop.
func (p *patient) watch(while time.Duration, out *http.ResponseController) (stop func()) {
	_ = out.SetReadDeadline(time.Time{}) // else that of the server counts
	seen, over, gone := int64(0), make(chan struct{}), make(chan struct{})
	t := time.NewTicker(while)
	go func() {
		defer close(gone)
		defer t.Stop()
		for {
			select {
			case <-over:
				return
			case <-t.C:
			}
			came := p.came.Load()
			if came-seen < int64(while.Seconds()*uploadRate) {
				_ = out.SetReadDeadline(time.Unix(1, 0)) // long ago
				return
			}
			seen = came
		}
	}()
	return func() {
		close(over)
		<-gone
	}
}

// uploading bounds what an upload takes of the server.
func (s *Server) uploading(most int64, next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.ContentLength > most { // nothing is read of what says so itself
			return refused(&http.MaxBytesError{Limit: most})
		}
		if s.uploads.Add(1) > mostUploads {
			s.uploads.Add(-1)
			return errUploads
		}
		defer s.uploads.Add(-1)
		if b, ok := r.Body.(*body); ok {
			slow := &patient{ReadCloser: b.whole}
			defer slow.watch(s.patience, http.NewResponseController(w))()
			r.Body = http.MaxBytesReader(w, slow, most)
		}
		return next(w, r)
	}
}

// order is what a form or a program asks for.
type order struct {
	Sent
	replace bool
	roster  []byte
	files   []Upload
}

func (o *order) release() {
	for _, f := range o.files {
		f.Release()
	}
}

// orderOf reads a request with files in it. What was kept of them is in the order even where the error is not nil.
func (s *Server) orderOf(r *http.Request) (o order, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return o, errKind
	}
	for n := 0; ; n++ {
		p, err := parts.NextPart()
		switch {
		case errors.Is(err, io.EOF):
			return o, nil
		case err != nil:
			return o, unread(err)
		case n == mostFields:
			return o, badForm("a submission: it has too many fields")
		}
		if err := s.part(&o, p); err != nil {
			return o, err
		}
	}
}

// unread tells a form that is broken off or none from one that is too large or too slow.
func unread(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return &refusal{http.StatusBadRequest, "The form could not be read."}
}

// part takes one field of a form.
func (s *Server) part(o *order, p *multipart.Part) error {
	name := p.FormName()
	if name == "archive" || name == "document" {
		if p.FileName() == "" {
			return nil // none was chosen
		}
		u, err := s.Start.Keep(p.FileName(), name == "document", p)
		if err != nil {
			return unlessOurs(err)
		}
		o.files = append(o.files, u)
		if name == "document" {
			o.Document = u
		} else {
			o.Archive = u
		}
		return nil
	}
	most := int64(mostField)
	if name == "roster" {
		most = mostRoster
	}
	raw, err := io.ReadAll(io.LimitReader(p, most+1))
	if err != nil {
		return unread(err)
	}
	if int64(len(raw)) > most {
		return badForm("a submission: a field is too long")
	}
	if name == "roster" {
		o.roster = raw
		return nil
	}
	return o.set(name, strings.TrimSpace(string(raw)))
}

// set takes a field that is text. A field that nobody knows is a mistake: what it asks for would not be done.
func (o *order) set(name, value string) error {
	if name == "replace" {
		o.replace = value != "" && value != "false"
		return nil
	}
	into := map[string]*string{"id": &o.ID, "name": &o.Name, "email": &o.Email, "repo_url": &o.Target, "commit": &o.Commit, "due": &o.Due, "pdf": &o.PDF}[name]
	if into == nil {
		return badForm("a submission: it has a field that is not known")
	}
	*into = value
	return nil
}

// decode reads a submission that has no files.
func (o *order) decode(from io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(from, maxForm+1))
	if err != nil {
		return unread(err)
	}
	if len(raw) > maxForm {
		return &http.MaxBytesError{Limit: maxForm}
	}
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return &refusal{http.StatusBadRequest, "The body is not a JSON object."}
	}
	for name, value := range fields {
		switch v := value.(type) {
		case string:
			err = o.set(name, strings.TrimSpace(v))
		case bool:
			err = o.set(name, fmt.Sprint(v))
		default:
			err = badForm("a submission: its fields are texts, and replace is true or false")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unlessOurs keeps the errors for whoever asks that say what is wrong with what came; the others are ours, but for a
// connection that broke.
func unlessOurs(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return unread(err)
	}
	return err
}
