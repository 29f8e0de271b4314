package document

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docMentions() probe.Probe {
	return probe.Probe{
		ID: "doc.mentions", Version: "1", Target: court.PDFReport, Generic: true,
		Title:  "The terms are explained in the document",
		Doc:    "Looks for each term in any case, with hyphens or blanks, in the singular or plural. It is explained by a passage of enough words of running text that names a file, name or node of the code, or has two verbs of a mechanism. Headings, summaries, tables, lists of terms, sentences of the rubric and repetitions only mention it. Several terms count by their share, a mention half. It does not know what the terms mean.",
		Remedy: "Explain each term in a paragraph of your own: how the code does it, and where.", Effort: 30, Recall: 8500,
		Args: []probe.Arg{
			{Name: "terms", Type: "strings", Required: true, Doc: "the terms to look for"},
			{Name: "near", Type: "string", Doc: "a word that the passage must have, too"},
			{Name: "min_words", Type: "int", Default: minWords, Doc: "how long the passage must be"},
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			all, unread, err := voices(ctx, s)
			if err != nil {
				return nil, err
			}
			if len(all) == 0 {
				return nil, unread
			}
			f := termsFinding(all, a)
			if unread != nil && !unread.Reason.Nothing() && f.Outcome == court.Absent {
				f = probe.Cannot(unread.Reason, nil, "The documents that could be read give this: %s Another document was not read in full: %s.", f.Rationale, court.Clean(unread.Why, 200))
			}
			return []probe.Finding{f}, nil
		},
	}
}

// maxTerms bounds what is looked for at once.
const maxTerms = 50

// termsFinding takes each term where it is explained best.
func termsFinding(all []voice, a probe.Args) probe.Finding {
	terms := a.Strings("terms")
	terms = terms[:min(len(terms), maxTerms)]
	if len(terms) == 0 {
		return probe.Cannot(court.NoDetector, nil, "The rubric gives no term to look for.")
	}
	all = slices.Clone(all)
	least := max(a.Int("min_words", minWords), 1)
	for i := range all {
		by := &all[i].by
		by.least, by.near = least, nil
		if near := a.String("near"); near != "" {
			by.near = termShape(near)
		}
		all[i].runs = stretches(all[i].passages)
	}
	told, named := 0, 0
	var best, missed []string
	var places []court.Place
	quote := ""
	for _, term := range terms {
		c := concept{id: term, variants: termShape(term), mechanism: mechanics}
		r, e := explainedBest(all, c)
		switch e.grade {
		case substantive:
			told++
			best = append(best, court.Clean(term, 60))
		case mention:
			named++
			missed = append(missed, court.Clean(term, 60))
		case missing:
			missed = append(missed, court.Clean(term, 60))
			continue
		}
		at, said := r.cite(telling(e.best, c))
		if len(places) == 0 {
			quote = said
		}
		places = append(places, at)
	}
	src := sourceOf(all, court.Structure)
	if len(places) == 0 {
		return probe.Missing(court.One, src, "The document has none of the terms: %s.", strings.Join(missed, ", "))
	}
	f := probe.Partly(probe.Ratio(2*told+named, 2*len(terms)), src, places, "The document explains: %s.", strings.Join(best, ", "))
	switch {
	case told == 0:
		f = probe.Partly(probe.Ratio(named, 2*len(terms)), src, places, "The document names these terms or lacks them, and explains none in %d words or more: %s.", least, strings.Join(missed, ", "))
	case told < len(terms):
		f.Rationale += " It only names or lacks: " + strings.Join(missed, ", ") + "."
	}
	f.Quote = quote
	f.Data = map[string]any{"terms": len(terms), "explained": told, "mentioned": named}
	return f
}

// explainedBest is the best explanation of a concept, and the document in which
// it stands; of equal ones that of the first.
func explainedBest(all []voice, c concept) (*reading, explanation) {
	rank := map[grade]int{missing: 0, mention: 1, substantive: 2}
	var best explanation
	var in *reading
	for _, v := range all {
		e := explain(v.reading, v.runs, c, v.by)
		if in == nil || rank[e.grade] > rank[best.grade] || e.grade == best.grade && e.anchored && !best.anchored {
			in, best = v.reading, e
		}
	}
	return in, best
}

// sourceOf is the kind of instrument that read the documents: the weakest.
func sourceOf(all []voice, of court.Source) court.Source {
	for _, v := range all {
		if src := v.source(of); src != of {
			return src
		}
	}
	return of
}

// termShape finds a term however its words are joined.
func termShape(term string) *regexp.Regexp {
	var parts []string
	for _, w := range word.FindAllString(term, 12) {
		parts = append(parts, regexp.QuoteMeta(w))
	}
	if len(parts) == 0 {
		return nothing
	}
	return regexp.MustCompile(`(?i)\b` + strings.Join(parts, hyphen) + `(?:e?s)?\b`)
}

var nothing = regexp.MustCompile(`[^\s\S]`)

// mechanics are verbs by which a text says how a program does something, and
// words by which it says why.
var mechanics = mechanisms(`\bcompar(?:es?|ed|ing)\b`, `\bcomput(?:es?|ed|ing)\b|\bcalculat(?:es?|ed|ing)\b`, `\bmerg(?:es?|ed|ing)\b|\bcombin(?:es?|ed|ing)\b`,
	`\brout(?:es?|ed|ing)\b|\bdispatch(?:es|ed|ing)?\b`, `\bsends?\b|\bsent\b|\bpass(?:es|ed|ing)\b`, `\bstor(?:es?|ed|ing)\b|\bsav(?:es?|ed|ing)\b|\bkeeps?\b|\bkept\b|\brecords?\b`,
	`\breads?\b|\bpars(?:es?|ed|ing)\b|\bload(?:s|ed|ing)?\b`, `\bwrites?\b|\bwritten\b|\breturn(?:s|ed|ing)?\b`, `\bvalidat(?:es?|ed|ing)\b|\breject(?:s|ed|ing)?\b|\brefus(?:es?|ed|ing)\b`,
	`\bretr(?:y|ies|ied|ying)\b|\brepeat(?:s|ed|ing)?\b`, `\bcount(?:s|ed|ing)?\b|\bweigh(?:s|ed|ing)?\b|\baverag(?:es?|ed|ing)\b`, `\bselect(?:s|ed|ing)?\b|\bfilter(?:s|ed|ing)?\b|\bsort(?:s|ed|ing)?\b`,
	`\btrigger(?:s|ed|ing)?\b|\binvok(?:es?|ed|ing)\b|\bcall(?:s|ed|ing)?\b`, `\bcollect(?:s|ed|ing)?\b|\baggregat(?:es?|ed|ing)\b|\bappend(?:s|ed|ing)?\b`,
	`\bsplit(?:s|ting)?\b|\bpartition(?:s|ed|ing)?\b`, `\bwait(?:s|ed|ing)?\b|\block(?:s|ed|ing)?\b|\bjoin(?:s|ed|ing)?\b`, `\bcap(?:s|ped|ping)\b|\blimit(?:s|ed|ing)?\b|\bbound(?:s|ed)\b`,
	`\bbecause\b|\bso that\b|\binstead of\b|\brather than\b`, `\bmap(?:s|ped|ping)\b|\bconvert(?:s|ed|ing)?\b|\btransform(?:s|ed|ing)?\b`, `\bbuil(?:ds|t|ding)\b|\bcreat(?:es?|ed|ing)\b|\bgenerat(?:es?|ed|ing)\b`)
