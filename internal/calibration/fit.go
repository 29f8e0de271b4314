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
	// most is the number of anchors over which there is none.
	most = 5000
	// gain is by how much a map must lower the error on anchors that it has not seen.
	gain = 5 * court.One / 100
	full = scale * court.One
)

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
func fit(anchors []Anchor) (m court.Map) {
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

// Fit is the map of anchors, and how well it agrees with anchors that it has not seen: each is left out in turn, and nil
// says that nobody tried. why says why there is no map: that agreement has to be better than without one.
func Fit(anchors []Anchor) (m court.Map, unseen *Figures, why string) {
	switch {
	case len(anchors) < Least:
		return m, nil, fmt.Sprintf("it has %s, and a map needs %d", court.Count(len(anchors), "anchor"), Least)
	case len(anchors) > most:
		return m, nil, fmt.Sprintf("it has more than %d anchors", most)
	}
	f := FiguresOf(blind(anchors))
	if !slices.ContainsFunc(anchors, func(a Anchor) bool { return a.Mark != anchors[0].Mark }) {
		return m, &f, "all marks are equal"
	}
	if before := FiguresOf(anchors).Error; f.Error > before-gain {
		return m, &f, fmt.Sprintf("a map would leave an error of %s on marks that it was not made from, and without one it is %s", f.Error.Shown(), before.Shown())
	}
	return fit(anchors), &f, ""
}

// blind are the anchors with what each becomes under the map of all others.
func blind(anchors []Anchor) []Anchor {
	out := slices.Clone(anchors)
	for i, a := range anchors {
		out[i].Exact = fit(slices.Delete(slices.Clone(anchors), i, i+1)).At(a.Exact)
	}
	return out
}
