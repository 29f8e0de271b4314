package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// site is a cohort that automaton serve shows.
type site struct {
	t  *testing.T
	at string
}

// show serves a cohort until end is called, or the test ends.
func (g *ground) show(t *testing.T, cohort string) (x *site, end func()) {
	t.Helper()
	x = &site{t: t, at: fmt.Sprintf("127.0.0.1:%d", freePorts(t))}
	c := g.command("serve", cohort, "--addr", x.at)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() { kill(t, c) })
	t.Cleanup(end)
	await(t, "the page of the class", func() bool { return x.get("/") != "" })
	return x, end
}

// get is what is at a path; empty: nothing is, or not yet.
func (x *site) get(path string) string {
	r, err := http.Get("http://" + x.at + path)
	if err != nil {
		return ""
	}
	defer func() { _ = r.Body.Close() }()
	raw, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		return ""
	}
	return string(raw)
}

// listed is what the interface for programs says of the class, but for times.
func (x *site) listed() string {
	x.t.Helper()
	var list struct{ Cases []map[string]any }
	if err := json.Unmarshal([]byte(x.get("/api/v1/cases")), &list); err != nil {
		x.t.Fatal(err)
	}
	raw, err := json.Marshal(list)
	if err != nil {
		x.t.Fatal(err)
	}
	return string(raw)
}

// TestServe has a crew judge while the class is looked at: its list, its cases and what is at work are shown as those of one process.
func TestServe(t *testing.T) {
	g := newGround(t, true)
	r := g.round(t, 2)
	r.begin()
	await(t, "the cohort's folder", func() bool {
		_, err := os.Stat(filepath.Join(r.cohort, "cohort.json"))
		return err == nil
	})
	x, end := g.show(t, r.cohort)
	live := ""
	await(t, "a case at work on its page", func() bool {
		for id := range strings.Lines(r.ask(`select id from automaton.submission where state = 'hearing'`)) {
			page := x.get("/cases/" + strings.TrimSpace(id) + "/live")
			if strings.Contains(page, "at work") && strings.Contains(page, "data-live") {
				live = strings.TrimSpace(id)
				return true
			}
		}
		return false
	})
	if all := x.get("/live"); !strings.Contains(all, "have ended") {
		t.Error("the page of what is at work does not say how many have ended")
	}
	end()
	r.finish()
	x, _ = g.show(t, r.cohort)
	alone, _ := g.show(t, filepath.Join(g.dir, "alone"))
	if got, want := x.listed(), alone.listed(); got != want {
		t.Errorf("the list of a crew's class:\n%s\nof one process:\n%s", got, want)
	}
	var rec struct{ Digest string }
	for _, path := range []string{"/cases/" + live, "/cases/" + live + "/live", "/cases/" + live + "/report.html", "/statistics", "/log"} {
		if (x.get(path) == "") != (alone.get(path) == "") || x.get(path) == "" {
			t.Errorf("%s is not shown", path)
		}
	}
	if err := json.Unmarshal([]byte(x.get("/cases/"+live+"/record.json")), &rec); err != nil || rec.Digest == "" || rec.Digest != digestIn(t, alone.get("/cases/"+live+"/record.json")) {
		t.Errorf("the record of %s is %q, %v", live, rec.Digest, err)
	}
	t.Logf("%s was shown at work, and %d cases as those of one process", live, strings.Count(x.listed(), `"id":`))
}

func digestIn(t *testing.T, record string) string {
	t.Helper()
	var rec struct{ Digest string }
	if err := json.Unmarshal([]byte(record), &rec); err != nil {
		t.Fatal(err)
	}
	return rec.Digest
}
