package document

import (
	"regexp"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// vocabulary is every identifier that occurs in a file of the repository that
// is no document.
type vocabulary struct {
	exact  map[string]bool
	folded map[string]bool // without case and underscores
	asked  int             // questions of within
}

// maxVocabulary bounds the identifiers of a hostile repository.
const maxVocabulary = 500_000

func vocabularyOf(layout *code.Layout, texts map[string][]byte) *vocabulary {
	v := &vocabulary{exact: map[string]bool{}, folded: map[string]bool{}}
	for file, text := range texts {
		switch layout.Scope(file) {
		case code.ScopeDocs, code.ScopeAudit, code.ScopeVendor:
			v.add(strings.TrimSuffix(file, ".md"))
		default:
			v.add(file)
			v.add(string(text))
		}
	}
	return v
}

// within tells whether an identifier has the text in it. After so many
// questions of a hostile document it says yes, which settles nothing.
func (v *vocabulary) within(text string) bool {
	const most = 500
	if v.asked++; v.asked > most {
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
	start := -1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isWordByte(text[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && i-start > 2 && i-start < 100 && len(v.exact) < maxVocabulary {
			if w := text[start:i]; !v.exact[w] {
				v.exact[w] = true
				v.folded[fold(w)] = true
			}
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

// symbolsIn lists the identifiers of a text: names with an underscore, of
// several humps, in capitals, calls and flags.
func symbolsIn(text string) []string {
	text = spelledBreaks.ReplaceAllString(pathShape.ReplaceAllString(text, " "), " ")
	var out []string
	for _, re := range []*regexp.Regexp{callShape, snakeShape, camelShape, constShape, flagShape} {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			out = append(out, m[len(m)-1])
		}
	}
	return out
}

// maxClaims bounds the claims of a hostile document.
const maxClaims = 5000

// symbols holds the identifiers that the document names against the code.
func (l *ledger) symbols() {
	seen := map[string]bool{}
	for i := range l.passages {
		p := &l.passages[i]
		if len(l.claims) > maxClaims {
			return
		}
		if p.Kind == passage.Contents || p.Kind == passage.Heading || p.Kind == passage.Code {
			continue
		}
		for _, st := range statements(p) {
			sentence, m := st.text, mood(p, st.around)
			for _, name := range symbolsIn(sentence) {
				if seen[name] && m != done || l.spelled(name) {
					continue
				}
				f, proof := l.repo.symbol(name)
				if f == undecided && !seen[name] && m == done {
					seen[name] = true
					l.other++
				}
				if f == undecided || seen[name] {
					continue
				}
				if m == done && denyWords.MatchString(st.around) && f == untrue {
					m = denied
				}
				seen[name] = seen[name] || m == done
				l.claims = append(l.claims, claim{Kind: ofSymbol, Subject: name, Modality: m, Fate: f, Page: p.Page, passage: p, sentence: sentence, proof: proof})
			}
		}
	}
}

// spelled tells names of other things: criteria of a rubric, file stems.
func (l *ledger) spelled(name string) bool { return len(name) < 4 }

// definition is what a name stands for: of production code before other code,
// by its exact name before one that differs in case and underscores.
func (a *against) definition(name string) *code.Definition {
	var best *code.Definition
	rank := -1
	for _, d := range a.defined[fold(name)] {
		r := 0
		if d.Module.Scope == code.ScopeProduction {
			r += 2
		}
		if d.Name == name {
			r++
		}
		if r > rank {
			best, rank = d, r
		}
	}
	return best
}

// symbol says whether a name occurs in the code, and where it is defined.
// A name of several humps that does not occur is undecided: products and
// people's own words for things look the same.
func (a *against) symbol(name string) (fate, []court.Place) {
	bare := strings.TrimLeft(name, "-")
	if strings.HasPrefix(name, "--") {
		bare = strings.ReplaceAll(bare, "-", "_")
		parts := strings.SplitSeq(bare, "_")
		for w := range parts {
			if len(w) > 2 && !a.known.exact[w] && !a.known.folded[fold(bare)] {
				return untrue, nil
			}
		}
		return holds, nil
	}
	if d := a.definition(bare); d != nil {
		return holds, []court.Place{{Path: d.Module.Path, Line: d.Line(), EndLine: d.Line()}}
	}
	switch {
	case a.known.exact[bare], a.known.folded[fold(bare)]:
		return holds, nil
	case a.known.within(bare), a.known.ends(bare): // a name that the page broke, a longer one cut short, or two in one
		return undecided, nil
	case camelShape.MatchString(bare) && !strings.Contains(bare, "_"), callShape.MatchString(bare):
		return undecided, nil
	}
	return untrue, nil
}
