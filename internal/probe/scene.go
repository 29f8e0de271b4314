package probe

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/query"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Source is where a scene gets its repository from: *repo.Repo, or a fixture.
type Source interface {
	Tree() []repo.Entry
	Blobs(ctx context.Context, paths []string) (map[string][]byte, error)
	Objects(ctx context.Context, oids []string) (map[string][]byte, error)
	History(ctx context.Context) (*repo.History, error)
}

// Worker answers requests in a sandboxed process: *sandbox.Worker.
type Worker interface {
	Do(ctx context.Context, request []byte) ([]byte, error)
}

// Options say what a scene is made of. Either side may be missing.
type Options struct {
	Repo   Source // nil: there is none, NoRepo says why
	NoRepo string
	Commit string
	Slug   string      // OWNER/NAME
	Parser code.Parser // of Python
	Syntax code.Parser // of the other languages; nil: they are not read
	// Lower lowers and links code of all languages; nil: nothing is.
	Lower func(context.Context, *code.Program, *syntax.Program) (*il.Program, error)
	// Graphs reads those of Python, given the analyses, whose lock is held; nil: they are not read.
	Graphs func(p *intree.Program, all *analyse.Analyses, words *agentgraph.Profile) *agentgraph.Reading
	// Scripts reads the graphs of TypeScript and JavaScript, given the analyses, whose
	// lock is held, and the texts of langgraph.json by path; nil: they are not read.
	Scripts func(p *syntax.Program, all *analyse.Analyses, manifests map[string]string, words *agentgraph.Profile) *agentgraph.Reading
	Words   *agentgraph.Profile // what the programs call the parts of their graphs; nil: nobody plays a role
	Queries query.Worker        // asks queries of code; nil: there is none
	Reader  Worker              // of PDFs
	PDF     []byte              // nil: there is none, NoPDF says why
	PDFPath string              // path in the tree, or the base name of a file from elsewhere
	NoPDF   string
	// NoPDFReason is court.NotSubmitted or court.LeftOut; "": nobody says whose doing it is.
	NoPDFReason court.Reason
	// PDFChoice says why this document was taken out of several: see Documents.
	PDFChoice string
	Further   []Document     // documents after the first
	Equip     func(*Scene)   // nil: it is equipped later, or needs no aids
	OCR       pdf.Recogniser // reads pictures; nil: nobody asked for it
	OCRName   string         // with its version
	Looker    figure.Looker  // a model that looks at figures; nil: there is none
	Inquirer  Inquirer       // a model that investigates; nil: there is none
	// InquireUnknown has it look into every check that ended unknown, too.
	InquireUnknown bool
	Veil           *safetext.Veil // hides the secrets of whoever audits; nil: there are none
}

// Scene is what the probes of one case look at. What they share is computed
// once, when it is first asked for; a scene is safe for concurrent use.
type Scene struct {
	*common
	step  context.Context // of the case, as long as a detective looks; nil outside of that
	sole  bool            // of several documents it sees the first only
	reads Reads           // sides that the run reads
}

// common is what all probes of a case share.
type common struct {
	o       Options
	digest  string    // of the document
	further []*common // of the documents after the first
	root    *common   // of the whole case, where this one is of a further document
	now     *Scene    // of the commit, where this one is of an older state: see At
	entries map[string]repo.Entry
	texts   lazy[map[string][]byte]
	files   lazy[[]code.File]
	layout  lazy[*code.Layout]
	program lazy[*code.Program]
	apart   lazy[*code.Program] // of no file: see Parse
	others  lazy[*syntax.Program]
	asked   lazy[*syntax.Program]
	lowered lazy[lowered]
	shipped lazy[lowered]
	wiring  lazy[*facts.Wiring]
	history lazy[*repo.History]
	doc     lazy[*pdf.Document]
	pass    lazy[*Reading]
	figs    lazy[[]figure.Figure]
	scans   lazy[*scanned]
	shared  sync.Map // analyses of the groups, by key: see Shared
	quotes  sync.Map // files as they are quoted, by path: see quotable
	aids    atomic.Pointer[aids]
}

