package report

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// mdText makes foreign text inert in running Markdown, also inside a table: one
// line, no markup, no HTML, no link that finds itself, nobody and no issue
// mentioned. The hash of a commit stays in one piece: GitHub links it to a commit
// of the same repository, tells nobody, and most of them are there to be looked up.
func mdText(s string) string {
	s = court.Clean(strings.Join(strings.Fields(s), " "), 0)
	s = strings.ReplaceAll(mdEscape(s), "://", ":<!-- -->//")
	for _, self := range bySelf {
		s = self.ReplaceAllString(s, "$1<!-- -->$2")
	}
	return s
}

// Where text becomes a link, an issue or a picture by itself. An escape there
// would not help: GitHub looks for them when escapes and entities are gone.
var bySelf = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(www)(\.)`),
	regexp.MustCompile(`(?i)(\bgh)(-[0-9])`),                     // an issue
	regexp.MustCompile(`(?i)(:)([a-z][a-z0-9_\\-]*:|\\?[+-]1:)`), // a small picture
}

// maxMarks is the longest run of backticks that foreign text may have in a code
// span or a fenced block: GitHub's reader knows no spans between more than 80
// marks, and takes a fence of more than 255 for one of 255.
const maxMarks = 70

func mdEscape(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_[]|~$", r), i == 0 && strings.ContainsRune("+-=!", r):
			b.WriteString(`\` + string(r))
		case (r == '@' || r == '#') && i+1 < len(runes) && wordRune(runes[i+1]):
			b.WriteString(string(r) + "<!-- -->")
		case i == 0 && r == '#':
			b.WriteString(`\#`)
		case (r == '.' || r == ')') && i > 0 && digitsOnly(runes[:i]):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }

func digitsOnly(runes []rune) bool {
	for _, r := range runes {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// mdCode is foreign text as a code span that it cannot end. In a table a bar
// would end the cell, and a backslash before it would hide that it is escaped:
// there such text is shown as text, and everywhere what has too many backticks.
func mdCode(s string, table bool) string {
	s = court.Clean(strings.Join(strings.Fields(s), " "), 0)
	if s == "" {
		return ""
	}
	marks := longestRun(s, '`')
	if table && strings.Contains(s, "|") || marks > maxMarks {
		return mdText(s)
	}
	fence := strings.Repeat("`", marks+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// mdFence is a quote as a fenced or indented block that it cannot end.
func mdFence(s string) string {
	var lines []string
	for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		lines = append(lines, court.Clean(strings.TrimSuffix(l, "\r"), 0))
	}
	s = strings.Join(lines, "\n")
	marks := longestRun(s, '`')
	if marks > maxMarks { // nothing ends an indented block but a line that is not indented
		return "    " + strings.Join(lines, "\n    ")
	}
	fence := strings.Repeat("`", max(3, marks+1))
	return fence + "text\n" + s + "\n" + fence
}

func longestRun(s string, c byte) int {
	longest, n := 0, 0
	for i := range len(s) {
		if s[i] != c {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

// mdLink links text, which is Markdown already, to an address that we built.
func mdLink(text, address string) string {
	if address == "" {
		return text
	}
	return fmt.Sprintf("[%s](%s)", text, address)
}

// slugs gives headings the anchors that GitHub gives them.
type slugs map[string]int

// next is the anchor of the next heading with this text: small letters, digits,
// hyphens and underscores, numbered when it repeats; empty when nothing is left.
func (s slugs) next(heading string) string {
	heading = court.Clean(strings.Join(strings.Fields(heading), " "), 0)
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Mn, r), r == '-', r == '_':
			b.WriteRune(r)
		}
	}
	slug := b.String()
	n := s[slug]
	s[slug] = n + 1
	if slug == "" {
		return ""
	}
	if n > 0 {
		slug = fmt.Sprintf("%s-%d", slug, n)
	}
	return "#" + escapePath(slug)
}
