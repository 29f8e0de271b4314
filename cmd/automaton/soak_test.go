package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/automaton-auditor/automaton/internal/trace"
)

// TestSoak ends many audits at random points, by signals, by taking their memory
// away and by killing their workers, and looks at what they leave. It runs with
// AUTOMATON_SOAK=100 go test ./cmd/automaton -run Soak -v -timeout 60m; another
// seed by AUTOMATON_SOAK_SEED.
func TestSoak(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("AUTOMATON_SOAK"))
	if err != nil || rounds <= 0 {
		t.Skip("AUTOMATON_SOAK says how many audits to end")
	}
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("AUTOMATON_SOAK_SEED"); s != "" {
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", seed)
	c := &campaign{lab: newLab(t), chance: rand.New(rand.NewPCG(seed, 1)), tally: map[string]int{}}
	c.cases = []soaked{c.undisturbed(t, "work"), c.undisturbed(t, c.bundle(t))}
	for i := range rounds {
		t.Run(strconv.Itoa(i), func(t *testing.T) { c.round(t, i) })
	}
	for _, k := range slices.Sorted(maps.Keys(c.tally)) {
		t.Logf("%4d  %s", c.tally[k], k)
	}
}

// campaign is a series of audits that are ended.
type campaign struct {
	*lab
	chance *rand.Rand
	cases  []soaked
	tally  map[string]int
}

// soaked is a case with what an undisturbed run of it gives.
type soaked struct {
	target string
	code   int
	record string
	took   time.Duration
}

func (c *campaign) audit(target, out string) []string {
	return []string{"audit", target, "--pdf", "report.pdf", "--out", out, "--progress", "json", "-f", "json"}
}

func (c *campaign) undisturbed(t *testing.T, target string) soaked {
	t.Helper()
	c.run(t, c.audit(target, "warm")...).clean(t) // fills the cache
	out := "whole-" + target
	began := time.Now()
	a := c.run(t, c.audit(target, out)...)
	s := soaked{target: target, code: a.code(), took: time.Since(began)}
	a.clean(t)
	if s.code != 0 || c.whole(t, out) != 1 {
		t.Fatal(a)
	}
	_, s.record = c.record(t, out)
	return s
}

// ways to end a run, with how often each is taken.
var ways = []string{"kill", "kill", "kill", "term", "term", "int", "memory", "memory", "space", "worker"}

func (c *campaign) round(t *testing.T, i int) {
	s := c.cases[c.chance.IntN(len(c.cases))]
	way := ways[c.chance.IntN(len(ways))]
	after := time.Duration(c.chance.Int64N(int64(s.took)))
	again := c.chance.IntN(4) == 0 // over the report of an earlier run
	out := fmt.Sprintf("soak%d", i)
	if again {
		if a := c.run(t, c.audit(s.target, out)...); a.code() != s.code {
			t.Fatal(a)
		}
	}
	a := c.begin(t, c.audit(s.target, out)...)
	await(after, a.over)
	stage := c.stage(a)
	c.end(t, a, way)
	code := a.code()
	ended := c.outcome(a, s.code)
	records := c.whole(t, out)
	if again && records == 0 {
		t.Error("the record of the earlier run is gone")
	}
	if way != "memory" && way != "space" { // what the system does to a program without memory is its own
		a.clean(t)
	}
	next := c.run(t, c.audit(s.target, out)...)
	next.clean(t)
	c.tidy(t, out)
	equal, diff := false, "it has none"
	if next.code() == s.code {
		_, record := c.record(t, out)
		equal, diff = record == s.record, cmp.Diff(strings.Split(s.record, "\n"), strings.Split(record, "\n"))
	}
	resumed := strings.Contains(next.said(), "going on with the interrupted run")
	if !equal {
		t.Errorf("%s at %s (%s): the next run gave another record: %s\n%s", way, stage, a, next, diff)
	}
	t.Logf("%s after %v at %s: exit %d, %s; again %t, resumed %t, equal %t", way, after, stage, code, ended, again, resumed, equal)
	c.tally[fmt.Sprintf("all: equal %t", equal)]++
	c.tally[fmt.Sprintf("way %s: %s", way, ended)]++
	c.tally[fmt.Sprintf("stage %s: resumed %t", stage, resumed)]++
	if err := os.RemoveAll(filepath.Join(c.dir, out)); err != nil {
		t.Error(err)
	}
}

// stage is the last node that was told to have begun.
func (c *campaign) stage(a *attempt) string {
	if a.over() {
		return "over"
	}
	last := "opening"
	for line := range strings.Lines(a.said()) {
		var e trace.Event
		if json.Unmarshal([]byte(line), &e) != nil {
			continue // half a line
		}
		switch e.Kind {
		case trace.NodeStart:
			last = e.Node
		case trace.CaseEnd:
			last = "writing"
		case trace.CaseStart, trace.NodeEnd, trace.Progress, trace.Replayed, trace.Probed, trace.Evidence, trace.Opinion, trace.Holding, trace.ModelCall, trace.Route, trace.Fault:
		}
	}
	return last
}

// end does to a run what the way says.
func (c *campaign) end(t *testing.T, a *attempt, way string) {
	pid := a.cmd.Process.Pid
	switch way {
	case "kill":
		a.signal(syscall.SIGKILL)
	case "term":
		a.signal(syscall.SIGTERM)
	case "int":
		a.signal(syscall.SIGINT)
	case "memory": // no more than it has now
		_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil) // it may be over
	case "space":
		_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil) // here, too
	case "worker":
		for _, child := range c.processes(t, "__worker") {
			_ = syscall.Kill(child, syscall.SIGKILL) // and here
		}
	default:
		t.Fatalf("no such way %q", way)
	}
}

// outcome says in a word how a run ended.
func (c *campaign) outcome(a *attempt, whole int) string {
	switch code := a.code(); {
	case code == whole:
		return "ended by itself"
	case code == 130:
		return "stopped (130)"
	case code < 0:
		return "killed"
	default:
		return fmt.Sprintf("failed (%d)", code)
	}
}
