package trial

import (
	"context"
	"fmt"
	"time"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/langgraph/script"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Submission says what is audited. Paths and addresses were checked before.
type Submission struct {
	Target   repo.Target
	Revision string    // empty: HEAD
	Due      time.Time // the last commit made no later is audited; zero: the newest
	Name     string    // what the one who audits calls it; empty: nothing
	Folder   string    // the folder of the repository that is audited alone; empty: all
	Ours     string    // a folder of ours that is no part of a plain folder, where it lies in it
	Token    func(host string) string
	Document Document
	Further  []Document // after the first; named ones only
	Jobs     int
	OCR      bool           // pictures of the document are read by tesseract
	Looker   figure.Looker  // a model that looks at figures; nil: there is none
	Inquirer probe.Inquirer // a model that investigates; nil: there is none
	// InquireUnknown has it look into all unknown checks, and not only into those guessed from a criterion's words.
	InquireUnknown bool
	Veil           *safetext.Veil // hides the secrets of whoever audits; nil: there are none
}

// Document says which PDF belongs to a submission.
type Document struct {
	From  string // auto, none, file, tree; Unsought: there may be one, and nobody asks for it
	Path  string // of file its base name, of tree its path
	Bytes []byte // of file
}

// Unsought is From of a document that no check of a run asks for.
const Unsought = "unsought"

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
	Same        []string
	Faults      []court.Fault
	unsought    bool               // the document
	Uncommitted func() int         // files with changes that are not committed, and so not seen; nil: there is no repository
	left        func() []repo.Note // what the repository's reader left out so far; nil: there is no repository
	box         *sandbox.Box
	veil        *safetext.Veil
	// parser, syntax, queries and reader are the workers; nil in tests that have others.
	parser, syntax, queries, reader *watchedWorker
}

// Open secures the scene: the repository at one commit, and the document. A
// repository that cannot be had is a fault of the case, not an error, as the
// document may still be examined; Failure keeps the cause. That ctx ended
// before the repository was open is such a cause, too.
func Open(ctx context.Context, box *sandbox.Box, sub Submission) (*Opened, error) {
	trees := box.Worker("code", sandbox.WorkerOptions{Processes: max(sub.Jobs, 1)})
	o := &Opened{box: box, veil: sub.Veil,
		parser:  &watchedWorker{Worker: trees, first: []byte{syntax.ForCode}},
		syntax:  &watchedWorker{Worker: trees},
		queries: &watchedWorker{Worker: box.Worker("query", sandbox.WorkerOptions{Processes: max(sub.Jobs, 1)})},
		reader:  &watchedWorker{Worker: box.Worker("pdf", pdfWorker())}}
	words, err := rubric.Profile()
	if err != nil {
		return nil, err
	}
	opts := probe.Options{Parser: o.parser, Syntax: o.syntax, Lower: lowering(o.syntax), Graphs: langgraph.Read, Scripts: script.Read, Words: words, Queries: o.queries, Reader: o.reader, Looker: sub.Looker, Inquirer: sub.Inquirer, InquireUnknown: sub.InquireUnknown, Veil: sub.Veil}
	if err := withOCR(ctx, box, sub.OCR, &opts); err != nil {
		return nil, err
	}
	if err := sub.fetchDocuments(ctx, box); err != nil {
		return nil, err
	}
	r, err := repo.Open(ctx, box, sub.Target, repo.Options{Revision: sub.Revision, Due: sub.Due, Token: sub.Token, Folder: sub.Folder, Ours: sub.Ours})
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
	o.Case.Name, o.Case.Path = sub.Veil.Hide(named(sub.Name)), named(sub.Folder)
	o.Case.Slug = sub.Veil.Hide(o.Case.Slug)
	o.Case.ID, o.Case.Only = caseID(o.Case), []string{}
	o.Unopened = caseID(court.Case{Name: o.Case.Name, Slug: sub.Veil.Hide(named(slug(sub.Target))), Path: o.Case.Path})
	if err := o.choose(ctx, sub.Document, r, &opts); err != nil {
		return nil, err
	}
	if err := o.further(ctx, sub.Further, r, &opts); err != nil {
		return nil, err
	}
	if r != nil {
		o.left, o.Uncommitted = r.Notes, r.Uncommitted
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
