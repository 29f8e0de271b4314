package repo

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// History is every commit that the opened one descends from, itself included.
type History struct {
	// Commits in the order of git rev-list --reverse --date-order: oldest first, no commit before its parents.
	Commits   []Commit
	Roots     []string // ids of the commits without parents, in that order
	Shallow   bool     // the copy was cut: the true first commits are not here
	Grafted   bool     // the copy has grafts; they are ignored
	Truncated bool     // more commits than the limit; the newest are here
	None      string   // why there is none: the files came without git
	Missing   []string // commits that are named as parents but are not there or damaged, sorted

	paths map[string]bool
}

// Complete tells whether history can answer "how many" and "which came first". If not, such answers are unknown.
func (h *History) Complete() bool {
	return h.None == "" && !h.Shallow && !h.Grafted && !h.Truncated && len(h.Missing) == 0
}

// Ever tells whether a file of that path existed in any commit, the opened one included.
func (h *History) Ever(path string) bool { return h.paths[path] }

// Paths returns every path for which Ever is true, sorted.
func (h *History) Paths() []string {
	out := make([]string, 0, len(h.paths))
	for p := range h.paths {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// noHistory is the same for archives and folders: what is found in equal files must be equal.
const noHistory = "the files came without git: there is no history"

// maxBodies bounds the bodies of all messages together, in bytes.
const maxBodies = 32 << 20

// History reads all commits, once; later calls return the same value, which is shared: do not change it. What is
// missing is said in the History and in Notes; an error means that nothing can be said.
func (r *Repo) History(ctx context.Context) (*History, error) {
	r.walking.Lock()
	defer r.walking.Unlock()
	if r.history != nil {
		return r.history, nil
	}
	if r.looseFiles != nil {
		r.history = &History{None: noHistory}
		r.finish(r.history)
		return r.history, nil
	}
	h := &History{Shallow: r.source.shallow, Grafted: r.source.grafted}
	ids, parents, err := r.walk(ctx, h)
	if err != nil {
		return nil, fmt.Errorf("reading history: %w", err)
	}
	if err := r.fill(ctx, h, ids, parents); err != nil {
		return nil, fmt.Errorf("reading history: %w", err)
	}
	r.history = h
	return h, nil
}

// fill reads the commits and, beside it, what they changed.
func (r *Repo) fill(ctx context.Context, h *History, ids []string, parents map[string][]string) error {
	plain := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return len(parents[id]) > 1 })
	var changes map[string]commitChanges
	var changesErr error
	var beside sync.WaitGroup
	beside.Go(func() { changes, changesErr = r.changesOf(ctx, plain) })
	commits, err := r.readCommits(ctx, ids)
	beside.Wait()
	if err := cmp.Or(err, changesErr); err != nil {
		return err
	}
	bodies := 0
	for _, id := range slices.Backward(ids) {
		c, ok := commits[id]
		if !ok { // git could walk over it, yet its content is not what its id says
			h.Missing = append(h.Missing, id)
			continue
		}
		if got, ok := changes[id]; ok {
			c.Changes, c.Partial = got.changes, got.partial
		}
		if len(c.Parents) > len(parents[id]) { // the copy is cut here: against nothing, everything would look new
			c.Changes, c.Partial = nil, true
		}
		if bodies += len(c.Body); bodies > maxBodies {
			c.Body = ""
			r.note("limit_log", "", "more than %d bytes of messages: the rest is left out", maxBodies)
		}
		h.Commits = append(h.Commits, c)
	}
	h.Commits = r.touching(h.Commits)
	r.finish(h)
	return nil
}

// finish derives what follows from the commits.
func (r *Repo) finish(h *History) {
	h.paths = make(map[string]bool, len(r.entries))
	for _, e := range r.entries {
		h.paths[e.Path] = true
	}
	for i := range h.Commits {
		c := &h.Commits[i]
		if len(c.Parents) == 0 {
			h.Roots = append(h.Roots, c.ID)
		}
		for _, change := range c.Changes {
			h.paths[change.Path] = true
			if change.From != "" {
				h.paths[change.From] = true
			}
		}
		if c.Partial {
			r.note("missing_history", c.ID, "what this commit changed is not all known: objects are missing here, or a limit was reached")
		}
	}
	slices.Sort(h.Missing)
	h.Missing = slices.Compact(h.Missing)
	for _, id := range h.Missing {
		r.note("missing_commit", id, "the commit is damaged or not in this copy")
	}
}

// readCommits reads the commit objects; damaged ones are left out.
func (r *Repo) readCommits(ctx context.Context, ids []string) (map[string]Commit, error) {
	out := make(map[string]Commit, len(ids))
	keep := func(o object) {
		if o.kind == "commit" && o.intact {
			out[o.id] = parseCommit(o.id, o.content)
		}
	}
	return out, r.batch(ctx, ids, sandbox.Limits{Stdout: maxCommitBytes}, func(in *bufio.Reader, ids []string) (int, error) {
		return parseBatch(in, ids, maxCommitObj, keep)
	}, "--batch", "--buffer")
}

// maxCommitBytes bounds all commit objects together; of each only the beginning is kept.
const maxCommitBytes = 2 << 30
