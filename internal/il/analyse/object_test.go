package analyse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// TestManyJoins asks for an object behind joins of joins: each is followed once, or
// the question would take two to the power of their number.
func TestManyJoins(t *testing.T) {
	behind := func(joins int) analyse.Object {
		var w strings.Builder
		w.WriteString("-- m.py --\nclass A: pass\ndef f(c):\n    x = A()\n")
		for i := range joins {
			fmt.Fprintf(&w, "    if c > %d: x = x\n    else: x.n = %d\n", i, i)
		}
		w.WriteString("    use(x)\n")
		p := program(t, w.String())
		f := function(t, p, "f")
		in := call(t, f, "use")
		if in.Op != il.Call {
			t.Errorf("got %v", in.Op)
		}
		return analyse.Resolve(p).Instance(f, in.Args[1])
	}
	if o := behind(40); o.Class == nil || o.Class.Name != "A" {
		t.Errorf("got %v", o)
	}
	if o := behind(400); o.Class != nil || o.Outside != "" { // not followed to the end: nothing is known
		t.Errorf("behind 400 joins: got %v", o)
	}
}
