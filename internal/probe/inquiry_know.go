package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// named are the globs that a name of code may be meant by.
func (c Call) named() ([]string, error) {
	if c.Query == "" || strings.Trim(c.Query, "*.") == "" {
		return nil, errors.New("a name is needed")
	}
	return []string{c.Query, "*." + c.Query}, nil
}

// onlyPython is said where nothing was found.
const onlyPython = "nothing; only Python code is known by its names, use grep for the rest"

func (s *Scene) symbols(ctx context.Context, c Call, l *listing) error {
	globs, err := c.named()
	if err != nil {
		return err
	}
	p, err := s.Python(ctx)
	if err != nil {
		return err
	}
	for _, d := range p.Find(globs...) {
		if d.Kind == code.DefModule || d.Kind == code.DefLambda {
			continue
		}
		kind := map[code.DefKind]string{code.DefClass: "class", code.DefFunction: "function", code.DefMethod: "method"}[d.Kind]
		l.add(fmt.Sprintf("%s %s %s:%d-%d", kind, court.Clean(d.Qualified, seenLine), s.path(d.Module.Path), d.Line(), d.Node.EndLine()))
	}
	if l.b.Len() == 0 {
		l.add(onlyPython)
	}
	return nil
}

func (s *Scene) calls(ctx context.Context, c Call, l *listing) error {
	globs, err := c.named()
	if err != nil {
		return err
	}
	p, err := s.Joined(ctx)
	if err != nil {
		return err
	}
	for _, call := range p.Calls(globs...) {
		if l.full() {
			l.more++
			continue
		}
		q, err := s.readable(ctx, call.Node.Path())
		if err != nil {
			return err
		}
		l.add(fmt.Sprintf("%s:%d: %s", s.path(call.Node.Path()), call.Line(), clipped(s.line(q, call.Line()))))
	}
	if l.b.Len() == 0 {
		l.add(onlyPython)
	}
	return nil
}

func (s *Scene) commits(ctx context.Context, c Call, l *listing) error {
	h, err := s.History(ctx)
	if err != nil {
		return err
	}
	for _, x := range slices.Backward(h.Commits) {
		if c.Path != "" && !slices.ContainsFunc(x.Changes, func(ch repo.Change) bool { return ch.Path == c.Path || ch.From == c.Path }) {
			continue
		}
		l.add(s.headline(x))
	}
	return nil
}

// headline is a commit without people: id, day and subject.
func (s *Scene) headline(x repo.Commit) string {
	day := time.Unix(x.Committer.Time, 0).UTC().Format(time.DateOnly)
	return fmt.Sprintf("%s %s %s", x.ID[:min(len(x.ID), 10)], day, court.Clean(s.mask(x.Subject), seenLine))
}

func (s *Scene) commit(ctx context.Context, c Call, l *listing) error {
	h, err := s.History(ctx)
	if err != nil {
		return err
	}
	for _, x := range h.Commits {
		if len(c.Query) < 7 || !strings.HasPrefix(x.ID, c.Query) {
			continue
		}
		l.add(s.headline(x))
		for _, ch := range x.Changes {
			count := "lines not counted"
			if ch.Counted {
				count = fmt.Sprintf("+%d -%d", ch.Added, ch.Deleted)
			}
			l.add(fmt.Sprintf("%s %s (%s)", ch.Status, s.path(ch.Path), count))
		}
		return nil
	}
	return fmt.Errorf("no commit %q in this history", court.Clean(c.Query, 60))
}

// print is the document's passages, and its pages with their visible lines.
func (s *Scene) print(ctx context.Context) (*Reading, map[int][]string, error) {
	d, err := s.Document(ctx)
	if err != nil {
		return nil, nil, err
	}
	pages := d.Pages
	r, err := s.Passages(ctx)
	if u, ok := errors.AsType[*Unable](err); ok && u.Reason == court.NoTextLayer && s.o.OCR != nil {
		r, pages, err = s.ScannedPassages(ctx)
	}
	if err != nil {
		return nil, nil, err
	}
	lines := map[int][]string{}
	for _, p := range pages {
		for _, line := range p.Lines {
			if line.Hidden == "" {
				lines[p.Number] = append(lines[p.Number], line.Text)
			}
		}
	}
	return r, lines, nil
}

func (s *Scene) docSearch(ctx context.Context, c Call, l *listing) error {
	r, _, err := s.print(ctx)
	if err != nil {
		return err
	}
	index, err := Shared(s, "probe.passages", func() (*passage.Index, error) { return passage.NewIndex(r.Passages), nil })
	if err != nil {
		return err
	}
	for _, hit := range index.Search(c.Query, docHits) {
		l.add(fmt.Sprintf("page %d: %s", hit.Passage.Page, court.Clean(s.mask(hit.Passage.Text), 900)))
	}
	return nil
}

func (s *Scene) docPage(ctx context.Context, c Call, l *listing) error {
	if _, err := s.paged(ctx, c.From); err != nil {
		return err
	}
	_, lines, err := s.print(ctx)
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(s.mask(strings.Join(lines[c.From], "\n")), "\n") {
		l.add(line)
	}
	return nil
}

// factsShown is the fact sheet without names.
func (s *Scene) factsShown(ctx context.Context, _ Call, l *listing) error {
	a := s.aids.Load()
	if a == nil {
		return errors.New("nobody here knows any facts")
	}
	made, _ := s.shared.LoadOrStore("inquiry.facts", new(lazy[*Sheet]))
	sheet, err := made.(*lazy[*Sheet]).get(ctx, s, "facts", func(ctx context.Context) (*Sheet, error) {
		sheet, _ := Draw(ctx, s, a.sections) // what is not known is null
		return sheet, nil
	})
	if err != nil {
		return err
	}
	nameless := *sheet
	nameless.Repo = ""
	raw, err := nameless.JSON()
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(raw)) {
		l.add(strings.TrimRight(line, "\n"))
	}
	return nil
}
