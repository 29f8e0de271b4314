package document

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// vocabulary is every identifier that occurs in a file of the repository that
// is neither a document nor data.
type vocabulary struct {
	exact  map[string]bool
	folded map[string]bool // without case and underscores
	rubric map[string]bool // identifiers of documents that say what is asked for
	builds map[string]bool // what a pyproject.toml says under [build-system]: tools, not code
	told   map[string]bool // identifiers of data and prose, of which nobody knows whether the code has them
	others map[string]bool // identifiers of code in other languages than Python
	asked  int             // questions of within
}

// asks tells a document that says what is asked for.
var asks = regexp.MustCompile(`(?i)rubric|assignment|challenge|criteri|brief|requirements?\.md|spec`)

// buildSystem is the table of a pyproject.toml that names what packs the project.
var buildSystem = regexp.MustCompile(`(?m)^\[build-system\][^\n]*\n(?:[^\[\n][^\n]*\n?|\n)*`)

// maxVocabulary bounds the identifiers of a hostile repository.
const maxVocabulary = 500_000

// note takes the identifiers of a text down.
func note(in map[string]bool, text string) {
	eachWord(text, func(w string) {
		if len(in) < maxVocabulary {
			in[w] = true
		}
	})
}

// packages is a list of what a project needs, which is prose by its extension alone.
var packages = regexp.MustCompile(`(?i)(?:requirements|constraints)[^/]*\.txt$|(?:^|/)requirements/[^/]+\.txt$`)

// data tells files that say something and do nothing.
func data(file string) bool {
	switch (code.File{Path: file}).Language() {
	case "json", "jsonl", "csv", "text", "markdown", "restructuredtext":
		return !packages.MatchString(file)
	}
	return false
}

// prosaic tells a file of Python of which the parser can make nothing of most: it is no
// code, whatever its name says.
func prosaic(m *code.Module) bool { return m != nil && m.Parsed && 2*m.Examined() < m.Bytes }

func vocabularyOf(layout *code.Layout, program *code.Program, texts map[string][]byte) *vocabulary {
	v := &vocabulary{exact: map[string]bool{}, folded: map[string]bool{}, rubric: map[string]bool{}, builds: map[string]bool{}, told: map[string]bool{}, others: map[string]bool{}}
	for file, text := range texts {
		switch layout.Scope(file) {
		case code.ScopeDocs, code.ScopeAudit, code.ScopeVendor:
			v.add(strings.TrimSuffix(file, ".md"))
			if asks.MatchString(file) && layout.Scope(file) != code.ScopeVendor {
				note(v.rubric, string(text))
			}
		default:
			v.add(file)
			if data(file) || prosaic(program.Module(file)) {
				note(v.told, string(text))
				continue
			}
			rest := buildSystem.ReplaceAllStringFunc(string(text), func(table string) string {
				note(v.builds, table)
				return "\n"
			})
			v.add(rest)
			if lang := (code.File{Path: file}).Language(); lang.Code() && lang != "python" {
				note(v.others, string(text))
			}
		}
	}
	return v
}

// mostAsked bounds the questions of a hostile document.
const mostAsked = 2000

// within tells whether an identifier has the text in it. After so many
// questions of a hostile document it says yes, which settles nothing.
func (v *vocabulary) within(text string) bool {
	if v.asked++; v.asked > mostAsked {
		return true
	}
	for w := range v.exact {
		if len(w) > len(text) && strings.Contains(w, text) {
			return true
		}
	}
	return false
}

// ends tells whether a text is a word and a known name with an underscore in
// front: where a line ends before such a name, the word before it sticks to it.
func (v *vocabulary) ends(text string) bool {
	i := strings.IndexByte(text, '_')
	return i > 0 && v.exact[text[i:]]
}

func (v *vocabulary) add(text string) {
	eachWord(text, func(w string) {
		if len(v.exact) < maxVocabulary && !v.exact[w] {
			v.exact[w] = true
			v.folded[fold(w)] = true
		}
	})
}

// eachWord calls do for every identifier of a text.
func eachWord(text string, do func(string)) {
	start := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isWordByte(text[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && i-start > 2 && i-start < 100 {
			do(text[start:i])
		}
		start = -1
	}
}

// fold makes RepoInvestigator and repo_investigator one.
func fold(name string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == ' ' || r == '-' {
			return -1
		}
		return r
	}, name))
}

// ofPython is a call of a function of Python's library whose name is a mere word: that the code has the word says nothing.
var ofPython = regexp.MustCompile(`^(?:os|sys|` + modules + `)\.[a-z]+\(\)$`)

var (
	callShape  = regexp.MustCompile(`\b(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w{2,})\(\)`)
	snakeShape = regexp.MustCompile(`\b_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b`)
	camelShape = regexp.MustCompile(`\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b`)
	constShape = regexp.MustCompile(`\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b`)
	flagShape  = regexp.MustCompile(`(?:^|[\s\x60("'])(--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)`)
)

// spelledBreaks are ends of lines that were printed instead of made, as in
// labels of figures.
var spelledBreaks = regexp.MustCompile(`\\[nt]|<br ?/?>`)

// Names that are none of the code's: of styles of writing, in places that are to
// be filled in, of folders, and what follows the number of a figure.
var (
	styles  = regexp.MustCompile(`(?i)^(?:snake_case|camel_?case|pascal_?case|kebab_case|upper_?snake_?case|screaming_snake_case|upper_case|lower_case|(?:my|your|some|foo|bar|example|dummy|sample|placeholder)_\w+|foo_?bar|x_y|\w+_(?:xxx|x|n|foo|bar))$`)
	toFill  = regexp.MustCompile(`[{<]\s*[A-Za-z_]\w*\s*[}>]|\$\{?[A-Za-z_]\w*\}?|%\(\w+\)s`)
	ofPlace = regexp.MustCompile(`(?:[\w.\-]+/)+[\w.\-]*|(?:/[\w.\-]+)+/?`)
	ofFig   = regexp.MustCompile(`(?i)\b(?:fig(?:ure)?|table|listing|section|appendix)s?\.?\s*\d+(?:\.\d+)*[.:]?[A-Za-z_]\w*`)
)

// symbolsIn lists the identifiers of a text: names with an underscore, of
// several humps, in capitals, calls and flags.
func symbolsIn(text string) []string {
	for _, re := range []*regexp.Regexp{pathShape, ofPlace, toFill, ofFig, spelledBreaks} {
		text = re.ReplaceAllString(text, " ")
	}
	var out []string
	for _, re := range []*regexp.Regexp{callShape, snakeShape, camelShape, constShape, flagShape} {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			if name := m[len(m)-1]; !styles.MatchString(name) && !(re == callShape && ofPython.MatchString(m[0])) {
				out = append(out, name)
			}
		}
	}
	return out
}
