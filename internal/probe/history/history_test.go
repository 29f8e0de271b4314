package history

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

func TestProbes(t *testing.T) { probetest.Run(t, "testdata", Probes()) }

func TestFacts(t *testing.T) {
	files, err := filepath.Glob("testdata/facts/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f := probetest.Load(t, file)
			sheet, faults := probe.Draw(t.Context(), f.Scene(t), Sections())
			if len(faults) > 0 {
				t.Error(faults)
			}
			f.Facts(t, sheet)
		})
	}
}

func TestTail(t *testing.T) {
	tests := map[string]struct {
		n, k int
		p    float64
		want float64
	}{
		"all of them":  {4, 0, 0.3, 1},
		"fair coins":   {3, 2, 0.5, 0.5},
		"one in three": {3, 1, 1.0 / 3, 19.0 / 27},
		"never enough": {3, 4, 0.5, 0},
	}
	for name, tc := range tests {
		if got := tail(tc.n, tc.k, tc.p); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

func TestIgnoreLine(t *testing.T) {
	tests := map[string]struct {
		line    string
		yes, no []string
	}{
		"anywhere":       {"*.log", []string{"a.log", "x/a.log", "x.log/y"}, []string{"a.logs"}},
		"anchored":       {"/build", []string{"build", "build/a"}, []string{"x/build"}},
		"folder":         {"data/", []string{"data/a", "x/data/a"}, []string{"data"}},
		"path":           {"a/*.py", []string{"a/x.py"}, []string{"b/a/x.py", "a/b/x.py"}},
		"comma":          {"*.py,cover", []string{"a.py,cover"}, []string{"a.py"}},
		"comment":        {"# *.py", nil, []string{"a.py"}},
		"not understood": {`\#x`, nil, []string{"#x"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r, ok := ignoreLine("", tc.line)
			for _, file := range tc.yes {
				if !ok || !r.fits(file) {
					t.Errorf("%q does not ignore %q", tc.line, file)
				}
			}
			for _, file := range tc.no {
				if ok && r.fits(file) {
					t.Errorf("%q ignores %q", tc.line, file)
				}
			}
		})
	}
}

func FuzzIgnoreLine(f *testing.F) {
	for _, s := range []string{"!*.py", "**/a/**", "[z-a]", "/", "a//b", "{", "!"} {
		f.Add(s, "a/b.py")
	}
	f.Fuzz(func(_ *testing.T, line, file string) {
		if r, ok := ignoreLine("", line); ok {
			r.fits(file)
		}
	})
}
