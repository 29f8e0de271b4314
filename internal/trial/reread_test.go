package trial

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/store"
)

// notices tells whether reading a file, or verifying what is in it, says no.
func notices(t *testing.T, raw []byte, tool string) bool {
	t.Helper()
	rec, err := store.Decode(raw)
	if err != nil {
		return true
	}
	tools := store.Tools{Rule: Replay, Rubric: func(r court.Rubric) (string, string, error) { return rubric.Digests(&r, Catalogue(Probes())) }}
	return !store.Holds(append(store.Verify(rec, tools), Rendered(rec, raw, tool)))
}

// Whatever byte of a record or of a page is another one, verifying finds it.
func TestVerifyFindsEveryByte(t *testing.T) {
	if raced {
		t.Skip("takes too long under the race detector")
	}
	rec := try(t, hearing(t, miniature(t).Scene(t)))
	for _, f := range report.Formats {
		if f.Name != "json" && f.Name != "html" {
			continue
		}
		var b bytes.Buffer
		if err := Render(&b, f, rec); err != nil {
			t.Fatal(err)
		}
		if notices(t, b.Bytes(), rec.Origin.Tool) {
			t.Fatalf("the %s does not verify as it is", f.Name)
		}
		chance := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			raw := slices.Clone(b.Bytes())
			at, bit := chance.IntN(len(raw)), byte(1)<<chance.IntN(8)
			raw[at] ^= bit
			if !notices(t, raw, rec.Origin.Tool) {
				t.Errorf("%s: byte %d, %q for %q, is not found", f.Name, at, raw[at], b.Bytes()[at])
			}
		}
	}
}

// Every quote of a record stands in the submission that was audited; in another
// one it is missed, whatever the record says of itself.
func TestReread(t *testing.T) {
	f := miniature(t)
	rec := try(t, hearing(t, f.Scene(t)))
	if l := Reread(t.Context(), opened(f.Scene(t)), rec); l.Result != store.OK {
		t.Errorf("the same submission: %+v", l)
	}
	repainted(t, f, rec)
	rec.Case.Commit = "0000000000000000000000000000000000000000"
	if l := Reread(t.Context(), opened(f.Scene(t)), rec); l.Result != store.No {
		t.Errorf("another commit: %+v", l)
	}
	other := probetest.Load(t, "testdata/court.txtar")
	for name := range other.Files {
		if name != "history" {
			other.Files[name] = "# " + other.Files[name]
		}
	}
	s := other.Scene(t)
	rec.Case.Commit = s.Commit()
	if l := Reread(t.Context(), opened(s), rec); l.Result != store.No {
		t.Errorf("other files: %+v", l)
	}
}
