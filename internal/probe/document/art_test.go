package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/figure"
)

func TestBesides(t *testing.T) {
	tests := map[string]struct {
		art  string
		want []string
	}{
		"arrows down":   {"  START\n  ├────┬────┐\n  ▼    ▼    ▼\nrepo_detective   doc_detective\n   │   │\n", []string{"repo_detective", "doc_detective"}},
		"boxes":         {"  ┌──┴───┐\n┌──────┐ ┌──────┐\n│ Repo Detective │ │ Doc Detective │\n└──────┘ └──────┘\n", nil},
		"forked boxes":  {"  ┌───┼───┐\n  ▼     ▼\n┌──────┐ ┌──────┐\n│ Repo Detective │ │ Doc Detective │\n", []string{"Repo Detective", "Doc Detective"}},
		"in a row":      {"  ▼  ▼\n│ Repo Detective │ → │ Doc Detective │\n", nil},
		"one below one": {"  ▼\nRepo Detective\n  ▼\nDoc Detective\n", nil},
		"tree":          {" ├── Repo Detective\n ├── Doc Detective\n └── Vision Inspector\n ↓\n", []string{"Repo Detective", "Doc Detective", "Vision Inspector"}},
		"tree of files": {" ├── repo_detective.py\n └── doc_detective.py\n ↓\n", nil},
		"open tree":     {" ├── Repo Detective\n └── Doc Detective\n", nil},
		"other role":    {"  ▼   ▼\n│ Prosecutor │ │ Defense │\n", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, besides(figure.Figure{Origin: figure.Text, Source: tc.art}, detectiveRole)); d != "" {
				t.Error(d)
			}
		})
	}
	if got := besides(figure.Figure{Origin: figure.Raster}, detectiveRole); got != nil {
		t.Errorf("of a picture: %q", got)
	}
}
