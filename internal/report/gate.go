package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// gateWord is the gate's outcome in one word.
func gateWord(g *court.Gate) string {
	switch g.Outcome {
	case "pass":
		return "PASS"
	case "fail":
		return "FAIL"
	default:
		return "UNDECIDED"
	}
}

// gate is the summary's end when a gate was set: a line per missed bar or met
// condition, or per bar that holds.
func (s *summary) gate() {
	g := s.rec.Gate
	if g == nil {
		return
	}
	s.line("")
	word := s.p.red(gateWord(g))
	if g.Outcome == "pass" {
		word = s.p.green(gateWord(g))
	}
	partial := ""
	if s.rec.Status == court.Partway {
		partial = " (partial)"
	}
	for _, l := range s.gateLines() {
		s.line("%s  %s%s", word, l, partial)
	}
}

// gateLines says why the gate ended as it did.
func (d *docket) gateLines() []string {
	g := d.rec.Gate
	if g.Outcome != "pass" && len(g.Missed) > 0 {
		var lines []string
		for _, m := range g.Missed {
			lines = append(lines, clean(m)+gateFlag(g, m))
		}
		return lines
	}
	var lines []string
	for _, id := range d.barOrder() {
		low, what := d.provenOf(id)
		lines = append(lines, fmt.Sprintf("%s%s is proven, %s was asked (--fail-under)", what, low, g.Bars[id].Shown()))
	}
	if len(lines) == 0 {
		lines = []string{"no condition is met (--fail-on)"}
	}
	return lines
}

// underBar is the end of a line about a bar; any other line is about a condition.
var underBar = regexp.MustCompile(`(?:under|bar (?:of|is)) \d+\.\d\d$`)

// gateFlag names the flag behind a missed line, in brackets.
func gateFlag(g *court.Gate, missed string) string {
	switch {
	case underBar.MatchString(missed):
		return " (--fail-under)"
	case slices.ContainsFunc(g.FailOn, func(c string) bool { return strings.Contains(missed, c) }):
		return " (--fail-on)"
	default:
		return ""
	}
}

// barOrder lists the bars: the overall one first, then rubric order.
func (d *docket) barOrder() []string {
	var list []string
	if _, ok := d.rec.Gate.Bars[court.OverallID]; ok {
		list = append(list, court.OverallID)
	}
	for _, c := range d.rec.Rubric.Criteria {
		if _, ok := d.rec.Gate.Bars[c.ID]; ok && c.ID != court.OverallID {
			list = append(list, c.ID)
		}
	}
	return list
}

// provenOf is the low end that a bar is held against.
func (d *docket) provenOf(id string) (low, what string) {
	if id == court.OverallID {
		if d.rec.Verdict == nil {
			return "nothing", ""
		}
		return d.rec.Verdict.Overall.Low.Shown(), ""
	}
	if r := d.rulings[id]; r != nil {
		return r.Low.Shown(), clean(id) + ": "
	}
	return "nothing", clean(id) + ": "
}
