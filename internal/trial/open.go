package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/plain"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/store"
)

// Submission says what is audited. Paths and addresses were checked before.
type Submission struct {
	Target   repo.Target
	Revision string // empty: HEAD
	Folder   string // the folder of the repository that is audited alone; empty: all
	Ours     string // a folder of ours that is no part of a plain folder, where it lies in it
	Token    func(host string) string
	Document Document
	Further  []Document // after the first; named ones only
	Jobs     int
	OCR      bool           // pictures of the document are read by tesseract
	Looker   figure.Looker  // a model that looks at figures; nil: there is none
	Inquirer probe.Inquirer // a model that investigates; nil: there is none
	// InquireUnknown has it look into all checks that ended unknown, and not
	// only into those that were guessed from a criterion's words.
	InquireUnknown bool
	Veil           *plain.Veil // hides the secrets of whoever audits; nil: there are none
}

// Document says which PDF belongs to a submission.
type Document struct {
	From  string // auto, none, file, tree
	Path  string // of file its base name, of tree its path
	Bytes []byte // of file
}

// Opened is a submission that is open for examination. Close it.
type Opened struct {
	Case  court.Case
	Scene *probe.Scene
	// Failure says why there is no repository; nil when there is one.
	Failure error
	// Unopened is the id that the case has for a run that cannot open the repository.
	Unopened string
	// Same lists the documents that were given more than once, by name: each is
	// counted once.
	Same   []string
	Faults []court.Fault
	left   func() []repo.Note // what the repository's reader left out so far; nil: there is no repository
	box    *sandbox.Box
	veil   *plain.Veil
	// parser, syntax, queries and reader are the workers; nil in tests that have others.
	parser, syntax, queries, reader *lookout
}

// MaxPDF bounds a submission's document, in bytes.
const MaxPDF = 64 << 20

// Open secures the scene: the repository at one commit, and the document. A
// repository that cannot be had is a fault of the case, not an error, as the
// document may still be examined; Failure keeps the cause. That ctx ended
// before the repository was open is such a cause, too.
func Open(ctx context.Context, box *sandbox.Box, sub Submission) (*Opened, error) {
	o := &Opened{box: box, veil: sub.Veil,
		parser:  &lookout{Worker: box.Worker("code", sandbox.WorkerOptions{Processes: max(sub.Jobs, 1)})},
		syntax:  &lookout{Worker: box.Worker("syntax", sandbox.WorkerOptions{Processes: max(sub.Jobs, 1)})},
		queries: &lookout{Worker: box.Worker("query", sandbox.WorkerOptions{Processes: max(sub.Jobs, 1)})},
		reader:  &lookout{Worker: box.Worker("pdf", pdfWorker())}}
	opts := probe.Options{Parser: o.parser, Syntax: o.syntax, Queries: o.queries, Reader: o.reader, Looker: sub.Looker, Inquirer: sub.Inquirer, InquireUnknown: sub.InquireUnknown, Veil: sub.Veil}
	if err := withOCR(ctx, box, sub.OCR, &opts); err != nil {
		return nil, err
	}
	r, err := repo.Open(ctx, box, sub.Target, repo.Options{Revision: sub.Revision, Token: sub.Token, Folder: sub.Folder, Ours: sub.Ours})
	switch {
	case ctx.Err() != nil, err != nil:
		if o.Failure = err; ctx.Err() != nil {
			o.Failure, r = fmt.Errorf("opening %s: %w", describe(sub.Target), context.Cause(ctx)), nil
		}
		opts.NoRepo = placeless(o.Failure, sub.Target)
		o.Faults = append(o.Faults, court.Fault{Stage: string(court.RepoInvestigator), Subject: named(describe(sub.Target)), Reason: opts.NoRepo, Blocks: true})
		o.Case = court.Case{RepoURL: named(describe(sub.Target)), Slug: named(slug(sub.Target))}
	default:
		opts.Repo, opts.Commit, opts.Slug = r, r.Commit(), named(r.Slug())
		o.Case = court.Case{RepoURL: named(address(r, sub.Target)), Slug: opts.Slug, Commit: r.Commit(), Snapshot: shown(r.Snapshot(), 300)}
	}
	o.Case.Path = named(sub.Folder)
	o.Case.Slug = sub.Veil.Hide(o.Case.Slug)
	o.Case.ID = caseID(o.Case)
	o.Unopened = caseID(court.Case{Slug: sub.Veil.Hide(named(slug(sub.Target))), Path: o.Case.Path})
	o.Case.Only = []string{}
	if err := o.choose(ctx, sub.Document, r, &opts); err != nil {
		return nil, err
	}
	if err := o.further(ctx, sub.Further, r, &opts); err != nil {
		return nil, err
	}
	if r != nil {
		o.left = r.Notes
	}
	if err := veil(sub.Veil, &o.Case); err != nil {
		return nil, err
	}
	if err := veil(sub.Veil, &o.Faults); err != nil {
		return nil, err
	}
	o.Scene = probe.NewScene(opts)
	return o, nil
}

