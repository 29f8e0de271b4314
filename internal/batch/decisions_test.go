package batch

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/decision"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// decided is a cohort with one case, and somebody who comments on it.
func decided(t *testing.T) (c *Cohort, d *docket.Docket, folder string, comment func()) {
	t.Helper()
	ctx, folder := t.Context(), t.TempDir()
	c = &Cohort{Schema: Schema, ID: "c0ffee000001"}
	raw, err := os.ReadFile(filepath.Join("..", "report", "testdata", "capped.json"))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	rec, err := store.Decode(raw)
	must(err)
	d, err = docket.Open(ctx, folder, docket.Setup{Now: time.Now, Ruling: trial.Ruling})
	must(err)
	t.Cleanup(func() { _ = d.Close() })
	must(d.Found(ctx, docket.Cohort{ID: c.ID, Law: court.Law, Terms: "{}"}))
	must(d.Enrol(ctx, c.ID, []docket.Submission{{ID: "ada", Folder: "ada"}}))
	_, _, err = d.Claim(ctx, c.ID, "me", 0)
	must(err)
	l := docket.Lease{Cohort: c.ID, ID: "ada", Holder: "me"}
	_, err = d.Pin(ctx, l, docket.Run{Key: "run"})
	must(err)
	_, err = d.Finish(ctx, l, "run", docket.Result{Record: rec, Raw: raw})
	must(err)
	n := int64(0)
	return c, d, folder, func() {
		t.Helper()
		kept, err := c.Decide(ctx, d, folder, map[string]int64{"ada": n}, decision.Entry{By: "t", Kind: decision.Comment, Submission: "ada", Reason: "a comment on the case"})
		must(err)
		n = kept[0].Seq
	}
}

// The file has what the docket has, whatever a process that ended left of it; one that was changed is left as it is.
func TestKeepDecisions(t *testing.T) {
	c, d, folder, comment := decided(t)
	path := filepath.Join(folder, DecisionsName)
	if err := c.KeepDecisions(t.Context(), d, folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file without decisions: ", err)
	}
	for range 3 {
		comment()
	}
	whole, err := os.ReadFile(path)
	if err != nil || bytes.Count(whole, []byte("\n")) != 3 {
		t.Fatal(string(whole), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	for n := range len(whole) {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := c.KeepDecisions(t.Context(), d, folder); err != nil {
			t.Fatal(n, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("cut at %d: %s %v", n, got, err)
		}
	}
	if err := os.WriteFile(path, append(bytes.Clone(whole), "{\"seq\":4,\"by\""...), 0o600); err != nil {
		t.Fatal(err)
	}
	comment()
	if got, err := os.ReadFile(path); err != nil || bytes.Count(got, []byte("\n")) != 4 || !bytes.HasPrefix(got, whole) {
		t.Errorf("%s %v", got, err)
	}
	altered := bytes.Replace(whole, []byte("a comment"), []byte("A comment"), 1)
	more := append(bytes.Clone(whole), whole...)
	for _, bad := range [][]byte{altered, more, []byte("\n")} {
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := c.KeepDecisions(t.Context(), d, folder); !errors.Is(err, ErrAltered) {
			t.Error(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, bad) {
			t.Error("it was written over")
		}
	}
	kept, err := c.Decide(t.Context(), d, folder, map[string]int64{"ada": 4}, decision.Entry{By: "t", Kind: decision.Comment, Submission: "ada", Reason: "one more comment"})
	if !errors.Is(err, ErrAltered) || len(kept) != 1 || kept[0].Seq != 5 {
		t.Error("the decision holds, and the file is not ours: ", kept, err)
	}
}
