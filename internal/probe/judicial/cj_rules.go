package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// lore is how a rule is spoken of: when it is carried out, when it is not, and
// what is left of the latter while other code may do something.
var lore = map[string]struct{ does, lacks, result string }{
	ruleSecurity:      {does: "a security condition limits the score", lacks: "no security condition limits a score", result: "no security condition limits a score"},
	ruleFacts:         {does: "detective evidence overrules a judge's score", lacks: "no detective evidence changes a judge's score", result: "no detective evidence changes a judge's score"},
	ruleFunctionality: {does: "the tech lead's score weighs more than the others'", lacks: "the tech lead's score never weighs more", result: "the tech lead's score never weighs more"},
	ruleVariance:      {does: "a wide spread changes how the score comes about", lacks: "a wide spread changes no score and starts no other hearing", result: "a wide spread changes no score"},
	ruleDissent:       {does: "a text on the judges' disagreement reaches the result", lacks: "no text on the judges' disagreement reaches the result", result: "no text on the judges' disagreement reaches the result"},
}

// ruleStems are beginnings of words by which a rule is named.
var ruleStems = map[string][]string{
	ruleSecurity: {"securit"}, ruleFacts: {"suprem"}, ruleFunctionality: {"functionalit"}, ruleVariance: {"varianc", "reeval"}, ruleDissent: {"dissent"},
}

const notFollowed = "The graph can go back to the judges, but whether a wide spread of scores decides that could not be followed"

var cjRules = probe.Probe{
	ID: "cj.rules", Version: "11", Target: court.GithubRepo,
	Title:  "The chief justice carries out a rule of synthesis",
	Doc:    "Looks, in the code that the chief justice's function reaches, for a condition and an effect that fit the rule. Dead functions, comments and conditions on keys that the state does not have do not count, nor does an effect that leaves the score what it is without the rule.",
	Remedy: "Carry the rule out in the chief justice: a condition on the facts, and an effect on the score or the report.", Effort: 45, Recall: 9500,
	Args: []probe.Arg{{Name: "rule", Type: "string", Allowed: ruleNames, Default: ruleSecurity, Doc: "which rule"}},
	Run:  ofChief(ruled),
}

func ruled(b *bench, a probe.Args) probe.Finding {
	name := a.String("rule")
	if !slices.Contains(ruleNames, name) {
		name = ruleSecurity
	}
	at := b.rule(name)
	var f probe.Finding
	if len(at) > 0 {
		does := lore[name].does
		if name == ruleVariance && !slices.ContainsFunc(b.effects(b.chief), b.reacts) {
			does = "a wide spread leads to another hearing"
		}
		f = probe.Present(court.AST, spots(at...), "%s", safetext.Sentence(does))
		if !slices.ContainsFunc(at, b.arrives) {
			f = probe.Against(court.AST, slices.Concat(spots(at...), b.verdict().at[:1]), "%s But it has no effect: the chief justice's result contains nothing of it.", safetext.Sentence(does)).Do("Put what the rule at %s decides into the result of %s.", facts.Line(spot(at[0])), b.chiefName())
		}
	} else if name == ruleVariance && len(b.undecided()) > 0 {
		return probe.Cannot(court.Dynamic, b.undecided(), "%s.", notFollowed)
	} else if idle := b.idle(name); len(idle) > 0 {
		f = b.unused(name, idle)
	} else {
		lacks := lore[name].lacks
		if name == ruleFunctionality && slices.ContainsFunc(b.effects(b.chief), b.favours) {
			lacks = "the tech lead's score weighs more only where the scores lie far apart"
		}
		f = probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "In the chief justice's code, %s.", lacks).Do("%s", b.toRule(name))
	}
	if name == ruleFacts {
		f = b.grounded(f)
	}
	f.Data = map[string]any{"justice." + name: len(at) > 0}
	return f
}