// LeftOut says what was cut, missing or ignored in the repository so far.
func (o *Opened) LeftOut() []court.Fault {
	if o.left == nil {
		return nil
	}
	return cutOrMissing(o.left())
}

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
		opts.NoPDF = "none was asked for"
		return nil
	case "file":
		o.take(d.Bytes, path.Base(d.Path), "file", opts)
		return nil
	}
	if r == nil {
		opts.NoPDF = "there is no repository to take one from"
		return nil
	}
	paths := []string{d.Path}
	if d.From != "tree" {
		paths, opts.PDFChoice = documents(ctx, r)
	}
	if len(paths) == 0 {
		opts.NoPDF = "the repository has none and none was given"
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

// documents ranks the PDFs of the tree, and says why the first one is.
func documents(ctx context.Context, r *repo.Repo) (paths []string, why string) {
	var files []code.File
	pdfs := 0
	for _, e := range r.Tree() {
		files = append(files, code.File{Path: e.Path})
		if strings.EqualFold(path.Ext(e.Path), ".pdf") {
			pdfs++
		}
	}
	if pdfs == 0 {
		return nil, ""
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

// placeless is an error without the folder of this machine that it is about:
// what is recorded must be the same everywhere.
func placeless(err error, t repo.Target) string {
	text := err.Error()
	for _, local := range []string{t.Local, t.Bundle, t.Archive} {
		if local != "" {
			text = strings.ReplaceAll(text, local, describe(t))
			text = strings.ReplaceAll(text, path.Dir(local), "file:")
		}
	}
	return shown(text, 300)
}

// shown is a text of the submission, or one that may name its files, as faults
// and events have it.
func shown(s string, limit int) string { return court.Clean(probe.Mask(s), limit) }

// Sandbox says which layers held the run; nil for a scene that needed none.
func (o *Opened) Sandbox() *court.Sandbox {
	if o.box == nil {
		return nil
	}
	r := o.box.Report()
	out := &court.Sandbox{Layers: r.Layers, Missing: []string{}, Git: r.Git, Egress: r.Egress}
	if out.Egress == nil {
		out.Egress = []string{}
	}
	for _, m := range r.Missing {
		out.Missing = append(out.Missing, m.Layer+": "+m.Reason)
	}
	return out
}

func pdfWorker() sandbox.WorkerOptions {
	return sandbox.WorkerOptions{Deadline: pdfDeadline, Memory: 768 << 20, Cache: true}
}

// describe names a target without any folder of this machine.
func describe(t repo.Target) string {
	switch {
	case t.Local != "":
		return "file:" + path.Base(t.Local)
	case t.Bundle != "":
		return "file:" + path.Base(t.Bundle)
	case t.Archive != "":
		return "file:" + path.Base(t.Archive)
	default:
		return t.URL
	}
}

func address(r *repo.Repo, t repo.Target) string {
	if u := r.URL(); u != "" {
		return u
	}
	return describe(t)
}

// slug is OWNER/NAME of a remote target, or the name of a local one.
func slug(t repo.Target) string {
	_, rest, ok := strings.Cut(t.URL, "://")
	if parts := strings.Split(strings.TrimSuffix(rest, ".git"), "/"); ok && len(parts) >= 3 {
		return strings.Join(parts[len(parts)-2:], "/")
	}
	return strings.TrimPrefix(describe(t), "file:")
}

// caseID is OWNER__NAME-COMMIT7 in letters that are safe in file names, at most
// a hundred of them; a long name gives way to the commit.
func caseID(c court.Case) string {
	suffix := ""
	if len(c.Commit) >= 7 {
		suffix = "-" + c.Commit[:7]
	}
	name := store.SafeName(strings.ReplaceAll(path.Join(c.Slug, c.Path), "/", "__"))
	return name[:min(len(name), 100-len(suffix))] + suffix
}

// named is a name that a submission goes by. It leads to it, so it is masked
// only where there surely is a key in it.
func named(s string) string {
	if len(probe.Leaks(s)) == 0 {
		return s
	}
	return probe.Mask(s)
}
