package trial

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// blow stands in a file that the parser dies of.
const blow = "PARSER_DIES_HERE"

// fallible parses in process, and dies as a worker would.
type fallible struct{ code.Inline }

func (f fallible) Do(ctx context.Context, text []byte) ([]byte, error) {
	if bytes.Contains(text, []byte(blow)) {
		return nil, &sandbox.WorkerError{Kind: "code", Reason: sandbox.Crashed, Detail: "stack overflow"}
	}
	return f.Inline.Do(ctx, text)
}

// answered is what was found of each check.
func answered(rec *court.Record) map[string]court.Exhibit {
	out := map[string]court.Exhibit{}
	for c, list := range rec.Evidences {
		for _, e := range list {
			out[c+" "+e.Check+" "+string(e.Ask)] = e
		}
	}
	return out
}

// A file that the parser dies of is lost, whichever it is, and nothing more:
// the record names it, and nothing that it may hold is said to be missing.
func TestD33FileLost(t *testing.T) {
	start := answered(withReport(t, ownReport))
	for _, name := range slices.Sorted(maps.Keys(miniature(t).Files)) {
		if !strings.HasSuffix(name, ".py") || miniature(t).Files[name] == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			f := miniature(t)
			f.Settings["pdf"], f.Files["report.txt"] = "report.txt", ownReport
			f.Files[name] += "\n" + blow + " = 1\n"
			rec := try(t, hearing(t, f.Scene(t, func(o *probe.Options) { o.Parser = fallible{} })))
			if !slices.ContainsFunc(rec.Faults, func(x court.Fault) bool {
				return x.Subject == name && strings.Contains(x.Reason, "crashed (stack overflow)")
			}) {
				t.Errorf("no fault names the file and the reason: %+v", rec.Faults)
			}
			for key, e := range answered(rec) {
				was := start[key].Outcome
				if e.Outcome != was && (e.Outcome == court.Absent || e.Outcome == court.Violation) {
					t.Errorf("%s went from %q to %s: %s", key, was, e.Outcome, e.Rationale)
				}
			}
		})
	}
}
