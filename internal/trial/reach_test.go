package trial

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

var presentLine = regexp.MustCompile(`(?m)^present (\w+) ([\d.]+)`)

// What a probe can reach is what its fixtures show; -update reads them anew.
func TestReachIsWhatTheFixturesShow(t *testing.T) {
	got := map[string]court.Fixed{}
	for _, p := range Probes() {
		files, err := filepath.Glob("../probe/*/testdata/" + p.ID + "/*.txtar")
		if err != nil || len(files) == 0 {
			t.Fatalf("probe %s has no fixtures: %v", p.ID, err)
		}
		for _, file := range files {
			f := probetest.Load(t, file)
			for _, m := range presentLine.FindAllStringSubmatch(f.Files["want"], -1) {
				e := court.Evidence{Outcome: court.Present, Source: court.Source(m[1])}
				if err := json.Unmarshal([]byte(m[2]), &e.Confidence); err != nil {
					t.Fatal(err)
				}
				ask := court.Ask{Probe: p.ID, Args: f.Args}
				for _, key := range []string{p.ID, ask.Key()} {
					got[key] = max(got[key], bench.Strength(e))
				}
			}
		}
	}
	for key := range got { // as with any arguments
		if id, _, _ := strings.Cut(key, "{"); got[key] == got[id] && key != id {
			delete(got, key)
		}
	}
	if probetest.Updating() {
		raw, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("reach.json", append(raw, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(reached(), got); d != "" {
		t.Errorf("reach.json (-it +fixtures); -update writes it anew:\n%s", d)
	}
}
