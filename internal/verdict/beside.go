package verdict

import "github.com/automaton-auditor/automaton/internal/court"

// beside sets other scores beside those of a verdict: they are shown, and nothing follows from them.
func (p Papers) beside(v *court.Verdict) error {
	if err := p.calibrate(v); err != nil || !p.Modelled {
		return err
	}
	p.Opinions = nil // every seat is filled from the bench
	alone, err := decide(p, nil)
	if err != nil {
		return err
	}
	v.Overall.Embedded = &alone.Overall.Exact
	for i := range v.Rulings {
		v.Rulings[i].Embedded = &alone.Rulings[i].Exact
	}
	return nil
}

// calibrate sets the calibrated scores beside those of a verdict. A provisional score has none.
func (p Papers) calibrate(v *court.Verdict) error {
	if p.Calibration == nil {
		return nil
	}
	with, err := decide(p, p.Calibration)
	if err != nil {
		return err
	}
	for i := range v.Rulings {
		if r := &v.Rulings[i]; r.Final != nil && r.Status != court.Insufficient && p.Calibration.Of(r.Criterion) != nil {
			r.Calibrated, v.Overall.Calibrated = &with.Rulings[i].Exact, &with.Overall.Exact
		}
	}
	return nil
}
