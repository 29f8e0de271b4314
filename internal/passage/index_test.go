package passage

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTerms(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"stems":      {"Detectives running", []string{"detect", "run"}},
		"camel case": {"ChiefJustice", []string{"chief", "justic", "chiefjustice"}},
		"acronym":    {"HTTPServer", []string{"http", "server", "httpserver"}},
		"snake case": {"safe_clone_repo", []string{"safe", "clone", "repo", "safe_clone_repo"}},
		"path":       {"src/repo_tools.py", []string{"src", "repo", "tool", "repo_tools", "py"}},
		"marks only": {"-- _ --", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, terms(test.text, stem)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTrigrams(t *testing.T) {
	if diff := cmp.Diff([]string{" zé", "zéa", "éa "}, trigrams("ZéA")); diff != "" {
		t.Error(diff)
	}
}

const corpus = `# Design

The RepoInvestigator clones the repository into a temporary directory.

Reducers such as operator.add merge lists of parallel branches.

# Judges

The chief justice weighs the opinions of three judges.

A judge answers in JSON, validated by a schema.
`

func TestSearch(t *testing.T) {
	x := NewIndex(FromMarkdown(corpus))
	tests := map[string]struct{ query, want string }{
		"inflected":   {"cloning repositories", "The RepoInvestigator clones the repository into a temporary directory."},
		"identifier":  {"ChiefJustice", "The chief justice weighs the opinions of three judges."},
		"part of one": {"investigator", "The RepoInvestigator clones the repository into a temporary directory."},
		"misspelt":    {"reducrs merging", "Reducers such as operator.add merge lists of parallel branches."},
		"heading":     {"judges schema", "A judge answers in JSON, validated by a schema."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			hits := x.Search(test.query, 3)
			if len(hits) == 0 || hits[0].Passage.Text != test.want {
				t.Errorf("hits %+v", hits)
			}
			if !slices.IsSortedFunc(hits, func(a, b Hit) int { return int(1e6 * (b.Score - a.Score)) }) {
				t.Error("not sorted")
			}
		})
	}
	if hits := x.Search("", 3); len(hits) != 0 {
		t.Errorf("an empty query finds %+v", hits)
	}
	if hits := x.Search("judge", -1); len(hits) != 0 {
		t.Errorf("none were asked for, got %+v", hits)
	}
}

// The order of words in the query, and running again, change nothing.
func TestSearchIsDeterministic(t *testing.T) {
	passages := FromMarkdown(corpus)
	want := NewIndex(passages).Search("parallel judges merge opinions", 9)
	for range 20 {
		got := NewIndex(passages).Search("opinions merge judges parallel", 9)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	x := NewIndex(FromMarkdown(corpus))
	for b.Loop() {
		x.Search("parallel judges merge opinions", 5)
	}
}
