package docket

import (
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Events are read from any number on, in the order in which they were told, by whoever has the database open. Numbers grow when
// the clock stands still or goes back, and also over a second hearing; a run that ended has none.
func TestEvents(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, c *clock) {
		ctx := t.Context()
		enrolled(t, d, "a")
		told := func(after int64) (text string, last int64) {
			t.Helper()
			text, last, err := d.Events(ctx, "k", after)
			if err != nil {
				t.Fatal(err)
			}
			if (text == "") != (last == after) || last < after {
				t.Fatalf("%d comes after %d", last, after)
			}
			return text, last
		}
		tell := func(lines string) {
			t.Helper()
			if err := d.Tell(ctx, "k", []byte(lines)); err != nil {
				t.Fatal(err)
			}
		}
		hear := func() {
			t.Helper()
			claim(t, d, "me")
			if _, err := d.Pin(ctx, held("a"), Run{Key: "k"}); err != nil {
				t.Fatal(err)
			}
		}
		hear()
		tell("1\n")
		tell("2\n3\n")
		text, last := told(0)
		if text != "1\n2\n3\n" {
			t.Errorf("told %q", text)
		}
		c.pass(-time.Hour)
		tell("4\n")
		if text, last = told(last); text != "4\n" {
			t.Errorf("told %q behind what was seen", text)
		}
		if _, err := d.Finish(ctx, held("a"), "k", result(court.Partway, 42500)); err != nil {
			t.Fatal(err)
		}
		tell("late\n")
		if text, _ = told(0); text != "" {
			t.Errorf("a run that ended tells %q", text)
		}
		c.pass(2 * time.Hour)
		if err := d.Reopen(ctx, cohort, false, Partial); err != nil {
			t.Fatal(err)
		}
		hear()
		tell(strings.Repeat("x", 1<<20))
		if text, _ = told(last); len(text) != 1<<20 {
			t.Error("who saw the first hearing misses the beginning of the second")
		}
	})
}
