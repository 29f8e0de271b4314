package analyse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

func TestUnproduced(t *testing.T) {
	for name, c := range map[string]struct{ archive, want string }{
		"another spelling": {`
-- m.py --
def rule(goal):
    if goal == "cross_reference":
        return 1
def main():
    rule("cross-reference")
    rule("citations")
`, `m.py:2 no "cross_reference" near "cross-reference"`},
		"in another file and language": {`
-- a.go --
package a
func rule(kind string) int {
	if kind == "acquittal" {
		return 1
	}
	return 0
}
-- b.go --
package a
func main() {
	for _, k := range []string{"guilty", "innocent"} {
		rule(k)
	}
}
`, `a.go:3 no "acquittal" near ""`},
		"said by one of the callers": {`
-- m.py --
def rule(goal):
    if goal == "cross_reference":
        return 1
def main(x):
    rule("citations")
    rule("cross_reference" if x else "b")
`, ""},
		"put together": {`
-- m.py --
def rule(goal):
    if goal == "cross_reference":
        return 1
def main(x):
    rule("citations")
    print("cross_" + x)
`, ""},
		"from outside": {`
-- m.py --
import sys
def rule(goal):
    if goal == "cross_reference":
        return 1
def main():
    rule(sys.argv[1])
`, ""},
		"whatever the state holds": {`
-- m.py --
def node(state):
    if state["goal"] == "cross_reference":
        return {"goal": "cross-reference"}
`, `m.py:2 unknown "cross_reference" near "cross-reference"`},
		"a field that anybody may set": {`
-- m.py --
class C:
    def __init__(self):
        self.status = "idle"
    def f(self):
        return self.status == "running"
`, ""},
		"a model is asked for it": {`
-- m.py --
def node(state):
    if state["goal"] == "approve":
        return ask("Say approve or reject", "Approved")
`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, s := range analyse.Of(program(t, c.archive)).Unproduced() {
				got = append(got, fmt.Sprintf("%s %s %q near %q", s.Places[0], s.Is, s.Text, s.Near))
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
