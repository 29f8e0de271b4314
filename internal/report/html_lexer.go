package report

import (
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// token is a piece of a quoted line: k a keyword, s a string, c a comment, or
// plain.
type token struct{ Class, Text string }

// lexer colours quoted code a little. It knows comments, strings and a few
// words, no grammar: colour is an ornament, the text is what counts. A nil
// lexer colours nothing.
type lexer struct {
	comment  string
	words    map[string]bool
	triple   bool   // strings of three quotation marks may run over lines
	inString string // the marks that end the string that is open
}

func lexerFor(x *court.Exhibit) *lexer {
	if len(x.At) == 0 {
		return nil
	}
	words := func(s string) map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(s) {
			set[w] = true
		}
		return set
	}
	switch path.Ext(x.At[0].Path) {
	case ".py", ".pyi":
		return &lexer{comment: "#", triple: true, words: words("and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield match case")}
	case ".js", ".ts", ".jsx", ".tsx", ".mjs":
		return &lexer{comment: "//", words: words("async await break case catch class const continue default delete do else export extends false finally for function if import in instanceof interface let new null of return static super switch this throw true try type typeof undefined var void while yield")}
	case ".go":
		return &lexer{comment: "//", words: words("break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var")}
	case ".yml", ".yaml", ".toml", ".sh", ".cfg", ".ini":
		return &lexer{comment: "#", words: words("true false null")}
	default:
		return nil
	}
}

// line cuts one line into tokens and remembers a string that runs on.
func (l *lexer) line(s string) []token {
	if l == nil {
		return []token{{"", s}}
	}
	var list []token
	add := func(class, text string) {
		switch {
		case text == "":
		case len(list) > 0 && list[len(list)-1].Class == class:
			list[len(list)-1].Text += text
		default:
			list = append(list, token{class, text})
		}
	}
	for s != "" {
		class, n := l.next(s)
		add(class, s[:n])
		s = s[n:]
	}
	return list
}

// next is the class and the length of what s begins with.
func (l *lexer) next(s string) (class string, n int) {
	if l.inString != "" {
		if i := strings.Index(s, l.inString); i >= 0 {
			n = i + len(l.inString)
			l.inString = ""
			return "s", n
		}
		return "s", len(s)
	}
	if strings.HasPrefix(s, l.comment) {
		return "c", len(s)
	}
	if l.triple && (strings.HasPrefix(s, `"""`) || strings.HasPrefix(s, "'''")) {
		l.inString = s[:3]
		return "s", 3
	}
	switch c := s[0]; {
	case c == '"' || c == '\'' || c == '`':
		return "s", quoted(s)
	case letter(c):
		for n = 1; n < len(s) && (letter(s[n]) || s[n] >= '0' && s[n] <= '9'); n++ {
		}
		if l.words[s[:n]] {
			return "k", n
		}
		return "", n
	default:
		for n = 1; n < len(s) && s[n] >= 0x80 && s[n] < 0xC0; n++ { // a whole rune
		}
		return "", n
	}
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// quoted is the length of the string that s begins with, or of the line when
// it does not end on it.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}
