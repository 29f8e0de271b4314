package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/calibration"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// A case that waits for another attempt says until when.
func TestClassWaits(t *testing.T) {
	w := newWorld(t)
	var out bytes.Buffer
	w.Stderr = &out
	a := newApp(w.Env)
	v := a.classView(t.Context(), 2, nil, 1)
	again := time.Date(2026, 1, 1, 10, 32, 5, 0, time.FixedZone("", 3600))
	v.step(batch.Step{Kind: batch.Ended, Row: docket.Submission{ID: "ada", State: docket.Pending, Reason: "the host cannot be reached", Again: again}})
	v.step(batch.Step{Kind: batch.Ended, Row: docket.Submission{ID: "bob", State: docket.Failed, Reason: "not there"}})
	if text := out.String(); !strings.Contains(text, "waits until 09:32:05Z for another attempt: the host cannot be reached  (0 of 2)") || !strings.Contains(text, "failed: not there  (1 of 2)") {
		t.Error(text)
	}
}

// A map that makes scores closer and fewer of them equal says both.
func TestFewer(t *testing.T) {
	c := calibration.Criterion{Court: calibration.Figures{Same: 5000}, Mapped: &calibration.Figures{Same: 4999}}
	if fewer(c) == "" {
		t.Error("the loss is not told")
	}
	if c.Mapped.Same = 5000; fewer(c) != "" {
		t.Error(fewer(c))
	}
}

// Moved is a folder whose HEAD is another one than was judged, unless the roster names what counts.
func TestMoved(t *testing.T) {
	w := newWorld(t)
	head := strings.Repeat("a", 40)
	w.file(t, "work/.git/HEAD", head+"\n")
	roster := map[string]batch.Entry{"named": {Target: "work@v1"}, "bad": {Target: "nowhere"}, "address": {Target: "https://github.com/o/n"}, "due": {Target: "work", Due: "2026-03-01"}}
	for _, id := range []string{"moved", "same", "open", "gone"} {
		roster[id] = batch.Entry{Target: "work"}
	}
	j := &jury{app: newApp(w.Env)}
	var rows []docket.Row
	for id := range roster {
		r := docket.Row{Submission: docket.Submission{ID: id, Listed: id != "gone", Pinned: strings.Repeat("b", 40)}}
		switch id {
		case "same":
			r.Pinned = head
		case "open":
			r.Pinned = ""
		}
		rows = append(rows, r)
	}
	if got := j.moved(rows, func(id string) batch.Entry { return roster[id] }); len(got) != 1 || got[0] != "moved" {
		t.Errorf("%q", got)
	}
}
