package code

import (
	"slices"
	"strings"
	"unicode/utf8"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// spelling is how a language writes comments and strings.
type spelling struct {
	lines     []string // marks of comments that end with their line
	wordStart bool     // such a mark counts only at the beginning of a word
	blocks    []block
	quotes    []quote // longer marks first
	docWords  []string
	heredoc   bool
	regex     bool // a slash may begin a regular expression
	raw       func(text string, at int) (length, open, closing int)
	prose     bool // what is neither comment nor string is text or data
}

type block struct {
	open, close string
	nested      bool
	lineStart   bool
}

// quote is one way to write a string.
type quote struct {
	mark   string
	lines  bool // it may span lines
	plain  bool // a backslash is a backslash
	single bool // one character: a quote that does not look so is none
	holes  bool // ${…} inside holds code, which may hold strings
	docs   bool // at the beginning of a line it is taken for a docstring
	word   bool // it begins only where a word may
}

// end is the length of the literal at the beginning of s, 0 when there is none.
// A literal that its line does not close ends with the line.
func (q quote) end(s string) (length int, closed bool) {
	if q.single {
		return runeLiteral(s), true
	}
	for i := len(q.mark); i < len(s); i++ {
		switch {
		case s[i] == '\\' && !q.plain:
			i++
		case strings.HasPrefix(s[i:], q.mark):
			return i + len(q.mark), true
		case s[i] == '\n' && !q.lines:
			return i, false
		case q.holes && strings.HasPrefix(s[i:], "${"):
			i += hole(s[i:], 0) - 1
		}
	}
	return len(s), false
}

// maxHoles bounds how deep templates stand within each other.
const maxHoles = 20

// hole is the length of a ${…}, with the templates inside.
func hole(s string, deep int) int {
	open := 1
	for i := 2; i < len(s); i++ {
		switch s[i] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return i + 1
			}
		case '`':
			if deep < maxHoles {
				i += template(s[i:], deep+1) - 1
			}
		}
	}
	return len(s)
}

func template(s string, deep int) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '`':
			return i + 1
		case strings.HasPrefix(s[i:], "${"):
			i += hole(s[i:], deep) - 1
		}
	}
	return len(s)
}

