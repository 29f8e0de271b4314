package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// questions lists the checks in their order.
func questions(checks []court.Check) string {
	var lines []string
	for _, c := range checks {
		lines = append(lines, court.Clean(c.ID, checkLimit)+": "+nameOf(c))
	}
	return strings.Join(lines, "\n")
}

// instructions is what the rubric says of the criterion, to everybody and to this
// seat.
func instructions(b Brief, j court.Persona) string {
	var parts []string
	say := func(title, text string) {
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, title+":\n"+text)
		}
	}
	c := b.Criterion
	say("criterion", c.Name)
	say("for every criterion", b.Preamble)
	say("instruction", c.Instruction)
	for _, key := range slices.Sorted(maps.Keys(c.Shown)) {
		say(key, c.Shown[key])
	}
	say("success looks like this", c.Success)
	say("failure looks like this", c.Failure)
	say("what the scores mean", anchors(b))
	say("levels, the lowest first", levels(c.Scale.Levels))
	say("to all judges", join(b.Guidance.Shared, c.Guidance.Shared))
	say("to the "+string(j), join(counselled(b.Guidance, j), counselled(c.Guidance, j)))
	return strings.Join(parts, "\n\n")
}

// counselled is what guidance says to one judge.
func counselled(g court.Guidance, j court.Persona) string {
	switch j {
	case court.Prosecutor:
		return g.Prosecutor
	case court.Defense:
		return g.Defense
	default:
		return g.TechLead
	}
}

// join puts the rubric's words before the criterion's, each once.
func join(rubric, criterion string) string {
	if rubric == criterion {
		return criterion
	}
	return strings.TrimSpace(rubric + "\n" + criterion)
}

// anchors is what the scores mean for the criterion, else for the rubric.
func anchors(b Brief) string {
	from := b.Criterion.Scale.Anchors
	if len(from) == 0 {
		from = b.Anchors
	}
	var lines []string
	for _, score := range slices.Sorted(maps.Keys(from)) {
		lines = append(lines, fmt.Sprintf("%d: %s", score, from[score]))
	}
	return strings.Join(lines, "\n")
}

// levels are the steps of a scale of its own, without their points: a judge
// answers on the court's scale.
func levels(list []court.Level) string {
	var lines []string
	for _, l := range list {
		lines = append(lines, strings.TrimSuffix(l.Name+": "+l.Text, ": "))
	}
	return strings.Join(lines, "\n")
}
