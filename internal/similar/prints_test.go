package similar

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

const secret = "AKIA" + "QYLPMN5HFIQR7XYA"

func taken(t *testing.T, texts ...string) (*Prints, Sources, []byte) {
	t.Helper()
	f := probetest.Load(t, "testdata/scene/court.txtar")
	f.Files["src/keys.py"] = strings.ReplaceAll(f.Files["src/keys.py"], "SECRET", secret)
	scene := f.Scene(t)
	scene.Equip(nil, nil, texts)
	p, err := Take(t.Context(), scene)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := TakeSources(t.Context(), scene)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSources(raw)
	if err != nil {
		t.Fatal(err)
	}
	return p, s, raw
}

func TestTake(t *testing.T) {
	p, s, raw := taken(t)
	var files []string
	for _, f := range p.Code.Files {
		files = append(files, f.Path)
		for _, m := range f.Marks {
			if m.Line < 1 || m.EndLine > len(s[f.Path]) {
				t.Errorf("%s: %+v in %d lines", f.Path, m, len(s[f.Path]))
			}
		}
	}
	if !slices.Equal(files, []string{"src/keys.py", "src/plan.py", "tests/test_plan.py", "web/show.ts"}) {
		t.Errorf("%v", files)
	}
	if diff := cmp.Diff([]string{"LICENSE", "src/plan.py"}, []string{p.Blobs[0].Path, p.Blobs[1].Path}); len(p.Blobs) != 2 || diff != "" {
		t.Errorf("%v", p.Blobs)
	}
	if len(p.Commits) != 1 || p.since("LICENSE") != 1_767_600_000 || p.since("nowhere") != 0 || p.Unread != 0 {
		t.Errorf("%+v", p)
	}
	if len(p.Text.Files) != 1 || p.Text.Files[0].Path != "document 1" || len(p.Text.Set()) < 2 {
		t.Errorf("%+v", p.Text)
	}
	for _, l := range s["document 1"] {
		if strings.Contains(l, "cites a book") {
			t.Error("what is cited is taken for the author's own")
		}
	}
	for _, no := range []string{secret, "ada", "node_modules", "example.org"} {
		if bytes.Contains(raw, []byte(no)) || bytes.Contains(p.Encode(), []byte(no)) {
			t.Errorf("%q was kept", no)
		}
	}
	if !strings.Contains(strings.Join(s["src/keys.py"], "\n"), "[redacted:") {
		t.Errorf("%q", s["src/keys.py"])
	}
	again, _, _ := taken(t)
	if !bytes.Equal(p.Encode(), again.Encode()) {
		t.Error("the same submission has other prints")
	}
}

// What the assignment says is nobody's own.
func TestAssignmentIsTakenOff(t *testing.T) {
	before, _, _ := taken(t)
	p, _, _ := taken(t, "The planner looks at every gap of the day and keeps those that are longer than an hour, because nobody can work in less.")
	if a, b := len(before.Text.Set()), len(p.Text.Set()); b >= a/2 {
		t.Errorf("%d of %d fingerprints are left", b, a)
	}
}

func TestWords(t *testing.T) {
	got := words("Ein Wort, zwei — 3rd; 日本語 x", 4, nil)
	if len(got) != 8 || got[0].Line != 4 || got[0].Sum != words("EIN", 1, nil)[0].Sum {
		t.Errorf("%d words", len(got))
	}
}

// Prints of old cohorts are compared with new ones. Where this changes, they are no longer alike: raise the number in
// format, so that they are refused.
func TestPrintsStayAsTheyWere(t *testing.T) {
	p, _, _ := taken(t)
	var b strings.Builder
	for _, f := range append(p.Code.Files, p.Text.Files...) {
		for _, m := range f.Marks {
			fmt.Fprintf(&b, "%s %016x %d %d-%d\n", f.Path, m.Hash, m.At, m.Line, m.EndLine)
		}
	}
	for _, x := range p.Blobs {
		fmt.Fprintf(&b, "%s %016x %d\n", x.Path, x.Sum, x.Since)
	}
	fmt.Fprintf(&b, "%x\n", sha256.Sum256(p.Encode()))
	const golden = "testdata/scene/court.prints"
	if probetest.Updating() {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}
