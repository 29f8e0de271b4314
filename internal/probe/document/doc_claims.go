package document

import (
	"context"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docClaims() probe.Probe {
	return probe.Probe{
		ID: "doc.claims", Version: "1", Target: court.PDFReport,
		Title:  "What the document says about the code is true",
		Doc:    "Takes sentences that claim a known feature (parallel layers, fan-in, routes, reducers, syntax trees, temporary folders, structured output, Pydantic, retries, time limits, tests, CI, containers) as a fact of this submission, and asks the code. Plans, negations, past states, other projects and general statements are left out. A feature is held against the document only when the code was read and no trace of it is there.",
		Remedy: "Correct the sentence, or build what it says.", Effort: 30, Recall: 7000,
		Args: []probe.Arg{{Name: "scope", Type: "string", Allowed: []string{"all", "terms"}, Default: "all", Doc: "all claims, or those of passages that explain a concept"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			claims := l.of(ofCapability)
			if a.String("scope") == "terms" {
				all, err := explained(ctx, s)
				if err != nil {
					return nil, err
				}
				claims = inTerms(claims, all)
			}
			return []probe.Finding{claimed(l, claims)}, nil
		},
	}
}

// inTerms keeps the claims that stand in explanations.
func inTerms(claims []claim, all []explanation) []claim {
	in := map[*passage.Passage]bool{}
	for _, e := range all {
		for _, s := range e.all {
			for _, p := range s.parts {
				in[p] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return !in[c.passage] })
}

// claimed weighs each feature once, however often it is claimed.
func claimed(l *ledger, claims []claim) probe.Finding {
	good, some, bad := once(with(holds, claims)), once(with(inPart, claims)), once(with(untrue, claims))
	decided := len(good) + len(some) + len(bad)
	f := probe.Partly(probe.Ratio(2*len(good)+len(some), 2*decided), l.source(court.Crossref), nil, "Every claimed feature is in the code: %s.", subjects(good))
	switch {
	case decided == 0 && len(claims) > 0:
		return l.cited(probe.Cannot(court.Dynamic, nil, "Of what it claims nothing could be decided: %s.", subjects(once(claims))), claims[:1]...)
	case decided == 0:
		return probe.Cannot(court.NoArtifact, nil, "No sentence claims a feature that can be looked up in the code.")
	case len(bad)+len(some) > 0:
		f.Rationale = fmt.Sprintf("Of %s claimed, %d are in the code", court.Count(decided, "feature"), len(good))
		if len(bad) > 0 {
			f.Rationale += fmt.Sprintf("; not there: %s (%s)", subjects(bad), court.Clean(bad[0].Why, 200))
		}
		if len(some) > 0 {
			f.Rationale += fmt.Sprintf("; in part: %s (%s)", subjects(some), court.Clean(some[0].Why, 200))
		}
		f.Rationale += "."
		f = l.cited(f, slices.Concat(bad, some)...)
	default:
		f = l.cited(f, good[:min(len(good), 5)]...)
	}
	f.Data = map[string]any{"claims": slices.Concat(bad, some, good)}
	return f
}

// once keeps the first claim about each subject.
func once(claims []claim) []claim {
	var out []claim
	seen := map[string]bool{}
	for _, c := range claims {
		if !seen[c.Subject] {
			seen[c.Subject] = true
			out = append(out, c)
		}
	}
	return out
}
