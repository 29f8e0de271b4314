package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// lore is how a rule is spoken of.
var lore = map[string]struct{ does, lacks string }{
	ruleSecurity:      {"a security condition limits the score", "no security condition limits a score"},
	ruleFacts:         {"detective evidence overrules a judge's score", "no detective evidence changes a judge's score"},
	ruleFunctionality: {"the tech lead's score weighs more than the others'", "the tech lead's score never weighs more"},
	ruleVariance:      {"a wide spread changes how the score comes about", "a wide spread changes no score and starts no other hearing"},
	ruleDissent:       {"a text on the judges' disagreement reaches the result", "no text on the judges' disagreement reaches the result"},
}

// ruleStems are beginnings of words by which a rule is named.
var ruleStems = map[string][]string{
	ruleSecurity: {"securit"}, ruleFacts: {"suprem"}, ruleFunctionality: {"functionalit"}, ruleVariance: {"varianc", "reeval"}, ruleDissent: {"dissent"},
}

var cjRules = probe.Probe{
	ID: "cj.rules", Version: "1", Target: court.GithubRepo,
	Title:  "The chief justice carries out a rule of synthesis",
	Doc:    "Looks, in the code that the chief justice's function reaches, for a condition and an effect that fit the rule. Dead functions, comments and conditions on keys that the state does not have do not count.",
	Remedy: "Carry the rule out in the chief justice: a condition on the facts, and an effect on the score or the report", Effort: 45, Recall: 9500,
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
		f = probe.Present(court.AST, spots(at...), "%s", lore[name].does)
	} else if idle := b.idle(name); len(idle) > 0 {
		f = probe.Against(court.AST, idle, "the rule is named here, but %s: this code is never reached or has no effect", lore[name].lacks)
	} else {
		f = probe.Missing(b.coverage(), court.AST, "in the chief justice's code %s", lore[name].lacks)
	}
	f.Data = map[string]any{"justice." + name: len(at) > 0}
	return f
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
	for _, d := range b.chief.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().WalkScope() {
			if n.Is("if_statement") && starts(split(n.Field("condition").Text()), stems...) && b.deads.falsy(n.Field("condition"), 0) {
				out = append(out, spot(n.Field("condition")))
			}
		}
	}
	return sorted(out)
}

// nearChief reports whether a definition stands in a file of the chief's code.
func (b *bench) nearChief(d *code.Definition) bool {
	return slices.ContainsFunc(b.chief.roots, func(r *code.Definition) bool { return r.Module == d.Module }) &&
		!strings.HasPrefix(d.Name, "test")
}
