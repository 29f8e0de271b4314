package document

import (
	"slices"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// anchor tells whether a text names a file, symbol or node of the repository.
func (l *ledger) anchor(text string) bool {
	for _, p := range pathsIn(text) {
		if _, f := l.repo.locate(p); f == holds {
			return true
		}
	}
	for _, name := range symbolsIn(text) {
		if l.repo.definition(name) != nil || l.repo.nodes[fold(name)] || l.repo.field(name) {
			return true
		}
	}
	for _, m := range fieldShape.FindAllStringSubmatch(text, 50) {
		if l.repo.field(strings.Join(m[1:], "")) {
			return true
		}
	}
	return l.repo.spoken != nil && l.repo.spoken.MatchString(text) || l.repo.lower != nil && l.repo.lower.MatchString(text)
}

// fieldShape is a word that is used as the name of a state's field, or begins a line as one.
var fieldShape = regexp.MustCompile(`(?m)\bstate\[["'](\w+)["']\]|\b(?i:state)\.(\w+)\b|\b([a-z]\w+) (?:field|key|channel)\b|^\W*([a-z]\w+):`)

// field tells whether a name is that of a field of the graph's state.
func (a *against) field(name string) bool {
	return a.graphs.State != nil && slices.ContainsFunc(a.graphs.State.Fields, func(f agentgraph.Field) bool { return f.Name == name })
}

// besideNode finds the graph's nodes in any spelling next to the word node. nil
// when there is no node.
func besideNode(names []string) *regexp.Regexp {
	var any []string
	for _, name := range names {
		var words []string
		for _, w := range strings.FieldsFunc(humps.ReplaceAllString(name, "${1}_$2"), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if low := strings.ToLower(w); low != "node" {
				words = append(words, regexp.QuoteMeta(low))
			}
		}
		if len(words) > 0 {
			any = append(any, strings.Join(words, `[ _\-]?`))
		}
	}
	if len(any) == 0 {
		return nil
	}
	all := strings.Join(any, "|")
	return regexp.MustCompile(`(?i)\b(?:` + all + `)[_ ]nodes?\b|\bnodes? ["'“]?(?:` + all + `)\b`)
}

// spokenNodes finds the graph's nodes as people write them: chief_justice as
// "Chief Justice". A single word must be a name by its capital within a
// sentence. nil when there is no node.
func spokenNodes(names []string) *regexp.Regexp {
	var any []string
	for _, name := range names {
		var words []string
		for _, w := range strings.FieldsFunc(humps.ReplaceAllString(name, "${1}_$2"), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if low := strings.ToLower(w); low != "node" && low != "agent" {
				words = append(words, regexp.QuoteMeta(strings.ToUpper(low[:1])+low[1:]))
			}
		}
		switch {
		case len(words) > 1:
			any = append(any, strings.Join(words, `[ \-]?`))
		case len(words) == 1 && len(words[0]) > 3:
			any = append(any, `[a-z,;(] `+words[0])
		}
	}
	if len(any) == 0 {
		return nil
	}
	return regexp.MustCompile(`(?:\b|^)(?:` + strings.Join(any, "|") + `)\b`)
}

var humps = regexp.MustCompile(`([a-z0-9])([A-Z])`)
