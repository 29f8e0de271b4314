package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cjTrigger = probe.Probe{
	ID: "cj.trigger", Version: "1", Target: court.GithubRepo,
	Title:  "Rules react to evidence, not to words in an argument",
	Doc:    "Follows the conditions of the security and evidence rules to what they are made of: the detectives' evidence, or only words in a judge's text.",
	Remedy: "Let the rule look at the detectives' evidence instead of searching a judge's argument for words", Effort: 45, Recall: 9000,
	Run: ofChief(triggered),
}

func triggered(b *bench, _ probe.Args) probe.Finding {
	var facts, words []code.Node
	for _, e := range b.effects(b.chief) {
		if !b.caps(e) && !b.overrules(e) {
			continue
		}
		m := b.under(e) | e.is.data&evidence
		switch {
		case m&evidence != 0:
			facts = append(facts, e.node)
		case m&argued != 0:
			words = append(words, e.node)
		}
	}
	switch {
	case len(words) == 0 && len(facts) == 0:
		return b.clean(b.chief, "no rule of the chief justice depends on words in an argument")
	case len(words) == 0:
		return probe.Present(court.AST, spots(facts...), "the rules react to evidence")
	default:
		return probe.Partly(probe.Ratio(len(facts), len(facts)+len(words)), court.AST, spots(words...), "%s of %s by a rule on words in a judge's text, not on evidence", count(len(words), "change"), count(len(facts)+len(words), "score"))
	}
}
