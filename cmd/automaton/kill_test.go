package main

import (
	"fmt"
	"maps"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// points are how many events a run has told of when it is stopped.
const points = 10

// A run that is killed at any point is finished by the same command, without
// doing anything twice that was journalled, and ends as if it had not been.
func TestKilledRunsAreFinished(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	t.Parallel()
	d := newDesk(t)
	whole, events := undisturbed(t, d)
	rec, want := d.record(t, "whole")
	hit, resumed := 0, 0
	for i := range points {
		after := 1 + i*(events-1)/points
		t.Run(fmt.Sprintf("after %d of %d events", after, events), func(t *testing.T) {
			out := fmt.Sprintf("killed%d", i)
			killed := d.start(t, out)
			for range after {
				killed.next()
			}
			killed.signal(syscall.SIGKILL)
			killed.end()
			kept := d.journalled(t, out)
			again := d.start(t, out)
			if code := again.end(); code != whole {
				t.Fatal(again)
			}
			got, bytes := d.record(t, out)
			if bytes != want {
				t.Errorf("another record than without the kill: %s, want %s", got.Digest, rec.Digest)
			}
			if code := killed.cmd.ProcessState.ExitCode(); code == whole {
				return // it had finished before it was killed
			}
			hit++
			resumed += min(len(kept), 1)
			done := spans(got)
			for node, n := range kept {
				done[node] += n
			}
			if diff := cmp.Diff(spans(rec), done); diff != "" {
				t.Errorf("tasks journalled before and done after the kill (-whole run +both):\n%s", diff)
			}
		})
	}
	if t.Logf("%d of %d runs were killed before they ended, %d with tasks in the journal", hit, points, resumed); resumed == 0 {
		t.Error("no run was killed between two tasks")
	}
}

// undisturbed runs the case into "whole" and says how it ended and how many
// events it told.
func undisturbed(t *testing.T, d *desk) (code, events int) {
	t.Helper()
	p := d.start(t, "whole")
	for _, ok := p.next(); ok; _, ok = p.next() {
		events++
	}
	if code = p.end(); code != 0 {
		t.Fatal(p)
	}
	if events <= points {
		t.Fatalf("only %d events to be stopped after", events)
	}
	return code, events
}

// The first signal ends a run with 130 and keeps what is known: the folder can
// be read, and the same command goes on from there.
func TestInterruptedRunsAreFinished(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	t.Parallel()
	d := newDesk(t)
	_, events := undisturbed(t, d)
	_, want := d.record(t, "whole")
	stopped := 0
	for i, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGINT} {
		after := 1 + i*events/5
		t.Run(fmt.Sprintf("%s after %d of %d events", s, after, events), func(t *testing.T) {
			out := fmt.Sprintf("stopped%d", i)
			p := d.start(t, out)
			for range after {
				p.next()
			}
			p.signal(s)
			switch code := p.end(); code {
			case 130:
				stopped++
				known, _ := d.record(t, out)
				if known.Status != court.Partway || !known.Intact() {
					t.Errorf("status %s, intact %t", known.Status, known.Intact())
				}
				if said := strings.Join(p.said, "\n"); said != "automaton: stopping; what is known is kept" {
					t.Errorf("said %q", said)
				}
			case 0: // it was done when the signal came
			default:
				t.Fatal(p)
			}
			if again := d.start(t, out); again.end() != 0 {
				t.Fatal(again)
			}
			if _, got := d.record(t, out); got != want {
				t.Error("another record than without the interruption")
			}
			if left := d.journalled(t, out); len(left) > 0 {
				t.Errorf("a journal is left with tasks of %v", maps.Keys(left))
			}
		})
	}
	if stopped == 0 {
		t.Error("no run was stopped before it was done")
	}
}

// Two runs of one case do not write into one folder: the second is told, or
// waits.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.start(t, "shared")
	first.next() // it has the folder now
	first.signal(syscall.SIGSTOP)
	second := d.start(t, "shared")
	code := second.end()
	waiting := d.start(t, "shared", "--wait")
	first.signal(syscall.SIGCONT)
	if first.end() != 0 {
		t.Error(first)
	}
	want := fmt.Sprintf("another run (pid %d) is writing here", first.cmd.Process.Pid)
	if said := strings.Join(second.said, "\n"); code != 2 || !strings.Contains(said, want) || !strings.Contains(said, "hint: --wait waits for it") {
		t.Errorf("exit %d, want 2; said %q, want %q", code, said, want)
	}
	if second.stdout.Len() > 0 {
		t.Errorf("the second run printed %q", second.stdout.String())
	}
	if waiting.end() != 0 {
		t.Error(waiting)
	}
	d.record(t, "shared")
}
