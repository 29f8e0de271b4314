package judicial

import (
	"strconv"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var judgeClamp = probe.Probe{
	ID: "judge.clamp", Version: "2", Target: court.GithubRepo,
	Title:  "No score is moved because of who gave it",
	Doc:    "Looks in the judges' code for a score that is limited or shifted in a branch for one judge, or shifted or limited within the scale in a function that one judge alone runs. What stands in for a missing answer does not count.",
	Remedy: "Let the score stand as the judge gave it.", Effort: 20, Recall: 9000,
	Run: ofJudges(clamped),
}

func clamped(b *bench) probe.Finding {
	var at []code.Node
	for _, e := range b.effects(b.judges) {
		if !moves(e) || e.is.data&asked == 0 {
			continue
		}
		for _, g := range e.guards {
			if (g.Kind == "if" && !g.Negated || g.Kind == "ternary") && comparesJudge(g.Condition) {
				at = append(at, e.node)
				break
			}
		}
	}
	if len(at) > 0 {
		return probe.Against(court.AST, spots(at...), "Code in a branch for one judge moves a score.").Do("Remove the code at %s that moves one judge's score.", facts.Line(spot(at[0])))
	}
	if at = b.biased(); len(at) > 0 {
		return probe.Against(court.AST, spots(at...), "Code that only one judge runs moves an answered score.").Do("Remove the code at %s that moves one judge's score.", facts.Line(spot(at[0])))
	}
	return b.clean(b.judges, "no score is moved in a branch for one judge")
}

// biased lists the statements that shift an answered score, or limit it to less
// than the scale, in a function that one judge alone runs, where another judge
// has no such statement. What a finding or a flaw is the condition of is no
// matter of who judges.
func (b *bench) biased() []code.Node {
	var rooms []*programPart
	for _, d := range b.judges.roots {
		if who(called(d)) != nobody {
			rooms = append(rooms, enter(b.p, b.il, []*code.Definition{d}, true))
		}
	}
	if len(rooms) < 2 {
		return nil
	}
	owned := map[string]map[*programPart]bool{} // the judges that have a statement of their own with a text
	own := map[code.Node]bool{}
	effects := b.effects(b.judges)
	for _, e := range effects {
		var by *programPart
		n := 0
		for _, r := range rooms {
			if r.holds(e.fn) {
				by = r
				n++
			}
		}
		if n != 1 || !moves(e) || e.is.data&asked == 0 || !bends(e) || b.under(e)&(evidence|security) != 0 {
			continue
		}
		own[e.node] = true
		if owned[e.node.Text()] == nil {
			owned[e.node.Text()] = map[*programPart]bool{}
		}
		owned[e.node.Text()][by] = true
	}
	var at []code.Node
	for _, e := range effects {
		if own[e.node] && len(owned[e.node.Text()]) < len(rooms) {
			at = append(at, e.node)
		}
	}
	return at
}

// Ends of the scale of scores.
const (
	lowestScore  = 1
	highestScore = 5
)

// bends reports whether an effect makes another score of one on the scale: it
// adds or takes away a constant, or limits it to a constant within the scale.
func bends(e effect) bool {
	if e.node.Is("augmented_assignment") {
		return has([]string{e.node.Field("operator").Text()}, "+=", "-=") && e.value.Unparen().Is("integer", "float")
	}
	for n := range e.value.Walk() {
		switch {
		case n.Is("binary_operator") && has([]string{n.Field("operator").Text()}, "+", "-"):
			if last(n.Field("left").Unparen()) == e.target && n.Field("right").Unparen().Is("integer", "float") {
				return true
			}
		case n.Is("call") && has([]string{last(n)}, "min", "max") && aboutTarget(n, e.target):
			for a := range n.Field("arguments").Children() {
				if x, err := strconv.ParseFloat(a.Text(), 64); err == nil && x > lowestScore && x < highestScore {
					return true
				}
			}
		}
	}
	return false
}

// aboutTarget reports whether a call is given the value that its target had.
func aboutTarget(call code.Node, target string) bool {
	for x := range call.Field("arguments").Walk() {
		if x.Is("identifier", "attribute", "subscript") && last(x) == target {
			return true
		}
	}
	return false
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
			if text, ok := c.Literal(); ok && who(split(text)) != nobody {
				return true
			}
		}
	}
	return false
}
