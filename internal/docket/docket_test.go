package docket

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
)

const cohort = "c0ffee000001"

func rosterOf(ids ...string) (list []Submission) {
	for i, id := range ids {
		list = append(list, Submission{ID: id, Seq: int64(i), Folder: id, Host: "host-" + id, Request: "request-" + id, Spec: `{"target":"x"}`})
	}
	return list
}

func enrolled(t *testing.T, d *Docket, ids ...string) {
	t.Helper()
	ctx := t.Context()
	if err := d.Found(ctx, Cohort{ID: cohort, Created: d.now(), Tool: "automaton 1", Law: 3, Rubric: "r", Checks: "c", Bench: "b", Terms: "{}", Roster: "x"}); err != nil {
		t.Fatal(err)
	}
	if err := d.Enrol(ctx, cohort, rosterOf(ids...)); err != nil {
		t.Fatal(err)
	}
}

func claim(t *testing.T, d *Docket, holder string) (Submission, bool) {
	t.Helper()
	s, ok, err := d.Claim(t.Context(), cohort, holder, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s, ok
}

// states are the submissions with where they stand, in the order of the roster.
func states(t *testing.T, d *Docket) (list []string) {
	t.Helper()
	rows, err := d.Rows(t.Context(), cohort)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		list = append(list, fmt.Sprintf("%s %s %d", r.ID, r.State, r.Attempt))
	}
	return list
}

func held(id string) Lease { return Lease{Cohort: cohort, ID: id, Holder: "me"} }

// A commit stays pinned until the remote is to be asked again, or another commit is asked for.
func TestPinned(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		pinned := func() string {
			t.Helper()
			s, ok, err := d.Submission(ctx, cohort, "a")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			return s.Pinned
		}
		give := func(request, spec string) {
			t.Helper()
			roster := rosterOf("a")
			roster[0].Request, roster[0].Spec = request, spec
			if err := d.Enrol(ctx, cohort, roster); err != nil {
				t.Fatal(err)
			}
		}
		judge := func(key string) {
			t.Helper()
			if s, ok := claim(t, d, "me"); !ok || s.ID != "a" {
				t.Fatal("it is not open")
			}
			if _, err := d.Pin(ctx, held("a"), Run{Key: key, Commit: "c-" + key}); err != nil {
				t.Fatal(err)
			}
			if _, err := d.Finish(ctx, held("a"), key, result(court.Partway, 42500)); err != nil {
				t.Fatal(err)
			}
		}
		enrolled(t, d, "a")
		give("one", "here")
		judge("k1")
		steps := []struct {
			name string
			do   func() error
			want string
		}{
			{"another rubric", func() error { give("two", "here"); return nil }, "c-k1"},
			{"retry partial", func() error { judge("k2"); return d.Reopen(ctx, cohort, false, Partial) }, "c-k2"},
			{"another address", func() error { judge("k3"); give("three", "there"); return nil }, ""},
			{"retry all", func() error { judge("k4"); return d.Reopen(ctx, cohort, true, Partial) }, ""},
			{"retry moved", func() error { judge("k5"); return d.Again(ctx, cohort, true, "a") }, ""},
		}
		for _, s := range steps {
			if err := s.do(); err != nil {
				t.Fatal(s.name, err)
			}
			if got := pinned(); got != s.want {
				t.Errorf("%s: pinned %q, want %q", s.name, got, s.want)
			}
		}
	})
}

// A submission that comes again is judged at the commit that it has now, the others stay as they are, and one that is worked at is
// not replaced.
func TestAdmit(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		enrolled(t, d, "a", "b")
		row := rosterOf("a")[0]
		claim(t, d, "me")
		if _, err := d.Pin(ctx, held("a"), Run{Key: "k1", Commit: "c1"}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Finish(ctx, held("a"), "k1", result(court.Complete, 42500)); err != nil {
			t.Fatal(err)
		}
		row.Request = "with another document"
		if err := d.Admit(ctx, cohort, row, rosterOf("a", "b", "c")[2]); err != nil {
			t.Fatal(err)
		}
		rows, err := d.Rows(ctx, cohort)
		if err != nil || len(rows) != 3 {
			t.Fatal(err, rows)
		}
		for _, r := range rows {
			if r.State != Pending || !r.Listed || r.Pinned != "" {
				t.Errorf("%+v", r.Submission)
			}
		}
		s, ok := claim(t, d, "me")
		if !ok {
			t.Fatal("nothing is open")
		}
		other := rosterOf("d")[0]
		other.Seq = 7
		if err := d.Admit(ctx, cohort, other, Submission{ID: s.ID, Seq: s.Seq, Folder: s.Folder, Request: "again", Spec: s.Spec}); !errors.Is(err, ErrConflict) {
			t.Error("it is at work: ", err)
		}
		if rows, err := d.Rows(ctx, cohort); err != nil || len(rows) != 3 {
			t.Error("half of it was written: ", err, len(rows))
		}
	})
}

