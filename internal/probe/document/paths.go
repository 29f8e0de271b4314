package document

import (
	"path"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

const extensions = `pyi?|md|rst|txt|json|jsonl|toml|ya?ml|ini|cfg|lock|sh|ps1|bat|ipynb|html?|css|s?css|tsx?|jsx?|mjs|go|rs|java|kt|rb|php|sql|csv|xml|pdf|docx?|png|jpe?g|svg|gif|mmd|dot|puml|env\.example|env\.sample|env\.template|db|proto|tf`

var (
	pathShape  = regexp.MustCompile(`(?:\.{1,2}[/\\])?(?:[\w.\-]+[/\\])*(?:[\w\-][\w.\-]*\.(?:` + extensions + `)|\.env\.(?:example|sample|template))(?:/[\w\-][\w.\-]*\.(?:` + extensions + `))*`)
	bareNames  = regexp.MustCompile(`\b(?:Dockerfile|Makefile|Jenkinsfile)\b`)
	splitAt    = regexp.MustCompile(`\.(?:` + extensions + `)/`)
	product    = regexp.MustCompile(`(?i)^(?:node|next|vue|react|nuxt|express|three|d3|chart|mermaid|p5|socket|asp|draw)\.(?:js|io|net)$`)
	placeholds = regexp.MustCompile(`[<>{}*$%…]|:\\\\|\.\.\.|YYYY|yyyy|MMDD|HHMM`)
	address    = regexp.MustCompile(`(?i)://|^www\.|github\.com|githubusercontent|@[a-z]`)
)

// statement is a piece of a passage in which things are said together, with
// what stands around it as far as it may change the meaning.
type statement struct{ text, around string }

// statements are the sentences of running text and the rows of a table.
func statements(p *passage.Passage) []statement {
	var out []statement
	switch p.Kind {
	case passage.Contents, passage.Code:
	case passage.Table:
		rows := strings.Split(p.Text, "\n")
		for i, row := range rows {
			out = append(out, statement{row, strings.Join(rows[max(0, i-1):min(len(rows), i+2)], " ")})
		}
	case passage.Heading, passage.Caption:
		out = append(out, statement{p.Text, p.Text})
	default:
		for _, part := range paragraphs(p) {
			for _, s := range passage.Sentences(part) {
				out = append(out, statement{s, s})
			}
		}
	}
	return out
}

// drawnLine is a line of a diagram's source that was printed as running text.
var drawnLine = regexp.MustCompile(`-->|-\.->|==>|^\s*(?:graph|flowchart)\s+(?:TD|TB|LR|RL|BT)\b|^\s*subgraph\b|^\s*(?:sequence|class|state)Diagram\b`)

// paragraphs parts running text from the source of a diagram that stands before it in
// the same passage, whose words would else belong to its first sentence.
func paragraphs(p *passage.Passage) []string {
	last := -1
	for i, l := range p.Lines {
		if drawnLine.MatchString(l.Text) {
			last = i
		}
	}
	if last < 0 || last+1 >= len(p.Lines) {
		return []string{p.Text}
	}
	next := strings.TrimSpace(p.Lines[last+1].Text)
	if i := strings.LastIndex(p.Text, next[:len(next)*2/3]); next != "" && i > 0 {
		return []string{p.Text[:i], p.Text[i:]}
	}
	return []string{p.Text}
}

// pathsIn lists the file paths of a text, normalised.
func pathsIn(text string) []string {
	var out []string
	for _, m := range pathShape.FindAllStringIndex(text, -1) {
		from, to := m[0], m[1]
		if to < len(text) && (isWordByte(text[to]) || text[to] == '(') || from > 0 && (isWordByte(text[from-1]) || strings.ContainsRune(`/\:`, rune(text[from-1]))) {
			continue // part of a word, a call, or outside of any repository
		}
		around := text[lastBlank(text, from):nextBlank(text, to)]
		if address.MatchString(around) || placeholds.MatchString(around) {
			continue
		}
		for _, one := range splitPaths(strings.ReplaceAll(text[from:to], `\`, "/")) {
			one = path.Clean(one)
			if !product.MatchString(one) && !strings.HasPrefix(one, "..") && !strings.HasPrefix(one, "/") {
				out = append(out, one)
			}
		}
	}
	out = append(out, bareNames.FindAllString(text, -1)...)
	return out
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func lastBlank(s string, before int) int { return strings.LastIndexAny(s[:before], " \t\n\"'`(,;") + 1 }

func nextBlank(s string, after int) int {
	if i := strings.IndexAny(s[after:], " \t\n\"'`),;"); i >= 0 {
		return after + i
	}
	return len(s)
}

// splitPaths takes "a.py/b.py" apart, the way people list neighbours: the
// second one lies in the folder of the first.
func splitPaths(p string) []string {
	m := splitAt.FindStringIndex(p)
	if m == nil {
		return []string{p}
	}
	first := p[:m[1]-1]
	out := []string{first}
	for _, rest := range splitPaths(p[m[1]:]) {
		if dir := path.Dir(first); dir != "." && !strings.Contains(rest, "/") {
			rest = dir + "/" + rest
		}
		out = append(out, rest)
	}
	return out
}
