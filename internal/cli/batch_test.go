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
