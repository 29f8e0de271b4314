package court

// Map takes a score of the court to the mark that people would give: its values at 1, 2, 3, 4 and 5, between which it is
// straight. It never falls.
type Map [5]Fixed

// At is what a score becomes.
func (m Map) At(exact Fixed) Fixed {
	full := Fixed(len(m)) * One
	exact = min(max(exact, One), full)
	k := min(int(exact/One)-1, len(m)-2)
	from, rise := m[k], int64(m[k+1]-m[k])
	step := int64(exact - Fixed(k+1)*One)
	y := from + Fixed(Div(step*max(rise, 0), int64(One)))
	return min(max(y, One), full)
}

// Calibration holds the scores of a bench against marks of people. The score of the court stays as it is, and the
// calibrated one stands beside it.
type Calibration struct {
	Digest   string       `json:"digest"` // of the file that it comes from
	Criteria []Calibrated `json:"criteria"`
}

// Calibrated is one criterion that has a map, and how well the map agrees with marks that it was not made from.
type Calibrated struct {
	Criterion string `json:"criterion_id"`
	Map       Map    `json:"map"`
	Anchors   int    `json:"anchors"` // cases that people marked
	Kappa     Fixed  `json:"kappa"`   // quadratic weighted kappa of whole scores
	Error     Fixed  `json:"error"`   // mean distance from the marks, in points
}

// Of is the calibration of a criterion; nil: it has none.
func (c *Calibration) Of(criterion string) *Calibrated {
	if c == nil {
		return nil
	}
	for i := range c.Criteria {
		if c.Criteria[i].Criterion == criterion {
			return &c.Criteria[i]
		}
	}
	return nil
}

// Uncapped is the score before the rules that cap.
func (r *Ruling) Uncapped() Fixed {
	for _, h := range r.Holdings {
		if h.Rule == "orchestration_fraud" || h.Rule == "security_override" {
			return h.Before
		}
	}
	return r.Exact
}
