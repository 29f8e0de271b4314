package court

import (
	"math"
	"math/bits"
)

// Mean is a weighted mean of Fixed numbers that rounds once, at the end. Its
// zero value is the mean of nothing. The sum is kept in 128 bits, so that no
// weight that a rubric may name can overflow it.
type Mean struct {
	hi, lo uint64 // Σ weight · value
	weight uint64 // Σ weight
}

// Add counts a value with a weight. Negative values count as 0 and negative
// weights not at all, as the scale has neither; weights that together exceed
// an int64 count up to there.
func (m *Mean) Add(weight int64, value Fixed) {
	w := min(uint64(max(weight, 0)), math.MaxInt64-m.weight)
	hi, lo := bits.Mul64(w, uint64(max(value, 0)))
	var carry uint64
	m.lo, carry = bits.Add64(m.lo, lo, 0)
	m.hi, _ = bits.Add64(m.hi, hi, carry)
	m.weight += w
}

// Value is the mean, rounded half up; 0 when nothing weighs.
func (m Mean) Value() Fixed {
	if m.weight == 0 {
		return 0
	}
	quotient, rest := bits.Div64(m.hi, m.lo, m.weight) // a mean is at most its largest value: no overflow
	if rest >= m.weight-rest {
		quotient++
	}
	return Fixed(quotient)
}