// Who reads beside others may have the folder alone for a while, and again.
func TestHold(t *testing.T) {
	c, dir := newClock(), t.TempDir()
	d, err := Open(t.Context(), dir, Setup{Now: c.now})
	if err != nil {
		t.Fatal(err)
	}
	beside, err := Open(t.Context(), dir, Setup{Now: c.now, Beside: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = beside.Close() }()
	if _, err := beside.Hold(); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		let, err := beside.Hold()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), dir, Setup{Now: c.now}); !errors.Is(err, ErrBusy) {
			t.Error("it is not held: ", err)
		}
		if err := let(); err != nil {
			t.Fatal(err)
		}
	}
}

// What is to be forgotten goes, with the blobs that nothing else needs, and nothing else does.
func TestForget(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		enrolled(t, d, "a", "b")
		secret := []byte("source of a")
		for _, id := range []string{"a", "b"} {
			claim(t, d, "me")
			if _, err := d.Pin(ctx, held(id), Run{Key: id}); err != nil {
				t.Fatal(err)
			}
			r := result(court.Complete, 42500)
			r.Files["sources"] = secret
			if id == "b" { // one of its own under another name
				r.Files["prints"] = []byte("prints")
			}
			if _, err := d.Finish(ctx, held(id), id, r); err != nil {
				t.Fatal(err)
			}
		}
		if n, err := d.Forget(ctx, "another", "sources"); err != nil || n != 0 {
			t.Error(n, err)
		}
		if n, err := d.Forget(ctx, cohort, "sources"); err != nil || n != 2 {
			t.Error(n, err)
		}
		if _, err := d.Blob(ctx, Digest(secret)); !errors.Is(err, ErrUnknown) {
			t.Error("the bytes are kept: ", err)
		}
		files, err := d.Files(ctx, "b")
		if err != nil || files["sources"] != "" || files["prints"] == "" || files[RecordName] == "" {
			t.Error(files, err)
		}
		if _, err := d.File(ctx, "b", RecordName); err != nil {
			t.Error(err)
		}
	})
}

// What models cost is listed, and a price that nobody knows is not a zero.
func TestCost(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		enrolled(t, d, "a", "b")
		for id, usd := range map[string]string{"a": "0.012345", "b": ""} {
			claim(t, d, "me")
			claim(t, d, "me")
			if _, err := d.Pin(ctx, held(id), Run{Key: id}); err != nil {
				t.Fatal(err)
			}
			r := result(court.Complete, 42500)
			r.Record.Run.Models = &court.Models{Calls: 3, In: 100, Out: 20, USD: usd}
			if _, err := d.Finish(ctx, held(id), id, r); err != nil {
				t.Fatal(err)
			}
		}
		rows, err := d.Rows(ctx, cohort)
		if err != nil {
			t.Fatal(err)
		}
		a, b := rows[0], rows[1]
		if a.Calls != 3 || a.Tokens != 120 || a.Cost != 12345 || a.Unpriced || b.Cost != 0 || !b.Unpriced {
			t.Errorf("%+v\n%+v", a, b)
		}
	})
}

