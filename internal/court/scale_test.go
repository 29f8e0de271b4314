package court

import (
	"testing"
)

func levelScale(exclude string, points ...Fixed) Scale {
	s := Scale{Kind: "levels", Exclude: exclude, Min: 1 << 40, Max: -1 << 40}
	names := "abcdefgh"
	for i, p := range points {
		l := Level{Name: names[i : i+1], Points: p * One}
		s.Levels = append(s.Levels, l)
		if l.Key() != exclude {
			s.Min, s.Max = min(s.Min, l.Points), max(s.Max, l.Points)
		}
	}
	return s
}

func TestScaleMapsTheEnds(t *testing.T) {
	tests := map[string]struct {
		scale     Scale
		one, five Fixed
		steps     bool // every integer score is worth more than the one below
	}{
		"five":            {Scale{Kind: "five", Min: One, Max: 5 * One}, One, 5 * One, true},
		"points":          {Scale{Kind: "points", Max: 20 * One}, 0, 20 * One, true},
		"points from 4":   {Scale{Kind: "points", Min: 4 * One, Max: 20 * One}, 4 * One, 20 * One, true},
		"points below 0":  {Scale{Kind: "points", Min: -3 * One, Max: One}, -3 * One, One, true},
		"odd ends":        {Scale{Kind: "points", Min: 333, Max: 2*One + 777}, 333, 2*One + 777, true},
		"tiny":            {Scale{Kind: "points", Max: 100}, 0, 100, false},
		"levels":          {levelScale("", 0, 7, 21, 35), 0, 35 * One, false},
		"five levels":     {levelScale("", 0, 5, 10, 15, 20), 0, 20 * One, true},
		"without a level": {levelScale("a", 0, 4, 12, 20), 4 * One, 20 * One, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tt.scale.Points(One); got != tt.one {
				t.Errorf("score 1 is worth %s, want %s", got, tt.one)
			}
			if got := tt.scale.Points(5 * One); got != tt.five {
				t.Errorf("score 5 is worth %s, want %s", got, tt.five)
			}
			last := tt.one
			for e := 2 * One; e <= 5*One; e += One {
				p := tt.scale.Points(e)
				if p < last || tt.steps && p == last {
					t.Errorf("score %s is worth %s, the one below %s", e, p, last)
				}
				last = p
			}
			for e := One; e <= 5*One; e += 137 {
				if back := tt.scale.Score(tt.scale.Linear(e)); tt.scale.Max-tt.scale.Min >= 4*One && (back-e > 1 || e-back > 1) {
					t.Fatalf("%s becomes %s and comes back as %s", e, tt.scale.Linear(e), back)
				}
				if p := tt.scale.Points(e); p < tt.one || p > tt.five {
					t.Fatalf("score %s is worth %s, outside of the scale", e, p)
				}
			}
		})
	}
}

func TestScaleLevel(t *testing.T) {
	s := levelScale("", 0, 7, 21, 35)
	tests := map[Fixed]string{
		One: "a", 13999: "a", 14000: "a", 14001: "b", 18000: "b", 26000: "b", 26001: "c",
		42000: "c", // the tie of 21 and 35 goes to the lower one
		42001: "d", 5 * One: "d",
	}
	for e, want := range tests {
		if got, ok := s.Level(e); !ok || got.Name != want {
			t.Errorf("%s is level %q, want %q", e, got.Name, want)
		}
	}
	third := levelScale("", 0, 1, 3) // anchor of 1 is 2.3333…, no number of four decimals
	if got, _ := third.Level(16666); got.Name != "a" {
		t.Errorf("1.6666 is level %q, want a", got.Name)
	}
	if got, _ := third.Level(16667); got.Name != "b" {
		t.Errorf("1.6667 is level %q, want b", got.Name)
	}
	if _, ok := (Scale{Kind: "five"}).Level(One); ok {
		t.Error("a scale of five has no level")
	}
	if got, _ := levelScale("d", 0, 4, 12, 20).Level(5 * One); got.Name != "c" {
		t.Errorf("5 is level %q, but only a human gives the excluded one", got.Name)
	}
}

func TestScaleRoundsPointsHalfUp(t *testing.T) {
	s := Scale{Kind: "points", Max: 10 * One}
	for e, want := range map[Fixed]Fixed{10199: 0, 10200: One / 10, 30000: 5 * One, 30199: 5 * One, 30200: 5*One + One/10} {
		if got := s.Points(e); got != want {
			t.Errorf("%s is worth %s, want %s", e, got, want)
		}
	}
	below := Scale{Kind: "points", Min: -One, Max: One}
	if got := below.Points(28000); got != -One/10 { // -0.1
		t.Errorf("got %s", got)
	}
	if got := below.Points(27000); got != -One/10 { // -0.15 goes up
		t.Errorf("got %s", got)
	}
}

func TestScaleScoreStaysInRange(t *testing.T) {
	s := Scale{Kind: "points", Min: 4 * One, Max: 20 * One}
	for p, want := range map[Fixed]Fixed{0: One, 4 * One: One, 12 * One: 3 * One, 20 * One: 5 * One, 99 * One: 5 * One} {
		if got := s.Score(p); got != want {
			t.Errorf("%s points are %s, want %s", p, got, want)
		}
	}
}
