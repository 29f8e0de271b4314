package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// summary is up to three sentences over the ledgers: how many criteria do
// well, what capped or what failed with the most weight, and what the PDF
// claims that does not hold. It names checks by id and places, never in the
// words of the rubric or the submission.
func summary(v court.Verdict, all []*Sitting) string {
	if len(all) == 0 {
		return "No criterion was judged."
	}
	good, scored := 0, len(v.Rulings)
	for _, s := range all {
		if r := s.ruling; r.Final != nil && *r.Final >= 4 {
			good++
		}
		if unexamined(s.hearing) {
			scored--
		}
	}
	out := []string{reached(good, scored, len(v.Rulings))}
	if v.Overall.Capped {
		out = append(out, capped(all))
	} else {
		out = append(out, weightiest(all))
	}
	if s := claims(all); s != "" {
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func reached(good, scored, heard int) string {
	reach, has := "criteria reach", "have"
	if scored == 1 {
		reach = "criterion reaches"
	}
	if heard-scored == 1 {
		has = "has"
	}
	switch {
	case scored == 0:
		return "No criterion has a score, because too little could be examined."
	case scored < heard:
		return fmt.Sprintf("%d of %d %s 4 or more; %d %s no score, because too little could be examined.", good, scored, reach, heard-scored, has)
	default:
		return fmt.Sprintf("%d of %d %s 4 or more.", good, scored, reach)
	}
}

// capped names the first confirmed flaw.
func capped(all []*Sitting) string {
	for _, s := range all {
		for _, x := range s.Exhibits {
			if Confirmed(s.Law.SecurityOverride, x) {
				return fmt.Sprintf("A confirmed security flaw caps the total at %s: %s%s.", s.Law.SecurityOverride.Cap.Shown(), x.Check, where(x))
			}
		}
	}
	return "A confirmed security flaw caps the total."
}

// weightiest names the check that costs the case most among those that are
// more likely failed than not.
func weightiest(all []*Sitting) string {
	var most court.Fixed
	var of *Sitting
	var check string
	for _, s := range all {
		for i, r := range s.hearing.Ledger[court.TechLead] {
			if r.Fails() < court.One/2 || unexamined(s.hearing) {
				continue
			}
			if c := cost(all, s, i); of == nil || c > most {
				most, of, check = c, s, r.Check
			}
		}
	}
	if of == nil {
		return "No check is more likely not met than met."
	}
	x, _ := of.against(check)
	return fmt.Sprintf("The biggest problem is %s in %s%s, which is not met.", check, of.Criterion.ID, where(x))
}

// cost is the share of the whole case that what speaks against one row takes.
func cost(all []*Sitting, of *Sitting, row int) court.Fixed {
	var inner, outer court.Mean
	for i, r := range of.hearing.Ledger[court.TechLead] {
		var d court.Fixed
		if i == row {
			d = r.Fails()
		}
		inner.Add(r.Weight, d)
	}
	for _, s := range all {
		var d court.Fixed
		if s == of {
			d = inner.Value()
		}
		outer.Add(int64(s.Criterion.Weight), d)
	}
	return outer.Value()
}

// against is the strongest evidence that a check does not hold; of equals the
// smallest id.
func (s *Sitting) against(check string) (best court.Exhibit, ok bool) {
	for _, x := range s.Exhibits {
		if x.Check != check || !x.Stands() || !speaksAgainst(x) {
			continue
		}
		if !ok || x.Strength > best.Strength || x.Strength == best.Strength && x.ID < best.ID {
			best, ok = x, true
		}
	}
	return best, ok
}

func speaksAgainst(x court.Exhibit) bool {
	return x.Outcome == court.Violation || x.Outcome == court.Absent || x.Outcome == court.Partial && x.Share < court.One || x.Withheld
}

// claims says what became of the statements of the PDF that were held against
// the code. Criteria that do not look at the PDF have none, nor does a PDF of
// which nothing is known.
func claims(all []*Sitting) string {
	checked, broken := 0, []court.Exhibit{}
	about, given := false, false
	for _, s := range all {
		about = about || slices.Contains(s.Criterion.Artifacts, court.PDFReport)
		for _, x := range s.Exhibits {
			given = given || x.Detective == court.DocAnalyst && x.Outcome != court.Unknown
			if !ofClaims(x) || !x.Stands() || x.Outcome == court.Unknown || x.Outcome == court.NotApplicable {
				continue
			}
			checked++
			if speaksAgainst(x) && x.Outcome != court.Absent {
				broken = append(broken, x)
			}
		}
	}
	switch {
	case !about, !given:
		return ""
	case checked == 0:
		return "The claims of the PDF could not be compared with the code."
	case len(broken) == 0:
		return "No claim of the PDF was found to be wrong."
	default:
		return fmt.Sprintf("Claims of the PDF are wrong: %s%s.", distinctChecks(broken), where(broken[0]))
	}
}

// ofClaims tells the evidence that holds what the PDF says against the code from
// that which asks how well it says it.
func ofClaims(x court.Exhibit) bool {
	id, _, _ := strings.Cut(x.Probe, "/")
	return x.Detective == court.DocAnalyst && x.Source == court.Crossref &&
		slices.Contains([]string{"doc.paths", "doc.symbols", "doc.numbers", "doc.claims", "doc.parallel"}, id)
}

// distinctChecks lists the checks of exhibits in order, each once.
func distinctChecks(list []court.Exhibit) string {
	var out []string
	for _, x := range list {
		out = union(out, []string{x.Check})
	}
	return strings.Join(out, ", ")
}

// where is the place of an exhibit in brackets, nothing when it has none.
func where(x court.Exhibit) string {
	if len(x.At) == 0 {
		return ""
	}
	return " (" + court.Clean(x.At[0].String(), 120) + ")"
}
