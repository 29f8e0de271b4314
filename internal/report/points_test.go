package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The total on the rubric's own scale: what people decided counts, what they
// took out does not, one plain criterion leaves no sum, and a cap holds.
func TestTotalOnTheRubricsScale(t *testing.T) {
	const u = court.One
	criterion := func(id, kind string, most court.Fixed) court.Criterion {
		return court.Criterion{ID: id, Scale: court.Scale{Kind: kind, Max: most}}
	}
	ruling := func(id string, points *court.Points) court.Ruling { return court.Ruling{Criterion: id, Points: points} }
	mark := func(n court.Fixed) *court.Fixed { return &n }
	tests := map[string]struct {
		plain   bool
		answers []court.Answer
		marks   court.Thresholds
		overall court.Overall
		want    []string
	}{
		"sum":           {overall: court.Overall{Exact: 4 * u}, want: []string{"30 of 40 points (75 %)"}},
		"passed":        {marks: court.Thresholds{Pass: mark(30 * u), Partial: mark(20 * u)}, overall: court.Overall{Exact: 4 * u}, want: []string{"30 of 40 points (75 %)", "the rubric's mark for a pass, 30, is reached"}},
		"partly":        {marks: court.Thresholds{Pass: mark(31 * u), Partial: mark(20 * u)}, overall: court.Overall{Exact: 4 * u}, want: []string{"30 of 40 points (75 %)", "the rubric's mark for a pass, 31, is not reached", "the rubric's mark for a partial pass, 20, is reached"}},
		"answered":      {answers: []court.Answer{{Criterion: "a", Points: 20 * u}}, overall: court.Overall{Exact: 4 * u}, want: []string{"40 of 40 points (100 %)"}},
		"excluded":      {answers: []court.Answer{{Criterion: "a", Excluded: true}}, overall: court.Overall{Exact: 4 * u}, want: []string{"20 of 20 points (100 %)"}},
		"people's own":  {answers: []court.Answer{{Criterion: "c", Points: 5 * u}}, overall: court.Overall{Exact: 4 * u}, want: []string{"35 of 50 points (70 %)"}},
		"capped":        {overall: court.Overall{Exact: 2 * u, BeforeCap: 4 * u, Capped: true}, want: []string{"10 of 40 points (25 %)"}},
		"one is plain":  {plain: true, overall: court.Overall{Exact: 4 * u}, want: nil},
		"mark of plain": {plain: true, marks: court.Thresholds{Pass: mark(4 * u)}, overall: court.Overall{Exact: 4 * u}, want: []string{"the rubric's mark for a pass, 4, is reached"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := &court.Record{Verdict: &court.Verdict{Overall: tt.overall, Rulings: []court.Ruling{
				ruling("a", &court.Points{Points: 10 * u, Max: 20 * u}), ruling("b", &court.Points{Points: 20 * u, Max: 20 * u})}}}
			manual := criterion("c", "points", 10*u)
			manual.Binding = "manual"
			rec.Rubric.Criteria = []court.Criterion{criterion("a", "points", 20*u), criterion("b", "points", 20*u), manual}
			if tt.plain {
				rec.Rubric.Criteria[1].Scale.Kind = "five"
			}
			rec.Rubric.Synthesis.Thresholds, rec.Case.Answers = tt.marks, tt.answers
			if diff := cmp.Diff(tt.want, newDocket(rec).onScale()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
