package project

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/code"
)

// parts is a text taken apart by what each byte belongs to. Each part has the
// length and the line breaks of the text; what is not its own is blank. A part
// is made when it is asked for: kept, they would be three copies of the text.
type parts struct {
	text string
	runs []run
}

// run is a stretch of one class, up to the next run.
type run struct {
	start int
	class class
}

func (p parts) code() string     { return p.only(inCode) }
func (p parts) strings() string  { return p.only(inString) }
func (p parts) comments() string { return p.only(inComment) }
func (p parts) both() string     { return p.only(inCode, inString) }

// only is the text without what is of other classes.
func (p parts) only(classes ...class) string {
	b := []byte(p.text)
	for i, r := range p.runs {
		if slices.Contains(classes, r.class) {
			continue
		}
		end := len(b)
		if i+1 < len(p.runs) {
			end = p.runs[i+1].start
		}
		for k := r.start; k < end; k++ {
			if b[k] != '\n' {
				b[k] = ' '
			}
		}
	}
	return string(b)
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

// assemble notes where the class changes.
func assemble(text string, classes []class) parts {
	p := parts{text: text}
	for i, c := range classes {
		if i == 0 || c != classes[i-1] {
			p.runs = append(p.runs, run{i, c})
		}
	}
	p.runs = slices.Clip(p.runs)
	return p
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
