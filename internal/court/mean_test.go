package court_test

import (
	"math"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestMean(t *testing.T) {
	type item struct {
		weight int64
		value  court.Fixed
	}
	tests := map[string]struct {
		items []item
		want  court.Fixed
	}{
		"nothing":                    {nil, 0},
		"only weightless":            {[]item{{0, 30000}}, 0},
		"one":                        {[]item{{7, 12345}}, 12345},
		"half rounds up":             {[]item{{1, 1}, {1, 2}}, 2},
		"below half rounds down":     {[]item{{2, 1}, {1, 2}}, 1},
		"weights of a rubric's top":  {[]item{{1e16, 50000}, {1e16, 10000}}, 30000},
		"weights beyond any rubric":  {[]item{{math.MaxInt64, 50000}, {math.MaxInt64, 10000}}, 50000},
		"negative weight and values": {[]item{{-5, 50000}, {1, -3}, {1, 4}}, 2},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var m court.Mean
			for _, i := range tc.items {
				m.Add(i.weight, i.value)
			}
			if got := m.Value(); got != tc.want {
				t.Errorf("mean %d, want %d", got, tc.want)
			}
		})
	}
}

// The mean equals the plain formula wherever that cannot overflow.
func TestMeanIsDiv(t *testing.T) {
	for n := range int64(200) {
		for w := int64(1); w < 30; w++ {
			var m court.Mean
			m.Add(w, court.Fixed(n))
			m.Add(3, court.Fixed(2*n))
			if want := court.Div(w*n+6*n, w+3); m.Value() != court.Fixed(want) {
				t.Fatalf("mean of %d·%d and 3·%d is %d, want %d", w, n, 2*n, m.Value(), want)
			}
		}
	}
}
