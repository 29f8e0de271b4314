package trial

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// Progress comes at most ten times a second whatever is reported, the first of a
// node at once, and nothing of a node that is done. The busy one does not silence
// the others.
func TestProgressIsMeasured(t *testing.T) {
	now := epoch()
	var told []trace.Event
	var at []time.Time
	clock := func() time.Time { return now }
	w := &watcher{clock: clock, open: map[string]int{}, heard: map[string]bool{}, log: trace.NewLog("x", clock, func(e trace.Event) error {
		told, at = append(told, e), append(at, now)
		return nil
	})}
	for i := range 3000 { // three seconds
		w.progress("busy", i, 3000, "a")
		if i%500 == 7 {
			w.progress("quiet", i, 3000, "b")
		}
		if i == 1500 {
			w.progress("done", 1, 2, "late")
			w.progress("done", 2, 2, "later")
			w.silence("done")
		}
		now = now.Add(time.Millisecond)
	}
	count := map[string]int{}
	for i, e := range told {
		count[e.Node+" "+e.Text]++
		if i >= mostTold && at[i].Sub(at[i-mostTold]) < toldWithin {
			t.Errorf("%d reports within %v", mostTold+1, at[i].Sub(at[i-mostTold]))
		}
	}
	if told[0].Node != "busy" || told[1].Node != "quiet" || at[1] != epoch().Add(7*time.Millisecond) {
		t.Errorf("the first reports are %+v", told[:2])
	}
	if count["quiet b"] != 6 || count["busy a"] < 10 || count["done late"] != 1 || count["done later"] != 0 {
		t.Errorf("told %v", count)
	}
}

// Of a whole case, each node's progress goes up to what there is, round by round,
// and watching changes no byte of the record.
func TestProgressOfACase(t *testing.T) {
	h := hearing(t, miniature(t).Scene(t))
	alone := try(t, h)
	type state struct{ done, of int }
	last, seen := map[string]state{}, map[string]int{}
	h = hearing(t, miniature(t).Scene(t))
	var fault error
	h.Log = trace.NewLog("x", epoch, func(e trace.Event) error {
		switch e.Kind { //nolint:exhaustive // the others say nothing of progress
		case trace.NodeStart:
			last[e.Node] = state{}
		case trace.Progress:
			was := last[e.Node]
			if e.Done < was.done || e.Of > 0 && e.Done > e.Of || was.of > 0 && e.Of < was.of {
				fault = fmt.Errorf("%s went from %v to %d of %d", e.Node, was, e.Done, e.Of)
			}
			last[e.Node] = state{e.Done, e.Of}
			seen[e.Node]++
		}
		return nil
	})
	tick := epoch()
	h.Clock = func() time.Time { tick = tick.Add(lull); return tick } // asked by one at a time
	watched := try(t, h)
	if fault != nil {
		t.Error(fault)
	}
	for _, node := range []string{"RepoInvestigator", "DocAnalyst", "VisionInspector", "Prosecutor"} {
		if seen[node] == 0 {
			t.Errorf("%s told nothing of its progress", node)
		}
	}
	if alone.Digest != watched.Digest {
		t.Error("watching changed the record")
	}
}

// A case tells each question that was answered, each opinion, each rule, and how
// it ended: what the record holds, once.
func TestCaseIsTold(t *testing.T) {
	var all []trace.Event
	h := hearing(t, miniature(t).Scene(t))
	h.Log = trace.NewLog("x", epoch, func(e trace.Event) error {
		all = append(all, e)
		return nil
	})
	rec := try(t, h)
	count := map[trace.Kind]int{}
	asked, gathered := map[string]int{}, map[string]int{}
	var holdings []string
	for _, e := range all {
		count[e.Kind]++
		switch e.Kind { //nolint:exhaustive // the others are told elsewhere
		case trace.Probed:
			for item := range strings.SplitSeq(e.Item, ",") {
				if count[trace.Route] < 2 { // before disputed criteria are looked at again
					asked[item]++
				}
			}
			if e.Node == "" || e.Text == "" || e.Found == 0 {
				t.Errorf("a question is told as %+v", e)
			}
		case trace.Evidence:
			gathered[e.Node] += e.Found
		case trace.Opinion:
			if !slices.ContainsFunc(rec.Opinions, func(o court.Opinion) bool {
				return string(o.Judge) == e.Node && o.Criterion == e.Item && o.Score == e.Score && o.Round == e.Round
			}) {
				t.Errorf("nobody holds %+v", e)
			}
		case trace.Holding:
			holdings = append(holdings, fmt.Sprint(e.Item, *e.Rule))
		}
	}
	var held []string
	for _, r := range rec.Verdict.Rulings {
		for _, x := range r.Holdings {
			held = append(held, fmt.Sprint(r.Criterion, trace.Rule{ID: x.Rule, Outcome: string(x.Outcome), Before: x.Before.String(), After: x.After.String()}))
		}
	}
	if d := cmp.Diff(held, holdings); d != "" {
		t.Errorf("the rules (-held +told):\n%s", d)
	}
	for _, c := range h.Rubric.Criteria {
		for _, ch := range c.Checks {
			if n := asked[c.ID+"/"+ch.ID]; n != len(ch.Asks) {
				t.Errorf("%s/%s was answered %d times, has %d questions", c.ID, ch.ID, n, len(ch.Asks))
			}
		}
	}
	if count[trace.Opinion] != len(rec.Opinions) || gathered["RepoInvestigator"] == 0 || gathered["DocAnalyst"] == 0 || gathered["VisionInspector"] == 0 {
		t.Errorf("%d opinions of %d; evidence %v", count[trace.Opinion], len(rec.Opinions), gathered)
	}
	first, last := all[0], all[len(all)-1]
	if first.Kind != trace.CaseStart || first.Digest != h.Rubric.Digest || last.Kind != trace.CaseEnd || last.Total != rec.Verdict.Overall.Exact.Shown() || last.Text != string(rec.Status) {
		t.Errorf("from %+v to %+v", first, last)
	}
}
