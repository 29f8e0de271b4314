package code

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStagedCalls asks what fills the parameter of a function that is called
// from its own module, from a test, or from both.
func TestStagedCalls(t *testing.T) {
	const function = "def node(url, depth=1):\n    sink(url)\n    sink(depth)\n    import os\n    os.system(url)\n"
	tests := map[string]struct {
		archive string
		want    string
	}{
		"test alone":       {"-- src/a.py --\n" + function + "-- tests/test_a.py --\nfrom src.a import node\nnode('t', 2)\n", "?url@src/a.py:2, 1"},
		"example alone":    {"-- src/a.py --\n" + function + "-- examples/b.py --\nfrom src.a import node\nnode('t', 2)\n", "?url@src/a.py:2, 1"},
		"both":             {"-- src/a.py --\n" + function + "node('p', 3)\n-- tests/test_a.py --\nfrom src.a import node\nnode('t', 2)\n", "\"p\", 3"},
		"inside the tests": {"-- tests/a.py --\n" + function + "node('t', 2)\n", "\"t\", 2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := load(t, tt.archive)
			var got []string
			for _, c := range p.oldCalls() {
				if c.Name != "sink" {
					continue
				}
				got = append(got, p.Eval(c.Arg("", 0)).String())
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("answers differ (-want +got):\n%s", diff)
			}
		})
	}
}
