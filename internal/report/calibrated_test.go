package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// calibratedRecord is a good one with a calibrated score of its first criterion.
func calibratedRecord() *court.Record {
	rec := goodRecord()
	score, total := fx("2.1234"), fx("2.5678")
	r := &rec.Verdict.Rulings[0]
	r.Calibrated, rec.Verdict.Overall.Calibrated = &score, &total
	rec.Case.Calibration = &court.Calibration{Digest: "sha256:1", Criteria: []court.Calibrated{{Criterion: r.Criterion, Anchors: 24, Kappa: fx("0.7192"), Error: fx("0.38")}}}
	return rec
}

// Every format shows the calibrated score beside the court's, which stays.
func TestCalibratedIsShown(t *testing.T) {
	rec := calibratedRecord()
	exact := rec.Verdict.Rulings[0].Exact.Shown()
	const words = "calibrated: 2.12 (24 cases, kappa 0.71, error 0.38)"
	wants := map[string][]string{"text": {"calibrated: 2.56", "CALIBRATED", "2.12", exact}, "md": {"calibrated: 2.56", "| Calibrated |", "| 2.12 |", exact},
		"html": {words, "calibrated: 2.56", exact}, "short.html": {"calibrated: 2.56"}, "junit": {words, exact}, "csv": {",calibrated\n", ",2.12\n", ",2.56\n", exact}}
	for format, list := range wants {
		f := Formats[slices.IndexFunc(Formats, func(f Format) bool { return f.Name == format })]
		var with, without bytes.Buffer
		if err := f.Write(&with, rec); err != nil {
			t.Fatal(err)
		}
		if err := f.Write(&without, goodRecord()); err != nil {
			t.Fatal(err)
		}
		for _, want := range list {
			if !strings.Contains(with.String(), want) {
				t.Errorf("%s: %q is missing", format, want)
			}
		}
		if strings.Contains(strings.ToLower(without.String()), "calibrated") {
			t.Errorf("%s: a case without a calibration speaks of one", format)
		}
	}
}
