package document

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// unaveraged is a sentence that says that no average is taken. One that says that more than
// that is done, as "not simply averaged", says something else.
const unaveraged = `(?i)\breject(?:s|ed)? (?:the |any )?["“”']?(?:simple |naive )?averag(?:e|es|ing)\b|\bno (?:score )?averaging\b|\b(?:not|never)\s+(?:(?:achieved|obtained|reached|computed|made|done|be|by|an?|the|judges?['’]?|their|all|three)\s+){0,4}averag(?:es?|ed|ing)\b`

// noMean asks whether the final score of a criterion comes from an average. That none is
// taken is sure only where the chief justice's code sums nothing up.
func noMean(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	chief := a.chief(ctx, s)
	if chief == nil {
		return undecided, nil, "no code of a chief justice was found"
	}
	a.program.Lock()
	defer a.program.Unlock()
	around := a.program.Reachable(chief)
	scores, sums := false, false
	for _, c := range a.program.Calls() {
		if !around[a.program.Enclosing(c.Node)] || a.program.Dead(c.Node) {
			continue
		}
		sums = sums || slices.Contains([]string{"sum", "mean", "fmean", "average", "median"}, c.Name)
		if v := c.Arg("final_score", -1); v.Valid() {
			scores = true
			if at := a.mean(v); at.Valid() {
				here := line(at.Path(), at.Line())
				return untrue, here, "the final score comes from the average at " + facts.Line(here[0])
			}
		}
	}
	if scores && !sums {
		return holds, line(chief.Node.Path(), chief.Line()), "nothing is summed up there"
	}
	return undecided, nil, "whether the final score comes from an average could not be seen"
}

// mean is the average that a value comes from; invalid where none is known.
func (a *against) mean(n code.Node) code.Node {
	for _, o := range a.program.Origins.Of(n) {
		for _, at := range append(o.Path, o.Node) {
			c := a.program.Call(at)
			if averaged(at) || c != nil && slices.Contains([]string{"round", "int", "float"}, c.Name) && averaged(c.Arg("", 0)) {
				return at
			}
			if c == nil {
				continue
			}
			over := at.Parent()
			for over.Is("parenthesized_expression") {
				over = over.Parent()
			}
			if slices.Contains([]string{"mean", "fmean"}, c.Name) || c.Name == "sum" && over.Is("binary_operator") && over.Field("operator").Text() == "/" &&
				over.Field("left").Unparen() == at && over.Field("right").Unparen().Field("function").Text() == "len" {
				return at
			}
		}
	}
	return code.Node{}
}

var term = []string{"identifier", "attribute", "subscript"}

// averaged tells a sum of several terms that is divided by their number.
func averaged(n code.Node) bool {
	n = n.Unparen()
	if !n.Is("binary_operator") || n.Field("operator").Text() != "/" {
		return false
	}
	by, ok := n.Field("right").Unparen().Number()
	terms := 1
	sum := n.Field("left").Unparen()
	for ; sum.Is("binary_operator") && sum.Field("operator").Text() == "+"; sum = sum.Field("left").Unparen() {
		if !sum.Field("right").Unparen().Is(term...) {
			return false
		}
		terms++
	}
	return ok && terms > 1 && by == float64(terms) && sum.Is(term...)
}

// chief is the function that the fact sheet has as the chief justice's; nil: none.
func (a *against) chief(ctx context.Context, s *probe.Scene) *code.Definition {
	sheet, err := s.Facts(ctx, "justice")
	if err != nil || sheet.Justice.At == nil {
		return nil
	}
	m := a.program.Module(sheet.Justice.At.Path)
	if m == nil {
		return nil
	}
	for _, d := range m.Definitions() {
		if d.IsFunction() && d.Line() == sheet.Justice.At.Line {
			return d
		}
	}
	return nil
}
