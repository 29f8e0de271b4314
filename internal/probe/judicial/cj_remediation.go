package judicial

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// shareMade is what remediation keeps that is put together from names alone.
const shareMade = 2500

var cjRemediation = probe.Probe{
	ID: "cj.remediation", Version: "4", Target: court.GithubRepo,
	Title:  "Remediation names files and places",
	Doc:    "Follows what the chief justice's code puts into remediation texts: places of evidence, texts of the judges, or constants only.",
	Remedy: "Put the location of the cited evidence into each remediation step.", Effort: 30, Recall: 8500,
	Run: ofChief(remediation),
}

// toPlace asks for places in a remediation.
const toPlace = "Put the location of the cited evidence into the remediation that %s writes: f\"{evidence.location}: {step}\"."

func remediation(b *bench, _ probe.Args) probe.Finding {
	var placed, spoken, made, fixed []code.Node
	model := b.drafted("remediat", "recommend")
	for _, d := range b.chief.defs {
		if !d.IsFunction() {
			continue
		}
		for _, w := range b.remedies(d) {
			switch m := w.data; {
			case m&located != 0:
				placed = append(placed, w.node)
			case m&asked != 0:
				model = append(model, w.node)
			case m&argued != 0:
				spoken = append(spoken, w.node)
			case b.p.Constant(w.value):
				fixed = append(fixed, w.node)
			default:
				made = append(made, w.node)
			}
		}
	}
	switch {
	case len(placed) > 0:
		return probe.Present(court.AST, spots(placed[0]), "The remediation carries the places of findings.")
	case len(spoken) > 0:
		return probe.Partly(half, court.AST, spots(spoken[0]), "The remediation repeats the judges' arguments, but no place of a finding goes into it.").Do(toPlace, facts.Line(spot(spoken[0])))
	case len(model) > 0:
		return probe.Cannot(court.Dynamic, spots(model...), "A model writes the remediation, so the code does not show its content.").
			Do("Put the location of the cited evidence in front of what the model writes at %s: f\"{evidence.location}: {text}\".", facts.Line(spot(model[0])))
	case len(made) > 0:
		return probe.Partly(shareMade, court.AST, spots(made[0]), "The code composes the remediation, but neither the place of a finding nor a judge's argument goes into it.").Do(toPlace, facts.Line(spot(made[0])))
	case len(fixed) > 0:
		return probe.Against(court.AST, spots(fixed[0]), "The remediation is a constant text.").Do(toPlace, facts.Line(spot(fixed[0])))
	}
	switch at, m := b.remedyTemplate(); {
	case m&located != 0:
		return probe.Present(court.AST, at, "The template of the remediation takes the places of findings.")
	case m&argued != 0:
		return probe.Partly(half, court.AST, at, "The template of the remediation takes arguments, but no place of a finding goes into it.").Do(toPlace, facts.Line(at[0]))
	case len(at) > 0:
		return probe.Cannot(court.Dynamic, at, "The values that go into the template of the remediation could not be followed.")
	}
	if n := b.remedyText(); n.Valid() {
		return probe.Cannot(court.Dynamic, spots(n), "The code writes a part on remediation, but the values that go into it could not be followed.")
	}
	return b.nothing("the chief justice's code writes no remediation", "the code names remediation, but not where the chief justice decides",
		fmt.Sprintf(toPlace, b.chiefName()), "remediation")
}

// words is what the texts of a value are made of: of a tuple its scores say
// nothing about the words beside them.
func (b *bench) words(n code.Node) mark {
	n = n.Unparen()
	if !n.Is("tuple") {
		return b.weighs.at(n).data
	}
	var m mark
	for c := range n.Children() {
		if !has(split(last(c)), scoreWords...) {
			m |= b.words(c)
		}
	}
	return m
}

// remedyStems are beginnings of words that name what should be done.
var remedyStems = []string{"remediat", "recommend"}

// remedyWords are such words as they are.
var remedyWords = []string{"fix", "fixes"}

// remedy is a place where something is put into a remediation.
type remedy struct {
	value, node code.Node
	data        mark
}

// remedies lists what a function puts into remediation: by assignment, by
// adding to a list of it, and by keyword.
func (b *bench) remedies(d *code.Definition) (out []remedy) {
	add := func(name string, v, n code.Node) {
		if ws := split(name); (starts(ws, remedyStems...) || has(ws, remedyWords...)) && v.Valid() && !v.Is("none", "list", "dictionary", "true", "false", "integer") && !b.deads.never(n) {
			w := remedy{v, n, b.words(v)}
			if n.Field("left").Is("pattern_list", "tuple_pattern") && n.Field("right") == v {
				w.data = b.weighs.bound(b.il.function(d), name, il.Span{From: uint32(n.Start()), To: uint32(n.End())}).data
			}
			out = append(out, w)
		}
	}
	for n := range d.Body().WalkScope() {
		switch n.Kind() {
		case "keyword_argument":
			add(n.Field("name").Text(), n.Field("value"), n)
		case "assignment", "augmented_assignment", "for_statement", "for_in_clause":
			for _, pair := range pairs(n.Field("left"), n.Field("right")) {
				for _, name := range targets(pair[0]) {
					add(name, pair[1], n)
				}
				if pair[0].Is("attribute") {
					add(last(pair[0]), pair[1], n)
				}
			}
		case "call":
			if f := n.Field("function"); f.Is("attribute") && has([]string{last(f)}, "append", "extend", "add", "update", "insert") {
				for _, name := range targets(f.Field("object")) {
					add(name, n.Field("arguments").Child(0), n)
				}
			}
		}
	}
	return out
}

// remedyText is a text of the chief's code that speaks of remediation.
func (b *bench) remedyText() code.Node {
	for _, n := range b.chief.nodes() {
		if n.Is("string") && !isDoc(n) && starts(split(contents(n)), "remediat") && b.arrives(n) && slices.ContainsFunc(b.sites(n), b.lives) {
			return n
		}
	}
	return code.Node{}
}
