package trial

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/store"
)

// miniature is the fixture that most tests hear, as files to be changed.
func miniature(t testing.TB) *probetest.Fixture { return probetest.Load(t, "testdata/court.txtar") }

// law is the default rubric, under which the miniature is heard.
func law(t testing.TB) *court.Rubric {
	t.Helper()
	r, err := rubric.Builtin("courtroom", Catalogue(Probes()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// load loads a rubric for the probes given.
func load(t testing.TB, text string, probes []probe.Probe) *court.Rubric {
	t.Helper()
	r, err := rubric.File{From: "file", Name: "rubric.json", Bytes: []byte(text)}.Load(Catalogue(probes))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// epoch is when all tests take place.
func epoch() time.Time { return time.Unix(1767600000, 0) }

// opened is a case around a scene, as Open would make it.
func opened(s *probe.Scene) *Opened {
	o := &Opened{Scene: s, Case: court.Case{ID: "case", RepoURL: "file:case", Slug: s.Slug(), Commit: s.Commit(), Only: []string{}}}
	if !s.HasRepo() {
		o.Case.Commit = ""
	}
	return o
}

// hearing is a hearing of the miniature that nothing was changed about.
func hearing(t testing.TB, s *probe.Scene) Setup {
	return Setup{Opened: opened(s), Rubric: law(t), Probes: Probes(), Tool: "automaton test", Jobs: 2, Clock: epoch}
}

// attested tells that a record was held against its laws in this process.
var attested atomic.Bool

// try hears a case and holds the record against everything that must be true
// of every record. Rendering and reading it back takes four times as long as
// hearing and is done alone: the race detector sees it once.
func try(t testing.TB, h Setup) *court.Record {
	t.Helper()
	rec, err := Conduct(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	if !raced || attested.CompareAndSwap(false, true) {
		attest(t, rec, h.Probes)
	}
	return rec
}

// attest checks the laws of records: it is intact, it reads back as it was
// written, everything in it verifies, and replaying gives its verdict.
func attest(t testing.TB, rec *court.Record, probes []probe.Probe) {
	t.Helper()
	for _, e := range rec.Evidences {
		for _, x := range e {
			if err := x.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
	var b bytes.Buffer
	for _, f := range report.Formats {
		b.Reset()
		if err := f.Write(&b, rec); err != nil {
			t.Fatalf("writing %s: %v", f.Name, err)
		}
		if f.Name != "json" {
			continue
		}
		back, err := store.Decode(b.Bytes())
		if err != nil {
			t.Fatalf("reading the record back: %v", err)
		}
		if back.Digest != rec.Digest || !back.Intact() {
			t.Errorf("the record is not what was written: %s, was %s", back.Digest, rec.Digest)
		}
		again, err := Replay(back)
		if err != nil {
			t.Fatalf("replaying: %v", err)
		}
		if d := cmp.Diff(rec.Verdict, again, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("replaying gives another verdict (-heard +replayed):\n%s", d)
		}
		for _, l := range store.Verify(back, store.Tools{Rule: Replay, Rubric: func(r court.Rubric) (string, string, error) {
			return rubric.Digests(&r, Catalogue(probes))
		}}) {
			if l.Result == store.No {
				t.Errorf("verifying %s: %s", l.Check, l.Text)
			}
		}
	}
}

// scores are the exact scores of a record, by criterion, and the overall.
func scores(rec *court.Record) map[string]court.Fixed {
	out := map[string]court.Fixed{"overall": rec.Verdict.Overall.Exact}
	for _, r := range rec.Verdict.Rulings {
		out[r.Criterion] = r.Exact
	}
	return out
}
