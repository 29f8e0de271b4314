package figure

import (
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	itemMark = regexp.MustCompile(`^(?:[-*•·–]|\d[.)])\s+`)
	// A name that is one for sure, and no part of one that goes on in the next row: RepoReader, repo_reader.
	compound = regexp.MustCompile(`^\p{Lu}\p{Ll}+\p{Lu}[\p{L}\p{N}]*$|^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$`)
	// What stands for several.
	group = regexp.MustCompile(`(?i)(?:layer|panel|bench|swarm|team|pool|group|phase|stage)$`)
)

// listIn is the names that a box puts side by side; nil when it has one name. Names between signs for it are a list. In
// rows they are one when a remark at each row says that it is parallel, or when one for all of them does and each is a
// name for sure: one that is not may go on in the next row.
func (d *art) listIn(box int) []string {
	f := d.panels[box]
	if len(f.inner) > 0 {
		return nil
	}
	var names []string
	marked, rows, sure := 0, 0, true
	for i, line := range f.lines {
		if line == "" {
			continue
		}
		rows++
		if parallelWord.MatchString(line) || parallelWord.MatchString(f.beside[i]) {
			marked++
		}
		line = strings.TrimSpace(parenthesis.ReplaceAllString(line, ""))
		item := itemMark.MatchString(line)
		for _, name := range chainSides.Split(itemMark.ReplaceAllString(line, ""), -1) {
			if name = strings.TrimSpace(name); name == "" && len(names) > 0 && i == len(f.lines)-1 {
				continue // a remark that is all of the row
			}
			if !chainName.MatchString(name) || slices.Contains(names, name) {
				return nil
			}
			names = append(names, name)
			sure = sure && (item || compound.MatchString(name))
		}
	}
	oneRow := rows == 1
	switch {
	case len(names) < 2, !oneRow && (marked == 0 || marked < rows && !sure):
		return nil
	}
	return names
}

var parenthesis = regexp.MustCompile(`\([^()]*\)`)

// lists: a tied box stands for a group, or says that something is parallel, and of what it names in its rows nobody can
// tell how it belongs together.
func (d *art) lists() bool {
	for t := range d.tied {
		if t.box == 0 {
			continue
		}
		f := d.panels[t.box-1]
		rows, names, says := 0, 0, false
		for i, line := range f.lines {
			if line != "" {
				rows++
			}
			if strings.TrimSpace(parenthesis.ReplaceAllString(line, "")) != "" {
				names++
			}
			says = says || parallelWord.MatchString(line) || parallelWord.MatchString(f.beside[i])
		}
		if len(f.inner) == 0 && (rows > 1 && group.MatchString(f.node) || names > 1 && says && d.listIn(t.box-1) == nil) {
			return true
		}
	}
	return false
}
