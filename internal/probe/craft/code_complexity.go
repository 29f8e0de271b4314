package craft

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// mostDecisions is what a function may decide (probes.md, 6.4).
const mostDecisions = 15

func codeComplexity() probe.Probe {
	return probe.Probe{
		ID: "code.complexity", Version: "1", Target: court.GithubRepo,
		Title: "Functions branch little",
		Doc: "Counts the decision points of each Python function: if, elif, for, while, except, case, conditional expressions, and, or, and the clauses of comprehensions; nested functions apart. " +
			"More than 15 are too many. Whether a long row of branches is easy to read all the same is not seen.",
		Remedy: "Take the branches of the longest functions apart into functions of their own, or into tables.",
		Effort: 60, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			all := d.functions()
			worst, most := "", 0
			var bad []court.Place
			for _, f := range all {
				n := decisions(f)
				if n > most {
					worst, most = f.Name, n
				}
				if n > mostDecisions {
					bad = append(bad, head(f))
				}
			}
			what := "There is no Python function that could branch."
			if len(all) > 0 {
				what = fmt.Sprintf("%d of %s have more than %d decision points.", len(bad), count(len(all), "function"), mostDecisions)
			}
			if most > 0 {
				what += fmt.Sprintf(" The most, %d, are in %s.", most, shown(worst))
			}
			return []probe.Finding{d.judged(bad, len(all), what)}, nil
		},
	}
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
