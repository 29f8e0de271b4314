package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// open makes a box that a throw-away uid can reach.
func open(t *testing.T, o Options) *Box {
	t.Helper()
	b, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestWorkerIsFrugal(t *testing.T) {
	w := open(t, Options{}).Worker("frugal", WorkerOptions{Memory: 512 << 20})
	for _, want := range []string{"100 0", "100 1", "100 2"} {
		if got, err := w.Do(context.Background(), nil); err != nil || string(got) != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

func TestWorkerSurvivesDocuments(t *testing.T) {
	b := open(t, Options{})
	w := b.Worker("probe", WorkerOptions{Memory: 512 << 20})
	steps := []struct {
		request string
		want    string
		reason  Reason
	}{
		{request: "echo one", want: "one"},
		{request: "overflow", reason: Crashed},
		{request: "echo two", want: "two"},
		{request: "panic", reason: Crashed},
		{request: "echo three", want: "three"},
		{request: "hoard", reason: Crashed},
		{request: "exit", reason: Crashed},
		{request: "fail", reason: Failed},
		{request: "echo four", want: "four"},
	}
	for _, s := range steps {
		got, err := w.Do(context.Background(), []byte(s.request))
		failure, _ := errors.AsType[*WorkerError](err)
		switch {
		case s.reason == "" && (err != nil || string(got) != s.want):
			t.Errorf("%s: got %q, %v", s.request, got, err)
		case s.reason != "" && (failure == nil || failure.Reason != s.reason):
			t.Errorf("%s: error is %v, want %s", s.request, err, s.reason)
		}
	}
}

func TestWorkerSurvivesHanging(t *testing.T) {
	w := open(t, Options{}).Worker("probe", WorkerOptions{Deadline: 200 * time.Millisecond})
	_, err := w.Do(context.Background(), []byte("spin"))
	if failure, ok := errors.AsType[*WorkerError](err); !ok || failure.Reason != TimedOut {
		t.Errorf("error is %v", err)
	}
	w.options.Deadline = time.Minute // a fence for what does not hang
	if got, err := w.Do(context.Background(), []byte("echo one")); err != nil || string(got) != "one" {
		t.Errorf("afterwards: %q, %v", got, err)
	}
}

func TestWorkerIsGivenUp(t *testing.T) {
	w := open(t, Options{}).Worker("probe", WorkerOptions{})
	for i, want := range append(slices.Repeat([]Reason{Crashed}, maxDeaths), GivenUp, GivenUp) {
		_, err := w.Do(context.Background(), []byte("panic"))
		if failure, ok := errors.AsType[*WorkerError](err); !ok || failure.Reason != want || failure.Kind != "probe" {
			t.Errorf("document %d: %v, want %s", i, err, want)
		}
	}
}

func TestWorkerThatCannotStart(t *testing.T) {
	b := open(t, Options{})
	for kind, want := range map[string]string{"cold": "warming up: no grammar", "none": `no service "none"`} {
		_, err := b.Worker(kind, WorkerOptions{}).Do(context.Background(), nil)
		failure, ok := errors.AsType[*WorkerError](err)
		if !ok || failure.Reason != NoStart || !strings.Contains(failure.Detail, want) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// A further process is started only when there is enough to do for it.
func TestWorkersRunAtOnce(t *testing.T) {
	for size, most := range map[int]int{100: 1, 3000: 2, 10_000: 3} { // bytes of one document
		w := open(t, Options{}).Worker("probe", WorkerOptions{Processes: 3})
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				text := strings.Repeat(strconv.Itoa(i%10), size)
				got, err := w.Do(context.Background(), []byte("echo "+text))
				if err != nil || string(got) != text {
					t.Errorf("document %d: %d bytes, %v", i, len(got), err)
				}
			})
		}
		all.Wait()
		if n := len(w.idle); n < 1 || n > most || w.places != most {
			t.Errorf("documents of %d bytes: %d processes, places for %d, want %d", size, n, w.places, most)
		}
	}
}

func TestWorkerCancelled(t *testing.T) {
	w := open(t, Options{}).Worker("probe", WorkerOptions{})
	if _, err := w.Do(context.Background(), []byte("echo x")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := w.Do(ctx, []byte("spin")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
	if w.deaths != 0 {
		t.Error("a cancelled document counts as a death")
	}
	if got, err := w.Do(context.Background(), []byte("echo y")); err != nil || string(got) != "y" {
		t.Errorf("afterwards: %q, %v", got, err)
	}
}

func TestWorkerTakesLargeDocuments(t *testing.T) {
	w := open(t, Options{}).Worker("probe", WorkerOptions{})
	text := strings.Repeat("0123456789abcdef", 1<<17)
	got, err := w.Do(context.Background(), []byte("echo "+text))
	if err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	_, err = w.Do(context.Background(), make([]byte, MaxFrame+1))
	if failure, ok := errors.AsType[*WorkerError](err); !ok || failure.Reason != TooLarge {
		t.Errorf("error is %v", err)
	}
}

// The cache is filled once by a process that sees no document, and read-only for those that do.
func TestWorkerCache(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	for range 2 {
		b := open(t, Options{CacheDir: cache})
		got, err := b.Worker("caching", WorkerOptions{Cache: true}).Do(context.Background(), nil)
		if err != nil || string(got) != "warm" {
			gaps := b.Report().Missing
			if !slices.ContainsFunc(gaps, func(m Missing) bool { return m.Layer == "landlock" }) {
				t.Fatalf("%q, %v", got, err)
			}
			t.Skipf("not refused here: %v", gaps)
		}
		if content, err := os.ReadFile(filepath.Join(cache, "deep", "compiled")); err != nil || string(content) != "warm" {
			t.Errorf("the cache holds %q, %v", content, err)
		}
	}
}

func FuzzFrame(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 7}, 10)
	f.Add([]byte{0, 0, 0, 0}, 0)
	f.Add([]byte{255, 255, 255, 255, 1}, 1000)
	f.Add([]byte{0, 0, 0, 9, 1, 2}, 100)
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		body, err := readFrame(bytes.NewReader(in), limit)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := writeFrame(&out, nil, body); err != nil {
			t.Fatal(err)
		}
		if len(body) > limit || !bytes.HasPrefix(in, out.Bytes()) {
			t.Fatalf("%x became %x", in, body)
		}
	})
}
