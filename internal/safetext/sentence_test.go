package safetext

import "testing"

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		" no judge asks a model ":     "No judge asks a model.",
		"Done.":                       "Done.",
		"evidence_aggregator is late": "evidence_aggregator is late.",
		"src/a.py does not parse":     "src/a.py does not parse.",
		"the text was cut…":           "The text was cut…",
		"Écrit en français":           "Écrit en français.",
		"is it so?":                   "Is it so?",
		"x":                           "X.",
	} {
		if got := Sentence(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestCapital(t *testing.T) {
	for in, want := range map[string]string{"": "", "of it": "Of it", "Of it": "Of it", "über": "Über", "3 of it": "3 of it"} {
		if got := Capital(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestList(t *testing.T) {
	for want, in := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := List(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
