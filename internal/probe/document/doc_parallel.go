package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func docParallel() probe.Probe {
	return probe.Probe{
		ID: "doc.parallel", Version: "3", Target: court.PDFReport,
		Title:  "The document's statements about parallel work are true",
		Doc:    "Takes the sentences that say that the detectives or the judges run in parallel, and asks the graph of the code. Without such a sentence there is nothing to ask. Whether blocking calls make a parallel layer slow is not looked at.",
		Remedy: "Wire the nodes in parallel, or say how they really run.", Effort: 30,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			l, err := account(ctx, s)
			if err != nil {
				return nil, err
			}
			var claims []claim
			for _, c := range l.of(ofCapability) {
				if what := strings.TrimPrefix(c.Subject, "no "); what == "detectives in parallel" || what == "judges in parallel" {
					claims = append(claims, c)
				}
			}
			return []probe.Finding{parallelClaims(l, claims)}, nil
		},
	}
}

func parallelClaims(l *ledger, claims []claim) probe.Finding {
	good, bad, some := once(with(holds, claims)), once(with(untrue, claims)), once(with(inPart, claims))
	switch {
	case len(claims) == 0:
		return probe.Cannot(court.NoArtifact, nil, "No sentence says that detectives or judges run in parallel.").Do("Say in the document whether the detectives and the judges run in parallel, and name their nodes.")
	case len(bad) > 0:
		f := probe.Against(l.source(court.Crossref), nil, "%s", refuted(bad, "The document claims %s, but the code contradicts %s."))
		if there, _ := sides(bad); len(there) > 0 {
			return l.cited(f.Do("Wire %s as the document says, or say there how the nodes really run.", subjects(there)), bad...)
		}
		return l.cited(l.corrected(f, bad), bad...)
	case len(some) > 0:
		if l.repo.mends[some[0].Why] != "" {
			return l.cited(l.corrected(probe.Partly(court.One/2, l.source(court.Crossref), nil, "%s", l.partial(some)), some[:1]), some...)
		}
		return l.cited(probe.Partly(court.One/2, l.source(court.Crossref), nil, "The document claims %s, which %s in part. %s", subjects(some), court.Agree(len(some), 0, "holds", "hold"), whys(some)).Do("Wire %s as the document says, or say there how the nodes really run.", subjects(some)), some...)
	case len(good) > 0:
		return l.cited(probe.Present(l.source(court.Crossref), nil, "The document claims %s, and the code is wired that way.", subjects(good)), good...)
	}
	return l.cited(probe.Cannot(court.Dynamic, nil, "The graph of the code does not settle this. %s", claims[0].why()), claims[:1]...)
}
