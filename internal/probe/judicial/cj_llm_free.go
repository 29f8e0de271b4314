package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cjLLMFree = probe.Probe{
	ID: "cj.llm_free", Version: "4", Target: court.GithubRepo,
	Title:  "Plain code decides the final scores, not a model",
	Doc:    "Follows what models answer in the chief justice's code to the scores. Polishing texts is allowed.",
	Remedy: "Decide the score with rules; let a model write texts at most.", Effort: 90, Recall: 9500,
	Run: ofChief(llmFree),
}

func llmFree(b *bench, _ probe.Args) probe.Finding {
	decided := b.decidedByModel()
	var f probe.Finding
	switch calls := b.models.in(b.chief); {
	case len(decided) > 0:
		f = probe.Against(court.AST, spots(decided...), "A score in the chief justice's code comes from a model's answer.").Do("Compute the score at %s by rules in plain code. A model may write texts.", facts.Line(spot(decided[0])))
	case len(calls) > 0:
		var at []code.Node
		for _, c := range calls {
			at = append(at, c.Node)
		}
		f = probe.Present(court.AST, spots(at...), "The chief justice asks a model, but no answer of it reaches a score.")
	default:
		f = b.clean(b.chief, "no model is asked in the chief justice's code")
	}
	f.Data = map[string]any{"justice.deterministic": len(decided) == 0}
	return f
}
