package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// join makes running text of printed lines: a blank between lines, none where a word or a path was broken.
func join(lines []Line) string {
	var parts []string
	word := "" // the last word so far, over the lines it was glued from
	for _, line := range lines {
		text := strings.Join(strings.Fields(line.Text), " ")
		if text == "" {
			continue
		}
		if len(parts) > 0 {
			last := &parts[len(parts)-1]
			switch seam(word, text) {
			case dropHyphen:
				*last = strings.TrimSuffix(*last, lastRune(*last))
				word = strings.TrimSuffix(word, lastRune(word))
			case blank:
				*last += " "
				word = ""
			case glue:
			}
		}
		parts = append(parts, text)
		if strings.Contains(text, " ") || len(word) > wordMax {
			word = ""
		}
		word += lastWord(text)
	}
	return strings.Join(parts, "")
}

// wordMax bounds the glued words of a hostile text, in bytes.
const wordMax = 300

// between is what stands between two lines that are joined.
type between int

const (
	blank      between = iota
	glue               // nothing: the break is inside a path or after a hyphen that belongs to the word
	dropHyphen         // nothing, and the hyphen goes
)

// seam decides by the last word of one line and the first of the next.
func seam(last, right string) between {
	first := firstWord(right)
	end, _ := utf8.DecodeLastRuneInString(last)
	begin, _ := utf8.DecodeRuneInString(first)
	switch {
	case end == '\u00AD':
		return dropHyphen
	case isHyphen(end):
		return hyphenSeam(last, first)
	case end == '/' && len(last) > 1 && isPathRune(begin), end == '_' && isPathRune(begin):
		return glue
	case strings.Contains(last, "/") && isExtension(first):
		return glue
	case begin == '/' && len(first) > 1 && isPathRune(end) && strings.ContainsAny(first, "._"):
		return glue
	case begin == '_' && len(first) > 1 && first[1] != '_' && isPathRune(end):
		return glue
	}
	return blank
}

// hyphenSeam: "detec-/tives" loses the hyphen; "state-/of-the-art", "fan-/in", "my-/file.py" and "--/flag" keep it.
func hyphenSeam(last, first string) between {
	stem := strings.TrimRightFunc(last, isHyphen)
	begin, _ := utf8.DecodeRuneInString(first)
	switch {
	case stem == "":
		return blank // a dash between words
	case strings.ContainsAny(last, "/._\\@:=`") || strings.ContainsAny(trimPunct(first), "/_\\@=`.-"):
		return glue
	case !unicode.IsLower(begin):
		return glue
	case strings.ContainsFunc(stem, isHyphen) || !strings.ContainsFunc(stem, unicode.IsLetter):
		return glue
	case keepsHyphen(stem, trimPunct(first)):
		return glue
	}
	return dropHyphen
}

// keepsHyphen knows the first parts of English compounds: without a dictionary, "fan-in" and "self-audit" look like
// broken words.
func keepsHyphen(stem, rest string) bool {
	stem = strings.ToLower(strings.TrimLeftFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) }))
	switch stem {
	case "self", "non", "well", "fan", "multi", "cross", "high", "low", "long", "short", "open", "built", "add",
		"plug", "opt", "end", "real", "full", "half", "evidence", "rule", "model", "state", "type", "thread", "time",
		"tool", "test", "graph", "data", "event", "user", "role", "code", "human", "machine", "single", "double",
		"two", "three", "four", "five", "one", "first", "second", "third", "co", "ex", "anti", "quasi", "semi",
		"node", "agent", "judge", "score", "peer", "per", "fact", "security", "file", "line", "run", "out", "all",
		"read", "write", "hard", "soft", "production", "enterprise", "domain", "context", "schema", "language":
		return len(rest) > 1
	}
	switch strings.ToLower(rest) {
	case "in", "out", "up", "down", "on", "off", "by", "to", "like", "based", "level", "wide", "free", "driven",
		"aware", "specific", "only", "end", "side", "safe", "time", "line", "source", "first", "grade", "backed":
		return true
	}
	return false
}

func lastWord(s string) string {
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		return s[i+1:]
	}
	return s
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

func lastRune(s string) string {
	_, n := utf8.DecodeLastRuneInString(s)
	return s[len(s)-n:]
}

func trimPunct(s string) string { return strings.TrimRight(s, ".,;:!?)]}\"'”’") }

func isHyphen(r rune) bool { return r == '-' || r == '\u2010' || r == '\u00AD' }

func isPathRune(r rune) bool {
	return r == '_' || r == '.' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isExtension: ".py", ".json)" at the beginning of a line.
func isExtension(word string) bool {
	word = trimPunct(word)
	if len(word) < 2 || len(word) > 6 || word[0] != '.' {
		return false
	}
	for _, r := range word[1:] {
		if !unicode.IsLower(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
