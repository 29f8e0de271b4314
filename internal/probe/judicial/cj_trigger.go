package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var cjTrigger = probe.Probe{
	ID: "cj.trigger", Version: "4", Target: court.GithubRepo,
	Title:  "Rules react to evidence, not to words in an argument",
	Doc:    "Follows the conditions of the security and evidence rules to what they are made of: the detectives' evidence, or only words in a judge's text.",
	Remedy: "Let the rule look at the detectives' evidence instead of searching a judge's argument for words.", Effort: 45, Recall: 9000,
	Run: ofChief(triggered),
}

func triggered(b *bench, _ probe.Args) probe.Finding {
	var evident, words, both []code.Node
	for _, e := range b.effects(b.chief) {
		if !b.caps(e) && !b.overrules(e) {
			continue
		}
		switch m := b.under(e) | e.is.data&evidence; {
		case m&evidence != 0 && m&pleaded != 0:
			both = append(both, e.node)
		case m&evidence != 0:
			evident = append(evident, e.node)
		case m&argued != 0:
			words = append(words, e.node)
		}
	}
	all := len(evident) + len(words) + len(both)
	switch {
	case all == 0:
		return b.clean(b.chief, "no rule of the chief justice on security or evidence depends on words in an argument")
	case len(evident) == all:
		return probe.Present(court.AST, spots(evident...), "The rules react to evidence.")
	case len(words) == 0:
		return probe.Partly(probe.Ratio(2*len(evident)+len(both), 2*all), court.AST, spots(both...), "%s that %s a score %s to evidence and to words in a judge's text.", safetext.Capital(court.Of(len(both), all, "rule")), court.Agree(all, all, "changes", "change"), court.Agree(len(both), all, "reacts", "react")).
			Do("Let the rule at %s depend on the detectives' evidence alone.", facts.Line(spot(both[0])))
	default:
		return probe.Partly(probe.Ratio(2*len(evident)+len(both), 2*all), court.AST, spots(words...), "%s that %s a score %s to words in a judge's text and not to evidence.", safetext.Capital(court.Of(len(words), all, "rule")), court.Agree(all, all, "changes", "change"), court.Agree(len(words), all, "reacts", "react")).
			Do("Let the rule at %s depend on the detectives' evidence, for example evidence.found, instead of words in a judge's argument.", facts.Line(spot(words[0])))
	}
}
