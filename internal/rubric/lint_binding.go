package rubric

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// lintBinding says what the words of a criterion did not choose: checks that
// come with a name, and parts of its instruction that lead to none.
func lintBinding(c court.Criterion, known Catalogue, add func(code, format string, args ...any)) {
	if id, ok := strings.CutPrefix(c.Binding, "alias:"); ok {
		add("by-alias", "criterion %q is answered by the %d checks of courtroom:%s, because its name is an alias; give it \"checks\" to stop that", c.ID, len(c.Checks), id)
	}
	if c.Binding != "plan" || len(c.Checks) == 0 {
		return
	}
	if list := notAsked(&draft{Criterion: c, known: &known}); len(list) > 0 {
		more := ""
		if n := len(list) - maxNotAsked; n > 0 {
			list, more = list[:maxNotAsked], fmt.Sprintf(" and %d more", n)
		}
		add("not-asked", "no check of %q asks %s%s; give it \"checks\" for that, or judge it yourself", c.ID, strings.Join(list, ", "), more)
	}
}

// maxNotAsked bounds the parts that one finding lists.
const maxNotAsked = 6

// substance is a word that may ask for something.
var substance = regexp.MustCompile(`[\p{L}_]{4,}`)

// notAsked are the clauses of the instruction from which no check was made,
// quoted. A clause of a single word or none asks nothing by itself.
func notAsked(d *draft) []string {
	texts := passages(d)
	if len(texts) == 0 {
		return nil
	}
	covered := make([][][2]int, len(texts))
	for _, t := range topics() {
		t.find(d, texts, covered)
	}
	spans := covered[0]
	for _, w := range identifiers(d, texts[0], nil) {
		spans = append(spans, [2]int{w.at, w.at + 1})
	}
	var out []string
	for _, part := range texts[0].parts {
		for _, c := range part.clauses {
			words := strings.TrimSpace(texts[0].text[c.from:c.to])
			asked := slices.ContainsFunc(spans, func(s [2]int) bool { return s[0] < c.to && c.from < s[1] })
			if !asked && len(substance.FindAllString(words, 3)) > 1 {
				out = append(out, fmt.Sprintf("%q", court.Clean(strings.Trim(words, " ,;:.?!()—–-"), 80)))
			}
		}
	}
	return out
}