// runeLiteral is the length of a character literal, 0 for a lifetime, a label
// or a prime.
func runeLiteral(s string) int {
	if strings.HasPrefix(s, `'\`) {
		for i := 3; i < min(len(s), len(`'\u{10ffff}'`)); i++ {
			if s[i] == '\'' {
				return i + 1
			}
		}
		return 0
	}
	_, w := utf8.DecodeRuneInString(s[1:])
	if len(s) > 1+w && w > 0 && s[1] != '\n' && s[1+w] == '\'' {
		return 2 + w
	}
	return 0
}

// maxRegex bounds a regular expression literal, in bytes.
const maxRegex = 400

// regexEnd is the length of a regular expression literal, 0 when the line does
// not close it.
func regexEnd(s string) int {
	class := false
	for i := 1; i < min(len(s), maxRegex); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return 0
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return 0
}

var (
	cBlock     = block{open: "/*", close: "*/"}
	cNested    = block{open: "/*", close: "*/", nested: true}
	html       = block{open: "<!--", close: "-->"}
	oneLine    = quote{mark: `"`}
	apostrophe = quote{mark: "'"}
	long       = quote{mark: `"`, lines: true}
	longPlain  = quote{mark: "'", lines: true, plain: true}
	triple     = quote{mark: `"""`, lines: true}
	character  = quote{mark: "'", single: true}
	slashes    = []string{"//"}
	hash       = []string{"#"}
	slashHash  = []string{"//", "#"}
)

// spellingOf is what is known of a language's comments and strings. Python's is
// for files without a tree.
func spellingOf(lang Language) (spelling, bool) {
	switch lang {
	case "python":
		return spelling{lines: hash, quotes: []quote{{mark: `"""`, lines: true, docs: true}, {mark: "'''", lines: true, docs: true}, oneLine, apostrophe}}, true
	case "go":
		return spelling{lines: slashes, blocks: []block{cBlock}, quotes: []quote{{mark: "`", lines: true, plain: true}, oneLine, character}}, true
	case "javascript", "typescript":
		return spelling{lines: slashes, blocks: []block{cBlock}, quotes: []quote{{mark: "`", lines: true, holes: true}, oneLine, apostrophe}, regex: true}, true
	case "java", "kotlin", "scala", "groovy":
		return spelling{lines: slashes, blocks: []block{{open: "/*", close: "*/", nested: lang == "kotlin" || lang == "scala"}}, quotes: []quote{triple, oneLine, character, {mark: "'"}}}, true
	case "rust":
		return spelling{lines: slashes, blocks: []block{cNested}, quotes: []quote{long, character}, raw: rustRaw}, true
	case "c", "c++":
		return spelling{lines: slashes, blocks: []block{cBlock}, quotes: []quote{oneLine, character}, raw: cppRaw}, true
	case "c#", "swift", "dart":
		return spelling{lines: slashes, blocks: []block{{open: "/*", close: "*/", nested: lang != "c#"}}, quotes: []quote{triple, {mark: "'''", lines: true}, oneLine, character, apostrophe}}, true
	case "zig":
		return spelling{lines: slashes, quotes: []quote{oneLine, character}, raw: zigLine}, true
	case "php":
		return spelling{lines: slashHash, blocks: []block{cBlock}, quotes: []quote{long, {mark: "'", lines: true}}, heredoc: true}, true
	case "terraform":
		return spelling{lines: slashHash, blocks: []block{cBlock}, quotes: []quote{oneLine}, heredoc: true}, true
	case "css", "protobuf":
		return spelling{lines: slashes, blocks: []block{cBlock}, quotes: []quote{oneLine, apostrophe}}, true
	}
	return spellingOfScripts(lang)
}

// spellingOfScripts goes on with scripting and functional languages, and with
// what is not code.
func spellingOfScripts(lang Language) (spelling, bool) {
	switch lang {
	case "shell":
		return spelling{lines: hash, wordStart: true, quotes: []quote{long, longPlain}, heredoc: true}, true
	case "docker":
		return spelling{lines: hash, wordStart: true, quotes: []quote{long, longPlain}, heredoc: true}, true
	case "make", "r":
		return spelling{lines: hash, quotes: []quote{oneLine, apostrophe}}, true
	case "ruby":
		return spelling{lines: hash, wordStart: true, blocks: []block{{open: "=begin", close: "\n=end", lineStart: true}}, quotes: []quote{long, {mark: "'", lines: true}}, heredoc: true}, true
	case "powershell":
		return spelling{lines: hash, blocks: []block{{open: "<#", close: "#>"}}, quotes: []quote{{mark: `"`, lines: true, plain: true}, longPlain}}, true
	case "elixir":
		return spelling{lines: hash, quotes: []quote{triple, {mark: "'''", lines: true}, long, apostrophe}, docWords: []string{"@doc", "@moduledoc", "@typedoc"}}, true
	case "lua":
		return spelling{lines: []string{"--"}, blocks: []block{{open: "--[[", close: "]]"}, {open: "--[=[", close: "]=]"}}, quotes: []quote{oneLine, apostrophe}, raw: luaRaw}, true
	case "sql":
		return spelling{lines: []string{"--"}, blocks: []block{cBlock}, quotes: []quote{{mark: "'", lines: true, plain: true}, {mark: `"`, plain: true}}}, true
	case "haskell":
		return spelling{lines: []string{"--"}, blocks: []block{{open: "{-", close: "-}", nested: true}}, quotes: []quote{oneLine, character}}, true
	case "graphql":
		return spelling{lines: hash, quotes: []quote{{mark: `"""`, lines: true, docs: true}, oneLine}}, true
	case "yaml":
		return spelling{lines: hash, wordStart: true, quotes: []quote{{mark: `"`, lines: true, word: true}, {mark: "'", lines: true, plain: true, word: true}}, prose: true}, true
	case "toml":
		return spelling{lines: hash, quotes: []quote{triple, {mark: "'''", lines: true, plain: true}, oneLine, {mark: "'", plain: true}}, prose: true}, true
	case "ini", "cfg":
		return spelling{lines: []string{"#", ";"}, wordStart: true, prose: true}, true
	case "markdown", "html", "xml", "vue", "svelte":
		return spelling{blocks: []block{html}, prose: true}, true
	}
	return spelling{}, false
}

// rustRaw reads r"…" and r#"…"#.
func rustRaw(text string, at int) (length, open, closing int) {
	rest := text[at:]
	if rest[0] != 'r' || at > 0 && isWordByte(text[at-1]) && text[at-1] != 'b' {
		return 0, 0, 0
	}
	hashes := len(rest[1:]) - len(strings.TrimLeft(rest[1:], "#"))
	if open = 1 + hashes; len(rest) <= open || rest[open] != '"' {
		return 0, 0, 0
	}
	return delimited(rest, open+1, `"`+strings.Repeat("#", hashes))
}

var cppOpening = regexp.MustCompile(`^R"([^ ()\\\t\n]{0,16})\(`)

// cppRaw reads R"x(…)x".
func cppRaw(text string, at int) (length, open, closing int) {
	if text[at] != 'R' {
		return 0, 0, 0
	}
	m := cppOpening.FindStringSubmatch(text[at:])
	if m == nil {
		return 0, 0, 0
	}
	return delimited(text[at:], len(m[0]), ")"+m[1]+`"`)
}

// luaRaw reads [[…]] and [=[…]=].
func luaRaw(text string, at int) (length, open, closing int) {
	rest := text[at:]
	for _, marks := range [][2]string{{"[[", "]]"}, {"[=[", "]=]"}, {"[==[", "]==]"}} {
		if strings.HasPrefix(rest, marks[0]) {
			return delimited(rest, len(marks[0]), marks[1])
		}
	}
	return 0, 0, 0
}

// zigLine reads a line of text after two backslashes.
func zigLine(text string, at int) (length, open, closing int) {
	rest := text[at:]
	if !strings.HasPrefix(rest, `\\`) {
		return 0, 0, 0
	}
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		return i, 2, 0
	}
	return len(rest), 2, 0
}

