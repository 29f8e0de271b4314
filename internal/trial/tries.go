package trial

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// tries are the numbers from which the page computes what ticked remedies would be
// worth, by the same arithmetic as the bench and the chief justice. All scores, shares
// and weights are whole basis points. Criteria stand in the order of the rubric.
type tries struct {
	Judges   []tryJudge     `json:"judges"`
	Criteria []tryCriterion `json:"criteria"`
	Fixes    [][][2]int     `json:"fixes"` // by remedy: criterion and check

	ProvenAt int64 `json:"proven"`
	Cap      int64 `json:"cap,omitempty"` // of the total, while a flaw is confirmed anywhere
}

type tryJudge struct {
	Doubt int64  `json:"doubt"`
	Gate  int64  `json:"gate"`
	Curve string `json:"curve"`
	Core  int64  `json:"core"` // what a core check weighs; others weigh 2
}

// tryCriterion is a criterion with its checks, or with its score where nothing that is
// listed can change it.
type tryCriterion struct {
	Weight   int64      `json:"w"`
	Exact    int64      `json:"exact"`
	Gone     bool       `json:"gone,omitempty"`  // it could not be examined, and is in no total
	Out      bool       `json:"out,omitempty"`   // it is in no total, whatever is known
	Human    *int64     `json:"human,omitempty"` // the mark of a person
	Flaw     bool       `json:"flaw,omitempty"`  // a confirmed flaw that no remedy takes away
	Cap      int64      `json:"cap,omitempty"`   // while a flaw is confirmed
	Seats    []int64    `json:"seats,omitempty"`
	Checks   []tryCheck `json:"checks,omitempty"`
	Fraud    []int      `json:"fraud,omitempty"` // the checks whose failing caps it
	FraudCap int64      `json:"fraudCap,omitempty"`
}

type tryCheck struct {
	Weight   int64   `json:"w"`
	Core     bool    `json:"core,omitempty"`
	Needs    []int   `json:"needs"`
	Applies  bool    `json:"applies,omitempty"`
	Withheld bool    `json:"withheld,omitempty"`
	Unseen   bool    `json:"unseen,omitempty"`
	Flaw     bool    `json:"flaw,omitempty"`
	Pro      []int64 `json:"pro"`
	Con      []int64 `json:"con"`
	Mended   []int64 `json:"mended,omitempty"` // what speaks for it once it is put right
}

// mostWeight keeps every sum of the page's arithmetic a whole number.
const mostWeight = 1 << 33

// Render writes a record in one format. The page of a record gets the numbers of its
// remedies, so that the one who reads it can try them out.
func Render(w io.Writer, f report.Format, rec *court.Record) error {
	if f.Name != "html" {
		return f.Write(w, rec) //nolint:wrapcheck // it is the format's own error
	}
	return RenderAround(w, rec, nil)
}

// RenderAround writes the page of a record with what the web app puts around it; nil: nothing.
func RenderAround(w io.Writer, rec *court.Record, around *report.Around) error {
	raw, err := numbers(rec)
	if err != nil {
		return err
	}
	return report.Page(w, rec, raw, around) //nolint:wrapcheck // it is the page's own error
}

func numbers(rec *court.Record) ([]byte, error) {
	t := triesOf(rec)
	if t == nil {
		return nil, nil
	}
	raw, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("writing the numbers of remedies: %w", err)
	}
	return raw, nil
}

