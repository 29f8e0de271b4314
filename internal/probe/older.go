package probe

import (
	"context"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Parse reads Python code that is not that of the commit, such as an older
// version of one file. Nothing outside of files is known to it. A version that
// is that of the commit is not parsed a second time, where the run reads code.
func (s *Scene) Parse(ctx context.Context, files []code.File) (*code.Program, error) {
	of := s.Python
	if whole := s.whole(); !s.reads.Has(Code) {
		of = func(ctx context.Context) (*code.Program, error) {
			return whole.apart.get(ctx, s, "python", func(ctx context.Context) (*code.Program, error) { return code.Load(ctx, s.o.Parser, nil) })
		}
	}
	p, err := of(ctx)
	if err != nil {
		return nil, err
	}
	return p.LoadVersions(ctx, s.o.Parser, files)
}

// At is the repository as it was after a commit of its history, by position:
// the changes of the commits that it descends from, in their order. What a
// merge itself changed is not known to it. It has no document.
func (s *Scene) At(ctx context.Context, commit int) (*Scene, error) {
	h, err := s.History(ctx)
	if err != nil {
		return nil, err
	}
	o := s.o
	o.Repo, o.Commit = older(h, commit, s.o.Repo), h.Commits[commit].ID
	o.PDF, o.PDFPath, o.Further, o.NoPDF = nil, "", nil, "an older state is looked at without one"
	past := NewScene(o)
	past.now = s
	past.aids.Store(s.whole().aids.Load())
	past.step = s.step
	return past, nil
}

// snapshot is a tree that was put together from the history.
type snapshot struct {
	Source
	entries []repo.Entry
	oids    map[string]string // by path
	history *repo.History
}

func older(h *repo.History, commit int, from Source) *snapshot {
	t := &snapshot{Source: from, oids: map[string]string{}, history: &repo.History{Roots: h.Roots}}
	index := map[string]int{}
	for i := range h.Commits {
		index[h.Commits[i].ID] = i
	}
	behind := map[int]bool{}
	for next := []int{commit}; len(next) > 0; {
		i := next[len(next)-1]
		next = next[:len(next)-1]
		if behind[i] {
			continue
		}
		behind[i] = true
		for _, p := range h.Commits[i].Parents {
			if j, ok := index[p]; ok {
				next = append(next, j)
			}
		}
	}
	modes := map[string]string{}
	for i := range h.Commits {
		if !behind[i] {
			continue
		}
		t.history.Commits = append(t.history.Commits, h.Commits[i])
		for _, c := range h.Commits[i].Changes {
			if c.Status == repo.Renamed {
				delete(t.oids, c.From)
			}
			delete(t.oids, c.Path)
			if c.OID != "" && !c.Binary {
				t.oids[c.Path], modes[c.Path] = c.OID, c.Mode
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(t.oids)) {
		if m := modes[p]; m != "120000" && m != "160000" {
			t.entries = append(t.entries, repo.Entry{Path: p, Mode: m, OID: t.oids[p], Kind: repo.File})
		}
	}
	return t
}

// Tree lists the files that the history had then; their sizes are not known.
func (t *snapshot) Tree() []repo.Entry { return t.entries }

// Blobs reads files of the older tree.
func (t *snapshot) Blobs(ctx context.Context, paths []string) (map[string][]byte, error) {
	var oids []string
	for _, p := range paths {
		oids = append(oids, t.oids[p])
	}
	objects, err := t.Objects(ctx, oids)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, p := range paths {
		if b, ok := objects[t.oids[p]]; ok && len(b) <= maxText {
			out[p] = b
		}
	}
	return out, nil
}

// History is the commits up to that one.
func (t *snapshot) History(context.Context) (*repo.History, error) { return t.history, nil }
