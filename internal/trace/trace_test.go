package trace

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLogWritesLines(t *testing.T) {
	var b bytes.Buffer
	at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.FixedZone("x", 3600))
	l := NewLog("a__b-1234567", func() time.Time { return at }, Lines(&b))
	l.Emit(Event{Kind: NodeStart, Node: "DocAnalyst"})
	l.Emit(Event{Kind: NodeEnd, Node: "DocAnalyst", Ms: 12, Text: "14 pages"})
	want := `{"seq":1,"at":"2026-01-02T02:04:05.678Z","case":"a__b-1234567","kind":"node.start","node":"DocAnalyst"}
{"seq":2,"at":"2026-01-02T02:04:05.678Z","case":"a__b-1234567","kind":"node.end","node":"DocAnalyst","ms":12,"text":"14 pages"}
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	if l.Err() != nil {
		t.Error(l.Err())
	}
}

func TestFailingSinkGetsNoMore(t *testing.T) {
	calls := 0
	var b bytes.Buffer
	l := NewLog("x", time.Now, func(Event) error { calls++; return errors.New("disk full") }, Lines(&b))
	for range 3 {
		l.Emit(Event{Kind: Fault})
	}
	if calls != 1 || strings.Count(b.String(), "\n") != 3 || l.Err() == nil {
		t.Errorf("calls %d, lines %q, err %v", calls, b.String(), l.Err())
	}
}