// A roster that is given again changes what is other in it, and nothing else.
func TestEnrolAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		enrolled(t, d, "a", "b", "c")
		for range 3 {
			s, _ := claim(t, d, "me")
			if err := d.Fail(t.Context(), held(s.ID), Private, "not there", time.Time{}); err != nil {
				t.Fatal(err)
			}
		}
		again := rosterOf("a", "c", "d")
		again[1].Request = "request-changed"
		if err := d.Enrol(t.Context(), cohort, again); err != nil {
			t.Fatal(err)
		}
		rows, err := d.Rows(t.Context(), cohort)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprintf("%s %s %v %q", r.ID, r.State, r.Listed, r.Reason))
		}
		slices.Sort(got)
		want := []string{`a failed true "not there"`, `b failed false "not there"`, `c pending true ""`, `d pending true ""`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// Each transition of a submission, and that no other is made.
func TestLife(t *testing.T) {
	run := Run{Key: "key-a", Request: "request-a", URL: "u", Commit: "c", Tool: "automaton 1"}
	pin := func(d *Docket, ctx context.Context) error { _, err := d.Pin(ctx, held("a"), run); return err }
	steps := map[string]func(d *Docket, ctx context.Context) error{
		"pin": pin,
		"finish": func(d *Docket, ctx context.Context) error {
			kept, err := d.Finish(ctx, held("a"), "key-a", result(court.Complete, 42500))
			if err == nil && !kept {
				return ErrLost
			}
			return err
		},
		"partial": func(d *Docket, ctx context.Context) error {
			kept, err := d.Finish(ctx, held("a"), "key-a", result(court.Partway, 42500))
			if err == nil && !kept {
				return ErrLost
			}
			return err
		},
		"refuse":  func(d *Docket, ctx context.Context) error { return d.Fail(ctx, held("a"), Refused, "no", time.Time{}) },
		"stumble": func(d *Docket, ctx context.Context) error { return d.Fail(ctx, held("a"), Transient, "later", d.now()) },
		"release": func(d *Docket, ctx context.Context) error { return d.Release(ctx, held("a")) },
		"renew":   func(d *Docket, ctx context.Context) error { return d.Renew(ctx, held("a")) },
		"cancel":  func(d *Docket, ctx context.Context) error { return d.Cancel(ctx, cohort) },
		"orphan":  func(d *Docket, ctx context.Context) error { return d.Orphan(ctx, cohort) },
		"claim": func(d *Docket, ctx context.Context) error {
			_, ok, err := d.Claim(ctx, cohort, "me", 0)
			if err == nil && !ok {
				return ErrLost
			}
			return err
		},
		"retry": func(d *Docket, ctx context.Context) error {
			return d.Reopen(ctx, cohort, false, Failed, Partial, Cancelled)
		},
		"retry all": func(d *Docket, ctx context.Context) error {
			return d.Reopen(ctx, cohort, true, Failed, Partial, Cancelled, Done)
		},
	}
	tests := []struct {
		do   string
		want string // state and attempt, or "lost"
	}{
		{"claim", "fetching 1"}, {"claim release", "pending 0"}, {"claim refuse", "failed 1"}, {"claim stumble", "pending 1"},
		{"claim stumble claim stumble claim stumble", "failed 3"}, {"claim cancel", "cancelled 1"}, {"claim cancel renew", "lost"},
		{"claim cancel pin", "lost"}, {"claim pin", "hearing 1"}, {"claim pin pin", "lost"}, {"claim pin release", "pending 0"},
		{"claim pin stumble", "pending 1"}, {"claim pin finish", "done 1"}, {"claim pin partial", "partial 1"}, {"claim finish", "lost"},
		{"claim pin finish claim", "lost"}, {"claim pin finish retry", "done 1"}, {"claim pin partial retry", "pending 0"},
		{"claim pin finish finish", "lost"}, {"claim pin cancel finish", "lost"}, {"claim orphan", "pending 1"},
		{"claim orphan claim pin orphan claim orphan", "failed 3"}, {"claim refuse claim", "lost"}, {"claim refuse retry", "pending 0"},
		{"claim cancel retry", "pending 0"}, {"claim pin finish retry all", "pending 0"}, {"claim renew", "fetching 1"}, {"renew", "lost"},
		{"pin", "lost"}, {"refuse", "lost"}, {"release", "lost"}, {"finish", "lost"},
		{"claim pin finish retry all claim pin", "hearing 1"}, {"claim pin partial retry claim pin", "hearing 1"},
		{"claim pin finish retry claim", "lost"},
	}
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		for _, test := range tests {
			t.Run(test.do, func(t *testing.T) {
				for _, table := range []string{"submission", "run", "standing", "ruling", "finding"} {
					if _, err := d.write.Exec("delete from " + table); err != nil {
						t.Fatal(err)
					}
				}
				enrolled(t, d, "a")
				var err error
				words := strings.Fields(strings.ReplaceAll(test.do, "retry all", "retry_all"))
				for i, word := range words {
					if err = steps[strings.ReplaceAll(word, "_", " ")](d, t.Context()); err != nil && i < len(words)-1 {
						t.Fatalf("%s: %v", word, err)
					}
				}
				got := strings.TrimPrefix(states(t, d)[0], "a ")
				if errors.Is(err, ErrLost) {
					got = "lost"
				} else if err != nil {
					t.Fatal(err)
				}
				if got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		}
	})
}

// Claims go by the roster, those tried before last; what waits is passed over.
func TestClaimOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, c *clock) {
		enrolled(t, d, "a", "b", "c", "d")
		take := func(want string) {
			t.Helper()
			if s, _ := claim(t, d, "me"); s.ID != want {
				t.Errorf("claimed %q, want %q", s.ID, want)
			}
		}
		take("a")
		if err := d.Fail(t.Context(), held("a"), Transient, "later", c.now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		take("b")
		take("c")
		take("d")
		take("")
		at, open, err := d.Opens(t.Context(), cohort)
		if err != nil || open != 4 || !at.Equal(c.now().Add(time.Minute)) {
			t.Error(at, open, err)
		}
		c.pass(time.Minute)
		take("a")
	})
}

