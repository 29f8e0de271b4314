package report

import (
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// part is a piece of an argument: text, or the label of evidence with its id.
type part struct{ text, id string }

// labelWord is what a label looks like; what stands around it is looked at
// apart, as expressions have no look-around here.
var labelWord = regexp.MustCompile(`[EP][0-9]{1,6}`)

// labelled cuts an argument at the labels of the evidence that it cites, so
// that reports can link them where they stand. What is cited and not named is
// the rest.
func (d *docket) labelled(argument string, cited []string) (parts []part, rest []string) {
	argument = strings.Join(strings.Fields(argument), " ")
	ids := map[string]string{}
	for _, id := range cited {
		if x := d.byID[id]; x != nil {
			ids[x.Label] = x.ID
		}
	}
	var named []string
	at := 0
	for _, m := range labelWord.FindAllStringIndex(argument, -1) {
		id, ok := ids[argument[m[0]:m[1]]]
		if !ok || !bounded(argument, m[0], m[1]) {
			continue
		}
		if m[0] > at {
			parts = append(parts, part{text: argument[at:m[0]]})
		}
		parts = append(parts, part{argument[m[0]:m[1]], id})
		named = append(named, id)
		at = m[1]
	}
	if at < len(argument) {
		parts = append(parts, part{text: argument[at:]})
	}
	for _, id := range cited {
		if !slices.Contains(named, id) && !slices.Contains(rest, id) {
			rest = append(rest, id)
		}
	}
	return parts, rest
}

// bounded tells whether a word stands alone in s.
func bounded(s string, from, to int) bool {
	inWord := func(c byte) bool { return letter(c) || c >= '0' && c <= '9' || c >= 0x80 }
	return (from == 0 || !inWord(s[from-1])) && (to == len(s) || !inWord(s[to]))
}

// leading and trailing are the blank that a piece begins or ends with, which
// escaping takes away.
func leading(s string) string  { return s[:len(s)-len(strings.TrimLeft(s, " "))] }
func trailing(s string) string { return s[len(strings.TrimRight(s, " ")):] }
