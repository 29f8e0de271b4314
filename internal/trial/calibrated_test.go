package trial

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/automaton-auditor/automaton/internal/court"
)

// A calibration stands in the record, its scores beside the court's, and the verdict follows from the record alone;
// without them the record is that of the same case without a calibration.
func TestCalibratedCase(t *testing.T) {
	h := hearing(t, loadGolden(t, "f01_perfect").fixture(t, "").Scene(t))
	plain := try(t, h)
	of := plain.Verdict.Rulings[0].Criterion
	h.Marks = &court.Calibration{Digest: "sha256:c", Criteria: []court.Calibrated{{Criterion: of, Map: court.Map{10000, 15000, 20000, 25000, 30000}, Anchors: 20, Kappa: 7000, Error: 4000}}}
	rec := try(t, h)
	r := rec.Verdict.Rulings[0]
	if r.Calibrated == nil || *r.Calibrated >= r.Exact || rec.Verdict.Overall.Calibrated == nil || *rec.Verdict.Overall.Calibrated >= rec.Verdict.Overall.Exact {
		t.Fatalf("%+v", r)
	}
	again, err := Replay(rec)
	if diff := cmp.Diff(rec.Verdict, again, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Error(err, diff)
	}
	ignored := cmp.Options{cmpopts.IgnoreFields(court.Record{}, "Digest", "Run"), cmpopts.IgnoreFields(court.Case{}, "Calibration"),
		cmpopts.IgnoreFields(court.Ruling{}, "Calibrated"), cmpopts.IgnoreFields(court.Overall{}, "Calibrated")}
	if diff := cmp.Diff(plain, rec, ignored); diff != "" {
		t.Errorf("something else changed: %s", diff)
	}
	if plain.Digest == rec.Digest {
		t.Error("the digest does not tell the two apart")
	}
}
