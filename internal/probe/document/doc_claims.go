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
		ID: "doc.claims", Version: "4", Target: court.PDFReport,
		Title:  "The document's statements about the code are true",
		Doc:    "Takes sentences that claim a known feature (parallel layers, fan-in, routes, reducers, syntax trees, temporary folders, structured output, Pydantic, retries, time limits, tests, CI, containers, calls of Python's library, packages that are imported) as a fact of this submission, or say that it has none, and asks the checks that look for it. Plans, past states, other projects and general statements are left out. What a check surely does not find, and what no run gets by, does not hold. false: features that the code contradicts, and lines that no version of a file had.",
		Remedy: "Correct the sentence, or build what it says.", Effort: 30, Recall: 7000,
		Args: []probe.Arg{{Name: "scope", Type: "string", Allowed: []string{"all", "terms"}, Default: "all", Doc: "all claims, or those of passages that explain a concept"},
			{Name: "aspect", Type: "string", Allowed: []string{"hold", "false"}, Default: "hold", Doc: "hold: the share of features that are in the code. false: those that the code contradicts"}},
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
			if a.String("aspect") == "false" {
				if a.String("scope") != "terms" {
					claims = slices.Concat(claims, l.of(ofLine))
				}
				return []probe.Finding{falsely(l, claims)}, nil
			}
			return []probe.Finding{claimed(l, claims)}, nil
		},
	}
}

const (
	untold    = "Correct what the document says of %s, or build it."
	unclaimed = "Say in the document what the program does, feature by feature, and name the file of each."
)

// falsely asks for features of which the code has the contrary.
func falsely(l *ledger, claims []claim) probe.Finding {
	all := once(claims)
	bad := once(with(untrue, claims))
	decided := slices.DeleteFunc(slices.Clone(all), func(c claim) bool { return c.Fate == undecided })
	switch {
	case len(bad) > 0:
		return l.cited(probe.Against(l.source(court.Crossref), nil, "The document claims %s, but the code contradicts %s. %s", subjects(bad), court.Agree(len(bad), 0, "it", "them"), whys(bad)).Do(untold, subjects(bad)), bad...)
	case len(claims) == 0:
		return probe.Cannot(court.NoArtifact, nil, "No sentence claims a feature that can be looked up in the code.").Do(unclaimed)
	case len(decided) == 0:
		return l.cited(probe.Cannot(court.Dynamic, nil, "None of the claims could be decided: %s.", subjects(all)), all[:1]...)
	}
	return probe.Clean(court.One, l.source(court.Crossref), "%s.", tally(claims))
}

// tally says how many claims hold, each feature once: what is untrue of one in one
// place is not made up for in another.
func tally(claims []claim) string {
	n := map[fate]int{}
	for _, c := range once(slices.Concat(with(untrue, claims), with(inPart, claims), with(holds, claims), claims)) {
		n[c.Fate]++
	}
	return court.Held(n)
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
	f := probe.Partly(probe.Ratio(2*len(good)+len(some), 2*decided), l.source(court.Crossref), nil, "%s: %s.", tally(claims), subjects(good))
	switch {
	case decided == 0 && len(claims) > 0:
		return l.cited(probe.Cannot(court.Dynamic, nil, "None of the claims could be decided: %s.", subjects(once(claims))), claims[:1]...)
	case decided == 0:
		return probe.Cannot(court.NoArtifact, nil, "No sentence claims a feature that can be looked up in the code.").Do(unclaimed)
	case len(bad)+len(some) > 0:
		f.Rationale = tally(claims) + "."
		if len(bad) > 0 {
			f.Rationale += fmt.Sprintf(" The code does not have %s. %s", subjects(bad), whys(bad))
		}
		if len(some) > 0 {
			f.Rationale += fmt.Sprintf(" The code has only a part of %s. %s", subjects(some), whys(some))
		}
		f = l.cited(f.Do(untold, subjects(slices.Concat(bad, some))), slices.Concat(bad, some)...)
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
