package sandbox

import (
	"context"
	"os/exec"
	"testing"
)

func BenchmarkChild(b *testing.B) {
	box, err := Open(Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	b.Run("sandboxed", func(b *testing.B) {
		for b.Loop() {
			if _, err := box.Run(context.Background(), Command{Args: []string{"version"}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command(box.git, "version").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkWorker(b *testing.B) {
	box, err := Open(Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	w := box.Worker("probe", WorkerOptions{})
	document := append([]byte("echo "), make([]byte, 8<<10)...)
	for b.Loop() {
		if _, err := w.Do(context.Background(), document); err != nil {
			b.Fatal(err)
		}
	}
}
