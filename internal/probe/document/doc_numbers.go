package document

import (
	"context"

	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docNumbers() probe.Probe {
	return probe.Probe{
		ID: "doc.numbers", Version: "1", Target: court.PDFReport,
		Title:  "The counts in the document are right",
		Doc:    "Takes numbers that stand before commits, tests, nodes or Python files and counts: at the audited commit and when the document was last changed. \"About\" allows a tenth. A smaller number may speak of some of them and is left open, a larger one cannot. Tests with parameters run any number of times and are left open.",
		Remedy: "Count again and correct the number.", Effort: 10, Recall: 7500,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"all", "other", "named", "tests", "commits", "lines", "versions", "current", "exact"}, Default: "all", Doc: "all counts, or those of tests, of commits, of lines, or the other ones; named: are there three; versions: of packages, against the manifests; current: were they true only once; exact: do they say how many, not about how many"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			if aspect := a.String("aspect"); aspect != "" && aspect != "all" {
				return []probe.Finding{numbersAspect(l, aspect)}, nil
			}
			return []probe.Finding{numbersFinding(l, once(l.of(ofNumber)))}, nil
		},
	}
}

// told are claims that say in their subjects what is so instead.
func told(claims []claim) []claim {
	out := slices.Clone(claims)
	for i, c := range out {
		if c.Why != "" {
			out[i].Subject = court.Clean(c.Subject, 50) + " (" + court.Clean(c.Why, 25) + ")"
		}
	}
	return out
}

func numbersFinding(l *ledger, claims []claim) probe.Finding {
	good, bad := with(holds, claims), with(untrue, claims)
	switch {
	case len(claims) == 0:
		return probe.Nothing(court.One, l.source(court.Crossref), "The document gives no count of commits, tests, nodes or files.")
	case len(good)+len(bad) == 0:
		return l.cited(probe.Cannot(court.Dynamic, nil, "The counts that the document gives cannot be checked: %s.", subjects(claims)), claims[:1]...)
	case len(bad) > 0:
		f := probe.Partly(probe.Ratio(len(good), len(good)+len(bad)), l.source(court.Crossref), nil, "%s right. Wrong: %s.", portion(len(good), len(good)+len(bad), "number", "is", "are"), subjects(told(bad))).Do("Correct these numbers in the document: %s.", subjects(bad))
		return l.cited(f, bad...)
	}
	return l.cited(probe.Present(l.source(court.Crossref), nil, "Every count that can be checked is right: %s.", subjects(good)), good[:min(len(good), 5)]...)
}
