package sandbox

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// The trials tell a layer that holds from one that is missing: what stops each
// is known, and without it the thing tried goes through.
func TestProve(t *testing.T) {
	inEachMode(t, func(t *testing.T, r rung) {
		b := forced(t, Options{}, r)
		proofs, err := b.Prove(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{
			"worker reads a file outside":               r.landlock,
			"worker writes a file":                      r.landlock || r.uid,
			"worker connects to a port of this machine": r.landlock || r.seccomp || r.ns,
			"worker starts a program":                   r.landlock || r.seccomp,
			"worker takes more memory than its limit":   true,
			"worker works without end":                  true,
			"child reads a file outside":                r.landlock,
			"child writes a file outside":               r.landlock || r.uid,
			"child writes more than its limit":          true,
			"child connects to a port of this machine":  r.landlock || r.seccomp || r.ns,
		}
		for _, p := range proofs {
			name := p.Who + " " + p.What
			if held, known := want[name]; !known || p.Held != held || p.Detail == "" {
				t.Errorf("%s: held is %v, want %v (%s)", name, p.Held, held, p.Detail)
			}
			delete(want, name)
		}
		if len(want) > 0 {
			t.Errorf("not tried: %v", want)
		}
	})
}

func TestProveLeavesNothing(t *testing.T) {
	dir := outside(t)
	b := open(t, Options{TempDir: dir})
	list := func() string {
		found, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(found, "\n")
	}
	before := list()
	if _, err := b.Prove(context.Background()); err != nil {
		t.Fatal(err)
	}
	if after := list(); after != before {
		t.Errorf("left: %s\nwas: %s", after, before)
	}
}
