package passage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const paper = `# Court

The bench hears every case twice when its members differ.

Clones go into a temporary directory, and git gets a list of arguments.

No step starts a shell. The clone has a time limit of sixty seconds.

The members of the bench write opinions that a reducer appends.

# Contents of the annex

Nothing is said here of anything.
`

func TestAnswers(t *testing.T) {
	x := NewIndex(FromMarkdown(paper))
	tests := map[string]struct {
		question string
		n        int
		want     []string // first two words, best first
		words    []string // of the best
	}{
		"two words":                 {"Is the clone made in a temporary directory?", 1, []string{"Clones go"}, []string{"clone", "temporary", "directory"}},
		"identifier by its parts":   {"run tempfile and clone_time_limit", 1, []string{"No step"}, []string{"clone", "time", "limit"}},
		"one word that is known":    {"reducer", 5, []string{"The members"}, []string{"reducer"}},
		"one shared word of many":   {"Which annex holds the quarterly shell figures of the company?", 5, nil, nil},
		"words of any instruction":  {"Check that the document says whether the file exists", 5, nil, nil},
		"unknown words":             {"Kubernetes", 5, nil, nil},
		"none asked":                {"temporary directory", 0, nil, nil},
		"nothing":                   {"", 5, nil, nil},
		"weak beside a strong one":  {"temporary directory git list arguments time", 5, []string{"Clones go"}, nil},
		"headings say nothing":      {"contents annex court", 5, []string{"Nothing is"}, nil},
		"both that bear on it":      {"bench members", 5, []string{"The bench", "The members"}, nil},
		"order of words is nothing": {"members bench", 5, []string{"The bench", "The members"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			hits := x.Answers(test.question, test.n)
			var got []string
			for _, h := range hits {
				got = append(got, strings.Join(strings.Fields(h.Passage.Text)[:2], " "))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Fatal(diff)
			}
			if test.words != nil {
				if diff := cmp.Diff(test.words, hits[0].Words); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
