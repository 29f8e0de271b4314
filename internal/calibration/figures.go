package calibration

import (
	"github.com/automaton-auditor/automaton/internal/court"
)

// Anchor is one case and criterion that a person marked, too.
type Anchor struct {
	Exact court.Fixed `json:"exact"` // what the court gave
	Mark  court.Fixed `json:"mark"`  // what people gave: the mean of several
}

// Figures say how well scores agree with marks.
type Figures struct {
	Anchors int         `json:"anchors"`
	Same    court.Fixed `json:"same"`  // share of anchors with the same whole score
	Kappa   court.Fixed `json:"kappa"` // quadratic weighted kappa of whole scores (Cohen 1968): 1 is agreement, 0 chance; it may be negative
	Error   court.Fixed `json:"error"` // mean absolute difference, in points
	Bias    court.Fixed `json:"bias"`  // mean of score less mark, in points: above 0 the court is milder
}

// FiguresOf reckons the figures of anchors; the zero value without any.
func FiguresOf(anchors []Anchor) Figures {
	n := int64(len(anchors))
	if n == 0 {
		return Figures{}
	}
	var same, off, bias int64
	for _, a := range anchors {
		if a.Exact.Score() == a.Mark.Score() {
			same++
		}
		d := int64(a.Exact - a.Mark)
		off += max(d, -d)
		bias += d
	}
	return Figures{Anchors: len(anchors), Same: ratio(same*int64(court.One), n), Kappa: kappa(anchors), Error: ratio(off, n), Bias: ratio(bias, n)}
}

// ratio is n/d for d > 0, rounded half away from zero.
func ratio(n, d int64) court.Fixed {
	if n < 0 {
		return -court.Fixed(court.Div(-n, d))
	}
	return court.Fixed(court.Div(n, d))
}

// scale is the number of whole scores.
const scale = 5

// kappa is 1 − Σ(i−j)²·observed ÷ Σ(i−j)²·expected over the table of whole scores. Where everybody always gives the same
// score nothing is expected to differ, and agreement says nothing: 0.
func kappa(anchors []Anchor) court.Fixed {
	var row, column [scale + 1]int64
	var observed, expected int64
	for _, a := range anchors {
		i, j := whole(a.Exact), whole(a.Mark)
		row[i]++
		column[j]++
		observed += int64((i - j) * (i - j))
	}
	for i := range row {
		for j := range column {
			expected += int64((i-j)*(i-j)) * row[i] * column[j]
		}
	}
	if expected == 0 {
		return 0
	}
	return court.One - ratio(observed*int64(len(anchors))*int64(court.One), expected)
}

func whole(f court.Fixed) int { return min(max(f.Score(), 1), scale) }
