package document

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/passage"
)

func TestMood(t *testing.T) {
	tests := map[string]struct {
		heading, sentence string
		want              modality
	}{
		"fact":           {"Design", "The graph has two layers.", done},
		"future":         {"Design", "A jury will be added.", planned},
		"wish":           {"Design", "The clone should have a limit.", planned},
		"plan":           {"Remediation plan", "The clone has a limit.", planned},
		"what was":       {"Design", "The class was renamed.", past},
		"somebody's":     {"Design", "My peer's graph has two layers.", others},
		"under a peer's": {"Findings in my peer's repository", "The graph has two layers.", others},
		"own audit":      {"What the peer's auditor found here", "The graph has two layers.", done},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p := &passage.Passage{Kind: passage.Body, Section: []string{tc.heading}, Text: tc.sentence}
			if got := mood(p, tc.sentence); got != tc.want {
				t.Errorf("%q under %q is %s", tc.sentence, tc.heading, got)
			}
		})
	}
}

func TestDesigned(t *testing.T) {
	tests := map[string]struct {
		heading, sentence string
		want              bool
	}{
		"a planned thing as it is":  {"Planned flow of the graph", "The judges run in parallel.", true},
		"what will be of it":        {"Planned flow of the graph", "The judges will run in parallel.", false},
		"a plan":                    {"Plan for the graph", "The judges run in parallel.", false},
		"planned, and next steps":   {"Planned next steps", "The judges run in parallel.", false},
		"what was of a planned one": {"Planned flow of the graph", "The judges initially ran in parallel.", false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p := &passage.Passage{Kind: passage.Body, Section: []string{tc.heading}, Text: tc.sentence}
			if got := designed(p, tc.sentence); got != tc.want {
				t.Errorf("%q under %q: %v", tc.sentence, tc.heading, got)
			}
		})
	}
}

func TestHearsay(t *testing.T) {
	own := &passage.Passage{Kind: passage.Body, Section: []string{"Design"}}
	for sentence, want := range map[string]bool{
		"Both judges run in parallel.":                          false,
		"The program detects whether judges run in parallel.":   true,
		"Many programs run their judges in parallel.":           true,
		"The criterion requires that judges run in parallel.":   true,
		"“Both judges run in parallel.”":                        true,
		"Evidence is merged by a reducer in a typed dictionary": false,
	} {
		if got := hearsay(own, sentence); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
	asked := &passage.Passage{Kind: passage.Body, Section: []string{"Requirements"}}
	if !hearsay(asked, "Both judges run in parallel.") {
		t.Error("what is asked for is taken for a claim")
	}
}

func TestCountedFate(t *testing.T) {
	tests := map[string]struct {
		c    counted
		want fate
	}{
		"exact":         {counted{said: 12, actual: []int{12}}, holds},
		"another day":   {counted{said: 11, actual: []int{12, 11}}, holds},
		"about":         {counted{said: 100, about: true, actual: []int{95}}, holds},
		"at least":      {counted{said: 10, least: true, actual: []int{30}}, holds},
		"some of them":  {counted{said: 3, actual: []int{12}}, undecided},
		"more than are": {counted{said: 30, actual: []int{12}}, untrue},
		"too round":     {counted{said: 200, about: true, actual: []int{95}}, untrue},
		"nobody knows":  {counted{said: 3}, undecided},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tc.c.fate(); got != tc.want {
				t.Errorf("%+v is %s", tc.c, got)
			}
		})
	}
}

func TestStretchesJoinLists(t *testing.T) {
	section := []string{"Design"}
	passages := []passage.Passage{
		{Kind: passage.Body, Section: section, Text: "It has two parts:"},
		{Kind: passage.List, Section: section, Text: "one"},
		{Kind: passage.List, Section: section, Text: "two"},
		{Kind: passage.Body, Section: section, Text: "That is all."},
		{Kind: passage.List, Section: section, Text: "by itself"},
	}
	got := stretches(passages)
	if len(got) != 3 || got[0].text != "It has two parts:\none\ntwo" || got[2].text != "by itself" {
		t.Errorf("%d stretches, the first is %q", len(got), got[0].text)
	}
}
