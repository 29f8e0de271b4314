package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// shareMade is what remediation keeps that is put together from names alone.
const shareMade = 2500

var cjRemediation = probe.Probe{
	ID: "cj.remediation", Version: "1", Target: court.GithubRepo,
	Title:  "Remediation names files and places",
	Doc:    "Follows what the chief justice's code puts into remediation texts: places of evidence, texts of the judges, or constants only.",
	Remedy: "Put the location of the cited evidence into each remediation step", Effort: 30, Recall: 8500,
	Run: ofChief(remediation),
}

func remediation(b *bench, _ probe.Args) probe.Finding {
	var placed, spoken, made, fixed []code.Node
	for _, d := range b.chief.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().WalkScope() {
			name, value := "", code.Node{}
			switch n.Kind() {
			case "assignment", "augmented_assignment":
				name, value = last(n.Field("left")), n.Field("right")
			case "keyword_argument":
				name, value = n.Field("name").Text(), n.Field("value")
			}
			if !starts(split(name), "remediat", "recommend") || !value.Valid() || value.Is("none", "list", "dictionary") || b.deads.never(n) {
				continue
			}
			o := b.marks.at(value)
			switch {
			case o.data&located != 0:
				placed = append(placed, n)
			case o.data&argued != 0:
				spoken = append(spoken, n)
			case b.p.Eval(value).Const():
				fixed = append(fixed, n)
			default:
				made = append(made, n)
			}
		}
	}
	switch {
	case len(placed) > 0:
		return probe.Present(court.AST, spots(placed[0]), "remediation carries the places of findings")
	case len(spoken) > 0:
		return probe.Partly(half, court.AST, spots(spoken[0]), "remediation repeats the judges' arguments; no place of a finding goes into it")
	case len(made) > 0:
		return probe.Partly(shareMade, court.AST, spots(made[0]), "remediation is put together, but neither the place of a finding nor a judge's argument goes into it")
	case len(fixed) > 0:
		return probe.Against(court.AST, spots(fixed[0]), "remediation is a constant text")
	}
	return b.nothing("the chief justice's code writes no remediation", "remediation is named in the code, but not where the chief justice decides", "remediation")
}
