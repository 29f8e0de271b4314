package repo

import (
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// commitChanges is what one commit changed; partial: as far as its objects are here.
type commitChanges struct {
	changes []Change
	partial bool
}

// Bounds for commits whose objects are missing: how many are looked at one by one, with how many files each, and how
// many children that may take.
const (
	maxDirty      = 200
	maxDirtyPaths = 2000
	maxBisections = 300
)

var (
	rawDiff  = []string{"--raw"}
	fullDiff = []string{"--raw", "--numstat", "--find-renames=50%", "--find-copies=50%", "-l1000"}
)

// changesOf compares commits with their parents. git dies of a missing blob; then those of the commits behind it that
// have all theirs are asked again without the others, and of those, the files that are there.
func (r *Repo) changesOf(ctx context.Context, ids []string) (map[string]commitChanges, error) {
	out := make(map[string]commitChanges, len(ids))
	d := differ{repo: r, budget: 1}
	full, failed, err := d.diff(ctx, ids, fullDiff)
	if err != nil {
		return nil, err
	}
	for id, changes := range full {
		out[id] = commitChanges{changes: changes}
	}
	if len(failed) == 0 || d.limited {
		for _, id := range failed {
			out[id] = commitChanges{partial: true}
		}
		return out, nil
	}
	d.budget = maxBisections
	raw, lost, err := d.diff(ctx, failed, rawDiff)
	if err != nil {
		return nil, err
	}
	for _, id := range lost {
		out[id] = commitChanges{partial: true}
	}
	there, err := r.intact(ctx, raw)
	if err != nil {
		return nil, err
	}
	clean, dirty := split(failed, raw, there)
	full, failed, err = d.diff(ctx, clean, fullDiff)
	if err != nil {
		return nil, err
	}
	for _, id := range clean {
		out[id] = commitChanges{changes: full[id]}
	}
	for _, id := range failed {
		out[id] = commitChanges{changes: raw[id], partial: true}
	}
	for i, id := range dirty {
		got := raw[id]
		if i < maxDirty {
			if got, err = d.dirty(ctx, id, raw[id], there); err != nil {
				return nil, err
			}
		}
		out[id] = commitChanges{changes: got, partial: true}
	}
	return out, nil
}

// differ runs diff-tree, as often as its budget allows.
type differ struct {
	repo    *Repo
	budget  int
	limited bool // a limit ended a child: it is not tried again, that would take as long
}

// diff asks for the changes of commits; where git dies, the list is halved until the commits that it dies of are found.
func (d *differ) diff(ctx context.Context, ids, format []string, paths ...string) (got map[string][]Change, failed []string, err error) {
	got = make(map[string][]Change, len(ids))
	todo := [][]string{ids}
	for len(todo) > 0 {
		part := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if len(part) == 0 {
			continue
		}
		if d.budget <= 0 {
			failed = append(failed, part...)
			continue
		}
		d.budget--
		died, err := d.run(ctx, part, format, paths, got)
		refusal, limited := errors.AsType[*sandbox.Refusal](err)
		switch {
		case limited && refusal.Code != "layer_missing" && ctx.Err() == nil:
			d.repo.note(refusal.Code, "", "%s: what the commits changed is not all known", refusal.Msg)
			d.limited, d.budget = true, 0
			failed = append(failed, unknown(part, got)...)
		case err != nil:
			return nil, nil, err
		case died:
			if part = unknown(part, got); len(part) == 1 {
				failed = append(failed, part...)
			} else {
				todo = append(todo, part[len(part)/2:], part[:len(part)/2])
			}
		}
	}
	return got, failed, nil
}

// unknown are the commits whose changes are not among those that were got.
func unknown(ids []string, got map[string][]Change) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, known := got[id]; return known })
}

