package repo

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

func TestConcurrentReaders(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("d%d/f%d.py", i%3, i)] = fmt.Sprintf("x = %d\n", i)
	}
	m := make1(t, files)
	r := mustOpen(t, m.dir, Options{})
	var all sync.WaitGroup
	for path, want := range files {
		all.Go(func() {
			if b, err := r.Blob(context.Background(), path); err != nil || string(b) != want {
				t.Errorf("%s: %q, %v", path, b, err)
			}
		})
	}
	for range 3 {
		all.Go(func() {
			if h, err := r.History(context.Background()); err != nil || len(h.Commits) != 1 {
				t.Errorf("history %+v, %v", h, err)
			}
			r.Notes()
		})
	}
	all.Wait()
}

func TestCancelled(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n"})
	r := mustOpen(t, m.dir, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Blob(ctx, "a"); err == nil {
		t.Error("a cancelled read gives a blob")
	}
	if _, err := r.History(ctx); err == nil {
		t.Error("a cancelled read gives a history")
	}
	if b, err := r.Blob(context.Background(), "a"); err != nil || string(b) != "1\n" {
		t.Errorf("afterwards: %q, %v", b, err)
	}
	if h := mustHistory(t, r); len(h.Commits) != 1 || h.Commits[0].Partial {
		t.Errorf("afterwards: %+v", h)
	}
}
