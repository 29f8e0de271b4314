package document

import (
	"context"
	"errors"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Sections fills the facts of the document.
func Sections() []probe.Section {
	return []probe.Section{{Name: "report", Fill: fill}}
}

func fill(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	f := &sheet.Report
	if s.PDFPath() == "" {
		f.PathsClaimed, f.PathsMissing = []string{}, []string{}
		sheet.Prove("report", "there is no document")
		return nil
	}
	f.PDF = new(s.PDFPath())
	sheet.Prove("report.pdf", "%s", s.PDFPath())
	if s.Written() {
		f.PDF = nil
		sheet.Prove("report.pdf", "the document is %s, which is no PDF", s.PDFPath())
	}
	sheet.Prove("report.paths_missing", "every one of them exists")
	d, err := s.Document(ctx)
	if err != nil {
		return err
	}
	switch d.Status {
	case pdf.Empty, pdf.NotPDF:
		f.PathsClaimed, f.PathsMissing = []string{}, []string{}
		sheet.Prove("report", "%s", court.Clean(d.Reason, 200))
		return nil
	case pdf.Readable, pdf.NoText:
		if s.Written() {
			sheet.Prove("report.pages", "the document is text and has no pages")
			break
		}
		f.Pages = new(d.Total)
		sheet.Prove("report.pages", "the page tree")
	default:
		sheet.Prove("report", "%s", court.Clean(d.Reason, 200))
		if d.Total > 0 {
			f.Pages = new(d.Total)
			sheet.Prove("report.pages", "the page tree")
		}
		return nil
	}
	if err := termFacts(ctx, s, sheet); err != nil {
		return err
	}
	if err := pathFacts(ctx, s, sheet); err != nil {
		return err
	}
	if !s.Sketched() {
		sheet.Prove("report.diagrams", "figures of HTML and DOCX files are not looked at")
		sheet.Prove("report.diagram_shows_parallel", "figures of HTML and DOCX files are not looked at")
		return nil
	}
	return figureFacts(ctx, s, sheet)
}

func termFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	terms, err := explained(ctx, s)
	if u, ok := errors.AsType[*probe.Unable](err); ok {
		sheet.Prove("report.terms", "%s", u.Why)
		return nil
	}
	if err != nil {
		return err
	}
	r, err := read(ctx, s)
	if err != nil {
		return err
	}
	t := &sheet.Report.Terms
	into := []**string{&t.DialecticalSynthesis, &t.FanInFanOut, &t.Metacognition, &t.StateSynchronization}
	for i, e := range terms {
		if r.scan != "" && e.best == nil {
			sheet.Prove("report.terms."+e.concept.id, "no passage that %s read speaks of it, which does not mean that none does", r.scan)
			continue
		}
		if r.unread != "" && (e.best == nil || e.grade == mention) {
			sheet.Prove("report.terms."+e.concept.id, "no passage that was read explains it, but of the document %s", r.unread)
			continue
		}
		*into[i] = new(string(e.grade))
		if e.best != nil {
			at, _ := r.cite(telling(e.best, e.concept))
			sheet.Prove("report.terms."+e.concept.id, "%s%s", at, r.by())
		} else {
			sheet.Prove("report.terms."+e.concept.id, "no passage of the document speaks of it")
		}
	}
	return nil
}

// by says who read the pages when they are pictures.
func (r *reading) by() string {
	if r.scan == "" {
		return ""
	}
	return ", read by " + r.scan
}

func pathFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	l, err := account(ctx, s)
	if u, ok := errors.AsType[*probe.Unable](err); ok {
		sheet.Prove("report.paths_claimed", "%s", u.Why)
		return nil
	}
	if err != nil {
		return err
	}
	f := &sheet.Report
	f.PathsClaimed, f.PathsMissing = []string{}, []string{}
	sheet.Prove("report.paths_claimed", "no passage names a file as one of this repository")
	misread := 0
	for _, n := range l.paths {
		if l.scan != "" && n.fate != holds {
			misread++
			continue
		}
		if len(f.PathsClaimed) == 0 {
			at, _ := l.cite(n.claim.passage, n.claim.sentence)
			sheet.Prove("report.paths_claimed", "the first at %s%s", at, l.by())
		}
		f.PathsClaimed = append(f.PathsClaimed, n.path)
		if n.fate != holds {
			f.PathsMissing = append(f.PathsMissing, n.path)
			at, _ := l.cite(n.claim.passage, n.claim.sentence)
			sheet.Prove("report.paths_missing", "%s", at)
		}
	}
	if misread > 0 {
		f.PathsMissing = nil
		sheet.Prove("report.paths_missing", "%s in what %s read are not there, but may be misread", court.Count(misread, "path"), l.scan)
	}
	return nil
}
