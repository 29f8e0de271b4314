package probe

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// switchedOn is a finding after a look at whether every place of it, or of what gives it its effect, hangs on a switch that
// is off where nobody sets it: then it is there, and no run carries it out. Where the
// program's text alone keeps it off, it has no effect. A switch that a file of the
// repository turns on is on.
func (s *Scene) switchedOn(ctx context.Context, all *analyse.Analyses, runs *analyse.Runs, f Finding) Finding {
	var causes []analyse.Condition
	through := f.Through
	if len(through) == 0 {
		through = f.Places
	}
	for _, p := range through {
		x, ok := off(all, runs, p)
		if !ok {
			return f
		}
		causes = append(causes, x)
	}
	fixed := true
	var names []string
	for _, x := range causes {
		names = append(names, strings.Split(x.Flag, ", ")...)
		fixed = fixed && x.Is == analyse.No
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if !fixed && slices.ContainsFunc(names, func(name string) bool { return s.turnsOn(ctx, name) }) {
		return f
	}
	which := strings.Join(names, ", ")
	at := placeOf(causes[0].Places[0])
	places := slices.Concat([]court.Place{at}, f.Places)
	text := safetext.Sentence(f.Rationale)
	out := Partly(half(f), f.Source, places, "%s But it depends on %s, which is off unless somebody sets it (%s).", text, which, at)
	out.Remedy = fmt.Sprintf("Turn %s on by default in %s: it is off unless somebody sets it.", which, at)
	if fixed {
		out = Against(f.Source, places, "%s But no run gets there, because the program's text fixes %s (%s).", text, which, at)
		out.Remedy = fmt.Sprintf("Turn %s on in %s: no run gets past it as it is.", which, at)
	}
	out.Data, out.Effort = f.Data, mendEffort
	return out
}

// half is what a finding is worth that no run carries out by default.
func half(f Finding) court.Fixed {
	if f.Outcome == court.Partial {
		return min(f.Share, court.One/2)
	}
	return court.One / 2
}

// off is what keeps every run from a place of the program's own code by default.
func off(all *analyse.Analyses, runs *analyse.Runs, p court.Place) (analyse.Condition, bool) {
	if p.Path == "" || p.Line == 0 {
		return analyse.Condition{}, false
	}
	f, at := all.At(p.Path, p.Line)
	if f == nil || at == nil {
		return analyse.Condition{}, false
	}
	return runs.Off(f, at)
}

// turnsOn tells whether a file of the repository sets a switch: an example of the
// environment, a command, a pipeline, other code.
func (s *Scene) turnsOn(ctx context.Context, name string) bool {
	files, err := s.Files(ctx)
	if err != nil {
		return true
	}
	set := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(name) + `["']?\]?\s*[:=,]\s*["']?(` + strings.Join(analyse.WordsOn(), "|") + `)\b`)
	return slices.ContainsFunc(files, func(f code.File) bool { return set.Match(f.Bytes) })
}
