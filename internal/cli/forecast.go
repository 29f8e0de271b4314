package cli

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// announce says what will leave the machine, before it does.
func (s *seated) announce(a *app, r *court.Rubric, only []string) {
	if s.run == nil || s.run.Replays() {
		return
	}
	for _, line := range s.forecast(a.Now(), r, only) {
		a.note("%s", line)
	}
}

// forecast is one line for each model: what it is sent, and what that costs at
// worst.
func (s *seated) forecast(now time.Time, r *court.Rubric, only []string) []string {
	criteria := 0
	for _, c := range r.Heard(only) {
		if len(c.Checks) > 0 {
			criteria++
		}
	}
	seats := map[string]int{}
	by := map[string]chair{}
	for _, j := range judgeSeats {
		if c, ok := s.chairs[j]; ok {
			seats[c.source()]++
			by[c.source()] = c
		}
	}
	var out []string
	for _, source := range slices.Sorted(maps.Keys(seats)) {
		calls := criteria * seats[source]
		e := by[source].endpoint
		most := e.Estimate(now, slices.Repeat([]llm.Prompt{bench.LargestPrompt()}, calls))
		cost := most.Cost.String()
		if most.Unknown {
			cost = "an unknown price"
		}
		out = append(out, fmt.Sprintf("quotes of evidence on %s are sent to %s (%s): %s, up to %d tokens and %s; judges who disagree and answers that must be corrected take more",
			counted(criteria, "criterion", "criteria"), e.Provider, e.Model, count(calls, "call"), most.In+most.Out, cost))
	}
	for _, d := range detectiveSeats {
		if c, ok := s.chairs[d]; ok {
			what := map[string]string{string(court.VisionInspector): "pictures of figures", string(court.RepoInvestigator): "parts of files"}[d]
			out = append(out, fmt.Sprintf("%s are sent to %s (%s)", what, c.endpoint.Provider, c.endpoint.Model))
		}
	}
	return out
}
