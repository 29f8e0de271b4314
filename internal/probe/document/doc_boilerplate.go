package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// A sentence that is repeated has at least this many words, and this share of
// repeated words is too much. Both are choices of ours.
const (
	repeatedWords             = 12
	repeatedShare court.Fixed = 1000
)

func docBoilerplate() probe.Probe {
	return probe.Probe{
		ID: "doc.boilerplate", Version: "1", Target: court.PDFReport,
		Title:  "The text is in the authors' own words",
		Doc:    "Without the text of the assignment and without other submissions there is nothing to compare with, and then nobody can tell whose words these are. What can be told is how much of the document repeats its own sentences of twelve words and more; a tenth or more counts.",
		Remedy: "Say each thing once, in words of your own.", Effort: 30, Recall: 5000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			r, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{boilerplate(r)}, nil
		},
	}
}

func boilerplate(r *reading) probe.Finding {
	seen := map[string]bool{}
	total, again := 0, 0
	var places []court.Place
	quote := ""
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) {
			continue
		}
		for _, sentence := range passage.Sentences(p.Text) {
			n := words(sentence)
			total += n
			key := strings.ToLower(passage.Squeeze(sentence))
			if n >= repeatedWords && seen[key] {
				at, said := r.cite(p, sentence)
				if again == 0 {
					quote = said
				}
				again += n
				places = append(places, at)
			}
			seen[key] = true
		}
	}
	share := probe.Ratio(again, total)
	if total == 0 || share < repeatedShare {
		return probe.Cannot(court.NoArtifact, nil, "There is no text to compare with; of the document itself, %d of %d words repeat an earlier sentence.", again, total)
	}
	f := probe.Partly(court.One-share, r.source(court.Token), places, "%d of %d words stand in sentences that the document has had before.", again, total)
	f.Quote = quote
	return f
}
