package fleet

import (
	"log/slog"
	"path/filepath"
	"testing"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
)

// Histories of released versions can be gone on with by this one: what they did, the workflows do again.
func TestReplay(t *testing.T) {
	list, err := filepath.Glob("testdata/*.json")
	if err != nil || len(list) < 2 {
		t.Fatal(list, err)
	}
	for _, name := range list {
		r := worker.NewWorkflowReplayer()
		register(r)
		if err := r.ReplayWorkflowHistoryFromJSONFile(log.NewStructuredLogger(slog.New(slog.DiscardHandler)), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
