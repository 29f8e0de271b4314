package rubric

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// mark is an identifier in a text.
type mark struct {
	text     string
	from, to int
	quoted   bool
}

var (
	quotes   = regexp.MustCompile("`([^`\n]{1,120})`|\"([^\"\n]{1,120})\"|“([^”\n]{1,120})”|(?:^|[\\s(\\[,:;/])['‘]([^'‘’\n]{1,120})['’]")
	unquoted = regexp.MustCompile(`@?\.?[A-Za-z_][\w./-]*(?:\(\))?|--[a-z][\w-]+`)
	after    = regexp.MustCompile(`(?i)\b(import|package|library|module)s?\s+$`)

	isCommand = regexp.MustCompile(`^(?:\$ )?(?:git|pip|uv|python3?|npm|npx|yarn|pnpm|go|cargo|docker|make|pytest|bash|sh|curl|cd|ls|grep)\s`)
	isFlag    = regexp.MustCompile(`^--[a-z][a-z0-9-]+$`)
	isUpper   = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)
	isCall    = regexp.MustCompile(`^\.?[A-Za-z_][\w.]*\(.*\)$|^\.[A-Za-z_]\w*$`)
	isDotted  = regexp.MustCompile(`^[A-Za-z_]\w+(?:\.[A-Za-z_]\w+)+$`)
	isName    = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	isCamel   = regexp.MustCompile(`^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$`)
	isSnake   = regexp.MustCompile(`^_*[a-z][a-z0-9]*(?:_[a-z0-9]+)+$`)
	isModule  = regexp.MustCompile(`^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$`)
	isFile    = regexp.MustCompile(`(?i)^[\w.@/*{},-]*[\w*]\.(?:py|pyi|ipynb|md|rst|txt|pdf|json|jsonl|toml|ya?ml|cfg|ini|lock|sh|js|jsx|ts|tsx|mjs|go|rs|java|kt|rb|php|c|h|cpp|cs|sql|html|css|xml|csv|proto|mmd|dot|svg|png|jpe?g)$`)
	isDotFile = regexp.MustCompile(`^(?:[\w.-]+/)*\.(?:env|git|docker|github|pre-commit|editorconfig|cursor|vscode|gitlab|eslint|prettier)[\w./-]*$`)
	isFolder  = regexp.MustCompile(`^(?:\./)?[\w.-]+(?:/[\w.-]+)*/$`)
	isGoPath  = regexp.MustCompile(`^(?:(?:github\.com|gitlab\.com|golang\.org|google\.golang\.org|gopkg\.in|go\.uber\.org)/[\w./~-]+|(?:archive|compress|container|crypto|database|encoding|go|hash|html|io|log|math|mime|net|os|path|runtime|sync|testing|text)/[a-z0-9]+(?:/[a-z0-9]+)*)$`)
	isPhrase  = regexp.MustCompile(`^[A-Z][\w-]+(?:[ /][A-Z][\w-]+){1,3}$`)
)

// names that look like symbols or files and are neither.
var notSymbols = []string{"GitHub", "GitLab", "LangGraph", "LangChain", "LangSmith", "OpenAI", "FastAPI", "TypeScript", "JavaScript",
	"PostgreSQL", "MySQL", "SQLite", "MongoDB", "GraphQL", "DevOps", "README", "YouTube", "PyTorch", "TensorFlow", "NumPy",
	"PyPI", "IoC", "MinMax", "LaTeX", "ChatGPT", "DeepSeek", "WebSocket", "OAuth", "PowerPoint", "LinkedIn", "ReAct",
	"Node.js", "Next.js", "Vue.js", "React.js", "D3.js", "Express.js", "Three.js", "and/or", "N/A", "CI/CD", "I/O", "TCP/IP", "client/server"}

// modules are import names that are no English words.
var modules = []string{"tempfile", "pathlib", "asyncio", "argparse", "dataclasses", "unittest", "pytest", "shutil",
	"langchain", "fastapi", "numpy", "pandas", "sqlalchemy", "httpx", "aiohttp", "tenacity", "docling",
	"pypdf", "pymupdf", "pdfplumber", "libcst", "gitpython", "pygit2", "networkx"}

// ofTests are the words by which a sentence speaks of tests.
var ofTests = regexp.MustCompile(`\b(?:(?:py|unit)?tests?|tested|testing|unittest|jest|vitest|junit)\b`)

// maxMarks bounds the names taken from one text; a plan holds fewer.
const maxMarks = 64

