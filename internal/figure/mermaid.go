package figure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// ParseMermaid reads the source of a Mermaid diagram without its fence. Flowcharts and state diagrams are read into
// nodes and edges; of all other kinds the graph has only its Kind and the error says so. An error with a graph that
// has nodes says that some statement was not understood and is missing.
func ParseMermaid(source string) (*Graph, error) {
	if len(source) > maxSource {
		return nil, errTooLarge
	}
	statements := mermaidStatements(source)
	if len(statements) == 0 {
		return nil, errSource
	}
	word, _, _ := strings.Cut(strings.TrimSuffix(statements[0], ";"), " ")
	switch word {
	case "graph", "flowchart", "flowchart-elk":
		return mermaidFlow(statements[1:])
	case "stateDiagram", "stateDiagram-v2":
		return mermaidStates(statements[1:])
	case "sequenceDiagram", "zenuml":
		return &Graph{Kind: Sequence}, errNotRead
	case "classDiagram", "classDiagram-v2", "erDiagram", "C4Context", "C4Container", "C4Component", "block-beta",
		"architecture-beta", "requirementDiagram":
		return &Graph{Kind: Class}, errNotRead
	case "pie", "gantt", "journey", "gitGraph", "mindmap", "timeline", "quadrantChart", "xychart-beta", "sankey-beta",
		"kanban", "packet-beta":
		return &Graph{Kind: Other}, errNotRead
	}
	return nil, errSource
}

// mermaidStatements are the lines without comments, directives and front matter, cut at semicolons.
func mermaidStatements(source string) []string {
	var statements []string
	front, directive := false, false
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		switch {
		case line == "---" && len(statements) == 0:
			front = !front
		case front || line == "":
		case directive:
			directive = !strings.Contains(line, "}%%")
		case strings.HasPrefix(line, "%%{"):
			directive = !strings.Contains(line, "}%%")
		case strings.HasPrefix(line, "%%"):
		default:
			statements = append(statements, splitStatements(line)...)
		}
	}
	return statements
}

// splitStatements cuts at semicolons outside of quotes and brackets.
func splitStatements(line string) []string {
	var parts []string
	depth, quoted, start := 0, false, 0
	for i, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case strings.ContainsRune("[({", r):
			depth++
		case strings.ContainsRune("])}", r):
			depth--
		case r == ';' && depth <= 0:
			parts = append(parts, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	parts = append(parts, strings.TrimSpace(line[start:]))
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return kept
}

var (
	subgraph = regexp.MustCompile(`^subgraph\s+(.*)$`)
	// groupTitle is `id [title]` or `id["title"]`.
	groupTitle = regexp.MustCompile(`^\S+\s*\[(.*)\]$`)
	styling    = regexp.MustCompile(`^(style|classDef|class|linkStyle|click|direction|accTitle|accDescr)\b`)
)

func mermaidFlow(statements []string) (*Graph, error) {
	b := newBuild(Flow)
	for _, s := range statements {
		switch {
		case s == "end":
			b.close()
		case subgraph.MatchString(s):
			title := subgraph.FindStringSubmatch(s)[1]
			if m := groupTitle.FindStringSubmatch(title); m != nil {
				title = m[1]
			}
			b.open(label(title))
		case s == "subgraph":
			b.open("")
		case styling.MatchString(s):
		default:
			c := &chain{text: s, b: b}
			c.read()
			b.unread = b.unread || strings.TrimSpace(c.text) != ""
		}
	}
	return b.result()
}

// chain reads one statement `a & b -->|text| c --> d`.
type chain struct {
	text string
	b    *build
}

// read goes on as long as links and nodes follow each other; what it does not understand ends the statement.
func (c *chain) read() {
	from := c.nodes()
	for len(from) > 0 {
		link, ok := c.link()
		if !ok {
			return
		}
		to := c.nodes()
		if len(to) == 0 {
			return
		}
		if link.visible {
			c.b.edges(from, to, link.label)
			if link.back {
				c.b.edges(to, from, link.label)
			}
		}
		from = to
	}
}

// nodes reads `a[A] & b(B)`.
func (c *chain) nodes() []string {
	var ids []string
	for {
		id, ok := c.node()
		if !ok {
			return ids
		}
		ids = append(ids, id)
		c.space()
		if !strings.HasPrefix(c.text, "&") || len(ids) >= maxNodes {
			return ids
		}
		c.text = c.text[1:]
	}
}

func (c *chain) space() { c.text = strings.TrimLeftFunc(c.text, unicode.IsSpace) }

// node reads an id and, right behind it, its shape with the label, and its class.
func (c *chain) node() (string, bool) {
	c.space()
	end := idEnd(c.text)
	if end == 0 {
		return "", false
	}
	id := c.text[:end]
	c.text = c.text[end:]
	text := c.shape()
	if strings.HasPrefix(c.text, ":::") {
		c.text = strings.TrimLeftFunc(c.text[3:], func(r rune) bool { return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) })
	}
	c.b.node(id, text)
	return id, true
}

