package calibration

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func anchorsOf(exact, mark []int64) (list []Anchor) {
	for i := range exact {
		list = append(list, Anchor{Exact: court.Fixed(exact[i]), Mark: court.Fixed(mark[i])})
	}
	return list
}

// The vectors were made by scikit-learn 1.x: cohen_kappa_score with quadratic weights, and IsotonicRegression.
func TestVectors(t *testing.T) {
	raw, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Exact, Mark, Fit []int64
		Kappa            int64
	}
	if err := json.Unmarshal(raw, &vectors); err != nil || len(vectors) != 60 {
		t.Fatal(err, len(vectors))
	}
	near := func(a, b int64) bool { return a-b <= 1 && b-a <= 1 } // rounding of floats
	for n, v := range vectors {
		anchors := anchorsOf(v.Exact, v.Mark)
		if got := int64(kappa(anchors)); !near(got, v.Kappa) {
			t.Errorf("%d: kappa %d, want %d", n, got, v.Kappa)
		}
		list := blocks(anchors)
		for i, a := range anchors {
			at := list[0]
			for _, b := range list {
				if first := lowestOf(anchors, b, list); first <= a.Exact {
					at = b
				}
			}
			if !near(int64(at.y()), v.Fit[i]) {
				t.Errorf("%d: the fit of %s is %s, want %d", n, a.Exact, at.y(), v.Fit[i])
			}
		}
	}
}

// lowestOf is the lowest score in a block: blocks take the anchors in order.
func lowestOf(anchors []Anchor, of block, list []block) court.Fixed {
	scores := make([]court.Fixed, 0, len(anchors))
	for _, a := range anchors {
		scores = append(scores, a.Exact)
	}
	for i := range scores {
		for k := i; k > 0 && scores[k] < scores[k-1]; k-- {
			scores[k], scores[k-1] = scores[k-1], scores[k]
		}
	}
	at := int64(0)
	for _, b := range list {
		if b == of {
			break
		}
		at += b.n
	}
	return scores[at]
}

// A map never falls and never leaves the scale, whatever it is made of.
func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 10_000 {
		var anchors []Anchor
		for range 1 + r.IntN(20) {
			anchors = append(anchors, Anchor{Exact: court.One + court.Fixed(r.IntN(40001)), Mark: court.One + court.Fixed(r.IntN(40001))})
		}
		m := fit(anchors)
		last := court.Fixed(0)
		for x := court.One; x <= full; x += 137 {
			y := m.At(x)
			if y < last || y < court.One || y > full {
				t.Fatalf("set %d: %v gives %s at %s after %s", n, m, y, x, last)
			}
			last = y
		}
	}
}

func TestFit(t *testing.T) {
	mild := func(n int) (list []Anchor) { // the court is one point milder
		for i := range n {
			x := 2*court.One + court.Fixed(i)*court.One*3/court.Fixed(n)
			list = append(list, Anchor{Exact: x, Mark: x - court.One})
		}
		return list
	}
	m, unseen, why := Fit(mild(12))
	if why != "" || unseen.Error > 500 {
		t.Error(why, unseen)
	}
	for _, x := range []court.Fixed{2 * court.One, 35000, 45000} {
		if got := m.At(x); got < x-court.One-300 || got > x-court.One+300 {
			t.Errorf("%s becomes %s", x, got)
		}
	}
	refused := map[string][]Anchor{"7 anchors": mild(7), "all marks are equal": anchorsOf([]int64{1e4, 2e4, 3e4, 4e4, 5e4, 1e4, 2e4, 3e4}, []int64{3e4, 3e4, 3e4, 3e4, 3e4, 3e4, 3e4, 3e4}),
		"would leave an error": anchorsOf([]int64{1e4, 2e4, 3e4, 4e4, 5e4, 1e4, 2e4, 3e4}, []int64{1e4, 2e4, 3e4, 4e4, 5e4, 1e4, 2e4, 3e4})}
	for want, anchors := range refused {
		if _, _, why := Fit(anchors); !strings.Contains(why, want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

func TestFigures(t *testing.T) {
	f := FiguresOf(anchorsOf([]int64{30000, 42000, 20000}, []int64{20000, 40000, 30000}))
	want := Figures{Anchors: 3, Same: 3333, Kappa: 5000, Error: 7333, Bias: 667}
	if f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
	if FiguresOf(nil) != (Figures{}) {
		t.Error("figures of nothing")
	}
}
