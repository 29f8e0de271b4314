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
