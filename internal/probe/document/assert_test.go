package document

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/passage"
)

func TestUtterances(t *testing.T) {
	tests := map[string]struct {
		kind    passage.Kind
		heading string
		text    string
		want    int
	}{
		"a sentence":                {passage.Body, "Design", "The judges run in parallel.", 1},
		"a nominal phrase":          {passage.Body, "Design", "Parallel execution of the judges is achieved by edges.", 1},
		"no verb":                   {passage.Body, "Design", "Parallel judges", 0},
		"an item of what is":        {passage.List, "Implemented features", "Parallel judges", 1},
		"an item of anything":       {passage.List, "Words", "Parallel judges", 0},
		"a ticked item":             {passage.List, "Words", "[x] Parallel judges", 1},
		"an open item":              {passage.List, "Implemented features", "[ ] Parallel judges", 0},
		"a row that is done":        {passage.Table, "Status", "Feature\tStatus\nParallel judges\t✅ Done\nDocker\tpending", 1},
		"a row of a rubric":         {passage.Table, "Self-audit by criterion", "Parallel judges\t✅ Done", 0},
		"a layer still to be built": {passage.Table, "Known gaps", "Chief justice not implemented\tWrite its rules\nColours\tnone", 1},
		"a layer in an audit":       {passage.Table, "Self-audit", "Chief justice not implemented\tWrite its rules", 0},
		"a cell of what is so now":  {passage.Table, "Self-audit by criterion", "Form\t5/5\tEach judge now runs in parallel. All was read.", 1},
		"a listing is not text":     {passage.Code, "Design", "judges run in parallel", 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p := &passage.Passage{Kind: tc.kind, Section: []string{tc.heading}, Text: tc.text}
			if got := utterances(p); len(got) != tc.want {
				t.Errorf("%q under %q says %v", tc.text, tc.heading, got)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	const thing = "parallel judges"
	for sentence, want := range map[string]bool{
		"We use parallel judges.":                                         false,
		"We have no parallel judges.":                                     true,
		"Parallel judges are not yet wired.":                              true,
		"Without parallel judges, it is slow.":                            true,
		"It is fast, without locks, with parallel judges.":                false,
		"Rather than parallel judges, there is one.":                      true,
		"We use parallel judges rather than one.":                         false,
		"We use not only parallel judges but a chief.":                    false,
		"If parallel judges disagree, the chief decides.":                 true,
		"When it fails, parallel judges go on, and no work is lost.":      false,
		"We replaced parallel judges by one.":                             true,
		"There are parallel judges, but the detectives do not run at all": false,
	} {
		at := strings.Index(strings.ToLower(sentence), thing)
		if got := refused(sentence, at, at+len(thing), false); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
	if sentence := "If parallel judges disagree, the chief decides."; refused(sentence, 3, 3+len(thing), true) {
		t.Error("a condition refuses what is done under a condition")
	}
}

func TestLookedFor(t *testing.T) {
	for sentence, want := range map[string]bool{
		"The detective finds syntax trees.":                     true,
		"It verifies the wiring using syntax trees.":            false,
		"Syntax trees are used to verify the wiring.":           false,
		"It checks whether syntax trees are used.":              true,
		"Score of 5 for syntax trees.":                          true,
		"To be safe when it scans others, we use syntax trees.": false,
		"Tools (score 5/5): syntax trees instead of patterns.":  false,
	} {
		if got := lookedFor(sentence, strings.Index(strings.ToLower(sentence), "syntax")); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

func TestInQuotes(t *testing.T) {
	for sentence, want := range map[string]bool{
		`It follows the "syntax" rule.`:                                false,
		`They wrote "we use syntax trees all day" and did not.`:        true,
		`They wrote “we use syntax trees all day” and did not.`:        true,
		`They wrote “no” and “never”, but there are syntax trees now.`: false,
	} {
		if got := inQuotes(sentence, strings.Index(sentence, "syntax")); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

func TestToldIsNotStuffed(t *testing.T) {
	from := baseOf([]string{"The report must explain how the judges argue with each other before a verdict is reached by the chief."})
	s := &stretch{text: "Judges argue. Judges argue. Judges argue.\n" +
		"Judges, verdicts, dissent, opinions, chiefs, prosecutors, defenders, leads, spreads, conflicts.\n" +
		"The report must explain how the judges argue with each other before a verdict is reached by the chief."}
	if got := s.told(from); got != "Judges argue." {
		t.Errorf("of repetitions, lists and the assignment there is left %q", got)
	}
	if c := concepts()[0]; !stuffed(strings.Repeat("A dialectic is a dialectic. ", 5), c.variants) || stuffed("A dialectic is what the judges have.", c.variants) {
		t.Error("repetition is not told from use")
	}
}
