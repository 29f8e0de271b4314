package cli

import (
	"os"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/attack"
	"github.com/automaton-auditor/automaton/internal/trace"
)

func someRows(now time.Time) []*row {
	return []*row{
		{name: fetch, state: ended, spent: 2100 * time.Millisecond, text: "github.com/o/n 0123456"},
		{name: "RepoInvestigator", began: now.Add(-300 * time.Millisecond), done: 13, of: 20, text: "src/tools/git_tools.py"},
		{name: "DocAnalyst", began: now.Add(-125 * time.Second), text: "reading"},
		{name: "VisionInspector", waiting: true},
	}
}

// The drawing at its widths, without colour; a node that does not know how much
// there is has no bar.
func TestLook(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, tc := range []struct {
		utf8          bool
		width, height int
		want          string
	}{
		{true, 80, 24, ` ✓ fetch               ━━━━━━━━━━━━━━━━━━━━   2.1s  github.com/o/n 0123456
 ⠸ RepoInvestigator    ━━━━━━━━━━━━━───────   0.3s  src/tools/git_tools.py
 ⠋ DocAnalyst                                2m05s  reading
 · VisionInspector
`},
		{false, 60, 24, ` ok fetch               ==========   2.1s  github.com/o/n 0
 >  RepoInvestigator    ======----   0.3s  src/tools/git_to
 >  DocAnalyst                      2m05s  reading
 .  VisionInspector
`},
		{true, 80, 7, ` ⠸ RepoInvestigator    ━━━━━━━━━━━━━───────   0.3s  src/tools/git_tools.py
 ⠋ DocAnalyst                                2m05s  reading
`},
	} {
		if d := cmp.Diff(tc.want, newLook(false, tc.utf8).draw(someRows(now), tc.width, tc.height, now)); d != "" {
			t.Errorf("%d columns: %s", tc.width, d)
		}
	}
	for width := 60; width <= 200; width++ {
		for line := range strings.Lines(newLook(true, true).draw(someRows(now), width, 24, now)) {
			if w := lipgloss.Width(strings.TrimSuffix(line, "\n")); w >= width {
				t.Fatalf("%d columns at a width of %d: %q", w, width, line)
			}
		}
	}
}

// cooked ends lines as the system does on their way to a terminal.
type cooked struct{ *attack.Screen }

func (c cooked) Write(p []byte) (int, error) {
	_, _ = c.Screen.Write([]byte(strings.ReplaceAll(string(p), "\n", "\r\n"))) // it never fails
	return len(p), nil
}

// What is written while the view is drawn scrolls past above it, whole; hostile
// texts do nothing; the end leaves what was found, and the cursor.
func TestD40LiveView(t *testing.T) {
	for kind, text := range hostile {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			seen := attack.NewScreen(80, 24) // as wide as what is not a terminal is taken for
			w := newWorld(t)
			w.Stderr, w.Now = cooked{seen}, time.Now
			a := newApp(w.Env)
			if err := a.config.Set("progress", "--progress", "live"); err != nil {
				t.Fatal(err)
			}
			s := a.progress(t.Context(), time.Now)
			log := trace.NewLog("x", time.Now, s.event)
			log.Emit(trace.Event{Kind: trace.NodeStart, Node: "DocAnalyst"})
			log.Emit(trace.Event{Kind: trace.Progress, Node: "DocAnalyst", Done: 1, Of: 2, Text: text})
			log.Emit(trace.Event{Kind: trace.Evidence, Node: "DocAnalyst", Grave: true, Text: "src/a.py:7  a shell  " + text})
			for _, k := range []trace.Kind{trace.Probed, trace.Evidence, trace.Opinion, trace.Holding, trace.ModelCall, "of tomorrow"} {
				log.Emit(trace.Event{Kind: k, Node: "DocAnalyst", Item: "x", Text: "ChiefJustice"}) // which must not be seen
			}
			a.tell(message{Kind: "note", Text: strings.Repeat("a long note ", 12) + text})
			time.Sleep(3 * beat)
			log.Emit(trace.Event{Kind: trace.Fault, Node: "DocAnalyst", Text: text})
			log.Emit(trace.Event{Kind: trace.NodeEnd, Node: "DocAnalyst", Text: text})
			s.stop()
			a.tell(message{Kind: "note", Text: "the end"})
			got := seen.Text()
			if seen.NoCursor || len(seen.Odd) > 0 || log.Err() != nil {
				t.Errorf("cursor hidden %t, odd %v, %v", seen.NoCursor, seen.Odd, log.Err())
			}
			if !strings.Contains(got, "  src/a.py:7  a shell") || !strings.Contains(got, "  DocAnalyst  fault:") || strings.Count(strings.Join(strings.Fields(got), " "), "long note") != 12 {
				t.Errorf("something is missing in:\n%s", got)
			}
			if strings.ContainsAny(got, "=") || !strings.HasSuffix(got, "\nautomaton: the end") || strings.Contains(got, "ChiefJustice") {
				t.Errorf("something is left in:\n%s", got)
			}
		})
	}
}

// A bug in the drawing is told where all bugs are, and the stream is given back.
func TestBugInTheDrawing(t *testing.T) {
	w := newWorld(t)
	a := w.app()
	if err := a.config.Set("progress", "--progress", "live"); err != nil {
		t.Fatal(err)
	}
	s := a.progress(t.Context(), time.Now)
	v := s.view.(*liveView)
	v.mu.Lock()
	v.rows = append(v.rows, nil)
	v.mu.Unlock()
	<-v.gone
	defer func() {
		if p := recover(); p == nil {
			t.Error("it was swallowed")
		}
		a.tell(message{Kind: "note", Text: "still here"})
		if !strings.HasSuffix(w.err.String(), "automaton: still here\n") {
			t.Errorf("%q", w.err.String())
		}
	}()
	s.stop()
}

// Live is for a terminal where somebody may look; a null device is none.
func TestLively(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	w := newWorld(t)
	w.Stderr = null
	if newApp(w.Env).lively() {
		t.Error("nobody looks at the null device")
	}
	for env, want := range map[string]bool{"": false, "LANG=C": false, "LANG=en_US.UTF-8": true, "LC_ALL=C": false, "LC_CTYPE=de_AT.utf8": true} {
		w := newWorld(t)
		key, value, _ := strings.Cut(env, "=")
		w.vars[key] = value
		if got := w.app().speaksUTF8(); got != want {
			t.Errorf("%s: %t", env, got)
		}
	}
}