// identifiers are the checks that single names in a text lead to.
func identifiers(d *draft, p passage, covered [][2]int) []want {
	var out []want
	for _, part := range p.parts {
		for _, m := range marks(p.text, part) {
			c := part.at(m.from, p.fault)
			if c.cut && c.polarity() == court.Avoid {
				continue // "x without y": the fault is in what follows
			}
			if c.polarity() == court.Want && m.example(p.text) {
				continue
			}
			for _, w := range m.checks(d, p, covered) {
				w.at, w.quoted, w.Polarity = m.from, m.quoted, c.polarity()
				w.Weight, w.Facet, w.Scope = 1, court.Design, "production"
				if w.Polarity == court.Want && ofTests.MatchString(p.low[part.from:part.to]) {
					w.Scope = "all" // what a sentence about tests names stands in them
				}
				if m.quoted {
					w.Weight = 2
				}
				w.Text = w.sentence()
				if out = append(out, w); len(out) == maxMarks {
					return out
				}
			}
		}
	}
	return out
}

// marks are the quoted names of a sentence, and the plain words between them.
func marks(text string, part sentence) []mark {
	s := text[part.from:part.to]
	var out []mark
	rest := []byte(s)
	for _, m := range quotes.FindAllStringSubmatchIndex(s, -1) {
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				out = append(out, mark{text: strings.TrimSpace(s[m[g]:m[g+1]]), from: part.from + m[g], to: part.from + m[g+1], quoted: true})
				for i := m[g]; i < m[g+1]; i++ {
					rest[i] = ' '
				}
			}
		}
	}
	for _, m := range unquoted.FindAllIndex(rest, -1) {
		word := strings.TrimRight(string(rest[m[0]:m[1]]), ".-")
		if m[0] > 0 && (rest[m[0]-1] == '/' || rest[m[0]-1] == '\\' || rest[m[0]-1] >= '0' && rest[m[0]-1] <= '9') {
			continue // the tail of a URL, a path or a number
		}
		out = append(out, mark{text: word, from: part.from + m[0], to: part.from + m[0] + len(word)})
	}
	slices.SortStableFunc(out, func(a, b mark) int { return a.from - b.from })
	return out
}

// checks says what one name asks for; nothing for prose, nor for a name that a
// phrase with its own probe holds.
func (m mark) checks(d *draft, p passage, covered [][2]int) []want {
	t := m.text
	if t == "" || mentions(notSymbols, t) || m.quoted && isCommand.MatchString(t) || strings.Contains(t, "://") {
		return nil
	}
	if w := m.imported(p); w != nil {
		return w
	}
	ask, named := m.ask()
	switch {
	case ask.Probe != "" && !m.inside(covered):
	case m.quoted && isPhrase.MatchString(t) && aboutDocument(d) && !m.touches(covered):
		ask, named = court.Ask{Probe: "doc.mentions", Args: map[string]any{"terms": []string{t}}}, strings.ToLower(t)
	default:
		return nil
	}
	return []want{{Check: court.Check{ID: idFrom(ask.Probe, named), Asks: []court.Ask{ask}}}}
}

// ask is the question that the form of a name leads to, and what it names.
func (m mark) ask() (a court.Ask, named string) {
	t := m.text
	to := func(probe, arg, value string) (court.Ask, string) {
		return court.Ask{Probe: probe, Args: map[string]any{arg: value}}, bare(value)
	}
	switch {
	case isDotFile.MatchString(t), isFile.MatchString(t), isFolder.MatchString(t):
		return to("file.exists", "glob", globOf(t))
	case isFlag.MatchString(t):
		a, named = to("file.contains", "text", t)
		a.Args["glob"], a.Args["where"] = "**/*", "string"
		return a, named
	case isCall.MatchString(t):
		return to("code.call", "name", callName(t))
	case strings.HasPrefix(t, "@") && (isDotted.MatchString(t[1:]) || isName.MatchString(t[1:]) && m.quoted):
		return to("code.decorator", "name", t[1:])
	case isUpper.MatchString(t):
		return to("env.read", "name", t)
	case isDotted.MatchString(t):
		return to("code.call", "name", callName(t))
	case isCamel.MatchString(t), isSnake.MatchString(t):
		return to("code.symbol", "name", t)
	}
	return a, ""
}

// imported reads "import x", "library `x`" and the names of well-known modules.
func (m mark) imported(p passage) []want {
	word := ""
	if w := after.FindStringSubmatch(p.text[max(0, m.from-30):m.from]); w == nil && m.quoted {
		before := strings.TrimRight(p.text[max(0, m.from-30):m.from], "`\"“'‘")
		if w := after.FindStringSubmatch(before); w != nil {
			word = strings.ToLower(w[1])
		}
	}
	name := strings.TrimPrefix(m.text, "import ")
	if !isModule.MatchString(name) && !isGoPath.MatchString(name) || word == "" && name == m.text && !slices.Contains(modules, name) && !isGoPath.MatchString(name) {
		return nil
	}
	out := []want{{Check: court.Check{ID: idFrom("code.import", name), Asks: []court.Ask{{Probe: "code.import", Args: map[string]any{"module": []string{name}}}}}}}
	if word == "package" || word == "library" {
		out = append(out, want{Check: court.Check{ID: idFrom("dep.declared", name), Asks: []court.Ask{{Probe: "dep.declared", Args: map[string]any{"name": name}}}}})
	}
	return out
}

