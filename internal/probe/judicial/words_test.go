package judicial

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestSplit(t *testing.T) {
	for in, want := range map[string][]string{
		"TECH_LEAD_PROMPT":  {"tech", "lead", "prompt"},
		"techLeadScore":     {"tech", "lead", "score"},
		"getHTTPAnswer":     {"get", "http", "answer"},
		"re-evaluate now 2": {"re", "evaluate", "now", "2"},
		"":                  nil,
	} {
		if d := cmp.Diff(want, split(in)); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}

func TestWho(t *testing.T) {
	for in, want := range map[string]persona{
		"ProsecutorNode":        prosecutor,
		"defence_prompt":        defense,
		"TechLead":              techLead,
		"technical_lead":        techLead,
		"lead_time":             nobody,
		"prosecutor_vs_defense": nobody,
		"judge":                 nobody,
	} {
		if got := who(split(in)); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

func TestCompare(t *testing.T) {
	said := func(common string, own ...string) *prompts {
		pr := &prompts{}
		for i, text := range own {
			pr.own[i].add(text, court.Place{Path: "p", Line: i + 1})
		}
		pr.frame.add(common, court.Place{Path: "p", Line: 9})
		return pr
	}
	long := [3]string{
		"Doubt every claim, list each flaw with its place, and forgive nothing that is missing.",
		"Value what was tried, explain good reasons, and point at progress over the whole history.",
		"Ask who runs this at night, how it breaks, and what the next change to it costs.",
	}
	tests := map[string]struct {
		pr       *prompts
		personas int
		distinct bool
		whole    bool
	}{
		"three stances":                   {said("You are a judge.", long[:]...), 3, true, false},
		"one text for all":                {said("", long[0], long[0], long[0]), 0, false, true},
		"only the role differs":           {said("", "You are the Prosecutor. "+long[0], "You are the Defense. "+long[0], "You are the Tech Lead. "+long[0]), 0, false, true},
		"short stances in one long frame": {said("Read the evidence with care, cite what you use, and give one whole score from one to five.", "Be hard, doubt.", "Be kind, forgive.", "Be sober, weigh."), 3, false, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := compare(tt.pr)
			if l.personas != tt.personas || l.most < half != tt.distinct || l.whole != tt.whole {
				t.Errorf("personas %d, similarity %s, whole %v", l.personas, l.most, l.whole)
			}
		})
	}
}
