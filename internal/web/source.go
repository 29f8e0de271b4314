package web

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
)

// sourceView is what lies at a place that a record names. It is of the record and of what its run kept; nothing is read
// from where the submission was.
type sourceView struct {
	Case     entry
	Back     string // path of the case's page, or of the page of a link
	Title    string
	Forge    string // address of the same at the repository's host; empty: not known
	Commit   *court.PastCommit
	Kept     bool // the text itself was kept
	Cut      bool
	Lines    []sourceLine
	Cites    []sourceCite
	From, To string // pages before and after; empty: there is none
	Page     int
}

// sourceLine is a line of the text.
type sourceLine struct {
	ID   string // in the page; empty: it has none
	N    int
	Text string
	Hit  bool
}

// sourceCite is evidence that names the same file, page or commit.
type sourceCite struct {
	Label, Goal, Rationale, Link string
	Here                         bool // it names the very lines
	Places                       []sourcePlace
	Lines                        []sourceLine // of its quote; none where the text is shown
}

// sourcePlace is a place of evidence, and where it leads.
type sourcePlace struct{ Text, Link string }

var errUncited = &refusal{http.StatusNotFound, "The record does not cite this place, and nothing of it was kept."}

// mostCites bounds how much evidence a page of a source lists.
const mostCites = 100

func (s *Server) sourcePage(w http.ResponseWriter, r *http.Request) error {
	_, e, err := s.theCase(r)
	if err != nil {
		return err
	}
	return s.source(w, r, e, e.Path())
}

// source shows what lies at a place. The place is looked for among the texts that were kept, and is never a path on this machine.
func (s *Server) source(w http.ResponseWriter, r *http.Request, e entry, back string) error {
	var p court.Place
	p.ReadQuery(r.URL.Query())
	if p.String() == "" || !utf8.ValidString(p.Path+p.Commit+p.Digest) {
		return errNotHere
	}
	rec, err := s.record(r.Context(), e)
	if err != nil {
		return err
	}
	texts, err := s.Cohort.Cited(r.Context(), s.Docket, e.Run)
	if err != nil {
		return err
	}
	v := sourceView{Case: e, Back: back, Title: court.Clean(strings.TrimPrefix(p.String(), "pdf:"), 300), Forge: report.Permalink(rec.Case, p), Page: p.Page}
	to := func(p court.Place) string { return sourceAt(back) + p.Query() }
	if i := slices.IndexFunc(texts, func(t batch.Text) bool { return t.Has(p) }); i >= 0 {
		v.text(texts[i], p)
		if p.Page > 0 && i > 0 && texts[i-1].Digest == texts[i].Digest && texts[i-1].Page > 0 {
			v.From = to(court.Place{Page: texts[i-1].Page, Digest: p.Digest})
		}
		if p.Page > 0 && i+1 < len(texts) && texts[i+1].Digest == texts[i].Digest {
			v.To = to(court.Place{Page: texts[i+1].Page, Digest: p.Digest})
		}
	}
	if h := rec.Portrait; p.Commit != "" && h != nil && h.History != nil {
		if i := slices.IndexFunc(h.History.Commits, func(c court.PastCommit) bool { return sameCommit(c.ID, p.Commit) }); i >= 0 {
			v.Commit = &h.History.Commits[i]
		}
	}
	v.cite(rec, p, to)
	if !v.Kept && v.Commit == nil && len(v.Cites) == 0 && !named(rec, p) {
		return errUncited
	}
	return s.show(w, r, http.StatusOK, "source", v.Title, v)
}

// named tells whether a file or a page is one that the record knows.
func named(rec *court.Record, p court.Place) bool {
	if p.Path == "" {
		return rec.Case.PDF != nil && p.Page <= rec.Case.PDF.Pages
	}
	return slices.ContainsFunc(rec.Places(), func(o court.Place) bool { return o.Path == p.Path && o.Digest == p.Digest })
}

// sourceAt begins the addresses of the texts of a case.
func sourceAt(back string) string { return back + "/source?" }

// sources is where the report's places lead: to pages of ours, or to the repository's host where a run kept nothing to show.
func (s *Server) sources(r *http.Request, e entry, rec *court.Record, back string) (string, error) {
	if report.Permalink(rec.Case, court.Place{Path: "x"}) != "" {
		texts, err := s.Cohort.Cited(r.Context(), s.Docket, e.Run)
		if err != nil || len(texts) == 0 {
			return "", err
		}
	}
	return sourceAt(back), nil
}

// sameCommit tells whether one id is the beginning of the other.
func sameCommit(a, b string) bool {
	n := min(len(a), len(b))
	return n >= 7 && a[:n] == b[:n]
}

// text takes a text that was kept.
func (v *sourceView) text(t batch.Text, p court.Place) {
	v.Kept, v.Cut = true, t.Cut
	for i, l := range t.Lines {
		n := t.First + i
		v.Lines = append(v.Lines, sourceLine{fmt.Sprintf("L%d", n), n, l, p.Line > 0 && n >= p.Line && n <= max(p.Line, p.EndLine)})
	}
}

// cite lists what evidence says of the same file, page or commit; what names the very place comes first.
func (v *sourceView) cite(rec *court.Record, p court.Place, to func(court.Place) string) {
	same := func(o court.Place) bool {
		if p.Commit != "" {
			return sameCommit(o.Commit, p.Commit)
		}
		o.Commit = ""
		return p.Path != "" && o.Path == p.Path || p.Path == "" && o.Path == "" && p.Page > 0 && o.Page == p.Page && (p.Digest == "" || o.Digest == p.Digest)
	}
	for _, k := range rec.Rubric.Asked(rec.Case.Only) {
		for _, x := range rec.Evidences[k.ID] {
			if !slices.ContainsFunc(x.At, same) {
				continue
			}
			c := sourceCite{Label: court.Clean(x.Label, 40), Goal: court.Clean(x.Goal, 300), Rationale: court.Clean(x.Rationale, 1000), Link: v.Back + "#" + court.Clean(x.Label, 40),
				Here: slices.ContainsFunc(x.At, func(o court.Place) bool { return same(o) && (o.Line == p.Line || o.Meets(p)) })}
			for _, o := range x.At {
				c.Places = append(c.Places, sourcePlace{court.Clean(o.String(), 300), to(o)})
			}
			if !v.Kept && same(x.At[0]) {
				c.quote(x)
			}
			v.Cites = append(v.Cites, c)
		}
	}
	slices.SortStableFunc(v.Cites, func(a, b sourceCite) int { return cmp.Compare(rank(a), rank(b)) })
	v.Cites = v.Cites[:min(len(v.Cites), mostCites)]
}

func rank(c sourceCite) int {
	if c.Here {
		return 0
	}
	return 1
}

// quote takes the lines that the record quotes.
func (c *sourceCite) quote(x court.Exhibit) {
	for i, l := range strings.Split(strings.TrimSuffix(x.Content, "\n"), "\n") {
		n := 0
		if x.At[0].Line > 0 {
			n = x.At[0].Line + i
		}
		if l != "" || n > 0 {
			c.Lines = append(c.Lines, sourceLine{N: n, Text: court.Clean(l, 400), Hit: true})
		}
	}
}

// Number is the number of a line, where it has one.
func (l sourceLine) Number() string {
	if l.N == 0 {
		return ""
	}
	return fmt.Sprint(l.N)
}
