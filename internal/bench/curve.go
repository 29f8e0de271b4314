package bench

import (
	"math/bits"

	"github.com/automaton-auditor/automaton/internal/court"
)

// curve says how partial compliance counts with a judge: x of 1 is read as
// x^(3/2), x or x^(2/3). Each is the exact real value rounded half up.
type curve string

const (
	strict  curve = "strict"
	even    curve = "plain"
	lenient curve = "lenient"
)

func (c curve) known() bool { return c == strict || c == even || c == lenient }

// of reads x, which is in 0..One.
func (c curve) of(x court.Fixed) court.Fixed {
	n := uint64(x)
	switch c {
	case strict: // √(4x³) is twice the value: one bit more, to round by
		return court.Fixed((root(4*n*n*n/uint64(court.One), 2) + 1) / 2)
	case lenient:
		return court.Fixed((root(8*n*n*uint64(court.One), 3) + 1) / 2)
	default:
		return x
	}
}

// root is the largest r with r^k ≤ n, for k of 2 or 3, by bisection: a root in
// floating point would round differently here and there.
func root(n uint64, k int) uint64 {
	lo, hi := uint64(0), uint64(1)<<(bits.Len64(n)/k+1)
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if power(mid, k) <= n {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func power(r uint64, k int) uint64 {
	p := r
	for range k - 1 {
		p *= r
	}
	return p
}
