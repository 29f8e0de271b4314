package pdf

import (
	"context"
	"testing"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// The same PDF through a real worker process, locked in and with its compilation cached.
func TestReadThroughWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles PDFium in another process")
	}
	box, err := sandbox.Open(sandbox.Options{CacheDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	w := box.Worker(Kind, sandbox.WorkerOptions{Memory: 768 << 20, Cache: true})
	m := newMaker()
	m.page(text("F1", 12, 72, 700, "Evidence first.")+diagram(100, 100), "")
	for range 2 {
		d, err := Read(context.Background(), w, m.bytes(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Status != Readable || len(d.Pages) != 1 || len(d.Pages[0].Drawings) != 1 {
			t.Errorf("document %+v", d)
		}
	}
}
