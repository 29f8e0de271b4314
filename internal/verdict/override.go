package verdict

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Where the cap of a confirmed flaw reaches.
const (
	capsCriterion = "criterion"
	capsOverall   = "overall"
	capsBoth      = "both"
)

// securityOverride caps the criterion that a confirmed flaw belongs to,
// whether or not anybody cited the flaw. Several flaws are as one.
func securityOverride(s *Sitting) {
	law := s.Law.SecurityOverride
	flaws := confirmedIn(law, s.Exhibits)
	h := court.Holding{Rule: securityOverrideID, Outcome: court.Idle, Evidence: flaws}
	switch {
	case len(flaws) == 0:
		h.Text = "there is no confirmed security flaw"
		s.hold(h, s.value)
	case !caps(law, capsCriterion):
		h.Text = "a security flaw is confirmed; this rubric does not cap the criterion"
		s.hold(h, s.value)
	default:
		h.Outcome, h.Text = court.Fired, s.capText()
		s.top = min(s.top, law.Cap)
		s.hold(h, min(s.value, law.Cap))
	}
}

func (s *Sitting) capText() string {
	law := s.Law.SecurityOverride
	text := "a security flaw is confirmed; "
	if s.value > law.Cap {
		text += "the score is at most " + law.Cap.Shown()
	} else {
		text += "the score is not above the cap of " + law.Cap.Shown()
	}
	if caps(law, capsOverall) {
		text += ", and the total is at most " + law.Cap.Shown()
	}
	return text
}

// caps tells whether the law caps a criterion or the overall.
func caps(law court.OverrideRule, what string) bool {
	return law.On && (law.Scope == what || law.Scope == capsBoth)
}

// Confirmed tells whether a piece of evidence is a security flaw that caps by
// the law of the case. Every one of the conditions has to hold: a violation
// with a name for how grave it is, shown by structure and not by words, proven,
// reached by foreign input, in production code, read again at its place, still
// standing, and not dismissed by a person.
func Confirmed(law court.OverrideRule, x court.Exhibit) bool {
	structural := []court.Source{court.Attested, court.Executed, court.AST, court.Git, court.Config}
	return x.Security != nil && x.Outcome == court.Violation && x.Stands() && x.Verified &&
		slices.Contains(structural, x.Source) && x.Strength >= law.MinStrength &&
		x.Security.Severity.AtLeast(law.MinSeverity) && x.Security.Tainted == "yes" &&
		placeCounts(law, x.Security.Scope) && !x.Security.Dismissed
}

// placeCounts tells whether a flaw in a scope class caps: production always,
// the classes that a rubric may exclude when it does not.
func placeCounts(law court.OverrideRule, scope string) bool {
	excludable := []string{"test", "vendor", "example"}
	return scope == "production" || slices.Contains(excludable, scope) && !slices.Contains(law.Exclude, scope)
}

// confirmedIn lists the ids of confirmed flaws, sorted.
func confirmedIn(law court.OverrideRule, exhibits []court.Exhibit) []string {
	var out []string
	for _, x := range exhibits {
		if Confirmed(law, x) {
			out = append(out, x.ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