// NewScene makes a scene. It reads nothing yet.
func NewScene(o Options) *Scene {
	if o.Words == nil {
		o.Words = &agentgraph.Profile{}
	}
	s := &Scene{common: &common{o: o, entries: map[string]repo.Entry{}}}
	if o.PDF != nil {
		sum := sha256.Sum256(o.PDF)
		s.digest = hex.EncodeToString(sum[:])
	}
	if o.Equip != nil {
		o.Equip(s)
	}
	if o.Repo != nil {
		for _, e := range o.Repo.Tree() {
			s.entries[e.Path] = e
		}
	}
	s.withDocuments(o.Further)
	return s
}

// Commit is the id of the audited commit.
func (s *Scene) Commit() string { return s.o.Commit }

// Slug is OWNER/NAME of the repository, or its folder's name.
func (s *Scene) Slug() string { return s.o.Slug }

// HasRepo tells whether there is a repository to look at.
func (s *Scene) HasRepo() bool { return s.o.Repo != nil }

func (s *Scene) noRepo() error {
	return &Unable{Reason: court.LeftOut, Why: "there is no repository to look at: " + orElse(s.o.NoRepo, "none was given")}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Entries lists the files of the commit by path, or says why there are none.
func (s *Scene) Entries() ([]repo.Entry, error) {
	if s.o.Repo == nil {
		return nil, s.noRepo()
	}
	return s.o.Repo.Tree(), nil
}

// Entry is the file at path.
func (s *Scene) Entry(path string) (repo.Entry, bool) {
	e, ok := s.entries[path]
	return e, ok
}

// maxText bounds the files that are read as text, in bytes.
const maxText = 1 << 20

// Texts reads every regular file up to 1 MiB, by path. What could not be read
// is not in it.
func (s *Scene) Texts(ctx context.Context) (map[string][]byte, error) {
	s = s.whole()
	entries, err := s.Entries()
	if err != nil {
		return nil, err
	}
	return s.texts.get(ctx, s, "files", func(ctx context.Context) (map[string][]byte, error) {
		var paths []string
		for _, e := range entries {
			if (e.Kind == repo.File || e.Kind == repo.Executable) && e.Size >= 0 && e.Size <= maxText {
				paths = append(paths, e.Path)
			}
		}
		return s.o.Repo.Blobs(ctx, paths)
	})
}

// Text reads one file of the commit.
func (s *Scene) Text(ctx context.Context, path string) (code.File, error) {
	e, ok := s.entries[path]
	if !ok {
		return code.File{}, fmt.Errorf("reading %q: %w", path, repo.ErrNotFile)
	}
	texts, err := s.Texts(ctx)
	if err != nil {
		return code.File{}, err
	}
	b, ok := texts[path]
	switch {
	case !ok && e.Size > maxText:
		return code.File{}, &Unable{Reason: court.TooLarge, Why: fmt.Sprintf("%q has %d bytes; at most %d are read", path, e.Size, maxText)}
	case !ok:
		return code.File{}, &Unable{Reason: court.MissingBlob, Why: fmt.Sprintf("the content of %q is not available", path)}
	}
	return code.File{Path: path, Bytes: b}, nil
}

// Files lists the regular files with their bytes; a file that was not read has
// none.
func (s *Scene) Files(ctx context.Context) ([]code.File, error) {
	s = s.whole()
	texts, err := s.Texts(ctx)
	if err != nil {
		return nil, err
	}
	return s.files.get(ctx, s, "files", func(context.Context) ([]code.File, error) {
		var files []code.File
		for _, e := range s.o.Repo.Tree() {
			if e.Kind == repo.File || e.Kind == repo.Executable {
				files = append(files, code.File{Path: e.Path, Bytes: texts[e.Path]})
			}
		}
		return files, nil
	})
}

// History is every commit that the audited one descends from. Ask Past how
// many there are, or which came first.
func (s *Scene) History(ctx context.Context) (*repo.History, error) {
	s = s.whole()
	if s.o.Repo == nil {
		return nil, s.noRepo()
	}
	if why := s.reads.Left(Past); why != "" {
		return nil, &Unable{Reason: court.LeftOut, Why: "the history was " + why}
	}
	return s.history.get(ctx, s, "history", func(ctx context.Context) (*repo.History, error) { return s.o.Repo.History(ctx) })
}

// Past tells which commits there are, and whether that is all of them.
func (s *Scene) Past(ctx context.Context) (facts.Fact[facts.Past], error) {
	h, err := s.History(ctx)
	if err != nil {
		return facts.Fact[facts.Past]{}, err
	}
	return facts.PastOf(h), nil
}

// Objects reads older versions of files by object id.
func (s *Scene) Objects(ctx context.Context, oids []string) (map[string][]byte, error) {
	if s.o.Repo == nil {
		return nil, s.noRepo()
	}
	return s.o.Repo.Objects(ctx, oids)
}

// Document is the PDF as it was read; of a written one, without pages. Its status says whether it can be.
func (s *Scene) Document(ctx context.Context) (*pdf.Document, error) {
	if s.o.PDF != nil && !s.HasPDF() {
		return nil, &Unable{Reason: court.LeftOut, Why: "the document was " + s.reads.Left(Papers)}
	}
	if s.o.PDF == nil {
		if s.o.PDFPath != "" { // it is in the tree, but its bytes are not to be had
			return nil, &Unable{Reason: court.MissingBlob, Why: "the document cannot be looked at: " + s.o.NoPDF}
		}
		return nil, &Unable{Reason: cmp.Or(s.o.NoPDFReason, court.NoArtifact), Why: "there is no document to look at: " + orElse(s.o.NoPDF, "none was given")}
	}
	return s.doc.get(ctx, s, "document", func(ctx context.Context) (*pdf.Document, error) {
		if s.Written() {
			t, err := s.writtenText(ctx)
			if err != nil {
				return nil, err
			}
			return t.doc, nil
		}
		d, err := pdf.Read(ctx, s.o.Reader, s.o.PDF, pdf.Options{})
		if over := ctx.Err(); over != nil { // the step ends; that says nothing of the document
			return nil, over
		}
		if err != nil {
			return nil, &Unable{Reason: court.Limit, Why: "the document could not be read: " + err.Error()}
		}
		return d, nil
	})
}

// Reading is the text of a document, cut into passages.
type Reading struct {
	Passages []passage.Passage
	Hidden   []pdf.Line // text that nobody who looks at a page can see; it is in no passage
}

// Passages is the visible text of the document.
func (s *Scene) Passages(ctx context.Context) (*Reading, error) {
	d, err := s.Document(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.unopened(d); err != nil {
		return nil, err
	}
	return s.pass.get(ctx, s, "passages", func(ctx context.Context) (*Reading, error) {
		if s.Written() {
			t, err := s.writtenText(ctx)
			if err != nil {
				return nil, err
			}
			return &Reading{Passages: t.passages}, nil
		}
		return cut(d.Pages), nil
	})
}

// ScannedPassages is what OCR read of a document without text layer, cut into
// passages. Without OCR it is an Unable.
func (s *Scene) ScannedPassages(ctx context.Context) (*Reading, []pdf.Page, error) {
	pages, _, err := s.Scanned(ctx)
	if err != nil {
		return nil, nil, err
	}
	return cut(pages), pages, nil
}

func cut(pages []pdf.Page) *Reading {
	r := &Reading{}
	var lines []passage.Line
	for _, p := range pages {
		for _, l := range p.Lines {
			if l.Hidden != "" {
				r.Hidden = append(r.Hidden, l)
				continue
			}
			lines = append(lines, passage.Line{Text: l.Text, Page: p.Number, Size: l.Size, Bold: l.Bold, Mono: l.Mono, Words: l.Words,
				Box: passage.Box{X0: l.Box.X0, Y0: l.Box.Y0, X1: l.Box.X1, Y1: l.Box.Y1}})
		}
	}
	r.Passages = passage.Cut(lines)
	return r
}

// Figures is the inventory of the document's figures.
func (s *Scene) Figures(ctx context.Context) ([]figure.Figure, error) {
	d, err := s.Document(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.unopened(d); err != nil {
		if u, ok := errors.AsType[*Unable](err); !ok || u.Reason != court.NoTextLayer {
			return nil, err
		}
	}
	return s.figs.get(ctx, s, "figures", func(ctx context.Context) ([]figure.Figure, error) {
		if s.Written() {
			visible, _ := s.WrittenText(ctx)
			return figure.FromMarkdown(visible), nil
		}
		return figure.Inventory(d), nil
	})
}
