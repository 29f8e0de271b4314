package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docPassages() probe.Probe {
	return probe.Probe{
		ID: "doc.passages", Version: "1", Target: court.PDFReport,
		Title:  "The document has passages on a question",
		Doc:    "Ranks the document's passages against a question by two counts of shared words, whole ones by their stem and identifiers also by their parts, and pieces of three letters. It returns those that share two words with the question which most other passages lack. It shows what is said and never whether it is true: a mention, which no judge may weigh.",
		Remedy: "", Effort: 0, Recall: 5000,
		Args: []probe.Arg{
			{Name: "question", Type: "string", Default: "", Doc: "what is asked, in any words"},
			{Name: "limit", Type: "int", Default: 5, Doc: "how many passages at most"},
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			r, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			var out []probe.Finding
			for _, hit := range r.index.Answers(a.String("question"), a.Int("limit", 5)) {
				out = append(out, r.said(hit))
			}
			if len(out) == 0 {
				return []probe.Finding{probe.Missing(court.One, court.Mention, "No passage of the document bears on the question.")}, nil
			}
			return out, nil
		},
	}
}

// said is a passage as it is laid before the judges.
func (r *reading) said(hit passage.Hit) probe.Finding {
	at, quote := r.cite(&hit.Passage, hit.Passage.Text)
	under := ""
	if n := len(hit.Passage.Section); n > 0 {
		under = " under “" + court.Clean(hit.Passage.Section[n-1], 80) + "”"
	}
	f := probe.Present(court.Mention, []court.Place{at}, "The document says this%s; it shares with the question: %s.", under,
		court.Clean(strings.Join(hit.Words[:min(len(hit.Words), 8)], ", "), 200))
	f.Quote = quote
	return f
}
