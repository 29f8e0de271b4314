package document

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func docAnchored() probe.Probe {
	return probe.Probe{
		ID: "doc.anchored", Version: "2", Target: court.PDFReport,
		Title:  "Explanations name code that exists",
		Doc:    "Takes the passages that explain one of the four concepts, and the share of the explained concepts of which a passage names a file, function, class or node of this repository. It does not ask whether the passage is right.",
		Remedy: "Name the file and the function in each explanation.", Effort: 20,
		Args: []probe.Arg{{Name: "of", Type: "string", Allowed: []string{"concepts", "sections"}, Default: "concepts", Doc: "sections: the share of sections with 40 words of running text that name code that exists, half of which is enough"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			if a.String("of") == "sections" {
				return []probe.Finding{sectionsAnchored(l)}, nil
			}
			all, err := explained(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{anchored(l, all)}, nil
		},
	}
}

func anchored(l *ledger, all []explanation) probe.Finding {
	var first *explanation
	total, tied := 0, 0
	for i := range all {
		e := &all[i]
		if e.grade != substantive {
			continue
		}
		total++
		if e.anchored {
			tied++
		}
		if first == nil || e.anchored && !first.anchored {
			first = e
		}
	}
	if total == 0 {
		return probe.Missing(court.One, l.source(court.Crossref), "The document explains none of the concepts, so no explanation can name code.")
	}
	at, quote := l.cite(telling(first.best, first.concept))
	f := probe.Partly(probe.Ratio(tied, total), l.source(court.Crossref), []court.Place{at},
		"%s that the document explains %s a file or a name of the code.", safetext.Capital(court.Of(tied, total, "concept")), court.Agree(tied, total, "names", "name"))
	f.Quote = quote
	f.Data = map[string]any{"explained": total, "anchored": tied}
	return f
}
