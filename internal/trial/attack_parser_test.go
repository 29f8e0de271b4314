package trial

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// fallible parses in process, and dies as a worker would.
type fallible struct{ codetest.Inline }

func (f fallible) Do(ctx context.Context, text []byte) ([]byte, error) {
	if bytes.Contains(text, []byte(blow)) {
		return nil, &sandbox.WorkerError{Kind: "code", Reason: sandbox.Crashed, Detail: "stack overflow"}
	}
	return f.Inline.Do(ctx, text)
}

// answered is what was found of each check.
func answered(rec *court.Record) map[string]court.Exhibit {
	out := map[string]court.Exhibit{}
	for c, list := range rec.Evidences {
		for _, e := range list {
			out[c+" "+e.Check+" "+e.Ask] = e
		}
	}
	return out
}

// A file that the parser dies of is lost, whichever it is, and nothing more:
// the record names it, and nothing that it may hold is said to be missing.
func TestD33FileLost(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	start := answered(withReport(t, ownReport))
	for _, name := range slices.Sorted(maps.Keys(miniature(t).Files)) {
		if !strings.HasSuffix(name, ".py") || miniature(t).Files[name] == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			f := miniature(t)
			f.Settings["pdf"], f.Files["report.txt"] = "report.txt", ownReport
			f.Files[name] += "\n" + blow + " = 1\n"
			rec := try(t, hearing(t, f.Scene(t, func(o *probe.Options) { o.Parser = fallible{codetest.Inline{Service: code.Service()}} })))
			if !slices.ContainsFunc(rec.Faults, func(x court.Fault) bool {
				return x.Subject == name && strings.Contains(x.Reason, "crashed (stack overflow)")
			}) {
				t.Errorf("no fault names the file and the reason: %+v", rec.Faults)
			}
			for key, e := range answered(rec) {
				was := start[key].Outcome
				if e.Outcome != was && (e.Outcome == court.Absent || e.Outcome == court.Violation) {
					t.Errorf("%s went from %q to %s: %s", key, was, e.Outcome, e.Rationale)
				}
			}
		})
	}
}

// deadly hears a case with files that the parser dies of, at the latest after the
// processor time of the fence.
func deadly(t *testing.T, f map[string]string, fence time.Duration) *court.Record {
	t.Helper()
	temp := t.TempDir()
	if err := os.Chmod(filepath.Dir(temp), 0o755); err != nil { // a thrown-away uid must get through
		t.Fatal(err)
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	box, err := sandbox.Open(sandbox.Options{TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	m := miniature(t)
	maps.Copy(m.Files, f)
	w := box.Worker("fragile", sandbox.WorkerOptions{Deadline: fence, Memory: 512 << 20})
	rec := try(t, hearing(t, m.Scene(t, func(o *probe.Options) { o.Parser = w })))
	if err := box.Close(); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(temp, "automaton-run-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return rec
}

// reasons is what became of each file, by path.
func reasons(rec *court.Record) map[string]string {
	out := map[string]string{}
	for _, x := range rec.Faults {
		out[x.Subject] += x.Reason
		for _, foreign := range []string{"goroutine", "panic:", "\n", "\x1b", "0x"} {
			if strings.Contains(x.Reason, foreign) {
				out[x.Subject] += " (and says " + foreign + ")"
			}
		}
	}
	return out
}

// Each bug of a parser, in a real worker, costs the file and says how.
func TestD33ParserDies(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	for bug, want := range map[string]string{
		"DEPTH": "fragile worker crashed (stack overflow)",
		"LOOP":  "fragile worker timeout",
		"HOARD": "fragile worker crashed (",
		"FAULT": "fragile worker crashed (",
		"EXIT":  "fragile worker crashed (exit status 0)",
	} {
		t.Run(bug, func(t *testing.T) {
			fence := time.Minute
			if bug == "LOOP" { // the only one that is ended by it
				fence = 3 * time.Second
			}
			rec := deadly(t, map[string]string{"src/extra.py": "import os\n\n" + blow + bug + " = os.sep\n"}, fence)
			got := reasons(rec)
			if why := got["src/extra.py"]; len(got) != 1 || !strings.HasPrefix(why, want) || strings.Contains(why, "and says") {
				t.Errorf("faults %q, want only that of src/extra.py: %s", got, want)
			}
			for _, list := range rec.Evidences {
				for _, e := range list {
					if e.Outcome == court.Absent && e.Source == court.AST {
						t.Errorf("%s is said to be absent: %s", e.Check, e.Rationale)
					}
				}
			}
		})
	}
}

// After six deaths, by path, no more files are tried in the case, which goes on
// with what is known: no file that was not read is held against anybody.
func TestD33ParserGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	files := map[string]string{}
	for n := range strings.FieldsSeq("a b c d e f g h i j") {
		files["zz/"+n+".py"] = "import os\n\n" + blow + "EXIT = os.sep\n# " + n + "\n"
	}
	got := reasons(deadly(t, files, time.Minute))
	crashed, given := 0, 0
	for path, why := range got {
		switch {
		case !strings.HasPrefix(path, "zz/"):
			t.Errorf("%s: %s", path, why)
		case strings.Contains(why, "not tried"):
			given++
		case strings.Contains(why, "crashed"):
			crashed++
		}
	}
	if crashed != 6 || given != 4 {
		t.Errorf("%d crashed, %d given up, of %d: %q", crashed, given, len(files), got)
	}
	first := map[string]string{}
	for name, text := range files {
		first[strings.Replace(name, "zz/", "aa/", 1)] = text
	}
	rec := deadly(t, first, time.Minute)
	for _, list := range rec.Evidences {
		for _, e := range list {
			if (e.Outcome == court.Absent || e.Outcome == court.Violation) && e.Source == court.AST {
				t.Errorf("%s: %s: %s", e.Check, e.Outcome, e.Rationale)
			}
		}
	}
	if rec.Verdict == nil {
		t.Error("there is no verdict")
	}
}
