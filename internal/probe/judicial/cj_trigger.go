package judicial

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var cjTrigger = probe.Probe{
	ID: "cj.trigger", Version: "7", Target: court.GithubRepo,
	Title:  "Rules react to evidence, not to words in an argument",
	Doc:    "Follows the conditions of the security and evidence rules to what they are made of: the detectives' evidence, or only words in a judge's text.",
	Remedy: "Let the rule look at the detectives' evidence instead of searching a judge's argument for words.", Effort: 45, Recall: 9000,
	Run: ofChief(triggered),
}

func triggered(b *bench, _ probe.Args) probe.Finding {
	var evident, words, both []code.Node
	rules := b.reactions()
	for _, r := range rules {
		switch {
		case r.to&evidence != 0 && r.to&pleaded != 0:
			both = append(both, r.at)
		case r.to&evidence != 0:
			evident = append(evident, r.at)
		case r.to&argued != 0:
			words = append(words, r.at)
		}
	}
	all := len(rules)
	on := subject(rules)
	of := func(n int) string {
		return fmt.Sprintf("%s on %s %s", safetext.Capital(court.Of(n, all, "rule")), on, court.Agree(n, all, "reacts", "react"))
	}
	share := probe.Ratio(2*len(evident)+len(both), max(1, 2*(len(evident)+len(both)+len(words))))
	switch {
	case len(evident)+len(words)+len(both) == 0:
		return b.clean(b.chief, "no rule of the chief justice on security or evidence depends on words in an argument")
	case len(evident) == all:
		return b.filled(probe.Present(court.AST, spots(evident...), "The rules on security and evidence react to evidence."))
	case len(words)+len(both) == 0:
		return b.filled(probe.Present(court.AST, spots(evident...), "%s to evidence. None was seen to react to words in a judge's text.", of(len(evident))))
	case len(words) == 0:
		return probe.Partly(share, court.AST, spots(both...), "%s to evidence and to words in a judge's text.", of(len(both))).
			Do("Let the rule at %s depend on the detectives' evidence alone.", facts.Line(spot(both[0])))
	case len(both) > 0:
		return probe.Partly(share, court.AST, spots(append(words, both...)...), "%s to words in a judge's text and not to evidence. %s to both.", of(len(words)), safetext.Capital(court.Of(len(both), all, "rule"))+" "+court.Agree(len(both), all, "reacts", "react")).
			Do("Let the rules at %s and %s depend on the detectives' evidence alone, for example evidence.found, instead of words in a judge's argument.", facts.Line(spot(words[0])), facts.Line(spot(both[0])))
	default:
		return probe.Partly(share, court.AST, spots(words...), "%s to words in a judge's text and not to evidence.", of(len(words))).
			Do("Let the rule at %s depend on the detectives' evidence, for example evidence.found, instead of words in a judge's argument.", facts.Line(spot(words[0])))
	}
}

// subject is what the rules are on.
func subject(rules []*reaction) string {
	caps := func(r *reaction) bool { return r.caps }
	switch {
	case !slices.ContainsFunc(rules, caps):
		return "evidence"
	case slices.ContainsFunc(rules, func(r *reaction) bool { return !r.caps }):
		return "security or evidence"
	}
	return "security"
}

// reaction is one rule on security or evidence, and what it reacts to.
type reaction struct {
	at   code.Node // the first effect that reacts to evidence or words, or the first
	to   mark
	caps bool
}

// reactions are the rules. Effects under the same condition, or of one place, are one rule,
// and so are a function that gives a capped score and the effect that its caller makes of it.
func (b *bench) reactions() (out []*reaction) {
	known := map[code.Node]*reaction{}
	for _, e := range b.effects(b.chief) {
		caps, m := b.caps(e), b.under(e)|e.is.data&evidence
		switch {
		case !caps && !b.overrules(e):
			continue
		case !caps && m&(evidence|argued) == 0:
			m |= evidence // which chose among what its function gives
		case m&(evidence|argued) == 0:
			for _, g := range slices.DeleteFunc(slices.Clone(e.guards), func(g code.Guard) bool { return !says(g) }) {
				m |= b.weighs.at(g.Condition).when & evidence // which decided what it asks about
			}
		}
		key, at := b.trigger(b.applied(e)), b.skips(e)
		if caps || !at.Valid() {
			at = b.done(e)
		}
		r := known[key]
		if i := slices.IndexFunc(out, func(r *reaction) bool { return r.at == at && r.caps == caps }); r == nil && i >= 0 {
			r = out[i]
		} else if r == nil {
			r = &reaction{at: at, caps: caps}
			out = append(out, r)
		}
		known[key] = r
		if r.to&(evidence|argued) == 0 {
			r.at = at
		}
		r.to |= m
	}
	return out
}

// trigger is the condition that makes an effect one of its rule, as far as there is one;
// of words that stand for scores, the function that chooses among them.
func (b *bench) trigger(e effect) code.Node {
	of, at := evidence, e.node
	if b.caps(e) {
		of = security
	}
	if e.graded {
		at = e.fn.Node
	} else if len(e.guards) > 0 {
		at = e.guards[len(e.guards)-1].Condition
	}
	for _, g := range e.guards {
		if says(g) && b.weighs.condition(g.Condition)&of != 0 {
			return g.Condition
		}
	}
	return at
}

// applied is the effect by which a caller applies the cap that a function gives back, or
// the effect itself.
func (b *bench) applied(e effect) effect {
	f := b.il.function(e.fn)
	if e.target != "" || f == nil || !b.caps(e) {
		return e
	}
	for _, s := range b.il.Names.Sites(f) {
		for _, o := range b.effects(b.chief) {
			if s.Call && o.fn != e.fn && b.il.function(o.fn) == s.Function && b.caps(o) {
				return o
			}
		}
	}
	return e
}
