package code

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// slow is a worker that is silent on some files.
type slow struct{ tried *atomic.Int64 }

func (s slow) Do(ctx context.Context, request []byte) ([]byte, error) {
	if strings.HasPrefix(string(request), "slow") {
		s.tried.Add(1)
		return nil, &sandbox.WorkerError{Kind: "code", Reason: sandbox.TimedOut}
	}
	return inline{}.Do(ctx, request)
}

// TestD33WasteIsBounded mixes files that cost a worker each with good ones, so
// that no deaths come in a row.
func TestD33WasteIsBounded(t *testing.T) {
	var files []File
	for i := range 40 {
		files = append(files, File{Path: fmt.Sprintf("%02d.py", i), Bytes: fmt.Appendf(nil, "%s_%d = 1\n", []string{"slow", "good"}[i%2], i)})
	}
	var want []Fault
	for i := range 40 {
		switch {
		case i%2 == 0 && i < 12:
			want = append(want, Fault{files[i].Path, "code worker timeout"})
		case i > 10:
			want = append(want, Fault{files[i].Path, errSpent.Error()})
		}
	}
	for _, procs := range []int{1, 4} {
		before := runtime.GOMAXPROCS(procs)
		tried := &atomic.Int64{}
		p, err := Load(t.Context(), slow{tried}, files)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.Faults); diff != "" {
			t.Errorf("%d processors: faults differ (-want +got):\n%s", procs, diff)
		}
		if n := tried.Load(); n < 6 || n > 5+int64(procs) {
			t.Errorf("%d processors: %d slow files were tried, want 6 and those under way", procs, n)
		}
		if m := p.Module("39.py"); m.Parsed || m.Root().Valid() {
			t.Errorf("%d processors: a file after the budget's end has a tree", procs)
		}
		runtime.GOMAXPROCS(before)
	}
}

// TestD33TriedOnce asks for the same hostile text again, as one of an older
// state.
func TestD33TriedOnce(t *testing.T) {
	tried := &atomic.Int64{}
	files := []File{{Path: "a.py", Bytes: []byte("slow = 1\n")}, {Path: "b.py", Bytes: []byte("slow = 1\n")}}
	p, err := Load(t.Context(), slow{tried}, files)
	if err != nil {
		t.Fatal(err)
	}
	old, err := p.LoadVersions(t.Context(), slow{tried}, append(files, File{Path: "c.py", Bytes: []byte("good = 1\n")}))
	if err != nil {
		t.Fatal(err)
	}
	if n := tried.Load(); n != 1 {
		t.Errorf("the text was tried %d times", n)
	}
	if len(p.Faults) != 2 || len(old.Faults) != 2 || !old.Module("c.py").Parsed {
		t.Errorf("faults are %v, then %v, want two each time", p.Faults, old.Faults)
	}
}
