package syntax

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// deadly is a worker that dies of some files.
type deadly struct{ codetest.Inline }

func (d deadly) Do(ctx context.Context, request []byte) ([]byte, error) {
	if strings.Contains(string(request), "deadly") {
		return nil, &sandbox.WorkerError{Kind: "syntax", Reason: sandbox.Crashed}
	}
	return d.Inline.Do(ctx, request)
}

// Which files are given up is the same whatever is parsed at the same time.
func TestFilesAfterSixDeathsAreNotTried(t *testing.T) {
	var files []code.File
	for i := range 40 {
		files = append(files, code.File{Path: fmt.Sprintf("%02d.go", i), Bytes: fmt.Appendf(nil, "package p\n\nvar %s%d = 1\n", []string{"deadly", "good"}[i%2], i)})
	}
	for _, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		p, err := Load(t.Context(), deadly{codetest.Inline{Service: Service()}}, code.Survey(files), files)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range p.Files {
			want := ""
			switch {
			case i > 10:
				want = "not tried: too much work"
			case i%2 == 0:
				want = "crashed"
			}
			if !strings.Contains(f.Reason, want) || f.Parsed != (want == "") {
				t.Errorf("%d processors: %s: %q, want %q", processors, f.Path, f.Reason, want)
			}
		}
	}
}
