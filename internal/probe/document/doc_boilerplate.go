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
		Doc:    "Compares running text with the rubric, eight words in a row, and counts the sentences of which a fifth or more is the rubric's; quotations of a requirement count, too. A tenth of the text or more counts; the rest of it is half a proof, as a clean search is, since other sources are not known. Without a rubric there is nothing to compare with, and then nobody can tell whose words these are. What can always be told is how much of the document repeats its own sentences of twelve words and more, in the same way.",
		Remedy: "Say each thing once, in words of your own.", Effort: 30, Recall: 5000,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"words", "repeats", "template", "listings", "readme"}, Default: "words", Doc: "repeats: a tenth and more of it repeats its own sentences. template: places were left to be filled in. listings: more than half of it is quoted code. readme: more than a third of it stands word for word in the README"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			r, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			if aspect := a.String("aspect"); aspect != "" && aspect != "words" {
				readme := &reading{}
				if aspect == "readme" {
					if readme, err = readReadme(ctx, s); err != nil {
						return nil, err
					}
				}
				return []probe.Finding{own(r, readme, aspect)}, nil
			}
			from, err := assigned(s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{boilerplate(r, from)}, nil
		},
	}
}

func boilerplate(r *reading, from base) probe.Finding {
	seen := map[string]bool{}
	total, again, taken := 0, 0, 0
	var repeats, pasted cited
	for i := range r.passages {
		p := &r.passages[i]
		if !prose(p) {
			continue
		}
		for _, sentence := range passage.Sentences(p.Text) {
			n := words(sentence)
			total += n
			key := strings.ToLower(passage.Squeeze(sentence))
			switch {
			case from.borrowed(sentence):
				taken += n
				pasted.add(r.cite(p, sentence))
			case n >= repeatedWords && seen[key]:
				again += n
				repeats.add(r.cite(p, sentence))
			}
			seen[key] = true
		}
	}
	share, theirs := probe.Ratio(again, total), probe.Ratio(taken, total)
	var f probe.Finding
	switch {
	case total == 0 || len(from.rows) == 0 && max(share, theirs) < repeatedShare:
		return probe.Cannot(court.NoArtifact, nil, "There is no text to compare the document with. In the document itself, %d of %d words repeat an earlier sentence.", again, total)
	case theirs >= repeatedShare:
		f = probe.Partly((court.One-theirs)/2, r.source(court.Token), pasted.places, "%d of %d words stand in sentences of the rubric.", taken, total)
		f.Quote = pasted.quote
	case share >= repeatedShare:
		f = probe.Partly((court.One-share)/2, r.source(court.Token), repeats.places, "%d of %d words stand in sentences that the document has had before.", again, total)
		f.Quote = repeats.quote
	default:
		f = probe.Clean(court.One, r.source(court.Token), "Of %d words, %d stand in sentences of the rubric, and %d repeat an earlier sentence. Other submissions were not compared.", total, taken, again)
	}
	return f
}
