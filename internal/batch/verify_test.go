package batch

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// scored is a score on the criterion of the case that the tests have.
func scored(to court.Fixed) decision.Entry {
	return decision.Entry{By: "t", Kind: decision.Score, Submission: "ada", Criterion: "report_accuracy", To: &to, Reason: "shown in the oral exam"}
}

// verified are the checks of a cohort that say no, by name.
func verified(t *testing.T, c *Cohort, d *docket.Docket, folder string) (no []string) {
	t.Helper()
	found, err := c.Verify(t.Context(), d, folder, func(*court.Record) store.Tools { return store.Tools{} })
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range found {
		if l.Result == store.No && l.Check != "copies" && l.Check != "records" { // the record of these tests was never one of this program
			no = append(no, l.Check)
		}
	}
	return no
}

// Whatever is changed in the database behind the program's back, is found and called by its name.
func TestVerifyCohort(t *testing.T) {
	for name, test := range map[string]struct{ statement, want string }{
		"nothing":           {``, ""},
		"a reason":          {`update decision set body = replace(body, 'oral', 'Oral') where seq = 2`, "decisions, decisions file"},
		"one is gone":       {`delete from decision where seq = 2`, "decisions, decisions file"},
		"the newest is":     {`delete from decision where seq = 3`, "decisions file, scores"},
		"a listed total":    {`update standing set overall = overall + 100`, "scores"},
		"bytes of a record": {`update piece set bytes = x'00'`, "blobs"},
	} {
		t.Run(name, func(t *testing.T) {
			c, d, folder, comment := decided(t)
			comment()
			for i, to := range []court.Fixed{2 * court.One, 5 * court.One} {
				if _, err := c.Decide(t.Context(), d, folder, map[string]int64{"ada": int64(i + 1)}, scored(to)); err != nil {
					t.Fatal(err)
				}
			}
			db, err := sql.Open("sqlite", filepath.Join(folder, docket.FileName))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			if _, err := db.Exec(test.statement); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(verified(t, c, d, folder), ", "); got != test.want {
				t.Errorf("%q is found, want %q", got, test.want)
			}
		})
	}
}

// decider is the folder in which this process decides until it is killed; empty: it is the test itself.
const decider = "AUTOMATON_TEST_DECIDES_IN"

// A process that is killed while it decides leaves each decision written or not, the chain whole, and the scores that follow from
// it; its file is completed at the next opening.
func TestKilledWhileDeciding(t *testing.T) {
	if folder := os.Getenv(decider); folder != "" {
		decideForEver(t, folder)
	}
	c, d, folder, _ := decided(t)
	before := 0
	for range 8 {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledWhileDeciding$")
		child.Env = append(os.Environ(), decider+"="+folder)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for { // it has begun
			list, err := d.Decisions(t.Context(), c.ID, "")
			if err != nil {
				t.Fatal(err)
			}
			if len(list) > before {
				break
			}
			if time.Since(began) > time.Minute {
				t.Fatal("it decides nothing")
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(60_000)) * time.Microsecond)
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // it was killed
		if err := c.KeepDecisions(t.Context(), d, folder); err != nil {
			t.Fatal(err)
		}
		if no := verified(t, c, d, folder); len(no) > 0 {
			t.Fatalf("after a kill: %q", no)
		}
		list, err := d.Decisions(t.Context(), c.ID, "")
		if err != nil {
			t.Fatal(err)
		}
		before = len(list)
	}
	t.Logf("%d decisions before and between kills", before)
}

func decideForEver(t *testing.T, folder string) {
	ctx := context.Background()
	d, err := docket.Open(ctx, folder, docket.Setup{Now: time.Now, Ruling: trial.Ruling, Beside: true})
	if err != nil {
		t.Fatal(err)
	}
	c := &Cohort{Schema: Schema, ID: "c0ffee000001"}
	for n := court.Fixed(0); ; n++ {
		rows, err := d.Rows(ctx, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Decide(ctx, d, folder, map[string]int64{"ada": rows[0].Seq}, scored(court.One+n%40000))
		if err != nil && !errors.Is(err, docket.ErrConflict) {
			t.Fatal(err)
		}
	}
}
