package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	collect "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/automaton-auditor/automaton/internal/trace"
)

// An audit arrives at a collector as it stands in its events; a collector that
// answers nothing, or is not there, changes one line on standard error.
func TestTraceOfAnAudit(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case twice")
	}
	t.Parallel()
	var mu sync.Mutex
	var got []*otlp.Span
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var in collect.ExportTraceServiceRequest
		raw, err := io.ReadAll(r.Body)
		if err := errors.Join(err, proto.Unmarshal(raw, &in)); err != nil {
			t.Error(err)
		}
		if k := r.Header.Get("x-key"); k != "of the collector" {
			t.Errorf("the header is %q", k)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, b := range in.ResourceSpans {
			for _, s := range b.ScopeSpans {
				got = append(got, s.Spans...)
			}
		}
	}))
	defer collector.Close()
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()

	d := newDesk(t)
	run := func(out string, env ...string) *process {
		with := *d
		with.env = append(with.env[:len(with.env):len(with.env)], env...)
		p := with.start(t, out)
		if code := p.end(); code != 0 {
			t.Fatalf("exit %d: %q", code, p.said)
		}
		return p
	}
	told := run("told", "SOURCE_DATE_EPOCH=", "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-key=of%20the%20collector")
	alone := run("alone", "OTEL_EXPORTER_OTLP_ENDPOINT="+dead.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-key=hidden-from-all")
	if len(told.said) != 0 {
		t.Errorf("said %q", told.said)
	}
	if len(alone.said) != 1 || !strings.HasPrefix(alone.said[0], "automaton: sending the trace to otlp (127.0.0.1:") || strings.Contains(alone.said[0], "hidden") {
		t.Errorf("said %q of a collector that is not there", alone.said)
	}
	if x, y := recordOf(t, filepath.Join(d.dir, "told")), recordOf(t, filepath.Join(d.dir, "alone")); x != y {
		t.Errorf("the records differ: %s", cmp.Diff(x, y))
	}

	want, have := map[string]int{}, map[string]int{}
	for _, e := range eventsOf(t, filepath.Join(d.dir, "told")) {
		switch e.Kind { //nolint:exhaustive // the others are no spans
		case trace.CaseStart:
			want["audit"]++
		case trace.NodeStart:
			want["invoke_agent "+e.Node]++
		case trace.Probed:
			want["execute_tool "+e.Text]++
		case trace.Holding:
			want["rule "+e.Rule.ID]++
		}
	}
	known := map[string]*otlp.Span{"": {}}
	for _, s := range got {
		have[s.Name]++
		known[string(s.SpanId)] = s
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("the spans (-events +arrived):\n%s", d)
	}
	above := map[string]string{"audit": "", "invoke_agent": "audit", "execute_tool": "invoke_agent", "rule": "invoke_agent"}
	for _, s := range got {
		what, _, _ := strings.Cut(s.Name, " ")
		parent := known[string(s.ParentSpanId)]
		if under, _, _ := strings.Cut(parent.GetName(), " "); parent == nil || under != above[what] || s.StartTimeUnixNano < parent.StartTimeUnixNano || s.EndTimeUnixNano > parent.EndTimeUnixNano && what != "audit" {
			t.Errorf("%s from %d to %d hangs below %v", s.Name, s.StartTimeUnixNano, s.EndTimeUnixNano, parent)
		}
	}
}

// only reads a file of the only case of an output folder.
func only(t *testing.T, out, name string) []byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, "*", name))
	if err == nil && len(files) != 1 {
		err = fmt.Errorf("%d cases in %s", len(files), out)
	}
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// recordOf is a case's record, but for its run.
func recordOf(t *testing.T, out string) string {
	return withoutRun(string(only(t, out, "record.json")))
}

// eventsOf is what a case told.
func eventsOf(t *testing.T, out string) (all []trace.Event) {
	t.Helper()
	for line := range bytes.Lines(only(t, out, "events.jsonl")) {
		var e trace.Event
		if err := json.Unmarshal(line, &e); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		all = append(all, e)
	}
	return all
}
