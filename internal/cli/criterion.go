package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// criterionNamed finds the criterion that a word means: its id or its name, or
// a part of either that no other criterion has. Case does not count, nor how
// words are joined.
func criterionNamed(list []court.Criterion, word string) (string, error) {
	for _, same := range []func(string) bool{
		func(s string) bool { return s == word },
		func(s string) bool { return folded(s) == folded(word) },
		func(s string) bool { return strings.Contains(folded(s), folded(word)) },
	} {
		var hits []court.Criterion
		for _, c := range list {
			if folded(word) != "" && (same(c.ID) || same(c.Name)) {
				hits = append(hits, c)
			}
		}
		if len(hits) == 1 {
			return hits[0].ID, nil
		}
		if len(hits) > 1 {
			return "", usage(idsOf("name one of: ", hits), "reading flags: -c %q means more than one criterion: %s have it in their id or name", word, criteria(len(hits)))
		}
	}
	f := &failure{code: exitUsage, err: fmt.Errorf("reading flags: -c %q is not a criterion of this record", word), hints: []string{idsOf("the record has ", list)}}
	if near := nearest(list, word); near != "" {
		f.hints = slices.Insert(f.hints, 0, "did you mean "+near)
	}
	return "", f
}

// folded is a name without what differs between its spellings.
func folded(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" _-.", r) }), " "))
}

func idsOf(start string, list []court.Criterion) string {
	var ids []string
	for _, c := range list {
		ids = append(ids, court.Clean(c.ID, 100))
	}
	return start + strings.Join(ids, ", ")
}

// nearest is the criterion whose id, name or a word of them is most like what
// was written; empty: none is.
func nearest(list []court.Criterion, word string) string {
	var words []string
	owner := map[string]string{}
	for _, c := range list {
		for _, s := range slices.Concat([]string{folded(c.ID), folded(c.Name)}, strings.Fields(folded(c.ID)), strings.Fields(folded(c.Name))) {
			if owner[s] == "" {
				owner[s] = c.ID
				words = append(words, s)
			}
		}
	}
	return owner[safetext.Nearest(folded(word), words, 2)]
}
