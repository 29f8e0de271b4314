package calibration

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

const (
	// Least is the number of anchors under which there is no map.
	Least = 8
	// gain is by how much a map must lower the error on anchors that it has not seen.
	gain = 5 * court.One / 100
	full = scale * court.One
)

// Map takes a score of the court to the mark that people would give: its values at 1, 2, 3, 4 and 5, between which it is
// straight. It never falls.
type Map [scale]court.Fixed

// At is what a score becomes.
func (m Map) At(exact court.Fixed) court.Fixed {
	exact = min(max(exact, court.One), full)
	k := min(int(exact/court.One)-1, scale-2)
	return between(exact, court.Fixed(k+1)*court.One, m[k], court.Fixed(k+2)*court.One, m[k+1])
}

// between is the line through two points at x; x1 > x0, y1 ≥ y0, x in [x0, x1].
func between(x, x0, y0, x1, y1 court.Fixed) court.Fixed {
	return y0 + ratio(int64(x-x0)*int64(y1-y0), int64(x1-x0))
}

// block is a run of anchors that have one value: the sums of their scores and marks.
type block struct{ exact, mark, n int64 }

func (b block) x() court.Fixed { return ratio(b.exact, b.n) }
func (b block) y() court.Fixed { return ratio(b.mark, b.n) }

// blocks pools adjacent violators: anchors in the order of their scores, those of one score together, and neighbours
// whose marks fall joined until none do (Ayer and others 1955). It is the monotone fit of least squares.
func blocks(anchors []Anchor) []block {
	sorted := slices.Clone(anchors)
	slices.SortFunc(sorted, func(a, b Anchor) int { return cmp.Compare(a.Exact, b.Exact) })
	var out []block
	for i := 0; i < len(sorted); {
		b := block{}
		for at := sorted[i].Exact; i < len(sorted) && sorted[i].Exact == at; i++ {
			b.exact, b.mark, b.n = b.exact+int64(sorted[i].Exact), b.mark+int64(sorted[i].Mark), b.n+1
		}
		out = append(out, b)
		for k := len(out) - 1; k > 0 && out[k-1].mark*out[k].n >= out[k].mark*out[k-1].n; k-- {
			out[k-1] = block{out[k-1].exact + out[k].exact, out[k-1].mark + out[k].mark, out[k-1].n + out[k].n}
			out = out[:k]
		}
	}
	return out
}

// fit is the map of anchors, whatever it is worth. Beyond the outermost anchors it keeps the distance that it has there.
func fit(anchors []Anchor) (m Map) {
	list := blocks(anchors)
	for k := range m {
		x := court.Fixed(k+1) * court.One
		i := slices.IndexFunc(list, func(b block) bool { return b.x() >= x })
		switch {
		case i == 0:
			m[k] = x + list[0].y() - list[0].x()
		case i < 0:
			last := list[len(list)-1]
			m[k] = x + last.y() - last.x()
		default:
			m[k] = between(x, list[i-1].x(), list[i-1].y(), list[i].x(), list[i].y())
		}
		m[k] = min(max(m[k], court.One), full)
	}
	return m
}

// Fit is the map of anchors, with the error that it leaves on anchors that it has not seen (each is left out in turn).
// why says why there is none.
func Fit(anchors []Anchor) (m Map, left court.Fixed, why string) {
	if len(anchors) < Least {
		return m, 0, fmt.Sprintf("%d anchors; a map needs %d", len(anchors), Least)
	}
	if !slices.ContainsFunc(anchors, func(a Anchor) bool { return a.Mark != anchors[0].Mark }) {
		return m, 0, "all marks are equal"
	}
	var off int64
	for i, a := range anchors {
		d := int64(fit(slices.Delete(slices.Clone(anchors), i, i+1)).At(a.Exact) - a.Mark)
		off += max(d, -d)
	}
	left = ratio(off, int64(len(anchors)))
	if before := FiguresOf(anchors).Error; left > before-gain {
		return m, left, fmt.Sprintf("a map would leave an error of %s on marks that it has not seen; without one it is %s", left.Shown(), before.Shown())
	}
	return fit(anchors), left, ""
}
