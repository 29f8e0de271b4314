package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmRetry = probe.Probe{
	ID: "llm.retry", Version: "6", Target: court.GithubRepo,
	Title:  "The code asks again after a malformed answer",
	Doc:    "Looks for a loop with a handler around the judge's call, a retry library or policy, a correcting parser, or a handler that asks again, whether a second turn can come, and for how many of the judges. Repeating after transport errors alone does not count.",
	Remedy: "Ask again, at least once, when the answer does not fit the schema.", Effort: 30, Recall: 9500,
	Run: ofJudges(retryFinding),
}

func retryFinding(b *bench) probe.Finding {
	rs := b.retries()
	if len(rs) == 0 {
		if at := b.retryWords(); len(at) > 0 {
			return probe.Cannot(court.Dynamic, at, "The judges' files speak of retries, but no retry could be tied to a call.")
		}
		return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "Nothing asks a judge's model a second time after a malformed answer.").Do("Ask again, at least once, when the answer does not fit the schema: llm.with_structured_output(%s).with_retry(stop_after_attempt=3).", b.opinionName())
	}
	x := rs[0]
	var f probe.Finding
	once, all := b.onlyOnce()
	switch {
	case x.never == "" && len(once) > 0:
		f = probe.Partly(probe.Ratio(all-len(once), all), court.AST, slices.Concat([]court.Place{x.at}, places(once)), "A malformed answer is tried again by %s, but only for %s.", x.how, court.Of(all-len(once), all, "judge")).
			Do("Ask again in %s, too, when the answer does not fit the schema.", court.Clean(once[0].Name, 60))
	case x.never == "":
		f = probe.Present(court.AST, []court.Place{x.at}, "A malformed answer is tried again by %s.", x.how)
	default:
		f = probe.Against(court.AST, []court.Place{x.at}, "A malformed answer is never tried again: %s.", x.never).Do("Let the code at %s ask again when the answer does not fit the schema.", facts.Line(x.at))
	}
	f.Data = map[string]any{"judges.retry": x.never == "" && len(once) == 0}
	return f
}

// retryWords are the places of words of retries in the judges' files.
func (b *bench) retryWords() []court.Place {
	var out []court.Place
	for _, d := range b.judges.defs {
		if !d.IsFunction() {
			continue
		}
		for _, w := range []string{"tenacity", "with_retry", "RetryPolicy", "OutputFixingParser", "RetryOutputParser"} {
			for _, t := range d.Module.Words(w) {
				out = append(out, court.Place{Path: d.Module.Path, Line: t.Line})
			}
		}
	}
	return sorted(out)
}
