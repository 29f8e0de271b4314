package document

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

func TestClaims(t *testing.T) {
	s := probetest.Load(t, "testdata/ledger/kinds.txtar").Scene(t)
	rows, more, err := Claims(t.Context(), s)
	if err != nil || more > 0 {
		t.Fatal(err, more)
	}
	var got strings.Builder
	for _, c := range rows {
		if c.Kind != court.ClaimCapability {
			fmt.Fprintf(&got, "%s %s: %s %s. %s %v\n", c.Kind, c.Subject, c.Modality, c.Fate, c.Why, c.Proof)
		}
		if c.Quote == "" || c.At.Page != 1 || c.At.Digest != s.PDFDigest() {
			t.Errorf("%s: %q at %s", c.Subject, c.Quote, c.At)
		}
		if err := s.VerifyClaim(t.Context(), c); err != nil {
			t.Errorf("%s: %v", c.Subject, err)
		}
	}
	for name, spoil := range map[string]func(*court.Claim){
		"words":      func(c *court.Claim) { c.Quote = "Nobody said so." },
		"page":       func(c *court.Claim) { c.At.Page = 2 },
		"document":   func(c *court.Claim) { c.At.Digest = strings.Repeat("0", 64) },
		"proof":      func(c *court.Claim) { c.Proof = []court.Place{{Path: "src/none.py"}} },
		"other blob": func(c *court.Claim) { c.Proof = []court.Place{{Path: "src/graph.py", Blob: strings.Repeat("0", 40)}} },
		"no such line": func(c *court.Claim) {
			c.Proof = []court.Place{{Path: "src/graph.py", Line: 400, EndLine: 400, Blob: rows[0].Proof[0].Blob}}
		},
	} {
		c := rows[0]
		if spoil(&c); s.VerifyClaim(t.Context(), c) == nil {
			t.Errorf("%s: what was altered stands", name)
		}
	}
	const file = "testdata/ledger/kinds.want"
	if probetest.Updating() {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}

// What does not hold is kept before what does, and the order stays the
// document's.
func TestBoundedRows(t *testing.T) {
	var all []court.Claim
	for i := range maxRows + 20 {
		all = append(all, court.Claim{Subject: fmt.Sprint(i), Modality: court.Claims, Fate: court.Verified})
	}
	all[3].Modality = court.Proposes
	all[maxRows+19].Fate = court.NeverExisted
	kept, more := bounded(all)
	if len(kept) != maxRows || more != 20 {
		t.Fatalf("%d kept, %d more", len(kept), more)
	}
	if kept[maxRows-1].Subject != all[maxRows+19].Subject || kept[3].Subject != "4" {
		t.Errorf("the last is %s, the fourth %s", kept[maxRows-1].Subject, kept[3].Subject)
	}
	if kept, more := bounded(all[:5]); len(kept) != 5 || more != 0 {
		t.Error("a short list was cut")
	}
}
