package report

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// saidPart is a stretch of a sentence: words, or code that is set in its own font.
type saidPart struct {
	Text string
	Code bool
}

// callStart begins a call: a name with its bracket.
var callStart = regexp.MustCompile(`[A-Za-z_][\w.]*\(`)

// codeWord is a word that is plainly code: it has an underscore, a slash, a line behind a
// path, or a dot inside of it.
var codeWord = regexp.MustCompile(`^(?:[\w./:-]*[A-Za-z][\w./:-]*_[\w./:-]*|_[\w./:-]+|[\w-]*[A-Za-z][\w-]*\.[A-Za-z][\w.:-]*|[\w.-]+/[\w./:-]+|\.[a-z][\w.-]+)$`)

// inCode cuts a sentence of ours into words and code: calls as a whole, and words that are
// plainly code.
func inCode(s string) (list []saidPart) {
	for {
		at := callStart.FindStringIndex(s)
		if at == nil {
			return codeWords(list, s)
		}
		end := callEnd(s, at[1])
		if end < 0 {
			return codeWords(list, s)
		}
		for end < len(s) && s[end] == '.' { // a call of what a call gave
			next := callStart.FindStringIndex(s[end+1:])
			if next == nil || next[0] != 0 || callEnd(s, end+1+next[1]) < 0 {
				break
			}
			end = callEnd(s, end+1+next[1])
		}
		list = withPart(codeWords(list, s[:at[0]]), s[at[0]:end], true)
		s = s[end:]
	}
}

// callEnd is where the bracket closes that was opened before from; -1: nowhere.
func callEnd(s string, from int) int {
	for i, depth := from, 1; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func withPart(list []saidPart, text string, code bool) []saidPart {
	if n := len(list); text != "" && n > 0 && list[n-1].Code == code {
		list[n-1].Text += text
	} else if text != "" {
		list = append(list, saidPart{text, code})
	}
	return list
}

func codeWords(list []saidPart, s string) []saidPart {
	for i, word := range strings.Split(s, " ") {
		if i > 0 {
			list = withPart(list, " ", false)
		}
		core := strings.TrimRight(strings.TrimLeft(word, `"“(`), `"”.,;:)`)
		if core == "e.g" || core == "i.e" || core == "and/or" || !codeWord.MatchString(core) {
			list = withPart(list, word, false)
			continue
		}
		at := strings.Index(word, core)
		list = withPart(withPart(withPart(list, word[:at], false), core, true), word[at+len(core):], false)
	}
	return list
}