// However many claim at once, no more is fetched from a host than may be, until it is fetched or the hold on it is over. One that asks to
// wait is left alone by all.
func TestHosts(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, c *clock) {
		roster := rosterOf("a", "b", "c", "d", "e", "f", "g", "h")
		for i := range roster {
			roster[i].Host = "git.example.org"
		}
		roster[7].Host = ""
		ctx := context.Background()
		if err := errors.Join(d.Found(ctx, Cohort{ID: cohort, Created: d.now(), Terms: "{}"}), d.Enrol(ctx, cohort, roster)); err != nil {
			t.Fatal(err)
		}
		const perHost = 3
		crew := func() (n int, hosts map[string]int) {
			var wait sync.WaitGroup
			var mu sync.Mutex
			hosts = map[string]int{}
			for w := range 8 {
				wait.Go(func() {
					s, ok, err := d.ClaimAt(ctx, cohort, int64(w), "me", perHost)
					mu.Lock()
					defer mu.Unlock()
					if ok {
						hosts[s.Host]++
						n++
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
			wait.Wait()
			return n, hosts
		}
		if n, hosts := crew(); n != perHost+1 || hosts["git.example.org"] != perHost {
			t.Fatalf("%d were claimed: %v", n, hosts)
		}
		if _, ok, err := d.Claim(ctx, cohort, "me", perHost); ok || err != nil {
			t.Errorf("one more was claimed, %v", err)
		}
		if _, ok, err := d.Claim(ctx, cohort, "me", perHost+1); !ok || err != nil {
			t.Errorf("none was claimed where one more may be, %v", err)
		}
		c.pass(leaseTime + time.Second) // they are gone
		if n, _ := crew(); n != perHost {
			t.Errorf("%d were claimed when the others were gone", n)
		}
		var busy string
		for _, s := range roster[:7] {
			if at, ok, err := d.Submission(ctx, cohort, s.ID); err != nil || !ok {
				t.Fatal(err)
			} else if at.State == Fetching {
				busy = s.ID
			}
		}
		if err := d.Fail(ctx, held(busy), Busy, "slow", d.now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		c.pass(leaseTime + time.Second)
		if err := d.Expire(ctx, cohort); err != nil {
			t.Fatal(err)
		}
		c.pass(-leaseTime)
		if n, hosts := crew(); hosts["git.example.org"] != 0 {
			t.Errorf("%d were claimed from a host that asked to wait", n)
		}
		c.pass(time.Minute)
		if _, hosts := crew(); hosts["git.example.org"] != perHost {
			t.Errorf("after the wait: %v", hosts)
		}
	})
}

// Who does not renew loses what it holds; who does, does not.
func TestLease(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, c *clock) {
		enrolled(t, d, "a", "b")
		claim(t, d, "me")
		claim(t, d, "me")
		for range 5 {
			c.pass(RenewEvery)
			if err := d.Renew(t.Context(), held("a")); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Expire(t.Context(), cohort); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a fetching 1", "b pending 1"}, states(t, d)); diff != "" {
			t.Error(diff)
		}
		if err := d.Renew(t.Context(), held("b")); !errors.Is(err, ErrLost) {
			t.Error(err)
		}
	})
}

// Of many who claim at once no two get the same submission, and nobody misses one.
func TestClaimsAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		var ids []string
		for i := range 60 {
			ids = append(ids, fmt.Sprintf("s%02d", i))
		}
		enrolled(t, d, ids...)
		var mu sync.Mutex
		var got []string
		var wait sync.WaitGroup
		for w := range 6 {
			wait.Go(func() {
				for {
					s, ok, err := d.Claim(context.Background(), cohort, fmt.Sprint(w), 0)
					if err != nil {
						t.Error(err)
						return
					}
					if !ok {
						if _, open, err := d.Opens(context.Background(), cohort); err != nil || open == 60 && len(ids) == 60 {
							tally, err := d.Tally(context.Background(), cohort)
							if err != nil || tally[Pending] == 0 {
								return
							}
						}
						continue
					}
					mu.Lock()
					got = append(got, s.ID)
					mu.Unlock()
				}
			})
		}
		wait.Wait()
		slices.Sort(got)
		if diff := cmp.Diff(ids, got); diff != "" {
			t.Error(diff)
		}
	})
}

