package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/automaton-auditor/automaton/internal/attack"
	"github.com/google/go-cmp/cmp"
)

// class writes a roster of n students who handed in one repository, and gives their ids.
func (d *desk) class(t *testing.T, n int) (ids []string) {
	t.Helper()
	roster := "id,name,repo_url\n"
	for i := range n {
		ids = append(ids, fmt.Sprintf("s%d", i))
		roster += fmt.Sprintf("s%d,Student %d,work\n", i, i)
	}
	if err := os.WriteFile(filepath.Join(d.dir, "class.csv"), []byte(roster), 0o600); err != nil {
		t.Fatal(err)
	}
	return ids
}

// records are what a cohort holds of its cases, without what differs between two runs.
func (d *desk) records(t *testing.T, cohort string, ids []string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, id := range ids {
		raw, err := os.ReadFile(filepath.Join(d.dir, cohort, "cases", id, "record.json"))
		if err != nil {
			t.Fatal(err)
		}
		out[id] = withoutRun(string(raw))
	}
	return out
}

// A cohort whose process is killed at any point goes on where it stopped: every case has the record that it has without the
// kill, and none that had ended is judged again.
func TestBatchKill(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a class several times")
	}
	t.Parallel()
	d := newDesk(t)
	ids := d.class(t, 3)
	want, events := d.undisturbed(t, ids)
	const kills = 5
	for i := range kills {
		after := 1 + i*(events-1)/kills
		t.Run(fmt.Sprintf("after %d of %d events", after, events), func(t *testing.T) {
			out := fmt.Sprint("killed", i)
			d.killed(t, out, after)
			before := d.ended(t, out)
			again := d.run(t, "batch", out, "-f", "json")
			if code := again.end(); code != 0 {
				t.Fatal(again)
			}
			if diff := cmp.Diff(want, d.records(t, out, ids)); diff != "" {
				t.Errorf("other records than without the kill:\n%s", diff)
			}
			var class struct {
				Run struct{ Judged, Kept int } `json:"run"`
			}
			if err := json.Unmarshal(again.stdout.Bytes(), &class); err != nil {
				t.Fatal(err)
			}
			if class.Run.Judged+class.Run.Kept != len(ids) || class.Run.Kept < before {
				t.Errorf("%d judged and %d kept of %d, of which %d had ended", class.Run.Judged, class.Run.Kept, len(ids), before)
			}
		})
	}
}

// A case that is resumed has the commit that it was begun with, whatever was committed meanwhile.
func TestBatchPinned(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case three times")
	}
	t.Parallel()
	d := newDesk(t)
	ids := d.class(t, 1)
	want, events := d.undisturbed(t, ids)
	d.killed(t, "killed", events/2)
	if d.ended(t, "killed") != 0 {
		t.Skip("the case ended before the kill")
	}
	git := exec.Command("git", "-C", filepath.Join(d.dir, "work"), "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "One more")
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	if p := d.run(t, "batch", "killed"); p.end() != 0 {
		t.Fatal(p)
	}
	if diff := cmp.Diff(want, d.records(t, "killed", ids)); diff != "" {
		t.Errorf("another commit was judged:\n%s", diff)
	}
}

// undisturbed judges the class from its beginning to its end: the records, and how many events were told.
func (d *desk) undisturbed(t *testing.T, ids []string) (want map[string]string, events int) {
	t.Helper()
	whole := d.run(t, "batch", "class.csv", "--pdf", "none", "--out", "whole")
	for _, ok := whole.next(); ok; _, ok = whole.next() {
		events++
	}
	if code := whole.end(); code != 0 {
		t.Fatal(whole)
	}
	return d.records(t, "whole", ids), events
}

// killed judges the class into a folder until so many events were told, and kills the process.
func (d *desk) killed(t *testing.T, out string, events int) {
	t.Helper()
	p := d.run(t, "batch", "class.csv", "--pdf", "none", "--out", out)
	for range events {
		p.next()
	}
	p.signal(syscall.SIGKILL)
	p.end()
}