// triesOf are the numbers of a record; nil: it has no remedies, or this program does not
// come to the scores that it holds, as another one judged it.
func triesOf(rec *court.Record) *tries {
	if rec.Verdict == nil || len(rec.Remedies) == 0 || rec.Origin.BenchSum != bench.Digest() {
		return nil
	}
	now := tryOut(rec.Rubric, rec.Case, rec.Evidences)
	held := rec.Verdict.Overall.Exact
	if base := rec.Verdict.Overall.Embedded; base != nil {
		held = *base
	}
	if now.total().Exact != held {
		return nil
	}
	t := &tries{}
	measures, proven := bench.Measures()
	t.ProvenAt = int64(proven)
	for _, m := range measures {
		t.Judges = append(t.Judges, tryJudge{int64(m.Doubt), int64(m.Gate), m.Curve, m.CoreHalves})
	}
	if law := now.law.SecurityOverride; law.On && law.Scope != "criterion" {
		t.Cap = int64(law.Cap)
	}
	heard := rec.Rubric.Asked(rec.Case.Only)
	sum := int64(0)
	for _, c := range heard {
		k := now.tryCriterion(rec, c)
		if sum += k.Weight; k.Weight > mostWeight || sum > mostWeight {
			return nil
		}
		t.Criteria = append(t.Criteria, k)
	}
	for _, r := range rec.Remedies {
		fixes := [][2]int{}
		for _, f := range FixesOf(r) {
			i := slices.IndexFunc(heard, func(c court.Criterion) bool { return c.ID == f.Criterion })
			if i < 0 || t.Criteria[i].Checks == nil {
				return nil
			}
			k := slices.IndexFunc(heard[i].Checks, func(c court.Check) bool { return c.ID == f.Check })
			if k < 0 || t.Criteria[i].Checks[k].Mended == nil {
				return nil
			}
			fixes = append(fixes, [2]int{i, k})
		}
		t.Fixes = append(t.Fixes, fixes)
	}
	return t
}

func (t tryout) tryCriterion(rec *court.Record, c court.Criterion) tryCriterion {
	a, i := rec.Case.Answer(c.ID), t.at(c.ID)
	k := tryCriterion{Weight: max(int64(c.Weight), 0), Out: a == nil && i < 0}
	if a != nil {
		human := int64(a.Score)
		k.Human, k.Out = &human, a.Excluded
	}
	if i < 0 { // no judge hears it
		return k
	}
	s := t.stands[i]
	k.Exact, k.Gone = int64(s.share.Exact), s.share.Unexamined
	law := t.law.SecurityOverride
	if law.On && law.Scope != "overall" {
		k.Cap = int64(law.Cap)
	}
	k.Flaw = s.flawed
	if s.hearing.Blind || !slices.ContainsFunc(rec.Remedies, func(r court.Remedy) bool {
		return slices.ContainsFunc(FixesOf(r), func(f Fix) bool { return f.Criterion == c.ID })
	}) {
		return k
	}
	k.weigh(t.law, s)
	return k
}

// weigh fills in the checks of a criterion that remedies can change.
func (k *tryCriterion) weigh(law court.Synthesis, s stand) {
	k.Seats = []int64{1, 1, 1}
	for _, h := range s.ruling.Holdings {
		switch {
		case h.Rule == "functionality_weight" && h.Outcome == court.Fired:
			for j, seat := range court.Personas() {
				k.Seats[j] = int64(law.FunctionalityWeight.Weights[seat])
			}
		case h.Rule == "orchestration_fraud" && h.Outcome != court.Off:
			k.Fraud, k.FraudCap = placesOf(s.criterion, law.OrchestrationFraud.Checks()), int64(law.OrchestrationFraud.Cap)
		}
	}
	flaws := map[string]bool{}
	for _, x := range s.exhibits {
		if verdict.Confirmed(law.SecurityOverride, x) {
			flaws[x.Check] = true
		}
	}
	for i, w := range bench.Weigh(s.criterion, s.exhibits) {
		check := tryCheck{Weight: int64(w.Check.Weight), Core: w.Check.Facet == court.Core, Needs: w.Needs, Applies: w.Applies, Withheld: w.Withheld, Unseen: w.Unseen,
			Flaw: flaws[w.Check.ID], Pro: whole(w.Pro), Con: whole(w.Con)}
		then := bench.Weigh(s.criterion, mend(s.exhibits, w.Check))[i]
		check.Mended = whole(then.Pro)
		delete(flaws, w.Check.ID)
		k.Checks = append(k.Checks, check)
	}
	k.Flaw = len(flaws) > 0 // flaws of no check of the criterion
}

// placesOf are the places of checks in a criterion; nil when one of them is not there.
func placesOf(c court.Criterion, ids []string) (out []int) {
	for _, id := range ids {
		i := slices.IndexFunc(c.Checks, func(k court.Check) bool { return k.ID == id })
		if i < 0 {
			return nil
		}
		out = append(out, i)
	}
	return out
}

func whole(list []court.Fixed) []int64 {
	out := make([]int64, len(list))
	for i, f := range list {
		out[i] = int64(f)
	}
	return out
}
