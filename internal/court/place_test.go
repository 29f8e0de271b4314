package court

import "testing"

func TestParsePlace(t *testing.T) {
	for text, want := range map[string]Place{
		"a.py:3": {Path: "a.py", Line: 3, EndLine: 3}, "a:b.py:3-9": {Path: "a:b.py", Line: 3, EndLine: 9}, "pdf:4": {Page: 4}, "pdf:page 4": {Page: 4},
	} {
		if got, err := ParsePlace(text); err != nil || got != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "a.py", ":3", "a.py:", "a.py:0", "a.py:-1", "a.py:9-3", "a.py:3-", "pdf:x", "a.py:99999999999999999999"} {
		if got, err := ParsePlace(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestMeets(t *testing.T) {
	span := func(a, b int) Place { return Place{Path: "a.py", Line: a, EndLine: b} }
	for _, test := range []struct {
		a, b Place
		want bool
	}{
		{span(3, 3), span(3, 3), true}, {span(1, 9), span(3, 4), true}, {span(3, 0), span(3, 3), true}, {span(1, 2), span(3, 4), false},
		{span(2, 3), span(3, 9), true}, {Place{Path: "a.py"}, span(3, 3), true}, {Place{Path: "b.py", Line: 3}, span(3, 3), false},
		{Place{Page: 2}, Place{Page: 2}, true}, {Place{Page: 2}, Place{Page: 3}, false}, {Place{Page: 2}, span(2, 2), false}, {Place{Commit: "x"}, Place{Commit: "x"}, false},
	} {
		if test.a.Meets(test.b) != test.want || test.b.Meets(test.a) != test.want {
			t.Errorf("%v and %v: want %v", test.a, test.b, test.want)
		}
	}
}
