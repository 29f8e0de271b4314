package intree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
)

// TestHostile joins programs on which following every way would not end.
func TestHostile(t *testing.T) {
	each := func(n int, line func(i int) string) (out string) {
		for i := range n {
			out += line(i)
		}
		return out
	}
	others := func(n, i int, word string) (out []string) {
		for j := range n {
			if j != i {
				out = append(out, fmt.Sprint(word, j))
			}
		}
		return out
	}
	circle := func(taken string) (files []code.File) {
		for i := range 14 {
			text := each(14, func(j int) string {
				return strings.Repeat(fmt.Sprintf("from m%d import %s\n", j, taken), min(1, max(i-j, j-i)))
			})
			files = append(files, code.File{Path: fmt.Sprintf("m%d.py", i), Bytes: []byte(text)})
		}
		return append(files, code.File{Path: "main.py", Bytes: []byte("from m0 import x\nx()\n")})
	}
	one := func(text string) []code.File { return []code.File{{Path: "main.py", Bytes: []byte(text)}} }
	for name, files := range map[string][]code.File{
		"a chain of calls":      one("import pandas\npandas.read(1)" + strings.Repeat(".pipe(1)", 80) + "\n"),
		"a chain of attributes": one("def f(x):\n    x" + strings.Repeat(".a", 60) + "()\n"),
		"stars in a circle":     circle("*"),
		"a name in a circle":    circle("x"),
		"classes above each other": one(each(14, func(i int) string {
			return fmt.Sprintf("class C%d(%s): pass\n", i, strings.Join(others(14, i, "C"), ", "))
		}) + "C0().z()\n"),
		"layers of classes": one(each(72, func(i int) string {
			return fmt.Sprintf("class C%d(%s):\n    def m(self): self.z()\n", i, strings.Join(slices.Repeat([]string{"object"}, 1-min(1, i/8)), "")+strings.Join(below(i), ", "))
		})),
		"properties that give others": one("class A:\n" + each(40, func(i int) string {
			return fmt.Sprintf("    @property\n    def p%d(self): return self.p%d or self.p%d\n", i, (i+1)%40, (i+2)%40)
		}) + "A().p0.x()\n"),
		"functions that give others": one(each(60, func(i int) string { return fmt.Sprintf("def f%d(x): return f%d(x) or f%d(x)\n", i, (i+1)%60, (i+2)%60) }) + "f0(1).x()\n"),
	} {
		t.Run(name, func(t *testing.T) {
			p := joined(t, files...)
			if len(p.Calls()) == 0 && !strings.Contains(name, "above") {
				t.Error("no call is known")
			}
		})
	}
}

// below are the classes of the layer before that of the i-th, eight to a layer.
func below(i int) (out []string) {
	for j := range 8 * min(1, i/8) {
		out = append(out, fmt.Sprint("C", (i/8-1)*8+j))
	}
	return out
}
