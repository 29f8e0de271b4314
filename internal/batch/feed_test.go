package batch

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/trace"
)

// A hearing that tells more than there is room for says so, once.
func TestFeedCut(t *testing.T) {
	f := &feed{more: make(chan struct{}, 1)}
	line, err := json.Marshal(trace.Event{At: "2026-03-01T12:00:00.000Z", Case: "ada", Kind: trace.Evidence, Text: strings.Repeat("x", 1<<20)})
	if err != nil {
		t.Fatal(err)
	}
	line = append(line, '\n')
	for range 20 {
		if n, err := f.Write(line); n != len(line) || err != nil {
			t.Fatal(n, err)
		}
	}
	told := f.take()
	if len(told) > mostTold+1000 || bytes.Count(told, []byte(`"kind":"fault"`)) != 1 {
		t.Fatalf("%d bytes", len(told))
	}
	lines := bytes.Split(bytes.TrimSpace(told), []byte("\n"))
	var last trace.Event
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil || last.At != "2026-03-01T12:00:00.000Z" || !strings.Contains(last.Text, "More than 16 MiB") {
		t.Error(last, err)
	}
}
