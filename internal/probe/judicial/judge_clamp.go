package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var judgeClamp = probe.Probe{
	ID: "judge.clamp", Version: "1", Target: court.GithubRepo,
	Title:  "No score is moved because of who gave it",
	Doc:    "Looks in the judges' code for a score that is limited or shifted in a branch for one judge. What stands in for a missing answer does not count.",
	Remedy: "Let the score stand as the judge gave it", Effort: 20, Recall: 9000,
	Run: ofJudges(clamped),
}

func clamped(b *bench) probe.Finding {
	var at []code.Node
	for _, e := range b.effects(b.judges) {
		if !moves(e) || e.is.data&asked == 0 {
			continue
		}
		for _, g := range e.guards {
			if g.Kind == "if" && !g.Negated && comparesJudge(g.Condition) {
				at = append(at, e.node)
				break
			}
		}
	}
	if len(at) > 0 {
		return probe.Against(court.AST, spots(at...), "a score is moved by code in a branch for one judge")
	}
	return b.clean(b.judges, "no score is moved in a branch for one judge")
}

// moves reports whether an effect changes a score: its value is made from the
// score by min, max or arithmetic.
func moves(e effect) bool {
	if !has(append(split(e.value.Text()), split(e.target)...), "score") {
		return false
	}
	for n := range e.value.Walk() {
		if n.Is("binary_operator") || n.Is("call") && has([]string{last(n)}, "min", "max") {
			return true
		}
	}
	return e.node.Is("augmented_assignment")
}

// comparesJudge recognises a test of a judge's name.
func comparesJudge(n code.Node) bool {
	for x := range n.Walk() {
		if !x.Is("comparison_operator") {
			continue
		}
		for c := range x.Children() {
			if text, ok := literal(c); ok && who(split(text)) != nobody {
				return true
			}
		}
	}
	return false
}