var (
	givesExample = regexp.MustCompile(`(?i)(?:\be\.g\.?,?|\bsuch as|\bfor example,?|\bfor instance,?|\blike|\bor|/)\s*["'“‘` + "`" + `]*$`)
	wasExample   = regexp.MustCompile(`(?i)^(?:\(\))?["'”’` + "`" + `]*(?:\s*,?\s*\(?or\b|\s*/|,?\s+etc\b|\s+and similar)`)
)

// example tells whether a name stands for others like it ("e.g. x", "x or y",
// "x or equivalent"). To ask for that one would blame people for the other.
func (m mark) example(text string) bool {
	return givesExample.MatchString(text[max(0, m.from-20):m.from]) || wasExample.MatchString(text[m.to:min(len(text), m.to+20)])
}

// inside tells whether a phrase with its own probe holds the whole name.
func (m mark) inside(covered [][2]int) bool {
	from, to := m.from, m.to
	for from < to && strings.ContainsRune(".@", rune(m.text[from-m.from])) {
		from++
	}
	name := strings.TrimRight(m.text, "()")
	to = m.from + len(name)
	return slices.ContainsFunc(covered, func(c [2]int) bool { return c[0] <= from && to <= c[1] })
}

// touches tells whether a phrase with its own probe shares a word with m.
func (m mark) touches(covered [][2]int) bool {
	return slices.ContainsFunc(covered, func(c [2]int) bool { return c[0] < m.to && m.from < c[1] })
}

// globOf finds a path anywhere in the tree: people move files.
func globOf(p string) string {
	p = strings.TrimPrefix(p, "./")
	if strings.HasSuffix(p, "/") {
		return "**/" + path.Base(p) + "/**"
	}
	return "**/" + path.Base(p)
}

// bare is a glob or call as its author wrote it, nearly.
func bare(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "**/"), "*.")
	if dir, ok := strings.CutSuffix(s, "/**"); ok {
		return dir + "/"
	}
	return s
}

// owners are the names before a dot that are modules, not variables.
var owners = []string{"os", "sys", "subprocess", "operator", "json", "re", "ast", "asyncio", "tempfile", "shutil", "git", "time", "logging", "typing", "requests", "httpx",
	"fmt", "log", "slog", "http", "errors", "context", "signal", "sql", "filepath", "strings", "strconv", "exec", "sync", "bufio", "ioutil"}

// callName is what a call is looked for as: a module's function by its full
// name, a method by its own, whatever the variable is called.
func callName(t string) string {
	name, _, _ := strings.Cut(t, "(")
	name = strings.TrimSpace(name)
	owner, _, dotted := strings.Cut(name, ".")
	if !dotted || slices.Contains(owners, owner) {
		return name
	}
	return "*." + name[strings.LastIndexByte(name, '.')+1:]
}

func aboutDocument(d *draft) bool {
	return slices.Contains(d.Artifacts, court.PDFReport) || slices.Contains(d.Artifacts, court.PDFImages)
}

// sentence states for people what holds when the check does.
func (w want) sentence() string {
	a := w.Asks[0]
	name := func(key string) string {
		switch v := a.Args[key].(type) {
		case []string:
			return strings.Join(v, ", ")
		case string:
			return v
		}
		return ""
	}
	verb := func(want, avoid string) string {
		if w.Polarity == court.Avoid {
			return avoid
		}
		return want
	}
	switch a.Probe {
	case "file.exists":
		kind := "file "
		if strings.HasSuffix(name("glob"), "/**") {
			kind = "folder "
		}
		return verb("There is a ", "There is no ") + kind + bare(name("glob"))
	case "file.contains":
		return verb("The code passes ", "The code does not pass ") + name("text")
	case "code.call":
		return verb("The code calls ", "The code does not call ") + bare(name("name"))
	case "code.decorator":
		return verb("The code decorates with ", "The code does not decorate with ") + name("name")
	case "code.import":
		return verb("The code imports ", "The code does not import ") + name("module")
	case "dep.declared":
		return verb("A manifest declares ", "No manifest declares ") + name("name")
	case "env.read":
		return verb("The code reads the setting ", "The code does not read the setting ") + name("name")
	case "doc.mentions":
		return verb("The document explains ", "The document does not explain ") + name("terms")
	default:
		return verb("The code defines ", "The code does not define ") + name("name")
	}
}
