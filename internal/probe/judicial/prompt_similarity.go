package judicial

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// alike is the similarity from which prompts count as the same.
const alike = 9000

var promptSimilarity = probe.Probe{
	ID: "prompt.similarity", Version: "1", Target: court.GithubRepo,
	Title:  "The three prompts are worded differently",
	Doc:    "Compares what the judges are told beyond what all three share, sentence by sentence, without template holes and role names; whole prompts when that is shorter than ten words. Similarity is words in common over words in either.",
	Remedy: "Give each judge a stance, duties and standards in words of its own", Effort: 60, Recall: 9500,
	Run: ofPrompts(similarity),
}

func similarity(b *bench, pr *prompts) probe.Finding {
	l := compare(pr)
	if !l.known {
		if l.personas == 0 && len(pr.common.parts) > 0 && !b.dynamicPrompts() {
			return probe.Against(court.AST, pr.shared(), "one prompt serves all three judges")
		}
		return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "the prompts of all three judges could not be resolved")
	}
	at := sorted([]court.Place{pr.own[l.a].at[0], pr.own[l.b].at[0]})
	what := "the words of their own"
	if l.whole {
		what = "the whole prompts, since the own parts are short,"
	}
	var f probe.Finding
	switch {
	case l.most < half:
		f = probe.Present(court.AST, at, "%s of the most alike pair, %s and %s, are %s alike", what, l.a.title(), l.b.title(), l.most)
	case l.most < alike:
		f = probe.Partly(court.One-l.most, court.AST, at, "%s of %s and %s are %s alike", what, l.a.title(), l.b.title(), l.most)
	default:
		f = probe.Against(court.AST, at, "%s of %s and %s are %s alike", what, l.a.title(), l.b.title(), l.most)
	}
	f.Data = map[string]any{"judges.prompts_distinct": l.most < half, "similarity": l.most}
	return f
}
