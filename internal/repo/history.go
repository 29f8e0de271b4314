package repo

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

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
	Missing   []string // commits that are named as parents but are not there or damaged, sorted

	paths map[string]bool
}

// Complete tells whether history can answer "how many" and "which came first". If not, such answers are unknown.
func (h *History) Complete() bool {
	return !h.Shallow && !h.Grafted && !h.Truncated && len(h.Missing) == 0
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

// maxBodies bounds the bodies of all messages together, in bytes.
const maxBodies = 32 << 20

// History reads all commits, once; later calls return the same value, which is shared: do not change it. What is
// missing is said in the History and in Notes; an error means that nothing can be said.
func (r *Repo) History(ctx context.Context) (*History, error) {
	r.loading.Lock()
	defer r.loading.Unlock()
	if r.history != nil {
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
			r.note("missing_history", c.ID, "objects of this commit are not in this copy: its changes are not all known")
		}
	}
	slices.Sort(h.Missing)
	h.Missing = slices.Compact(h.Missing)
	for _, id := range h.Missing {
		r.note("missing_commit", id, "the commit is damaged or not in this copy")
	}
}

// maxCuts is how often the walk is started again around a missing commit.
const maxCuts = 16

// badParents matches git's complaint about a commit whose parents cannot be read.
var (
	badParents = regexp.MustCompile(`(?m)^fatal: Failed to traverse parents of commit ([0-9a-f]{40,64})$`)
	badCommit  = regexp.MustCompile(`(?m)^error: (?:Could not read|object file|Could not parse) ([0-9a-f]{40,64})`)
)

// walk lists the ids, newest first, with the parents that git sees. Where a parent is missing, git gives up; our own git
// directory then gets the child as a shallow cut, and the walk begins anew.
func (r *Repo) walk(ctx context.Context, h *History) (ids []string, parents map[string][]string, err error) {
	var cuts []string
	for range maxCuts {
		var res sandbox.Result
		ids, parents = nil, map[string][]string{}
		res, err = r.git(ctx, sandbox.Limits{}, nil, func(out io.Reader) error {
			var parseErr error
			ids, parseErr = parseWalk(buffered(out), r.options.MaxCommits, parents)
			return parseErr
		}, "rev-list", "--date-order", "--parents", "--max-count="+strconv.Itoa(r.options.MaxCommits+1), r.commit)
		if err == nil {
			return ids, parents, nil
		}
		refusal, limited := errors.AsType[*sandbox.Refusal](err)
		if limited && refusal.Code == "limit_log" {
			h.Truncated = true
			r.note("limit_log", "", "more than %d commits: the oldest are left out", r.options.MaxCommits)
			return ids, parents, nil
		}
		child := badParents.FindSubmatch(res.Stderr)
		if limited || ctx.Err() != nil || child == nil || slices.Contains(cuts, string(child[1])) {
			return nil, nil, err
		}
		for _, m := range badCommit.FindAllSubmatch(res.Stderr, -1) {
			h.Missing = append(h.Missing, string(m[1]))
		}
		cuts = append(cuts, string(child[1]))
		if cutErr := r.cut(cuts); cutErr != nil {
			return nil, nil, cutErr
		}
	}
	return nil, nil, err
}

// parseWalk reads "ID PARENT…" lines, and refuses with limit_log behind the limit.
func parseWalk(in *bufio.Reader, limit int, parents map[string][]string) ([]string, error) {
	var ids []string
	for {
		line, err := in.ReadString('\n') // an octopus may have thousands of parents
		if errors.Is(err, io.EOF) && line == "" {
			return ids, nil
		}
		if err != nil {
			return ids, mustGoOn(err)
		}
		f := strings.Fields(line)
		if len(f) == 0 || !utf8.ValidString(line) || slices.ContainsFunc(f, func(s string) bool { return !fullID.MatchString(s) }) {
			return ids, fmt.Errorf("reading rev-list: unexpected line %q", sandbox.Clean(line, 100))
		}
		if len(ids) == limit {
			return ids, sandbox.Refuse("limit_log", "more than %d commits", limit)
		}
		ids = append(ids, f[0])
		parents[f[0]] = f[1:]
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
