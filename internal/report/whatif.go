package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Suppose says of a comparison with a hypothetical record what was supposed, and
// that nothing comes of it, or not of a rule that does not fire: rules are the
// settings of the rubric that were changed, by the names that a rubric gives them.
func (c *Comparison) Suppose(asked, rules []string, old, now *court.Record) {
	c.Asked = asked
	var idle []string
	for _, rule := range rules {
		ids := rulesOf(rule)
		if len(ids) > 0 && !fires(old, ids) && !fires(now, ids) && !slices.Contains(idle, rule) {
			idle = append(idle, rule)
		}
	}
	var parts []string
	if !slices.ContainsFunc(append(slices.Clone(c.Criteria), c.Overall), Change.altered) {
		parts = append(parts, "Nothing changes.")
	}
	for _, rule := range idle {
		parts = append(parts, fmt.Sprintf("The rule %s does not fire in this case, with or without the change.", rule))
	}
	c.NoEffect = strings.Join(parts, " ")
}

// altered tells whether anything came of a change.
func (c Change) altered() bool {
	return len(c.Note)+len(c.Gone)+len(c.Came) > 0 || shown(c.Old) != shown(c.New)
}

// rulesOf are the court's rules that read a block of a rubric's synthesis.
func rulesOf(block string) []string {
	switch block {
	case "spread":
		return []string{"variance_re_evaluation", "dissent_requirement"}
	case "re_evaluation":
		return []string{"variance_re_evaluation"}
	case "dissent":
		return []string{"dissent_requirement"}
	case "thresholds":
		return nil
	default:
		return []string{block}
	}
}

// fires tells whether one of the rules did anything in a case.
func fires(rec *court.Record, rules []string) bool {
	if rec.Verdict == nil {
		return false
	}
	for _, r := range rec.Verdict.Rulings {
		for _, id := range rules {
			if h := holding(&r, id); h != nil && h.Outcome == court.Fired {
				return true
			}
		}
	}
	return false
}

// supposed is what a comparison says before its result; empty: nothing was supposed.
func (c Comparison) supposed() []string {
	var lines []string
	if len(c.Asked) > 0 {
		lines = append(lines, "What if: "+strings.Join(c.Asked, " "))
	}
	if c.NoEffect != "" {
		lines = append(lines, c.NoEffect)
	}
	return lines
}
