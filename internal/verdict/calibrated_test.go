package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// A calibration sets scores beside those of the court and changes none of them; caps hold for both, and a provisional
// score gets none.
func TestCalibrated(t *testing.T) {
	p := wholeCase()
	plain, err := Decide(p)
	if err != nil {
		t.Fatal(err)
	}
	higher := court.Map{40000, 42000, 44000, 46000, 50000}
	p.Calibration = &court.Calibration{Criteria: []court.Calibrated{{Criterion: "safe_tools", Map: higher}, {Criterion: "langgraph_architecture", Map: higher}, {Criterion: "report", Map: higher}}}
	v, err := Decide(p)
	if err != nil {
		t.Fatal(err)
	}
	flawed, graph, report := v.Rulings[0], v.Rulings[1], v.Rulings[2]
	if flawed.Calibrated == nil || *flawed.Calibrated != 3*court.One {
		t.Errorf("a flaw is confirmed, and the calibrated score is %v", flawed.Calibrated)
	}
	if want := higher.At(graph.Exact); graph.Calibrated == nil || *graph.Calibrated != want {
		t.Errorf("%v, want %s", graph.Calibrated, want)
	}
	if report.Status != court.Insufficient || report.Calibrated != nil {
		t.Errorf("%s: %v", report.Status, report.Calibrated)
	}
	if v.Overall.Calibrated == nil || *v.Overall.Calibrated > 3*court.One {
		t.Errorf("the total is capped, and the calibrated one is %v", v.Overall.Calibrated)
	}
	v.Overall.Calibrated = nil
	for i := range v.Rulings {
		v.Rulings[i].Calibrated = nil
	}
	if diff := cmp.Diff(plain, v); diff != "" {
		t.Errorf("the court's own verdict changed: %s", diff)
	}
	p.Calibration = &court.Calibration{}
	if v, err := Decide(p); err != nil || !cmp.Equal(plain, v) {
		t.Errorf("a calibration without maps: %v %s", err, cmp.Diff(plain, v))
	}
}
