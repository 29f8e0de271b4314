package project

import (
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/code"
)

// parts is a text taken apart by what each byte belongs to. Each has the
// length and the line breaks of the text; what is not its own is blank.
type parts struct {
	code, strings, comments string
}

// class of a byte.
type class uint8

const (
	inCode class = iota
	inString
	inComment
)

// split takes source text apart. Python is told by its tokens (see python.go);
// for other languages a lexer knows comments, strings and templates, not
// regular expression literals.
func split(lang code.Language, text string) parts {
	classes := make([]class, len(text))
	l := lexer{text: text, classes: classes, hash: hashComments(lang), slash: slashComments(lang), lang: lang}
	for l.at < len(text) {
		l.step()
	}
	return assemble(text, classes)
}

func hashComments(lang code.Language) bool {
	switch lang {
	case "python", "shell", "ruby", "r", "elixir", "yaml", "toml", "ini", "cfg", "docker", "make", "terraform", "powershell", "php":
		return true
	}
	return false
}

func slashComments(lang code.Language) bool {
	switch lang {
	case "python", "shell", "ruby", "r", "elixir", "yaml", "toml", "ini", "cfg", "docker", "make", "powershell", "sql", "lua", "haskell":
		return false
	}
	return true
}

// assemble blanks what does not belong to each part.
func assemble(text string, classes []class) parts {
	out := [3][]byte{[]byte(text), []byte(text), []byte(text)}
	for i := range len(text) {
		if text[i] == '\n' {
			continue
		}
		for k := range out {
			if class(k) != classes[i] {
				out[k][i] = ' '
			}
		}
	}
	return parts{code: string(out[inCode]), strings: string(out[inString]), comments: string(out[inComment])}
}

type lexer struct {
	text        string
	classes     []class
	at          int
	hash, slash bool
	lang        code.Language
}

func (l *lexer) step() {
	rest := l.text[l.at:]
	switch {
	case l.hash && rest[0] == '#', l.slash && strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "--") && (l.lang == "sql" || l.lang == "lua" || l.lang == "haskell"):
		l.mark(inComment, until(rest, "\n", 0))
	case l.slash && strings.HasPrefix(rest, "/*"):
		l.mark(inComment, until(rest, "*/", 2))
	case rest[0] == '"':
		l.mark(inString, quotedEnd(rest, '"', l.lang == "rust"))
	case rest[0] == '\'' && l.lang == "rust", rest[0] == '\'' && (l.lang == "go" || l.lang == "java" || l.lang == "c" || l.lang == "c++"):
		l.mark(inString, runeEnd(rest))
	case rest[0] == '\'':
		l.mark(inString, quotedEnd(rest, '\'', false))
	case rest[0] == '`' && (l.lang == "go" || l.lang == "javascript" || l.lang == "typescript"):
		l.mark(inString, quotedEnd(rest, '`', true))
	default:
		l.at++
	}
}

func (l *lexer) mark(c class, n int) {
	for i := l.at; i < l.at+n; i++ {
		l.classes[i] = c
	}
	l.at += n
}

// until is the length up to the end mark, which belongs to it but for a line
// break.
func until(s, end string, skip int) int {
	i := strings.Index(s[min(skip, len(s)):], end)
	if i < 0 {
		return len(s)
	}
	if end == "\n" {
		return i + skip
	}
	return i + skip + len(end)
}

// quotedEnd is the length of a string that begins with its quote. Without a
// closing quote on its line it is the quote alone, but where strings may have
// several lines.
func quotedEnd(s string, quote byte, lines bool) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			if !lines {
				return 1
			}
		}
	}
	if lines {
		return len(s)
	}
	return 1
}

// runeEnd is the length of a character literal; a Rust lifetime is its quote.
func runeEnd(s string) int {
	if strings.HasPrefix(s, `'\`) {
		if n := quotedEnd(s, '\'', false); n <= len(`'\u{10ffff}'`) {
			return n
		}
		return 1
	}
	_, w := utf8.DecodeRuneInString(s[1:])
	if len(s) > 1+w && s[1+w] == '\'' {
		return 2 + w
	}
	return 1
}