// unused is the answer for a rule that is named where the chief justice does not
// come by. While the chief justice's own code tests something of that name, its
// effect may only not have been recognised.
func (b *bench) unused(name string, idle []court.Place) probe.Finding {
	if at := b.tests(name); len(at) > 0 {
		return probe.Cannot(court.Dynamic, spots(at...), "The chief justice's code tests something of this rule's name, but the effect of the test could not be followed.")
	}
	if b.runs(idle) {
		return probe.Against(court.AST, idle, "The rule is named here, but nothing that the chief justice reaches uses it: %s.", lore[name].result).Do("Call the code at %s from %s, and let its result change the score or the report.", facts.Line(idle[0]), b.chiefName())
	}
	for _, condition := range b.neverTrue(name) {
		if key, read := b.deads.lacked(condition); key != "" {
			return probe.Against(court.AST, append([]court.Place{read}, idle...), "%s: the state has no key %s, which is read at %s.", safetext.Capital(lore[name].lacks), court.Clean(key, 80), facts.Line(read)).
				Do("Read at %s what the state holds, or give the state a field %s and fill it.", facts.Line(read), court.Clean(key, 80))
		}
		if test := b.deads.unmet(condition); test.Path != "" {
			return probe.Against(court.AST, append([]court.Place{test}, idle...), "%s: no object that the program makes passes the test at %s.", safetext.Capital(lore[name].lacks), facts.Line(test)).
				Do("Test at %s for what the program writes, or write what the test asks for.", facts.Line(test))
		}
	}
	return probe.Against(court.AST, idle, "The rule is named here, but %s: this code is never reached or has no effect.", lore[name].lacks).Do("Make the code at %s take effect: %s has to reach it, its condition has to be able to hold, and its result has to change the score or the report.", facts.Line(idle[0]), b.chiefName())
}

// tests lists the conditions of the chief justice's code, those that can hold,
// in which a rule is named.
func (b *bench) tests(name string) []code.Node {
	var out []code.Node
	for _, n := range b.chief.nodes() {
		if c := n.Field("condition"); n.Is("if_statement", "elif_clause") && starts(split(c.Text()), ruleStems[name]...) && !b.deads.never(n.Field("consequence").Child(0)) {
			out = append(out, c)
		}
	}
	return out
}

// runs reports whether the program reaches a function that begins at one of the
// places.
func (b *bench) runs(at []court.Place) bool {
	for d := range b.p.Live() {
		if d.IsFunction() && slices.ContainsFunc(at, func(p court.Place) bool { return p.Path == d.Module.Path && p.Line == d.Line() }) {
			return true
		}
	}
	return false
}

// idle are the places where a rule is named without being carried out: a
// function of that name outside the chief's code, or a branch that cannot run.
func (b *bench) idle(name string) []court.Place {
	var out []court.Place
	stems := ruleStems[name]
	for _, d := range b.functions() {
		if starts(split(d.Name), stems...) && !b.chief.holds(d) && b.nearChief(d) && !b.judges.holds(d) {
			out = append(out, court.Place{Path: d.Module.Path, Line: d.Line(), EndLine: d.Line()})
		}
	}
	return sorted(append(out, spots(b.neverTrue(name)...)...))
}

// neverTrue lists the conditions of the chief justice's code in which a rule is named and
// that never hold.
func (b *bench) neverTrue(name string) []code.Node {
	var out []code.Node
	for _, n := range b.chief.nodes() {
		if c := n.Field("condition"); n.Is("if_statement") && starts(split(c.Text()), ruleStems[name]...) && b.deads.never(n.Field("consequence").Child(0)) {
			out = append(out, c)
		}
	}
	return out
}

// nearChief reports whether a definition stands in a file of the chief's code.
func (b *bench) nearChief(d *code.Definition) bool {
	return slices.ContainsFunc(b.chief.roots, func(r *code.Definition) bool { return r.Module == d.Module }) &&
		!strings.HasPrefix(d.Name, "test")
}