// result is a small record with one criterion, as an audit leaves it.
func result(status court.AuditStatus, overall court.Fixed) Result {
	final := 4
	rec := &court.Record{Status: status, Rubric: court.Rubric{Criteria: []court.Criterion{{ID: "k", Name: "Safe tools"}, {ID: "m", Binding: "manual"}}},
		Opinions: []court.Opinion{{Judge: court.Prosecutor, Criterion: "k", Round: 1, Score: 2}, {Judge: court.Defense, Criterion: "k", Round: 1, Score: 5},
			{Judge: court.TechLead, Criterion: "k", Round: 1, Score: 4}},
		Evidences: map[string][]court.Exhibit{"k": {
			{Label: "E1", Evidence: court.Evidence{Criterion: "k", Check: "no_shell", Outcome: court.Violation, Content: "os.system( x )", At: []court.Place{{Path: "a.py", Line: 3}}}},
			{Label: "E2", Evidence: court.Evidence{Criterion: "k", Check: "temp", Outcome: court.Present}},
			{Label: "E3", Superseded: "E1", Evidence: court.Evidence{Criterion: "k", Check: "temp", Outcome: court.Absent}}}},
		Gate:    &court.Gate{Outcome: "pass", Bars: map[string]court.Fixed{court.OverallID: overall - 400}},
		Verdict: &court.Verdict{Overall: court.Overall{Exact: overall, Low: overall - 100, High: overall + 100}, Rulings: []court.Ruling{{Criterion: "k", Final: &final, Exact: overall, Status: court.Contested, Spread: 3}}}}
	if status == court.Mistrial {
		rec.Verdict = nil
	}
	raw, err := json.Marshal(rec)
	if err != nil {
		panic(err)
	}
	return Result{Record: rec, Raw: raw, Files: map[string][]byte{"events.jsonl": bytes.Repeat([]byte("{}\n"), 1000)}}
}

// What a finished run leaves: the record byte for byte, the index of it, and no journal.
func TestFinish(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		enrolled(t, d, "a", "b")
		claim(t, d, "me")
		if _, err := d.Pin(ctx, held("a"), Run{Key: "key-a", Commit: "c1"}); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Journal("key-a").Append(ctx, graph.Record{Task: "x", Outcome: []byte(`{}`)}); err != nil {
			t.Fatal(err)
		}
		r := result(court.Complete, 42500)
		if kept, err := d.Finish(ctx, held("a"), "key-a", r); err != nil || !kept {
			t.Fatal(kept, err)
		}
		raw, err := d.File(ctx, "key-a", RecordName)
		if err != nil || !bytes.Equal(raw, r.Raw) {
			t.Error(err)
		}
		rows, err := d.Rows(ctx, cohort)
		if err != nil {
			t.Fatal(err)
		}
		a := rows[0]
		if a.State != Done || *a.Overall != 42500 || a.Record != Digest(r.Raw) || a.Gate != "pass" || a.Pinned != "c1" || rows[1].Overall != nil {
			t.Errorf("%+v", rows)
		}
		want := []string{"contested: Safe tools (spread 3)", "a person scores: m", "within 0.05 of the bar: overall"}
		if diff := cmp.Diff(want, a.Needs); diff != "" {
			t.Error(diff)
		}
		marks, err := d.Marks(ctx, cohort)
		if err != nil || len(marks) != 1 || *marks[0].Final != 4 || *marks[0].Exact != 42500 {
			t.Errorf("%+v %v", marks, err)
		}
		checks, err := d.Checks(ctx, cohort)
		if diff := cmp.Diff([]Check{{Criterion: "k", Check: "no_shell", Failed: []string{"a"}}, {Criterion: "k", Check: "temp", Met: 1}}, checks); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if left, err := d.Journal("key-a").Load(ctx); err != nil || len(left) > 0 {
			t.Error(left, err)
		}
	})
}

