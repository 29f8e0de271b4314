package passage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"plain":          {"We built it. It works! Does it?", []string{"We built it.", "It works!", "Does it?"}},
		"abbreviations":  {"Tools, e.g. Git, cf. Fig. 3 or i.e. The last. Next.", []string{"Tools, e.g. Git, cf. Fig. 3 or i.e. The last.", "Next."}},
		"paths":          {"See src/graph.py. Then state.py is read.", []string{"See src/graph.py.", "Then state.py is read."}},
		"calls":          {"It calls graph.compile(). Then it runs.", []string{"It calls graph.compile().", "Then it runs."}},
		"numbers":        {"Version 3.14 has 2.5 of it. All pass.", []string{"Version 3.14 has 2.5 of it.", "All pass."}},
		"number at end":  {"It scored 4. The rest failed.", []string{"It scored 4.", "The rest failed."}},
		"initials":       {"By J. Doe and others. End.", []string{"By J. Doe and others.", "End."}},
		"closing quotes": {"He said \"It runs.\" Then it stopped.", []string{"He said \"It runs.\"", "Then it stopped."}},
		"ellipsis":       {"And so on... and on.", []string{"And so on... and on."}},
		"run-in list":    {"Tools: - Git reads the log. - Clones go into a folder. Done.", []string{"Tools:", "Git reads the log.", "Clones go into a folder.", "Done."}},
		"dash in a line": {"The bench - three voices - sits. Next.", []string{"The bench - three voices - sits.", "Next."}},
		"empty":          {" \n ", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := Sentences(test.text)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
