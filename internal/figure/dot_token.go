package figure

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	errUnclosed   = errors.New("a brace is not closed")
	errUnexpected = errors.New("unexpected")
)

// maxLabel is from which length on a string is not made longer, in bytes.
const maxLabel = 4 << 10

// dotTokens cuts the source into tokens. Comments go, strings joined by + are one.
func dotTokens(source string) []dotToken {
	var tokens []dotToken
	for text := source; ; {
		text = skipDOTSpace(text)
		if text == "" {
			return tokens
		}
		token, rest := dotTokenAt(text)
		text = rest
		if n := len(tokens); token.quoted && n >= 2 && tokens[n-1].mark && tokens[n-1].text == "+" && tokens[n-2].quoted {
			if len(tokens[n-2].text) < maxLabel {
				tokens[n-2].text += token.text
			}
			tokens = tokens[:n-1]
			continue
		}
		tokens = append(tokens, token)
	}
}

func skipDOTSpace(text string) string {
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		switch {
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "#"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		default:
			return text
		}
	}
}

func dotTokenAt(text string) (dotToken, string) {
	switch {
	case text[0] == '"':
		return dotString(text)
	case text[0] == '<':
		return dotHTML(text)
	case strings.HasPrefix(text, "->"), strings.HasPrefix(text, "--"):
		return dotToken{text: text[:2], mark: true}, text[2:]
	}
	end := strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	switch {
	case end < 0:
		return dotToken{text: text}, ""
	case end > 0:
		return dotToken{text: text[:end]}, text[end:]
	}
	_, n := utf8.DecodeRuneInString(text)
	return dotToken{text: text[:n], mark: true}, text[n:]
}

// dotString reads a quoted string. Only \" is an escape of its own; \n and the like are left to label.
func dotString(text string) (dotToken, string) {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return dotToken{text: strings.ReplaceAll(text[1:i], `\"`, `"`), quoted: true}, text[i+1:]
		}
	}
	return dotToken{text: text[1:], quoted: true}, ""
}

// dotHTML reads a label in angle brackets, which nest.
func dotHTML(text string) (dotToken, string) {
	depth := 0
	for i, r := range text {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 {
			return dotToken{text: text[1:i], quoted: true}, text[i+1:]
		}
	}
	return dotToken{text: text[1:], quoted: true}, ""
}
