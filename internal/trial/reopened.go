package trial

import (
	"github.com/automaton-auditor/automaton/internal/court"
)

// half is the doubt from which a check is looked at again.
const half = court.One / 2

// reopened says which checks of the disputed criteria are looked at again: what
// the judges cited, what nobody knows, and core checks in conflict. In the
// first round that is everything.
func reopened(s court.State) func(criterion, check string) bool {
	if s.Round() == 1 {
		return nil
	}
	again := map[[2]string]bool{}
	checkOf := map[string]string{}
	for _, id := range s.Disputed {
		for _, e := range s.Evidences[id] {
			checkOf[e.ID] = e.Check
		}
	}
	for _, o := range s.Opinions {
		for _, id := range o.Cited {
			again[[2]string{o.Criterion, checkOf[id]}] = true
		}
	}
	for _, h := range s.Hearings {
		clash := h.Conflict >= s.Rubric.Synthesis.ReEvaluation.CoreConflict
		for _, r := range h.Ledger[court.TechLead] {
			if r.Applies() && r.U >= half || r.Core && clash {
				again[[2]string{h.Criterion, r.Check}] = true
			}
		}
	}
	return func(criterion, check string) bool { return again[[2]string{criterion, check}] }
}
