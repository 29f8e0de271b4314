package graph_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/automaton-auditor/automaton/internal/graph"
)

const childJournal, childCalls = "GRAPH_TEST_JOURNAL", "GRAPH_TEST_CALLS"

// TestKilled kills a child process with SIGKILL in the middle of a judge's call
// and resumes in this one. The child is this test run again with two variables.
func TestKilled(t *testing.T) {
	if path := os.Getenv(childJournal); path != "" {
		dieAtWork(t, path)
	}
	want := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake())}, docket(6)))
	for _, calls := range []int{0, 1, 5, 11, 18, 26} {
		t.Run(fmt.Sprint(calls), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilled$")
			cmd.Env = append(os.Environ(), childJournal+"="+path, childCalls+"="+strconv.Itoa(calls))
			if out, err := cmd.CombinedOutput(); err == nil || strings.Contains(string(out), "FAIL") {
				t.Fatalf("the child was to be killed: %v\n%s", err, out)
			}
			j, err := graph.OpenFile(path)
			if err != nil {
				t.Fatal(err)
			}
			left, err := j.Load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seen := count{}
			got := finish(t, &graph.Local[State]{Graph: audit(t, fake()), Journal: j, Observe: seen.event}, docket(6))
			if text(t, got) != want {
				t.Error("the resumed audit ended in another state")
			}
			// What the child had journalled is at least what was before the judges.
			if len(left) < 5 || seen[graph.Replayed] != len(left)-1 || seen[graph.Finished] != tasksOf(6)-len(left)+1 {
				t.Errorf("%d records at the kill, %v", len(left), seen)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// dieAtWork runs the audit and kills its own process in the call after so many.
func dieAtWork(t *testing.T, path string) {
	calls, err := strconv.Atoi(os.Getenv(childCalls))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	c := fake()
	opine := c.opine
	c.opine = func(ctx context.Context, s State, judge, criterion string) (State, error) {
		mu.Lock()
		defer mu.Unlock()
		if calls--; calls < 0 {
			if err := self.Kill(); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
		}
		return opine(ctx, s, judge, criterion)
	}
	j, err := graph.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	finish(t, &graph.Local[State]{Graph: audit(t, c), Journal: j}, docket(6))
	t.Fatal("survived")
}
