package project

import (
	"slices"
	"strings"
	"unicode"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// speech is a judge's name with what leads to the judge's own words.
var speech = regexp.MustCompile(`(?i)\b` + judgeName + `\b(?:'s)?[^:|\n]{0,24}[:|]`)

// Bounds of an opinion's words that are compared, in letters; design choices.
const (
	fewestLetters = 20
	mostLetters   = 100
)

// findFailed finds the opinions that stand for a call that failed: of one judge, in the same
// words for more than half of the criteria and for more than one, and words of a missing
// answer are among them.
func (a *audit) findFailed() {
	type words struct {
		who  seat
		text string
	}
	of := map[words][]*heard{}
	for _, h := range a.criteria {
		if !h.full() {
			continue
		}
		for who, texts := range h.speeches() {
			for _, text := range texts {
				if k := (words{who, text}); !slices.Contains(of[k], h) {
					of[k] = append(of[k], h)
				}
			}
		}
	}
	for k, all := range of {
		for _, h := range all {
			if len(all) > max(1, a.complete()/2) {
				h.failed[k.who] = true
			}
		}
	}
}

// speeches are the texts of a criterion, by judge, that speak of a missing answer: the first
// letters of each.
func (h *heard) speeches() map[seat][]string {
	out := map[seat][]string{}
	who, said := nobody, ""
	done := func() {
		if text := lettersOf(said); who != nobody && len(text) >= fewestLetters && missesAnswer(said) {
			out[who] = append(out[who], text)
		}
		who, said = nobody, ""
	}
	for line := range strings.Lines(h.text.String()) {
		all := speech.FindAllStringSubmatchIndex(line, -1)
		if m := named.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			done()
			who = seatOf(m[1])
			continue
		}
		if len(all) == 0 && !heading.MatchString(line) {
			said += " " + line
			continue
		}
		done()
		for i, m := range all {
			end := len(line)
			if i+1 < len(all) {
				end = all[i+1][0]
			}
			who, said = seatOf(line[m[2]:m[3]]), line[m[1]:end]
			if i+1 < len(all) {
				done()
			}
		}
	}
	done()
	return out
}

// missesAnswer tells words that own up to a missing answer.
func missesAnswer(said string) bool {
	low := strings.ToLower(said)
	return slices.ContainsFunc(tables.Of(tables.Word).Names("any", "missing answer"), func(w string) bool { return strings.Contains(low, w) })
}

// lettersOf are the first letters of a text, without figures and marks.
func lettersOf(said string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(said) {
		if unicode.IsLetter(r) && out.Len() < mostLetters {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// genuine tells a report in which a criterion has three opinions that answers were given for.
func (a *audit) genuine() bool {
	return slices.ContainsFunc(a.criteria, func(h *heard) bool { return h.full() && len(h.failed) == 0 })
}
