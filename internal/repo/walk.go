package repo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// walk lists the ids, newest first, with the parents that git sees. Where a parent is missing git gives up; our own git
// directory then ends the history at that parent's children, and the walk begins anew.
func (r *Repo) walk(ctx context.Context, h *History) (ids []string, parents map[string][]string, err error) {
	ids, parents, err = r.revList(ctx, h)
	_, limited := errors.AsType[*sandbox.Refusal](err)
	if err == nil || limited || ctx.Err() != nil {
		return ids, parents, err
	}
	cuts, missing, cutErr := r.findCuts(ctx)
	if cutErr != nil {
		return nil, nil, errors.Join(err, cutErr)
	}
	if len(cuts) == 0 {
		return nil, nil, err
	}
	h.Missing = append(h.Missing, missing...)
	if err := r.cut(cuts); err != nil {
		return nil, nil, fmt.Errorf("writing cuts: %w", err)
	}
	return r.revList(ctx, h)
}

// revList runs git's walk. More commits than the limit are not an error.
func (r *Repo) revList(ctx context.Context, h *History) (ids []string, parents map[string][]string, err error) {
	parents = map[string][]string{}
	_, err = r.git(ctx, sandbox.Limits{}, nil, func(out io.Reader) error {
		var parseErr error
		ids, parseErr = parseWalk(buffered(out), r.commit, r.options.MaxCommits, parents)
		return parseErr
	}, "rev-list", "--date-order", "--parents", "--max-count="+strconv.Itoa(r.options.MaxCommits+1), r.commit)
	if refusal, ok := errors.AsType[*sandbox.Refusal](err); ok && refusal.Code == "limit_log" {
		h.Truncated = true
		r.note("limit_log", "", "more than %d commits: the oldest are left out", r.options.MaxCommits)
		return ids, parents, nil
	}
	if err == nil {
		err = walkedAll(parents)
	}
	return ids, parents, err
}

// walkedAll says when a parent was named and never came: then the list was cut, and nobody has said so.
func walkedAll(parents map[string][]string) error {
	for id, named := range parents {
		for _, p := range named {
			if _, came := parents[p]; !came {
				return fmt.Errorf("reading rev-list: %s, a parent of %s, is not listed", p, id)
			}
		}
	}
	return nil
}

// parseWalk reads "ID PARENT…" lines from the commit on, and refuses with limit_log behind the limit. A commit comes once,
// behind one that has it for a parent.
func parseWalk(in *bufio.Reader, from string, limit int, parents map[string][]string) ([]string, error) {
	var ids []string
	named := map[string]bool{from: true}
	for {
		line, err := in.ReadString('\n') // an octopus may have thousands of parents
		if errors.Is(err, io.EOF) && line == "" && len(ids) > 0 {
			return ids, nil
		}
		if err != nil {
			return ids, mustGoOn(err)
		}
		f := strings.Fields(line)
		if len(f) == 0 || slices.ContainsFunc(f, func(s string) bool { return !fullID.MatchString(s) }) {
			return ids, fmt.Errorf("reading rev-list: unexpected line %q", safetext.Text(line, 100))
		}
		if _, again := parents[f[0]]; again || !named[f[0]] {
			return ids, fmt.Errorf("reading rev-list: %s comes twice or is not an ancestor", f[0])
		}
		if len(ids) == limit {
			return ids, sandbox.Refuse("limit_log", "more than %d commits", limit)
		}
		ids = append(ids, f[0])
		parents[f[0]] = f[1:]
		for _, p := range f[1:] {
			named[p] = true
		}
	}
}

// findCuts reads every commit object that is there, goes from the opened one to all it descends from, and returns the
// commits with parents that are missing, and these parents, sorted.
func (r *Repo) findCuts(ctx context.Context) (cuts, missing []string, err error) {
	res, err := r.git(ctx, sandbox.Limits{}, nil, nil, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
	if err != nil {
		return nil, nil, err
	}
	all := slices.DeleteFunc(strings.Fields(string(res.Stdout)), func(id string) bool { return !fullID.MatchString(id) })
	heads, err := r.headers(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	commits, err := r.readCommits(ctx, slices.DeleteFunc(all, func(id string) bool { return heads[id].kind != "commit" }))
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{r.commit: true}
	for todo := []string{r.commit}; len(todo) > 0; {
		c := commits[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for _, p := range c.Parents {
			if _, there := commits[p]; !there {
				cuts, missing = append(cuts, c.ID), append(missing, p)
			} else if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	slices.Sort(cuts)
	slices.Sort(missing)
	return slices.Compact(cuts), slices.Compact(missing), nil
}

// cut tells our git to end the history at these commits.
func (r *Repo) cut(at []string) error {
	path := filepath.Join(r.source.gitDir, "shallow")
	have, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	lines := slices.Concat(strings.Fields(string(have)), at)
	slices.Sort(lines)
	return writeReadable(path, strings.Join(slices.Compact(lines), "\n")+"\n")
}
