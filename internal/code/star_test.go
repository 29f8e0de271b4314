package code

import (
	"fmt"
	"strings"
	"testing"
)

// ringOf are modules that take all names from the next ones, in a ring.
func ringOf(n, each int) []File {
	var files []File
	for i := range n {
		var text strings.Builder
		for k := 1; k <= each; k++ {
			fmt.Fprintf(&text, "from m%d import *\n", (i+k)%n)
		}
		fmt.Fprintf(&text, "def f%d(): pass\ndef both(): pass\nf%d()\nnobody()\nboth()\n_f%d = 1\n_f%d\n", i, (i+n/2)%n, i, (i+1)%n)
		files = append(files, File{Path: fmt.Sprintf("m%d.py", i), Bytes: []byte(text.String())})
	}
	return files
}

// Names are found through star imports however many modules take them from each
// other, and what nobody has costs nothing.
func TestStarRings(t *testing.T) {
	for _, each := range []int{1, 2, 119} {
		p := loadFiles(t, ringOf(120, each))
		q, steps := p.query(), 0
		for i, m := range p.Modules {
			calls := m.indexed().calls
			for at, want := range []string{"", "", m.Name + ".both"} {
				q.again(maxQuerySteps)
				got := q.expr(calls[at].Field("function"))
				steps += q.steps
				if at == 0 {
					want = strings.Replace(calls[0].Text(), "f", "m", 1)
					want = strings.TrimSuffix(want, "()") + "." + strings.TrimSuffix(calls[0].Text(), "()")
				}
				if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0].Qualified != want) {
					t.Fatalf("%d imports each: %s in %s is %v, want %q", each, calls[at].Text(), m.Name, got, want)
				}
			}
			if i == 0 {
				if s := p.oldResolveName("_f1", m.Root()); s.Known() {
					t.Errorf("%d imports each: a name that no star import brings is %v", each, s)
				}
			}
		}
		if most := 120 * 3 * 4; steps > most {
			t.Errorf("%d imports each: %d steps, at most %d", each, steps, most)
		}
	}
}

// The last star import wins, with all that its module takes from others.
func TestStarOrder(t *testing.T) {
	p := load(t, `-- a.py --
from b import *
from c import *
x()
y()
-- b.py --
from d import *
def x(): pass
-- c.py --
from d import *
from b import *
-- d.py --
from c import *
def x(): pass
def y(): pass
`)
	for name, want := range map[string]string{"x": "b.x", "y": "d.y"} {
		if got := p.oldResolveName(name, p.Module("a.py").Root()).Qualified; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
