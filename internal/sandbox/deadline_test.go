package sandbox

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"
)

func TestDeadlinePasses(t *testing.T) {
	// spending is a process that spends so much between two looks
	spending := func(step time.Duration) func() (time.Duration, error) {
		spent := time.Hour // by earlier documents
		return func() (time.Duration, error) {
			spent += step
			return spent, nil
		}
	}
	tests := map[string]struct {
		within deadline
		used   func() (time.Duration, error)
		want   string
	}{
		"busy":          {deadline{cpu: 50 * time.Millisecond, wall: time.Hour}, spending(20 * time.Millisecond), "no answer in 50ms of processor time"},
		"asleep":        {deadline{cpu: 20 * time.Millisecond, wall: 100 * time.Millisecond}, spending(0), "no answer in 100ms"},
		"nobody counts": {deadline{cpu: 20 * time.Millisecond, wall: 100 * time.Millisecond}, func() (time.Duration, error) { return 0, errors.ErrUnsupported }, "no answer in 100ms"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := test.within.passed(context.Background(), test.used); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if got := within(time.Hour).passed(ended, spending(0)); got != "" {
		t.Errorf("answered in time: %q", got)
	}
}

func TestProcessorTimeOfAProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processor time of other processes is counted on Linux only")
	}
	before, err := processorTime(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	now := before
	for now == before { // which spends some
		if now, err = processorTime(os.Getpid()); err != nil {
			t.Fatal(err)
		}
	}
	if now < before {
		t.Errorf("%v after %v", now, before)
	}
	if _, err := processorTime(1<<22 + 1); err == nil {
		t.Error("a process that is not there has spent something")
	}
}

// What sleeps costs no processor time and is ended all the same.
func TestSleepingWorkerIsEnded(t *testing.T) {
	w := open(t, Options{}).Worker("probe", WorkerOptions{Deadline: 200 * time.Millisecond})
	_, err := w.Do(context.Background(), []byte("sleep"))
	if failure, ok := errors.AsType[*WorkerError](err); !ok || failure.Reason != TimedOut || failure.Detail != "no answer in 600ms" {
		t.Errorf("error is %v", err)
	}
}
