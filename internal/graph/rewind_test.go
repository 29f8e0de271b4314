package graph_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// A resume that a person asks for tries failed tasks again, and with them all
// that was built on the failure. A mere restart does not.
func TestRewind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake())}, docket(4)))
		ill := fake()
		ill.doc = broken
		j := &memory{}
		partial := finish(t, &graph.Local[State]{Graph: audit(t, ill), Journal: j}, docket(4))
		if len(partial.Faults) != 2 { // the detective looked twice
			t.Fatal(partial.Faults)
		}
		seen := count{}
		well := &graph.Local[State]{Graph: audit(t, fake()), Journal: j, Observe: seen.event}
		if again := finish(t, well, docket(4)); text(t, again) != text(t, partial) || seen[graph.Started] != 0 {
			t.Fatal("a restart tried something again", seen)
		}

		total := len(j.recs)
		dropped, err := graph.Rewind(t.Context(), j)
		if err != nil || dropped != total-3 { // head and two detectives stay
			t.Fatal(dropped, err, total)
		}
		clear(seen)
		if got := finish(t, well, docket(4)); text(t, got) != want {
			t.Error("the mended audit differs from one that never failed")
		}
		if seen[graph.Replayed] != 2 || seen[graph.Finished] != tasksOf(4)-2 {
			t.Error(seen)
		}
		// The mended run is resumed as any other, and has nothing to rewind.
		clear(seen)
		if got := finish(t, well, docket(4)); text(t, got) != want || seen[graph.Started] != 0 {
			t.Error("the mended audit ran again", seen)
		}
		total = len(j.recs)
		if dropped, err := graph.Rewind(t.Context(), j); err != nil || dropped != 0 || len(j.recs) != total {
			t.Error(dropped, err, len(j.recs)-total)
		}
	})
}

// Every crash of a rewound run is resumed too, and a task that fails once more
// can be rewound once more.
func TestRewindTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake())}, docket(4)))
		ill := fake()
		ill.doc, ill.vision = broken, panics
		half := fake()
		half.vision = panics
		j := &memory{}
		finish(t, &graph.Local[State]{Graph: audit(t, ill), Journal: j}, docket(4))
		if _, err := graph.Rewind(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		finish(t, &graph.Local[State]{Graph: audit(t, half), Journal: j}, docket(4))
		if _, err := graph.Rewind(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		begin, seen := len(j.recs), count{}
		well := &graph.Local[State]{Graph: audit(t, fake()), Journal: j, Observe: seen.event}
		j.die = begin
		for {
			out, err := well.Run(t.Context(), docket(4))
			if err == nil {
				if text(t, out) != want {
					t.Error("the mended audit differs from one that never failed")
				}
				break
			}
			if !errors.Is(err, errCrash) || j.die > begin+tasksOf(4) {
				t.Fatal(err)
			}
			j.die++
		}
		if len(j.recs)-begin != tasksOf(4)-2 || seen[graph.Finished] != tasksOf(4)-2 {
			t.Error(len(j.recs)-begin, seen, tasksOf(4))
		}
	})
}

// A process that still runs on the failure while another one rewound cannot
// slip its outcomes in.
func TestRewindAgainstZombie(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := text(t, finish(t, &graph.Local[State]{Graph: audit(t, fake())}, docket(2)))
		ill, j := fake(), &memory{}
		ill.doc = broken
		paused, mended := make(chan struct{}), make(chan struct{})
		opine := ill.opine
		ill.opine = func(ctx context.Context, s State, judge, criterion string) (State, error) {
			if judge == "Prosecutor" && criterion == "c00" && round(s) == 1 {
				close(paused)
				<-mended
			}
			return opine(ctx, s, judge, criterion)
		}
		zombie := make(chan struct{})
		go func() {
			defer close(zombie)
			finish(t, &graph.Local[State]{Graph: audit(t, ill), Journal: j}, docket(2))
		}()
		<-paused
		synctest.Wait()
		if _, err := graph.Rewind(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		waits := fake()
		waits.doc = func(ctx context.Context, s State) (State, error) {
			if round(s) == 1 {
				close(mended)
				<-zombie
			}
			return fake().doc(ctx, s)
		}
		if got := text(t, finish(t, &graph.Local[State]{Graph: audit(t, waits), Journal: j}, docket(2))); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestRewindFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := opened(t, path)
	for _, r := range []graph.Record{
		rec("head", `{"graph":"x"}`), rec("000/A", `{"patch":{}}`), rec("000/B", `{"failure":"busy"}`),
		rec("000/C/000-00000000", `{"failure":"busy"}`), rec("001/D", `{"failure":"built on it"}`),
	} {
		if _, err := j.Append(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if dropped, err := graph.Rewind(t.Context(), j); err != nil || dropped != 3 {
		t.Error(dropped, err)
	}
	closed(t, j)
	recs, err := opened(t, path).Load(t.Context())
	if err != nil || len(recs) != 6 {
		t.Fatal(recs, err)
	}
	want := rec("rewind/1", `{"step":0,"tasks":["000/B","000/C/000-00000000"]}`)
	if diff := cmp.Diff(want, recs[5]); diff != "" {
		t.Error(diff)
	}
}

func TestRewindRefuses(t *testing.T) {
	for want, r := range map[string]graph.Record{
		`rewinding the journal: not a journal of this version: "rubbish" is the name of no task`: rec("rubbish", `{}`),
		`rewinding the journal: reading rewind/1: `:                                              rec("rewind/1", `[]`),
		`rewinding the journal: reading the outcome of 000/A: `:                                  rec("000/A", `[]`),
	} {
		j := &memory{recs: []graph.Record{r}}
		if dropped, err := graph.Rewind(t.Context(), j); !errors.Is(err, graph.ErrNotJournal) || !hasPrefix(err, want) || dropped != 0 || len(j.recs) != 1 {
			t.Errorf("want %s\ngot  %v", want, err)
		}
	}
}
