package quality

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// mostDecisions is what a function may decide (a design choice).
const mostDecisions = 15

func codeComplexity() probe.Probe {
	return probe.Probe{
		ID: "code.complexity", Version: "3", Target: court.GithubRepo,
		Title: "Functions branch little",
		Doc: "Counts the decision points of each function: if, elif, for, while, except or catch, case, conditional expressions, and, or, ??, and the clauses of comprehensions. " +
			"Nested functions are apart; what has no name is part of the function around it, but in JavaScript and TypeScript, where it is a function of its own. More than 15 are too many. Whether a long row of branches is easy to read all the same is not seen.",
		Remedy: "Split the branches of the longest functions into functions of their own, or into tables.",
		Effort: 60, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			all := d.functions()
			worst, most, at := "", 0, 0
			var bad []court.Place
			for _, f := range all {
				n := decisions(f)
				if n > most {
					worst, most, at = f.Name, n, len(bad)
				}
				if n > mostDecisions {
					bad = append(bad, head(f))
				}
			}
			total := len(all)
			for f, n := range d.branching() {
				total++
				if n > most {
					worst, most, at = called(f), n, len(bad)
				}
				if n > mostDecisions {
					bad = append(bad, above(f))
				}
			}
			if most > mostDecisions { // the one that is named stands first
				bad = slices.Concat(bad[at:at+1], bad[:at], bad[at+1:])
			}
			what := "There is no " + d.named() + " function that could branch."
			if total > 0 {
				what = fmt.Sprintf("%s%s %s more than %d decision points.", safetext.Capital(court.Of(len(bad), total, "function")), d.in(), court.Agree(len(bad), total, "has", "have"), mostDecisions)
			}
			if most > 0 {
				what += fmt.Sprintf(" The function with most, %[2]s, has %[1]d.", most, orNameless(worst))
			}
			return []probe.Finding{d.judged(bad, total, what, "Split the branches of these functions into functions of their own, or into tables")}, nil
		},
	}
}

// branching are the functions of the other languages with the number of their
// decisions. A nameless one is told where it decides too much.
func (d *codebase) branching() iter.Seq2[syntax.Node, int] {
	return func(yield func(syntax.Node, int) bool) {
		for _, f := range d.files {
			own := map[syntax.Node]int{}
			var order []syntax.Node
			for n := range nodes(f) {
				if apart(n) {
					order = append(order, n)
				} else if decides(n) {
					own[around(n)]++
				}
			}
			for _, n := range order {
				if (called(n) != "" || own[n] > mostDecisions) && !yield(n, own[n]) {
					return
				}
			}
		}
	}
}

// around is the function that a node is counted in.
func around(n syntax.Node) syntax.Node {
	for a := range n.Around() {
		if apart(a) {
			return a
		}
	}
	return syntax.Node{}
}

// apart tells a function with a body that is one for itself.
func apart(n syntax.Node) bool {
	return n.Is("func") && (!n.Has(syntax.Lambda) || script(n.File())) && n.Child("body").Valid()
}

// decides tells a place where code decides how to go on.
func decides(n syntax.Node) bool {
	switch n.Kind() {
	case "if", "loop", "catch", "ternary":
		return true
	case "case":
		m := n.Child("match")
		return m.Valid() && m.Name() != "_" || n.Child("cond").Valid()
	case "binary":
		return n.Detail() == "&&" || n.Detail() == "||" || n.Detail() == "??"
	}
	return false
}

// called is the name of a function, or of what it is given to where it has
// none of its own.
func called(f syntax.Node) string {
	if f.Name() != "" || !f.Is("func") {
		return f.Name()
	}
	at := f
	for at.Role() == "arg" && at.Parent().Is("call") { // memo(() => ...)
		at = at.Parent()
	}
	if p := at.Parent(); at.Role() == "value" && p.Is("assign", "entry") {
		if p.Name() != "" {
			return p.Name()
		}
		return p.Child("target").Name()
	}
	return ""
}

func orNameless(name string) string {
	if name == "" {
		return "a function without a name"
	}
	return shown(name)
}

// decisions counts the places where a function decides how to go on.
func decisions(f *code.Definition) int {
	n := 0
	inner := f.Inner()
	for x := range f.Body().Walk() {
		if nested(x, inner) {
			continue
		}
		switch x.Kind() {
		case "if_statement", "elif_clause", "for_statement", "while_statement", "except_clause", "except_group_clause",
			"conditional_expression", "boolean_operator", "for_in_clause", "if_clause":
			n++
		case "case_clause":
			if x.Child(0).Text() != "_" {
				n++
			}
		}
	}
	return n
}

// nested tells whether a node belongs to a function or class inside.
func nested(n code.Node, inner []*code.Definition) bool {
	for _, d := range inner {
		if d.Kind != code.DefLambda && d.Node.Contains(n) {
			return true
		}
	}
	return false
}
