package quality

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func errRate() probe.Probe {
	return probe.Probe{
		ID: "err.rate", Version: "3", Target: court.GithubRepo,
		Title: "Calls that can fail are guarded",
		Doc: "Counts calls that open files, use the network or start processes and raise when that fails. A call is guarded when it stands in a try statement with a handler, under suppress, behind a test that the file exists, in a function that retries or whose docstring says what it raises, or when all of its callers are guarded in this way, up to four deep. " +
			"Where a function may be called from outside, by a framework or by nobody known, the caller's guard cannot be seen, and its calls are not counted. " +
			"In Go and Rust a call is guarded whose error is given a name, tested or handed on, in JavaScript and TypeScript also one whose promise has a handler, in Java also one that is declared by throws and does not end the program.",
		Remedy: "Handle the errors of files, network and processes, or document that they are raised.",
		Effort: 30, Recall: 8000,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			all, err := s.Analyses(ctx)
			if err != nil {
				return nil, err
			}
			all.Lock()
			defer all.Unlock()
			t := d.risks(all)
			what := "No call" + d.in() + " that can fail is known to run without a caller."
			if t.total > 0 {
				what = fmt.Sprintf("%s%s that can fail %s without a handler.", safetext.Capital(court.Of(len(t.bad), t.total, "call")), d.in(), court.Agree(len(t.bad), t.total, "runs", "run"))
			}
			return []probe.Finding{d.judged(t.bad, t.total, what, "Handle the errors of these calls, or document that they are raised")}, nil
		},
	}
}
