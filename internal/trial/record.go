package trial

import (
	"fmt"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// head is all that a run depends on besides graph and input.
func (h Setup) head() map[string]string {
	head := map[string]string{"tool": h.Tool, "law": fmt.Sprint(court.Law), "bench": bench.Digest(),
		"rubric": h.Rubric.Digest, "checks": h.Rubric.Checks, "commit": h.Opened.Case.Commit, "pdf": h.Opened.Case.PDFDigests(), "ocr": h.Opened.Scene.OCR()}
	if len(h.Answers) > 0 {
		head["answers"] = court.Digest(h.Answers)
	}
	if h.Marks != nil {
		head["calibration"] = h.Marks.Digest
	}
	maps.Copy(head, h.Panel.head())
	return head
}

// record makes the record of a state.
func (h Setup) record(s court.State, cut bool) *court.Record {
	r := &court.Record{Schema: court.SchemaRecord, Case: s.Case, Rubric: s.Rubric, Status: court.Complete,
		Origin:    court.Origin{Tool: h.Tool, Law: court.Law, Bench: h.Panel.sources(), BenchSum: bench.Digest(), TrustTree: h.TrustTree, OCR: h.Opened.Scene.OCR(), Prompts: h.Panel.Prompts, Detectives: h.Panel.Detectives},
		Evidences: map[string][]court.Exhibit{}, Opinions: []court.Opinion{}, Hearings: []court.Hearing{},
		Verdict: s.Verdict, Portrait: s.Portrait, Remedies: []court.Remedy{}, Faults: []court.Fault{}}
	if s.Document != nil {
		r.Case.PDF = s.Document
	}
	if len(s.Further) > 0 {
		r.Case.Further = s.Further
	}
	r.Faults = append(r.Faults, s.Faults...)
	if cut {
		s.Seals = append(s.Seals, unsealed(s)...)
	}
	for _, c := range s.Rubric.Heard(s.Case.Only) {
		r.Evidences[c.ID] = confirmed(s.Rubric.Synthesis.SecurityOverride, inCheckOrder(c, exhibits(s, c.ID)))
		for _, o := range s.Opinions {
			if o.Criterion == c.ID {
				r.Opinions = append(r.Opinions, o)
			}
		}
		for _, x := range s.Hearings {
			if x.Criterion == c.ID {
				r.Hearings = append(r.Hearings, x)
			}
		}
	}
	switch {
	case !cut && slices.ContainsFunc(s.Faults, func(f court.Fault) bool { return f.Stage == ErrorHandler }):
		r.Status = court.Mistrial
	case cut, s.Verdict == nil, incomplete(s), substituted(s.Verdict):
		r.Status = court.Partway
	}
	if s.Verdict != nil {
		r.Remedies = append(r.Remedies, advised(s.Rubric, s.Case, r.Evidences)...)
		r.Stakes = stakes(s.Rubric, s.Case, r.Evidences)
	}
	r.Gate = h.gate(s.Verdict)
	return r
}

// substituted tells whether a seat was filled from the bench: somebody did not
// speak.
func substituted(v *court.Verdict) bool {
	return slices.ContainsFunc(v.Rulings, func(r court.Ruling) bool { return len(r.Substituted) > 0 })
}

// gate holds the verdict against the bar. Without a verdict it is undecided.
func (h Setup) gate(v *court.Verdict) *court.Gate {
	if h.Bar == nil {
		return nil
	}
	if v == nil {
		g := court.Gate{Bars: h.Bar.Bars, FailOn: append([]string{}, h.Bar.FailOn...), Outcome: verdict.Undecided, Missed: []string{"there is no verdict"}}
		return &g
	}
	bar := *h.Bar
	bar.Fallen, bar.Degraded = h.fallen(v), degraded(h.Panel, v) && !h.Partial
	g := verdict.Gate(*v, bar)
	return &g
}

// confirmed marks the flaws that the law of the case confirms.
func confirmed(law court.OverrideRule, list []court.Exhibit) []court.Exhibit {
	for i, x := range list {
		if x.Security != nil {
			flaw := *x.Security
			flaw.Confirmed = verdict.Confirmed(law, x)
			list[i].Security = &flaw
		}
	}
	return list
}