// run is one child. died means that git ended early, which a missing object does, or a limit: got then has the commits
// before that.
func (d *differ) run(ctx context.Context, ids, format, paths []string, got map[string][]Change) (died bool, err error) {
	found := make(map[string][]Change, len(ids)) // complete
	reader := changeReader{ids: ids, keep: func(id string, changes []Change) { found[id] = changes }}
	args := slices.Concat([]string{"diff-tree", "--stdin", "-r", "-z", "--root", "--no-abbrev", "--no-ext-diff", "--no-textconv"}, format)
	if len(paths) > 0 {
		args = append(append(args, "--"), paths...)
	}
	var readErr error
	cut := false
	_, err = d.repo.git(ctx, sandbox.Limits{Stdout: maxDiffBytes}, []byte(strings.Join(ids, "\n")+"\n"), func(out io.Reader) error {
		if readErr = reader.read(buffered(out)); errors.Is(readErr, io.ErrUnexpectedEOF) {
			readErr, cut = nil, true // git died in the middle of a record
		}
		return readErr
	}, args...)
	_, limited := errors.AsType[*sandbox.Refusal](err)
	whole := err == nil && !cut
	if whole {
		reader.done()
	}
	if readErr == nil || limited {
		maps.Copy(got, found)
	}
	if whole || limited || readErr != nil || ctx.Err() != nil {
		return false, err
	}
	return true, nil
}

// maxDiffBytes bounds what diff-tree may write.
const maxDiffBytes = 512 << 20

// dirty counts the files of a commit whose blobs are there, and keeps the others uncounted.
func (d *differ) dirty(ctx context.Context, id string, raw []Change, there map[string]bool) ([]Change, error) {
	var paths []string
	var rest []Change
	for _, c := range raw {
		if hasBlobs(c, there) {
			paths = append(paths, c.Path)
		} else {
			rest = append(rest, c)
		}
	}
	if len(paths) == 0 || len(paths) > maxDirtyPaths {
		return raw, nil
	}
	got, failed, err := d.diff(ctx, []string{id}, fullDiff, paths...)
	if err != nil {
		return nil, err
	}
	if len(failed) > 0 {
		return raw, nil
	}
	all := append(got[id], rest...)
	slices.SortStableFunc(all, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// intact tells which of the blobs that the changes name are there and undamaged.
func (r *Repo) intact(ctx context.Context, raw map[string][]Change) (map[string]bool, error) {
	named := map[string]bool{}
	for _, changes := range raw {
		for _, c := range changes {
			for _, id := range blobsOf(c) {
				named[id] = true
			}
		}
	}
	ids := make([]string, 0, len(named))
	for id := range named {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	heads, err := r.headers(ctx, ids)
	if err != nil {
		return nil, err
	}
	there := make(map[string]bool, len(ids))
	var whole int64
	for id, h := range heads {
		there[id] = true
		whole += h.size
	}
	if whole > maxProven { // damage then shows when git dies of it, commit by commit
		return there, nil
	}
	clear(there)
	err = r.batch(ctx, slices.DeleteFunc(ids, func(id string) bool { _, known := heads[id]; return !known }), sandbox.Limits{Stdout: maxDiffBytes}, func(in *bufio.Reader, ids []string) (int, error) {
		return parseBatch(in, ids, 0, func(o object) { there[o.id] = o.intact })
	}, "--batch", "--buffer")
	return there, err
}

// maxProven bounds the blobs that are read to see whether they are damaged, in
// bytes: of a history with more, it is enough that they are there.
const maxProven = 256 << 20

// blobsOf are the ids of a change that are blobs, not commits of submodules.
func blobsOf(c Change) []string {
	var out []string
	if c.OID != "" && c.Mode != "160000" {
		out = append(out, c.OID)
	}
	if c.OldOID != "" && c.OldMode != "160000" {
		out = append(out, c.OldOID)
	}
	return out
}

func hasBlobs(c Change, there map[string]bool) bool {
	return !slices.ContainsFunc(blobsOf(c), func(id string) bool { return !there[id] })
}

// split parts the commits with changes known by whether all their blobs are there.
func split(ids []string, raw map[string][]Change, there map[string]bool) (clean, dirty []string) {
	for _, id := range ids {
		changes, known := raw[id]
		switch {
		case !known:
		case slices.ContainsFunc(changes, func(c Change) bool { return !hasBlobs(c, there) }):
			dirty = append(dirty, id)
		default:
			clean = append(clean, id)
		}
	}
	return clean, dirty
}
