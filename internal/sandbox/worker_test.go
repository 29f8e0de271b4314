package sandbox

import (
	"context"
	"errors"
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

func TestWorkerSurvivesDocuments(t *testing.T) {
	b := open(t, Options{})
	w := b.Worker("probe", WorkerOptions{Deadline: 2 * time.Second, Memory: 384 << 20})
	steps := []struct {
		request string
		want    string
		reason  Reason
	}{
		{request: "echo one", want: "one"},
		{request: "overflow", reason: Crashed},
		{request: "echo two", want: "two"},
		{request: "panic", reason: Crashed},
		{request: "spin", reason: TimedOut},
		{request: "echo three", want: "three"},
		{request: "hoard", reason: Crashed},
		{request: "exit", reason: Crashed},
		{request: "fail", reason: Failed},
		{request: "echo four", want: "four"},
	}
	for _, s := range steps {
		got, err := w.Do(context.Background(), []byte(s.request))
		t.Log(s.request, string(got), err)
		failure, _ := errors.AsType[*WorkerError](err)
		switch {
		case s.reason == "" && (err != nil || string(got) != s.want):
			t.Errorf("%s: got %q, %v", s.request, got, err)
		case s.reason != "" && (failure == nil || failure.Reason != s.reason):
			t.Errorf("%s: error is %v, want %s", s.request, err, s.reason)
		}
	}
	t.Log(b.Report())
}
