package repo

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// checkFolder refuses what is not a folder below the root. It returns the folder with a slash at its end; "" is all.
func checkFolder(folder string) (string, error) {
	clean := path.Clean(strings.TrimSuffix(folder, "/"))
	switch {
	case folder == "" || clean == ".":
		return "", nil
	case strings.HasPrefix(clean, "/") || clean == ".." || strings.HasPrefix(clean, "../") || len(clean) > maxPath || !utf8.ValidString(clean) || strings.ContainsRune(clean, 0):
		return "", sandbox.Refuse("path_outside", "%q is not a folder of the repository", folder)
	}
	return clean + "/", nil
}

// below narrows files to those of the folder and names them from there, so that what is asked of a submission is asked of
// the folder as if it were one.
func (r *Repo) below(entries []Entry) ([]Entry, error) {
	if r.folder == "" {
		return entries, nil
	}
	var out []Entry
	for _, e := range entries {
		if rest, in := strings.CutPrefix(e.Path, r.folder); in {
			e.Path, e.Flags = rest, pathFlags(rest)
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		return nil, sandbox.Refuse("path_missing", "there is no folder %q in it", strings.TrimSuffix(r.folder, "/"))
	}
	return out, nil
}

// touching are the commits that changed something in the folder, with what they changed there, as if the rest had never
// been. Their parents are the nearest of them; merges stay where two lines of such commits come together. Commits whose
// changes are not known stay, as they may be some of them.
func (r *Repo) touching(all []Commit) []Commit {
	if r.folder == "" {
		return all
	}
	nearest := make(map[string][]string, len(all)) // of each commit, itself when it stays
	kept := map[string][]string{}                  // of those that stay, their new parents
	var out []Commit
	for _, c := range all {
		var near []string
		for _, p := range c.Parents {
			for _, n := range nearest[p] {
				if !slices.Contains(near, n) {
					near = append(near, n)
				}
			}
		}
		if joined := slices.Clone(near); len(joined) <= maxJoined {
			near = slices.DeleteFunc(near, func(n string) bool {
				return slices.ContainsFunc(joined, func(other string) bool { return other != n && behind(kept, other, n) })
			})
		}
		merge := c.Merge()
		c.Changes = r.changesBelow(c.Changes)
		if len(c.Changes) == 0 && !(merge && len(near) > 1) && !(c.Partial && !merge) {
			nearest[c.ID] = near
			continue
		}
		switch {
		case len(near) > 0:
			c.Parents = near
		case len(out) == 0:
			c.Parents = nil // where the folder begins
		default: // a line of its own, of the same history: its parents stay named, and are not here
		}
		nearest[c.ID], kept[c.ID] = []string{c.ID}, c.Parents
		out = append(out, c)
	}
	return out
}

// Bounds of the look back for whether a merge joins two lines, or one with what that descends from: behind them a merge
// stays that need not.
const (
	maxBehind = 200
	maxJoined = 4
)

// behind tells whether a commit descends from another.
func behind(parents map[string][]string, from, to string) bool {
	seen := map[string]bool{}
	for todo := []string{from}; len(todo) > 0 && len(seen) < maxBehind; {
		id := todo[0]
		todo = todo[1:]
		if id == to {
			return true
		}
		if !seen[id] {
			seen[id] = true
			todo = append(todo, parents[id]...)
		}
	}
	return false
}

// changesBelow are changes as the folder sees them: what was moved in is new there, and what was moved out is gone.
func (r *Repo) changesBelow(all []Change) []Change {
	var out []Change
	for _, c := range all {
		from, fromIn := strings.CutPrefix(c.From, r.folder)
		rest, in := strings.CutPrefix(c.Path, r.folder)
		switch {
		case in && (c.From == "" || fromIn):
			c.Path, c.From = rest, from // from is "" where nothing was moved
			out = append(out, c)
		case in:
			out = append(out, arrived(c, rest))
		case fromIn && c.Status == Renamed:
			out = append(out, Change{Status: Deleted, Path: from, Mode: "000000", OldMode: c.OldMode, OldOID: c.OldOID})
		}
	}
	return out
}

// arrived is a file that came from outside of the folder. How many lines it has is not known from here: what was counted
// is the difference to where it came from.
func arrived(c Change, p string) Change {
	c.Status, c.Path, c.From, c.Score, c.OldMode, c.OldOID = Added, p, "", 0, "000000", ""
	c.Counted, c.Added, c.Deleted = false, 0, 0
	return c
}