// idEnd is where an id ends: letters, digits and _ . : with single hyphens inside, as long as no link begins.
func idEnd(text string) int {
	end := 0
	for i, r := range text {
		inside := r == '_' || r == '.' || r == '*' || r == '/' || r == '#' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if r == '-' && i > 0 {
			next, _ := utf8.DecodeRuneInString(text[i+1:])
			inside = unicode.IsLetter(next) || unicode.IsDigit(next)
		}
		if !inside {
			return i
		}
		end = i + utf8.RuneLen(r)
	}
	return end
}

// The shapes: what opens them and what closes them, longer ones first.
func shapes() [][2]string {
	return [][2]string{
		{"(((", ")))"}, {"([", "])"}, {"[(", ")]"}, {"[[", "]]"}, {"((", "))"}, {"{{", "}}"}, {"[/", "]"}, {"[\\", "]"},
		{"[", "]"}, {"(", ")"}, {"{", "}"}, {">", "]"},
	}
}

// shape reads a bracketed label; empty when there is none.
func (c *chain) shape() string {
	if strings.HasPrefix(c.text, "@{") {
		inner, rest, _ := strings.Cut(c.text[2:], "}")
		c.text = rest
		if _, value, ok := strings.Cut(inner, "label:"); ok {
			value = strings.TrimSpace(value)
			if strings.HasPrefix(value, `"`) {
				value, _, _ = strings.Cut(value[1:], `"`)
			} else {
				value, _, _ = strings.Cut(value, ",")
			}
			return label(value)
		}
		return ""
	}
	for _, s := range shapes() {
		if !strings.HasPrefix(c.text, s[0]) {
			continue
		}
		inner := c.text[len(s[0]):]
		end := closing(inner, s[1])
		if end < 0 {
			c.text = ""
			return label(inner)
		}
		c.text = inner[end+len(s[1]):]
		return label(strings.Trim(strings.TrimSpace(inner[:end]), `/\`))
	}
	return ""
}

// closing finds the end of a label; brackets in quotes do not count.
func closing(text, end string) int {
	if trimmed := strings.TrimLeft(text, " "); strings.HasPrefix(trimmed, `"`) {
		from := len(text) - len(trimmed) + 1
		quote := strings.IndexByte(text[from:], '"')
		if quote >= 0 {
			if i := strings.Index(text[from+quote:], end); i >= 0 {
				return from + quote + i
			}
			return -1
		}
	}
	return strings.Index(text, end)
}

// link is an arrow or line between nodes.
type link struct {
	label   string
	visible bool
	back    bool // it has a head at both ends
}

var (
	linkStart = regexp.MustCompile(`^([<xo]?)(-{2,}|={2,}|-\.+-?|~{3,})([>xo]?)`)
	// What ends a link whose label stands in its middle.
	dashEnd  = regexp.MustCompile(`-{2,}([>xo]?)`)
	thickEnd = regexp.MustCompile(`={2,}([>xo]?)`)
	dotEnd   = regexp.MustCompile(`\.+-([>xo]?)`)
	pipes    = regexp.MustCompile(`^\s*\|([^|]*)\|`)
)

func (c *chain) link() (link, bool) {
	c.space()
	m := linkStart.FindStringSubmatch(c.text)
	if m == nil {
		return link{}, false
	}
	l := link{visible: m[2][0] != '~', back: m[1] == "<"}
	c.text = c.text[len(m[0]):]
	if m[3] == "" && opensLabel(m[2]) {
		end := dashEnd
		switch {
		case m[2][0] == '=':
			end = thickEnd
		case m[2][1] == '.':
			end = dotEnd
		}
		at := end.FindStringIndex(c.text)
		if at == nil {
			return link{}, false
		}
		l.label = label(c.text[:at[0]])
		c.text = c.text[at[1]:]
	}
	if m := pipes.FindStringSubmatch(c.text); m != nil {
		l.label = label(m[1])
		c.text = c.text[len(m[0]):]
	}
	return l, true
}

// opensLabel: `--`, `==` and `-.` begin a link with its label inside; longer ones are lines without a head.
func opensLabel(stroke string) bool {
	return stroke == "--" || stroke == "==" || strings.HasPrefix(stroke, "-.") && !strings.HasSuffix(stroke, "-")
}
