package probe_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

type fill = func(context.Context, *probe.Scene, *probe.Sheet) error

// One section that goes wrong costs its own facts and a line that says so.
func TestDraw(t *testing.T) {
	key := "sk-ant-" + "api03-Qw81Zx29Er73Ty64Ui"
	tests := map[string]struct {
		fill   fill
		kept   bool
		faults int
		proof  string
	}{
		"good": {func(_ context.Context, _ *probe.Scene, s *probe.Sheet) error {
			s.Git.Commits = new(3)
			return nil
		}, true, 0, ""},
		"error": {func(_ context.Context, _ *probe.Scene, s *probe.Sheet) error {
			s.Git.Commits = new(3)
			return errors.New("disk on fire " + key)
		}, true, 1, "disk on fire [redacted:anthropic_key]"},
		"unable": {func(context.Context, *probe.Scene, *probe.Sheet) error {
			return &probe.Unable{Reason: court.Encrypted, Why: "locked"}
		}, false, 0, "locked"},
		"panic": {func(_ context.Context, _ *probe.Scene, s *probe.Sheet) error {
			s.Git.Commits = new(3)
			panic("loop")
		}, true, 1, "panic: loop"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			s := scene(t)
			sheet, faults := probe.Draw(t.Context(), s, []probe.Section{{Name: "first", Fill: tc.fill}, {Name: "second", Fill: secrets(key)}})
			if (sheet.Git.Commits != nil) != tc.kept || len(faults) != tc.faults || sheet.Proof["first"].Text != tc.proof {
				t.Errorf("commits %v, faults %v, proof %q", sheet.Git.Commits, faults, sheet.Proof["first"])
			}
			raw, err := sheet.JSON()
			if err != nil || strings.Contains(string(raw)+sheet.Proof["k"].Text, "Qw81") || !strings.Contains(string(raw), "[redacted:anthropic_key]") {
				t.Errorf("%v %s %s", err, sheet.Proof["k"].Text, raw)
			}
		})
	}
}

func secrets(key string) fill {
	return func(_ context.Context, _ *probe.Scene, s *probe.Sheet) error {
		s.Quality.SecretsCommitted = []probe.Spot{{Place: court.Place{Path: "conf/" + key}}}
		s.Prove("k", "see %q", key)
		return nil
	}
}

// A section that ignores the end of the step is left behind, and what it writes after
// that is in no sheet.
func TestLateSection(t *testing.T) {
	s := scene(t)
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		late := func(_ context.Context, _ *probe.Scene, s *probe.Sheet) error {
			<-stop
			s.Git.Commits = new(3)
			s.Prove("late", "written")
			return nil
		}
		step, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		sheet, faults := probe.Draw(step, s, []probe.Section{{Name: "second", Fill: secrets("x")}, {Name: "late", Fill: late}})
		close(stop)
		synctest.Wait()
		if sheet.Git.Commits != nil || len(faults) != 1 || !strings.Contains(sheet.Proof["late"].Text, "on another machine") || len(sheet.Quality.SecretsCommitted) != 1 {
			t.Errorf("got %v, %v, faults %v", sheet.Git.Commits, sheet.Proof, faults)
		}
	})
}