// A journal keeps the first outcome of a task, no matter who writes it, and gives back what it was given.
func TestJournal(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, c *clock) {
		ctx := t.Context()
		j := d.Journal("run")
		var wait sync.WaitGroup
		kept := make([]graph.Record, 8)
		for i := range kept {
			wait.Go(func() {
				var err error
				if kept[i], err = j.Append(ctx, graph.Record{Task: "t", Outcome: fmt.Appendf(nil, `{"n":%d}`, i), At: c.now().UTC()}); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		list, err := j.Load(ctx)
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		for _, k := range kept {
			if diff := cmp.Diff(list[0], k); diff != "" {
				t.Error(diff)
			}
		}
		if other, err := d.Journal("another").Load(ctx); err != nil || len(other) > 0 {
			t.Error(other, err)
		}
	})
}

// A blob is what it was, however large, and damage is noticed.
func TestBlobs(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		noise := make([]byte, 9<<20)
		r := rand.NewChaCha8([32]byte{1})
		if _, err := r.Read(noise); err != nil {
			t.Fatal(err)
		}
		for _, raw := range [][]byte{{}, []byte("x"), bytes.Repeat([]byte("the same "), 1<<20), noise} {
			var digest string
			for range 2 { // the second time it is there already
				if err := d.within(ctx, func(tx *sql.Tx) (err error) { digest, err = d.keep(ctx, tx, raw); return err }); err != nil {
					t.Fatal(err)
				}
			}
			got, err := d.Blob(ctx, digest)
			if err != nil || !bytes.Equal(got, raw) {
				t.Errorf("%d bytes: %d came back, %v", len(raw), len(got), err)
			}
		}
		digest := Digest(noise)
		if _, err := d.write.ExecContext(ctx, `update piece set bytes = $2 where digest = $1 and n = 1`, digest, []byte("short")); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Blob(ctx, digest); !errors.Is(err, ErrUnknown) {
			t.Error(err)
		}
	})
}

// One process at a time; what another version made is left alone; a password does not get into the place.
func TestOpen(t *testing.T) {
	c := newClock()
	dir := t.TempDir()
	d := opened(t, dir, c)
	if _, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again}); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(dir, FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if _, err := d.write.ExecContext(t.Context(), `insert into goose_db_version (version_id, is_applied) values (99999, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d.read, d.write = nil, nil
	if _, err := Open(t.Context(), dir, Setup{Now: c.now, Ruling: again}); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
	for _, place := range []string{"postgres://me:secret@localhost/x", "postgres://me@localhost/x?password=secret", "postgres://me:secret@lo calhost/x"} {
		_, err := Open(t.Context(), place, Setup{Now: c.now, Ruling: again})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", place, err)
		}
	}
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(dir, FileName), filepath.Join(linked, FileName)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), linked, Setup{Now: c.now, Ruling: again}); err == nil {
		t.Error("a link was followed")
	}
}

// A submission that comes back to a run that ended stands with that run's score again.
func TestRunStandsAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := t.Context()
		judged := func(request, key string, overall court.Fixed) State {
			t.Helper()
			if err := d.Enrol(ctx, cohort, []Submission{{ID: "a", Folder: "a", Request: request}}); err != nil {
				t.Fatal(err)
			}
			claim(t, d, "me")
			before, err := d.Pin(ctx, held("a"), Run{Key: key, Commit: request})
			if err != nil {
				t.Fatal(err)
			}
			if before == "" {
				if kept, err := d.Finish(ctx, held("a"), key, result(court.Complete, overall)); err != nil || !kept {
					t.Fatal(kept, err)
				}
			}
			rows, err := d.Rows(ctx, cohort)
			if err != nil || rows[0].State != Done || rows[0].Overall == nil || *rows[0].Overall != overall || rows[0].Run != key {
				t.Fatalf("%+v %v", rows, err)
			}
			return before
		}
		enrolled(t, d, "a")
		judged("x", "key-x", 42500)
		judged("y", "key-y", 11000)
		if before := judged("x", "key-x", 42500); before != Done {
			t.Error("the run was made again: ", before)
		}
	})
}

// Processes that find an empty server at once all open it.
func TestOpenedAtOnce(t *testing.T) {
	place := emptyServer(t)
	c := newClock()
	var wait sync.WaitGroup
	for range 6 {
		wait.Go(func() {
			d, err := Open(context.Background(), place, Setup{Now: c.now, Ruling: again})
			if err != nil {
				t.Error(err)
				return
			}
			_ = d.Close()
		})
	}
	wait.Wait()
}
