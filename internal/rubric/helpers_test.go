package rubric

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// catalogue holds the probes that the built-in rubrics and plans name.
func catalogue(t testing.TB) Catalogue {
	t.Helper()
	raw, err := os.ReadFile("testdata/catalogue.json")
	if err != nil {
		t.Fatal(err)
	}
	var c Catalogue
	if err := json.Unmarshal(raw, &c.Probes); err != nil {
		t.Fatal(err)
	}
	return c
}

func mustLoad(t testing.TB, text string) *court.Rubric {
	t.Helper()
	r, err := Load("rubric.json", strings.NewReader(text), catalogue(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func noteCodes(r *court.Rubric) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range r.Notes {
		if !seen[n.Code] {
			seen[n.Code] = true
			out = append(out, n.Code)
		}
	}
	return out
}
