package court_test

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		n, all int
		want   string
	}{
		{0, 1, "no file is"}, {1, 1, "the only file is"}, {2, 2, "both files are"}, {0, 2, "neither file is"}, {0, 3, "none of the 3 files are"}, {1, 3, "1 of 3 files is"}, {2, 3, "2 of 3 files are"}, {3, 3, "all 3 files are"},
	} {
		if got := court.Of(c.n, c.all, "file") + " " + court.Agree(c.n, c.all, "is", "are"); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.n, c.all, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for want, got := range map[string]string{"1 process": court.Count(1, "process"), "2 processes": court.Count(2, "process"), "0 criteria": court.Count(0, "criterion"),
		"both core checks": court.Of(2, 2, "core check")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestHeld(t *testing.T) {
	for want, n := range map[string]map[court.Fate]int{
		"1 checkable claim holds":                                                    {court.Verified: 1},
		"1 checkable claim does not hold":                                            {court.Contradicted: 1},
		"1 checkable claim holds in part":                                            {court.InPart: 1},
		"1 checkable claim could not be checked":                                     {court.NotCheckable: 1},
		"1 of 2 checkable claims holds, 1 does not":                                  {court.Verified: 1, court.NeverExisted: 1},
		"2 of 5 checkable claims hold, 2 do not, 1 could not be checked":             {court.Verified: 2, court.Contradicted: 2, court.NotCheckable: 1},
		"0 of 2 checkable claims hold, 2 held of an earlier commit or another place": {court.Elsewhere: 2},
	} {
		if got := court.Held(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
