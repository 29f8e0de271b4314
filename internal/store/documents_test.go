package store

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// TestMisplaced fails when a page may go under the name of another document.
func TestMisplaced(t *testing.T) {
	two := court.Case{PDFPath: "a.pdf", PDF: &court.PDF{SHA256: "aa"}, Further: []court.PDF{{Path: "b.pdf", SHA256: "bb"}}}
	one := court.Case{PDFPath: "a.pdf", PDF: &court.PDF{SHA256: "aa"}}
	tests := map[string]struct {
		in    court.Case
		at    court.Place
		wrong bool
	}{
		"its own name":         {two, court.Place{Page: 1, Digest: "bb", Document: "b.pdf"}, false},
		"another's name":       {two, court.Place{Page: 1, Digest: "bb", Document: "a.pdf"}, true},
		"no name":              {two, court.Place{Page: 1, Digest: "bb"}, true},
		"no document":          {two, court.Place{Page: 1, Document: "a.pdf"}, true},
		"none of the case":     {two, court.Place{Page: 1, Digest: "cc", Document: "a.pdf"}, true},
		"a line of a document": {two, court.Place{Path: "b.md", Line: 1, Digest: "bb"}, false},
		"code":                 {two, court.Place{Path: "main.py", Line: 1}, false},
		"one document":         {one, court.Place{Page: 1, Digest: "aa"}, false},
		"one with a name":      {one, court.Place{Page: 1, Digest: "aa", Document: "b.pdf"}, true},
	}
	for name, tt := range tests {
		if got := misplaced(tt.in, tt.at); (got != "") != tt.wrong {
			t.Errorf("%s: %q", name, got)
		}
	}
	two.PDF.Claims = []court.Claim{{Subject: "x", At: court.Place{Page: 1, Digest: "bb", Document: "b.pdf"}}}
	if len(misplacedClaims(two)) != 1 {
		t.Error("a claim of the second document may stand under the first")
	}
}
