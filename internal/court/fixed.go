package court

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Fixed is a number in basis points: 10000 is 1.0. Scores, confidences, shares
// and weights are Fixed, so that the same input gives the same digits on every
// machine. JSON shows it as a decimal number with at most four decimals.
type Fixed int64

// One is 1.0, and one point on the scale from 1 to 5.
const One Fixed = 10000

// Div is n/d rounded half up, for n ≥ 0 and d > 0.
func Div(n, d int64) int64 { return (2*n + d) / (2 * d) }

// Mul is the product of two non-negative Fixed numbers, rounded half up.
func Mul(a, b Fixed) Fixed { return Fixed(Div(int64(a)*int64(b), int64(One))) }

// Score is the integer score of an exact one: half up, so 2.5000 is 3 and
// 2.4999 is 2.
func (f Fixed) Score() int { return int((f + One/2) / One) }

// Shown prints two decimals, cut and never rounded, so that what is printed
// never contradicts the integer score or a bar.
func (f Fixed) Shown() string {
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	return fmt.Sprintf("%s%d.%02d", sign, f/One, f%One/100)
}

// Cut is the Fixed that Shown prints. Printed differences are differences of
// cut values.
func (f Fixed) Cut() Fixed { return f / 100 * 100 }

// String is the shortest decimal that is exactly f.
func (f Fixed) String() string {
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	s := fmt.Sprintf("%s%d.%04d", sign, f/One, f%One)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// MarshalJSON writes f as a JSON number.
func (f Fixed) MarshalJSON() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalJSON reads a JSON number from its text.
func (f *Fixed) UnmarshalJSON(b []byte) (err error) {
	*f, err = ParseFixed(string(b))
	return err
}

var errNumber = errors.New("not a number between -1e12 and 1e12")

// ParseFixed reads a decimal number in JSON's syntax and rounds it half up
// (away from zero) to four decimals. It never goes through a float.
func ParseFixed(s string) (Fixed, error) {
	digits, exp, neg, err := splitNumber(s)
	if err != nil {
		return 0, fmt.Errorf("reading number %q: %w", clip(s, 40), err)
	}
	var n int64
	point := len(digits.whole) + exp + 4 // digits before the cut
	all := digits.whole + digits.frac
	for i := range max(point, 0) {
		d := int64(0)
		if i < len(all) {
			d = int64(all[i] - '0')
		}
		if n = n*10 + d; n > 1e16 {
			return 0, fmt.Errorf("reading number %q: %w", clip(s, 40), errNumber)
		}
	}
	if point >= 0 && point < len(all) && all[point] >= '5' {
		n++
	}
	if neg {
		n = -n
	}
	return Fixed(n), nil
}

type numberParts struct{ whole, frac string }

// splitNumber takes a JSON number apart: sign, digits before and after the
// point, and the exponent.
func splitNumber(s string) (p numberParts, exp int, neg bool, err error) {
	s, neg = strings.CutPrefix(s, "-")
	mantissa, e, hasExp := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, e, hasExp = s[:i], s[i+1:], true
	}
	whole, frac, hasPoint := strings.Cut(mantissa, ".")
	if !allDigits(whole) || (hasPoint && !allDigits(frac)) || (len(whole) > 1 && whole[0] == '0') {
		return p, 0, neg, errNumber
	}
	if hasExp {
		if exp, err = strconv.Atoi(e); err != nil || exp > 20 || exp < -400 {
			return p, 0, neg, errNumber
		}
	}
	if len(whole)+len(frac) > 400 {
		return p, 0, neg, errNumber
	}
	return numberParts{strings.TrimLeft(whole, "0"), frac}, exp, neg, nil
}

func allDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "…"
	}
	return s
}
