package quality

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func errSwallow() probe.Probe {
	return probe.Probe{
		ID: "err.swallow", Version: "3", Target: court.GithubRepo,
		Title: "Errors are not dropped",
		Doc: "Counts the handlers of Python code that catch everything (bare, Exception, BaseException) and only pass, go on or return an empty constant, and bare ones that neither raise again nor call anything; contextlib.suppress of everything is one, too. " +
			"A handler that names a narrower error decides about it. " +
			"In JavaScript and TypeScript empty catch clauses and empty handlers of promises are counted, in Java empty handlers of an error that only names a family. " +
			"A handler drops nothing that follows a cleaning up, tries again, leads to code that only runs when something failed, or leaves a value that the code tests. " +
			"In Go the empty branches of a tested error and the errors assigned to _ that are known to be errors are counted, in Rust the results that are made an option and dropped, and those assigned to _; unwrap is counted apart. " +
			"Outside of Python a comment that says why is a reason. What a handler does with an error that it does not drop is not asked.",
		Remedy: "Catch expected errors by name, and log, return or raise the others.",
		Effort: 30, Recall: 9000,
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
			r := &dropReader{d: d, a: all}
			for f := range d.lowered(all.Program) {
				r.read(f)
			}
			return []probe.Finding{d.judged(r.bad, r.total, d.handled(len(r.bad), r.total, r.unwraps), "Log, return or raise the errors that these handlers drop")}, nil
		},
	}
}

func (d *codebase) handled(bad, total, unwraps int) string {
	more := ""
	if unwraps > 0 {
		more = fmt.Sprintf(" Code outside of tests calls Rust's unwrap %s.", times(unwraps))
	}
	if total == 0 {
		return fmt.Sprintf("There is no handler of errors%s that could drop one.", d.in()) + more
	}
	return fmt.Sprintf("%s%s %s every error.", safetext.Capital(court.Of(bad, total, "handler")), d.in(), court.Agree(bad, total, "drops", "drop")) + more
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
