package document

import (
	"context"
	"regexp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var (
	limitHeading  = regexp.MustCompile(`(?i)\b(?:limitations?|limits|known (?:gaps?|issues?|limitations?)|gaps?|risks?|weaknesses|shortcomings|future work|open (?:issues|questions|problems)|remediation|technical debt|what is missing|caveats)\b`)
	limitSentence = regexp.MustCompile(`(?i)\b(?:limitation|known gap|not yet (?:implemented|supported|covered|wired)|does not (?:yet )?(?:support|handle|cover|implement|verify)|remaining (?:gap|risk)|is missing|are missing|shortcoming|caveat|currently (?:only|limited|does not))\b`)
)

func docLimits() probe.Probe {
	return probe.Probe{
		ID: "doc.limits", Version: "1", Target: court.PDFReport,
		Title:  "Limits are stated",
		Doc:    "Looks for a section on limits, gaps, risks or remaining work that names a part of the program, and for sentences that say what does not work yet. It cannot tell whether the list is complete.",
		Remedy: "Add a section that says what does not work yet, part by part.", Effort: 20, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			r, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{limits(r)}, nil
		},
	}
}

func limits(r *reading) probe.Finding {
	var places []court.Place
	quote := ""
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) && p.Kind != passage.Table || under(p, peerHeading.MatchString) || !component.MatchString(p.Text) {
			continue
		}
		if !under(p, limitHeading.MatchString) && !limitSentence.MatchString(p.Text) {
			continue
		}
		at, said := r.cite(p, sentenceWith(p, limitSentence))
		if len(places) == 0 {
			quote = said
		}
		if len(places) < 5 {
			places = append(places, at)
		}
	}
	if len(places) == 0 {
		return probe.Missing(court.One, r.source(court.Token), "No section and no sentence says what the program does not do.")
	}
	f := probe.Present(r.source(court.Token), places, "The document says what is limited or missing.")
	f.Quote = quote
	return f
}