// delimited is a literal that begins with so many bytes and ends with a mark,
// or with the text.
func delimited(rest string, open int, end string) (length, opening, closing int) {
	if i := strings.Index(rest[open:], end); i >= 0 {
		return open + i + len(end), open, len(end)
	}
	return len(rest), open, 0
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

var hereOpening = regexp.MustCompile(`^<<<?[-~]?["'` + "`" + `]?([A-Za-z_][A-Za-z0-9_]{0,63})["'` + "`" + `]?[^\n]*\n`)

// hereDocument reads the lines after <<WORD up to the one that is WORD. What
// stands behind it on its own line counts as part of it.
func (s *segmenter) hereDocument(rest string) bool {
	if !strings.HasPrefix(rest, "<<") {
		return false
	}
	m := hereOpening.FindStringSubmatch(rest)
	if m == nil {
		return false
	}
	if s.ends == nil {
		s.ends = wordLines(s.text)
	}
	ends := s.ends[m[1]]
	i, _ := slices.BinarySearchFunc(ends, s.at+len(m[0]), func(l [2]int, at int) int { return l[0] - at })
	if i == len(ends) { // nothing ends it: it is a shift
		return false
	}
	from, to := ends[i][0], ends[i][1]
	s.add(Literal, to-s.at, len(m[0]), to-from)
	return true
}

var wordLine = regexp.MustCompile(`(?m)^[ \t]*([A-Za-z_][A-Za-z0-9_]{0,63})[;,) ]{0,8}$`)

// wordLines says where the lines are that hold one word.
func wordLines(text string) map[string][][2]int {
	out := map[string][][2]int{}
	for _, m := range wordLine.FindAllStringSubmatchIndex(text, -1) {
		word := text[m[2]:m[3]]
		out[word] = append(out[word], [2]int{m[0], m[1]})
	}
	return out
}
