package document

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func docTerms() probe.Probe {
	return probe.Probe{
		ID: "doc.terms", Version: "2", Target: court.PDFReport,
		Title:  "The concept is explained by what the project does",
		Doc:    "Looks for the concept and its variants. It is explained by a passage of at least 25 words of running text that names a file, a name or a node of the code, or two words of the mechanism. Headings, summaries, introductions, tables and lists of criteria only mention it. An explanation that names nothing of the code counts 0.6. Whether it is true is asked elsewhere.",
		Remedy: "Explain in a paragraph how the code does it, and name the file and the function.", Effort: 30, Recall: 8500,
		Args: []probe.Arg{{Name: "term", Type: "string", Doc: "which concept",
			Allowed: []string{"dialectical_synthesis", "fan_in_fan_out", "metacognition", "state_synchronization"}, Default: "dialectical_synthesis"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			r, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			all, err := explained(ctx, s)
			if err != nil {
				return nil, err
			}
			want := a.String("term")
			for _, e := range all {
				if e.concept.id == want || want == "" && e.concept.id == "dialectical_synthesis" {
					return []probe.Finding{termFinding(r, e)}, nil
				}
			}
			return []probe.Finding{probe.Cannot(court.NoDetector, nil, "The concept %q is not known.", court.Clean(want, 60))}, nil
		},
	}
}

// unanchored is what an explanation counts that names nothing of the code.
const unanchored court.Fixed = 6000

func termFinding(r *reading, e explanation) probe.Finding {
	name := strings.Replace(strings.ReplaceAll(e.concept.id, "_", " "), "fan in fan out", "fan-in and fan-out", 1)
	if e.best == nil {
		return probe.Missing(court.One, r.source(court.Structure), "No variant of %s occurs in the document.", name).
			Do("Explain %s in a paragraph of the document: how the code does it, and in which file and function.", name)
	}
	at, quote := r.cite(telling(e.best, e.concept))
	f := probe.Present(r.source(court.Structure), []court.Place{at}, "A passage of %d words explains %s and names code that exists.", words(e.best.text), name)
	switch {
	case e.grade == mention && r.unread != "":
		f = probe.Cannot(court.Limit, []court.Place{at}, "%s is named and, in the part that was read, not explained. The document was read in part: %s.", safetext.Capital(name), r.unread)
	case e.grade == mention:
		f = probe.Against(r.source(court.Structure), []court.Place{at}, "%s, but no passage of %d words or more says how the project does it.", nameOf(e, name), minWords).
			Do("Explain %s where the document names it, in %d words or more: how the code does it, and in which file and function.", name, minWords)
	case !e.anchored:
		f = probe.Partly(unanchored, r.source(court.Structure), []court.Place{at}, "A passage of %d words explains %s, but names no file or name of the code.", words(e.best.text), name).
			Do("Name in the passage on %s the file and the function that do it.", name)
	}
	f.Quote = quote
	f.Data = map[string]any{"term": e.concept.id, "grade": e.grade, "anchored": e.anchored, "passages": len(e.all)}
	return f
}

// nameOf says by which word the document names a concept, where that is not the concept's own name.
func nameOf(e explanation, name string) string {
	if word := e.concept.variants.FindString(e.best.text); word != "" && !strings.Contains(fold(e.best.text), fold(e.concept.id)) {
		return "Of " + name + " the document has the word “" + court.Clean(word, 60) + "”"
	}
	return safetext.Capital(name) + " is named"
}

// telling is the first sentence of a stretch that names the concept, with the
// passage in which it stands; else the first one with a word of its mechanism
// in the passage that explains it without the name.
func telling(s *stretch, c concept) (*passage.Passage, string) {
	for _, p := range s.parts {
		for _, one := range passage.Sentences(p.Text) {
			if c.variants.MatchString(one) {
				return p, one
			}
		}
	}
	p := s.head
	if w := s.without(c); w != nil {
		p = w
	}
	all := passage.Sentences(p.Text)
	for _, one := range all {
		if slices.ContainsFunc(c.mechanism, func(re *regexp.Regexp) bool { return re.MatchString(one) }) {
			return p, one
		}
	}
	if len(all) > 0 {
		return p, all[0]
	}
	return p, p.Text
}
