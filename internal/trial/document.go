package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Refused says what a file that was given as the document is, where nothing can be read
// from it; "" where that is for a reader to find out.
func (d Document) Refused() string {
	if d.From != "file" || passage.Written(d.Path) && len(d.Bytes) > 0 {
		return ""
	}
	return pdf.Refused(d.Bytes)
}

// Address is From of a document that is fetched from an https address, which is its Path, when the submission is opened.
const Address = "address"

// fetchDocuments gets the documents that were given by their address. What it is that was fetched is looked at like a
// file that was given.
func (sub *Submission) fetchDocuments(ctx context.Context, box *sandbox.Box) error {
	get := func(d *Document) error {
		if d.From != Address {
			return nil
		}
		raw, err := box.Fetch(ctx, d.Path, MaxPDF)
		if err != nil {
			return fmt.Errorf("fetching the document: %w", err)
		}
		name := "document.pdf"
		if u, err := url.Parse(d.Path); err == nil && len(path.Base(u.Path)) > 1 {
			name = path.Base(u.Path)
		}
		*d = Document{From: "file", Path: name, Bytes: raw}
		if what := d.Refused(); what != "" {
			return sandbox.Refuse("document_kind", "what the address of the document gives is not a document: %s", what)
		}
		return nil
	}
	if err := get(&sub.Document); err != nil {
		return err
	}
	sub.Further = slices.Clone(sub.Further)
	for i := range sub.Further {
		if err := get(&sub.Further[i]); err != nil {
			return err
		}
	}
	return nil
}

// MaxPDF bounds a submission's document, in bytes.
const MaxPDF = 64 << 20

// ErrNoSuchDocument says that the tree has no file of the name that was given.
var ErrNoSuchDocument = errors.New("no such file in the audited commit")

// ErrNoOCR says that OCR was asked for and cannot be had here.
var ErrNoOCR = errors.New("no OCR program that can be used")

func withOCR(ctx context.Context, box *sandbox.Box, wanted bool, opts *probe.Options) error {
	if !wanted {
		return nil
	}
	ocr, err := pdf.FindOCR(ctx, box, "")
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("looking for tesseract: %w", context.Cause(ctx))
	case err != nil:
		return fmt.Errorf("%w: %w", ErrNoOCR, err)
	}
	opts.OCR, opts.OCRName = ocr, ocr.Version
	return nil
}

// choose finds the document and puts it on the scene.
func (o *Opened) choose(ctx context.Context, d Document, r *repo.Repo, opts *probe.Options) error {
	switch d.From {
	case "none":
		opts.NoPDF, opts.NoPDFReason = "none was asked for", court.LeftOut
		return nil
	case Unsought:
		opts.NoPDF, opts.NoPDFReason, o.unsought = "it was "+court.NotAsked, court.LeftOut, true
		return nil
	case "file":
		o.take(d.Bytes, path.Base(d.Path), "file", opts)
		return nil
	}
	if r == nil {
		opts.NoPDF, opts.NoPDFReason = "there is no repository to take one from", court.LeftOut
		return nil
	}
	paths := []string{d.Path}
	if d.From != "tree" {
		paths, opts.PDFChoice = documents(ctx, r)
	}
	if len(paths) == 0 {
		opts.NoPDF, opts.NoPDFReason = "the repository has none and none was given", court.NotSubmitted
		return nil
	}
	if _, ok := r.Entry(paths[0]); !ok {
		return fmt.Errorf("reading document %q: %w", paths[0], ErrNoSuchDocument)
	}
	raw, err := r.BlobUpTo(ctx, paths[0], MaxPDF)
	if err != nil {
		opts.PDFPath, opts.NoPDF = paths[0], "the content of "+paths[0]+" is not available"
		o.Case.PDFPath = probe.Mask(paths[0])
		o.Faults = append(o.Faults, court.Fault{Stage: string(court.DocAnalyst), Subject: shown(paths[0], 200), Reason: shown(err.Error(), 300), Blocks: true})
		return nil
	}
	from := "auto"
	if d.From == "tree" {
		from = "tree"
	}
	o.take(raw, paths[0], from, opts)
	for _, p := range paths[1:] {
		o.Case.PDF.Others = append(o.Case.PDF.Others, probe.Mask(p))
	}
	return nil
}

// take makes bytes the case's document.
func (o *Opened) take(raw []byte, name, from string, opts *probe.Options) {
	if raw == nil {
		raw = []byte{}
	}
	sum := sha256.Sum256(raw)
	o.Case.PDFPath = probe.Mask(name)
	o.Case.PDF = &court.PDF{From: from, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(raw)), Others: []string{}}
	opts.PDF, opts.PDFPath = raw, name
}

// documents ranks the PDFs of the tree, else what may be the report in another form, and
// says why the first one is.
func documents(ctx context.Context, r *repo.Repo) (paths []string, why string) {
	var files []code.File
	pdfs := 0
	for _, e := range r.Tree() {
		files = append(files, code.File{Path: e.Path})
		if strings.EqualFold(path.Ext(e.Path), ".pdf") {
			pdfs++
		}
	}
	var touched func(string) int
	if pdfs > 1 { // only then does it matter which one was touched last
		touched = lastTouched(ctx, r)
	}
	return probe.Documents(r.Tree(), code.Survey(files), touched)
}

// lastTouched tells which commit changed a path last; nil when the history
// cannot be read, which the probes of the history will say.
func lastTouched(ctx context.Context, r *repo.Repo) func(path string) int {
	h, err := r.History(ctx)
	if err != nil {
		return nil
	}
	last := map[string]int{}
	for i := range h.Commits {
		for _, ch := range h.Commits[i].Changes {
			last[ch.Path] = i
		}
	}
	return func(p string) int { return last[p] }
}

func pdfWorker() sandbox.WorkerOptions {
	return sandbox.WorkerOptions{Memory: 768 << 20, Cache: true}
}
