package similar

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/likeness"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Prints are what of one submission is compared with others.
type Prints struct {
	Code    likeness.Work // files of production and tests, by path
	Text    likeness.Work // documents; a line is a paragraph
	Blobs   []Blob        // files that have a content of some length, by path
	Commits likeness.Set
	Trees   likeness.Set // what commits have as their files
	Unread  int          // files of code that could not be read, or for which there was no room
}

// Blob is a file as it is: two with one Sum are equal.
type Blob struct {
	Path  string
	Sum   uint64
	Since int64 // when a commit first had the path, seconds since 1970 as its author wrote them; 0: not known
}

// Bounds of the prints of one submission.
const (
	mostFiles   = 20_000
	mostMarks   = 400_000 // of code, and of text; a program of 30,000 lines has about 40,000
	mostCommits = 20_000
	mostName    = 300 // runes of a path
	leastBlob   = 201 // bytes; what is shorter may be equal by chance
	leastFirst  = 5   // files of a first commit; services make ones of fewer, which are equal by chance
)

// Take takes the prints of a submission. What it does not have is empty; the error is only ever the context's or that of
// reading its files.
func Take(ctx context.Context, scene *probe.Scene) (*Prints, error) {
	p := &Prints{}
	if scene.HasRepo() {
		first, err := p.history(ctx, scene)
		if err != nil {
			return nil, err
		}
		if err := p.code(ctx, scene, first); err != nil {
			return nil, err
		}
	}
	return p, p.text(ctx, scene)
}

// unable forgives that a side of a submission cannot be read.
func unable(err error) error {
	if _, ok := errors.AsType[*probe.Unable](err); ok {
		return nil
	}
	return err
}

func (p *Prints) code(ctx context.Context, scene *probe.Scene, first map[string]int64) error {
	layout, err := scene.Layout(ctx)
	if err != nil {
		return unable(err)
	}
	files, err := read(ctx, scene)
	if err != nil {
		return err
	}
	marks := 0
	for _, f := range files {
		if f.marks == nil {
			p.Unread++
			continue
		}
		list := f.marks()
		if marks += len(list); marks > mostMarks || len(p.Code.Files) == mostFiles {
			p.Unread++
			continue
		}
		if len(list) > 0 {
			p.Code.Files = append(p.Code.Files, likeness.File{Path: name(f.path), Marks: list})
		}
	}
	entries, err := scene.Entries()
	if err != nil {
		return unable(err)
	}
	for _, e := range entries {
		scope := layout.Scope(e.Path)
		if e.Size < leastBlob || e.Kind != repo.File && e.Kind != repo.Executable || scope == code.ScopeVendor || scope == code.ScopeGenerated {
			continue
		}
		if sum, ok := sumOf(e.OID); ok && len(p.Blobs) < mostFiles {
			p.Blobs = append(p.Blobs, Blob{Path: name(e.Path), Sum: sum, Since: first[e.Path]})
		}
	}
	slices.SortStableFunc(p.Blobs, func(a, b Blob) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// name is a path as it is kept and shown.
func name(path string) string { return court.Clean(probe.Mask(path), mostName) }

// sumOf is the first half of an object id or so.
func sumOf(oid string) (uint64, bool) {
	if len(oid) < 16 {
		return 0, false
	}
	sum, err := strconv.ParseUint(oid[:16], 16, 64)
	return sum, err == nil
}

// history prints the commits, and tells when each path first had a content.
func (p *Prints) history(ctx context.Context, scene *probe.Scene) (first map[string]int64, err error) {
	h, err := scene.History(ctx)
	if err != nil {
		return nil, unable(err)
	}
	first = map[string]int64{}
	var commits, trees []uint64
	for i, c := range h.Commits {
		for _, change := range c.Changes {
			if first[change.Path] == 0 && change.Status != repo.Deleted && c.Author.Time <= mostNumber {
				first[change.Path] = c.Author.Time
			}
		}
		if i < len(h.Commits)-mostCommits {
			continue
		}
		if sum, ok := sumOf(c.ID); ok {
			commits = append(commits, sum)
		}
		if sum, ok := sumOf(c.Tree); ok && !repo.IsEmptyTree(c.Tree) && (len(c.Parents) > 0 || len(c.Changes) >= leastFirst) {
			trees = append(trees, sum)
		}
	}
	p.Commits, p.Trees = likeness.SetOf(commits), likeness.SetOf(trees)
	return first, nil
}

// blobs are the contents of a submission.
func (p *Prints) blobs() likeness.Set {
	sums := make([]uint64, len(p.Blobs))
	for i, b := range p.Blobs {
		sums[i] = b.Sum
	}
	return likeness.SetOf(sums)
}

// since is when a path first appeared.
func (p *Prints) since(path string) int64 {
	i, ok := slices.BinarySearchFunc(p.Blobs, path, func(b Blob, path string) int { return cmp.Compare(b.Path, path) })
	if !ok {
		return 0
	}
	return p.Blobs[i].Since
}
