package document

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// A section that explains something has so many words; half of such sections
// should lead to code. Design choices.
const (
	sectionWords               = 40
	enoughAnchored court.Fixed = 5000
)

// programPart are parts that any program has, beside those of one assignment.
var programPart = regexp.MustCompile(`(?i)\b(?:modules?|packages?|functions?|class(?:es)?|methods?|components?|services?|servers?|clients?|handlers?|databases?|tables?|schemas?|APIs?|endpoints?|interfaces?|algorithms?|caches?|queues?|formats?|librar(?:y|ies)|frameworks?|languages?|parsers?|threads?|process(?:es)?|protocols?|storage|index(?:es)?|files?|types?|errors?|tests?|commands?|pipelines?|models?|graphs?|state|nodes?)\b`)

// sectionsAnchored is the share of sections with some running text that name a
// file, function, class or setting of this repository.
func sectionsAnchored(l *ledger) probe.Finding {
	type part struct {
		head     string
		words    int
		anchored bool
	}
	var parts []*part
	by := map[string]*part{}
	for i := range l.passages {
		p := &l.passages[i]
		if !prose(p) {
			continue
		}
		key := strings.Join(p.Section, "\x1f")
		if by[key] == nil {
			by[key] = &part{head: key}
			parts = append(parts, by[key])
		}
		by[key].words += words(p.Text)
	}
	var first []claim
	for _, c := range append(l.of(ofPath), l.of(ofSymbol)...) {
		if c.Fate != holds || c.passage == nil {
			continue
		}
		if x := by[strings.Join(c.passage.Section, "\x1f")]; x != nil && !x.anchored {
			x.anchored = true
			first = append(first, c)
		}
	}
	parts = slices.DeleteFunc(parts, func(x *part) bool { return x.words < sectionWords })
	n := 0
	for _, x := range parts {
		if x.anchored {
			n++
		}
	}
	switch {
	case len(parts) == 0:
		return probe.Cannot(court.NoArtifact, nil, "No section of the document has %d words of running text.", sectionWords)
	case n == 0:
		return probe.Missing(court.One, l.source(court.Crossref), "None of the %s with running text names code that exists.", court.Count(len(parts), "section"))
	}
	share := min(court.One, probe.Ratio(n*int(court.One), len(parts)*int(enoughAnchored)))
	f := probe.Partly(share, l.source(court.Crossref), nil, "Of %s with running text, %d name code that exists; half is enough.", court.Count(len(parts), "section"), n)
	return l.cited(f, first[:min(len(first), 5)]...)
}
