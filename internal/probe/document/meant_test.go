package document

import (
	"testing"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// What a sentence says of a thing that the code has, and that it lacks.
func TestMeant(t *testing.T) {
	tree := capability{name: "trees", says: regexp.MustCompile(`syntax trees`)}
	tests := map[string]struct {
		text    string
		section string
		has     modality // the code has it
		lacks   modality
	}{
		"claimed":                   {"The reader parses syntax trees.", "Design", done, done},
		"denied":                    {"The reader does not parse syntax trees.", "Design", denied, denied},
		"looked for":                {"The reader checks whether syntax trees are used.", "Design", others, others},
		"looked for, then done":     {"The reader detects calls and then parses syntax trees.", "Design", done, others},
		"a report is a thing":       {"It takes reports and uses syntax trees.", "Design", done, others},
		"quoted":                    {`A colleague wrote: "it is good that you walk syntax trees here".`, "Design", others, others},
		"example":                   {"Example: we parse syntax trees for each file.", "Design", example, example},
		"what would be without it":  {"Lines of text would hide calls, so that we parse syntax trees.", "Design", done, planned},
		"planned":                   {"We will parse syntax trees.", "Design", planned, planned},
		"under a plan":              {"We parse syntax trees.", "Next steps", planned, planned},
		"peer's":                    {"My peer's reader parses syntax trees.", "Design", others, others},
		"named after a requirement": {"The dissent requirement holds, and the reader parses syntax trees.", "Design", done, done},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := &passage.Passage{Kind: passage.Body, Text: test.text, Section: []string{test.section}}
			all := utterances(p)
			if len(all) != 1 {
				t.Fatalf("%d utterances", len(all))
			}
			from, to, _, ok := tree.said(p, all[0].text)
			if !ok {
				t.Fatal("it does not speak of it")
			}
			if got := tree.meant(p, all[0], from, to, holds); got != test.has {
				t.Errorf("when the code has it: %s, want %s", got, test.has)
			}
			if got := tree.meant(p, all[0], from, to, untrue); got != test.lacks {
				t.Errorf("when the code lacks it: %s, want %s", got, test.lacks)
			}
		})
	}
	// The sizes of letters may put a summary under the plan before it.
	p := &passage.Passage{Kind: passage.Body, Text: "We parse syntax trees.", Section: []string{"Next steps", "Summary"}}
	if got := mood(p, p.Text); got != done {
		t.Errorf("a summary is %s", got)
	}
}