// ended is how many cases of a cohort lie in its folder.
func (d *desk) ended(t *testing.T, cohort string) int {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(d.dir, cohort, "cases", "*", "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// A case of a class has the evidence, opinions and verdict that an audit alone gives it, whatever else is at work, and however
// many at once.
func TestBatchIsAudit(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a class three times")
	}
	t.Parallel()
	d := newDesk(t)
	ids := d.class(t, 3)
	if alone := d.start(t, "alone", "--id", "s1", "-o", "alone.json"); alone.end() != 0 {
		t.Fatal(alone)
	}
	var first map[string]string
	for _, jobs := range []string{"1", "2", "8"} {
		out := "jobs" + jobs
		if p := d.run(t, "batch", "class.csv", "--pdf", "none", "--out", out, "--jobs", jobs); p.end() != 0 {
			t.Fatal(p)
		}
		got := d.records(t, out, ids)
		if first == nil {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("another class with %s jobs:\n%s", jobs, diff)
		}
	}
	if diff := cmp.Diff(d.decided(t, "alone.json"), d.decided(t, "jobs1/cases/s1/record.json")); diff != "" {
		t.Errorf("an audit alone says otherwise:\n%s", diff)
	}
	if strings.Contains(first["s1"], "Student 1") {
		t.Error("the record has the student's name")
	}
}

// decided is what a record says of a case besides its name.
func (d *desk) decided(t *testing.T, record string) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(d.dir, record))
	if err != nil {
		t.Fatal(err)
	}
	var rec map[string]any
	if err := json.Unmarshal(raw, &rec); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for _, key := range []string{"evidences", "opinions", "hearings", "verdict", "remediation"} {
		if out[key] = rec[key]; out[key] == nil {
			t.Fatalf("the record has no %s", key)
		}
	}
	return out
}

// bad are hostile submissions of a class, most of which cannot be opened; quiet ones are judged like any other.
var bad = map[string]bool{"truncated-pack": true, "all-missing": true, "empty": true, "fifo-object": true, "bomb-in-blob": true, "hooks": true, "names": true, "evil-config": true}

// Bad submissions end alone: the others have the records that they have without them, and what was executed is nothing.
func TestBatchBad(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a class twice")
	}
	t.Parallel()
	d := newDesk(t)
	ids := d.class(t, 2)
	if p := d.run(t, "batch", "class.csv", "--pdf", "none", "--out", "alone"); p.end() != 0 {
		t.Fatal(p)
	}
	roster, err := os.ReadFile(filepath.Join(d.dir, "class.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := string(roster)
	canaries := t.TempDir()
	if err := os.Chmod(canaries, 0o777); err != nil {
		t.Fatal(err)
	}
	met := 0
	for _, a := range attack.Repositories() {
		if !bad[a.Name] {
			continue
		}
		met++
		dir := filepath.Join(d.dir, "bad-"+a.Name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := a.Build(dir, filepath.Join(canaries, a.Name)); err != nil {
			t.Fatal(err)
		}
		lines += a.Name + ",Hostile," + dir + "\n"
	}
	if met != len(bad) {
		t.Fatalf("%d of %d hostile repositories are built", met, len(bad))
	}
	lines += "ghost,Ghost,https://github.invalid/o/n\nelsewhere,Elsewhere,no-such-folder\n"
	if err := os.WriteFile(filepath.Join(d.dir, "mixed.csv"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	p := d.run(t, "batch", "mixed.csv", "--pdf", "none", "--out", "mixed", "--skip-bad", "-f", "json")
	if code := p.end(); code != 3 {
		t.Errorf("exit code %d: %s", code, p)
	}
	if diff := cmp.Diff(d.records(t, "alone", ids), d.records(t, "mixed", ids)); diff != "" {
		t.Errorf("the good ones are judged otherwise beside bad ones:\n%s", diff)
	}
	var class struct {
		Cases []struct{ ID, State, Reason string } `json:"cases"`
	}
	if err := json.Unmarshal(p.stdout.Bytes(), &class); err != nil {
		t.Fatal(err)
	}
	for _, c := range class.Cases {
		switch {
		case c.State == "open":
			t.Errorf("%s was not taken to an end", c.ID)
		case c.State == "failed" && c.Reason == "":
			t.Errorf("%s failed without a reason", c.ID)
		case strings.Contains(c.Reason, "defect of this program"), strings.Contains(c.Reason, d.dir):
			t.Errorf("%s: %s", c.ID, c.Reason)
		}
		t.Logf("%s: %s %s", c.ID, c.State, c.Reason)
	}
	if ran, err := os.ReadDir(canaries); err != nil || len(ran) > 0 {
		t.Errorf("executed: %v, %v", ran, err)
	}
}
