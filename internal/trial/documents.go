package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/document"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// further puts the documents after the first on the scene. One that was given
// before, by what is in it, counts once. One whose content cannot be had is a
// fault that leaves the audit partial.
func (o *Opened) further(ctx context.Context, docs []Document, r *repo.Repo, opts *probe.Options) error {
	for _, d := range docs {
		raw, name := d.Bytes, path.Base(d.Path)
		if d.From == "tree" {
			var why string
			var err error
			if raw, why, err = inTree(ctx, d.Path, r); err != nil {
				return err
			}
			if name = d.Path; why != "" {
				o.Faults = append(o.Faults, court.Fault{Stage: string(court.DocAnalyst), Subject: shown(name, 200), Reason: why, Blocks: true})
				continue
			}
		}
		if opts.PDF == nil { // the first could not be had
			o.take(raw, name, d.From, opts)
			continue
		}
		o.add(raw, name, d.From, opts)
	}
	return nil
}

// inTree reads a document of the commit; why it cannot be had is not an error.
func inTree(ctx context.Context, name string, r *repo.Repo) (raw []byte, why string, err error) {
	if r == nil {
		return nil, "there is no repository to take it from", nil
	}
	if _, ok := r.Entry(name); !ok {
		return nil, "", fmt.Errorf("reading document %q: %w", name, ErrNoSuchDocument)
	}
	if raw, err = r.BlobUpTo(ctx, name, MaxPDF); err != nil {
		return nil, shown(err.Error(), 300), nil
	}
	return raw, "", nil
}

// add makes bytes a further document of the case.
func (o *Opened) add(raw []byte, name, from string, opts *probe.Options) {
	if raw == nil {
		raw = []byte{}
	}
	sum := sha256.Sum256(raw)
	digest := hex.EncodeToString(sum[:])
	same := func(d court.PDF) bool { return d.SHA256 == digest }
	if same(*o.Case.PDF) || slices.ContainsFunc(o.Case.Further, same) {
		o.Same = append(o.Same, shown(name, 200))
		return
	}
	taken := map[string]bool{opts.PDFPath: true}
	for _, d := range opts.Further {
		taken[d.Path] = true
	}
	name = apart(name, taken)
	o.Case.Further = append(o.Case.Further, court.PDF{Path: probe.Mask(name), From: from, SHA256: digest, Bytes: int64(len(raw)), Others: []string{}})
	opts.Further = append(opts.Further, probe.Document{Path: name, Bytes: raw})
}

// apart is a name that no other document has: of two files report.pdf the second
// is called report (2).pdf.
func apart(name string, taken map[string]bool) string {
	ext := path.Ext(name)
	out := name
	for n := 2; taken[out]; n++ {
		out = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n, ext)
	}
	return out
}

// documents says what came of reading each document, and what each says of the
// submission.
func (c *nodes) documents(ctx context.Context, known court.Case) (first *court.PDF, further []court.PDF, faults []court.Fault) {
	for i, d := range c.scene.Documents() {
		of := known.PDF
		if i > 0 {
			of = &known.Further[i-1]
		}
		doc, wrong := c.document(ctx, d, of)
		wrong = append(wrong, c.ledger(ctx, d, doc)...)
		if len(known.Further) > 0 {
			for k := range wrong {
				wrong[k].Subject = inDocument(d, wrong[k].Subject)
			}
		}
		faults = append(faults, wrong...)
		if i == 0 {
			first = doc
		} else {
			further = append(further, *doc)
		}
	}
	return first, further, faults
}

// inDocument names one of several documents in what a fault is about.
func inDocument(d *probe.Scene, subject string) string {
	name := shown(d.PDFPath(), 200)
	if subject == "pdf" {
		return name
	}
	return name + ":" + strings.TrimPrefix(subject, "pdf:")
}

// document says what came of reading a PDF. What is wrong with the file is
// evidence; only a reader that failed is a fault.
func (c *nodes) document(ctx context.Context, s *probe.Scene, known *court.PDF) (*court.PDF, []court.Fault) {
	if known == nil {
		return nil, nil
	}
	seen := *known
	doc, err := s.Document(ctx)
	if err != nil {
		seen.Status = unread
		if u, ok := errors.AsType[*probe.Unable](err); ok && u.Reason.Nothing() {
			return &seen, nil
		}
		return &seen, []court.Fault{{Stage: string(court.DocAnalyst), Subject: "pdf", Reason: shown(err.Error(), 500), Blocks: true}}
	}
	seen.Status, seen.Pages = string(doc.Status), doc.Total
	notes := doc.Notes
	if s.OCR() != "" && doc.Status == pdf.NoText {
		_, lost, err := s.Scanned(ctx) // read once for all; an error says that the case ends
		if err != nil {
			return &seen, noted(notes)
		}
		notes = slices.Concat(notes, lost)
	}
	return &seen, noted(notes)
}

// ledger writes down what a document says of the submission.
func (c *nodes) ledger(ctx context.Context, s *probe.Scene, doc *court.PDF) []court.Fault {
	if doc == nil || doc.Status == unread || !s.HasRepo() {
		return nil
	}
	var err error
	if doc.Claims, doc.MoreClaims, err = document.Claims(ctx, s); err != nil && ctx.Err() == nil {
		return []court.Fault{{Stage: string(court.DocAnalyst), Subject: "claims", Reason: shown(err.Error(), 500)}}
	}
	return nil
}

// firstOnly says that a model reads one of several documents.
func (c *nodes) firstOnly(d court.Detective) []court.Fault {
	names := c.scene.DocumentNames()
	if len(names) < 2 {
		return nil
	}
	return []court.Fault{{Stage: string(d), Subject: "inquiry", Reason: shown(fmt.Sprintf("the model that investigates reads %s only, not %s", names[0], strings.Join(names[1:], ", ")), 300)}}
}
