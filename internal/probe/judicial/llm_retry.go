package judicial

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmRetry = probe.Probe{
	ID: "llm.retry", Version: "1", Target: court.GithubRepo,
	Title:  "A malformed answer is tried again",
	Doc:    "Looks for a loop with a handler around the judge's call, a retry library or policy, a correcting parser, or a handler that asks again, and whether a second turn can come. Repeating after transport errors alone does not count.",
	Remedy: "Ask again, at least once, when the answer does not fit the schema", Effort: 30, Recall: 9500,
	Run: ofJudges(retryFinding),
}

func retryFinding(b *bench) probe.Finding {
	rs := b.retries()
	if len(rs) == 0 {
		return b.nothing("nothing asks a judge's model a second time after a malformed answer",
			"words of retries stand in the code, but none could be tied to the judges' calls", "tenacity", "with_retry", "RetryPolicy", "OutputFixingParser", "RetryOutputParser")
	}
	x := rs[0]
	var f probe.Finding
	if x.never == "" {
		f = probe.Present(court.AST, spots(x.at), "a malformed answer is tried again by %s", x.how)
	} else {
		f = probe.Against(court.AST, spots(x.at), "the answer is never tried again: %s", x.never)
	}
	f.Data = map[string]any{"judges.retry": x.never == ""}
	return f
}
