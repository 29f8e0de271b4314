package analyse_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

// lawful are small programs in all languages, on which the laws are tried.
func lawful(t testing.TB) (out []*il.Program) {
	t.Helper()
	archives, err := filepath.Glob("../lower/testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, load(t, []code.File{{Path: a.Files[0].Name, Bytes: a.Files[0].Data}}))
	}
	for _, c := range conditionCases {
		out = append(out, program(t, "-- "+c.file+" --\n"+c.text))
	}
	for _, c := range shapeCases {
		out = append(out, program(t, shapeProgram(c.file, c.before, c.body)))
	}
	return out
}

// side is one side of a branch.
type side struct {
	test  *il.Instr
	truth bool
}

// knows are the answers about a program: of sides of branches, and of the operands
// of calls, what is said for certain.
func knows(p *il.Program, limit int) (sides map[side]analyse.Tri, dead map[*il.Instr]bool, texts map[string]string) {
	v := &analyse.Values{Names: analyse.Resolve(p), Limit: limit}
	sides, dead, texts = map[side]analyse.Tri{}, map[*il.Instr]bool{}, map[string]string{}
	for f := range p.All() {
		for _, c := range v.Conditions(f) {
			if c.Flag == "" {
				sides[side{c.Test, c.Truth}] = c.Is
			}
		}
		for b, in := range f.Instructions() {
			if dead[in] = v.Dead(f, b); in.Op != il.Call {
				continue
			}
			for k, a := range in.Args[1:] {
				ways := v.Shapes(f, a, in)
				if len(ways) == 1 && ways[0].Whole() && known(ways[0]) {
					texts[fmt.Sprintf("%p %d", in, k)] = ways[0].String()
				}
			}
		}
	}
	return sides, dead, texts
}

func known(s analyse.Shape) bool {
	for _, p := range s.Parts {
		if !p.Known {
			return false
		}
	}
	return true
}

// less tells that answers with less known say nothing that those with more did not:
// what was code that never runs may say anything.
func less(t *testing.T, what string, few, all func() (map[side]analyse.Tri, map[*il.Instr]bool, map[string]string)) {
	t.Helper()
	sides, _, texts := few()
	more, dead, whole := all()
	for s, is := range sides {
		if more[s] != is && !dead[s.test] {
			t.Errorf("%s: side %t of a test is %s, was %s", what, s.truth, is, more[s])
		}
	}
	for at, text := range texts {
		if was, ok := whole[at]; ok && was != text {
			t.Errorf("%s: %s is %s, was %s", what, at, text, was)
		}
	}
}

// An operand that is lost from sight takes answers away and gives none.
func TestLawLess(t *testing.T) {
	for _, p := range lawful(t) {
		a, b, c := knows(p, 0)
		all := func() (map[side]analyse.Tri, map[*il.Instr]bool, map[string]string) { return a, b, c }
		tried := 0
		for f := range p.All() {
			for _, in := range f.Instructions() {
				for k, o := range in.Args {
					if o.Kind == il.Opaque || in.Op == il.Unknown || in.Op == il.Assume || in.Op == il.Set && k == 1 || in.Op == il.Get && k == 1 || tried > 150 {
						continue
					}
					tried++
					in.Args[k] = il.Operand{}
					less(t, fmt.Sprintf("%s without operand %d of %s", p.Modules[0].Path, k, f.Listing(in)), func() (map[side]analyse.Tri, map[*il.Instr]bool, map[string]string) { return knows(p, 0) }, all)
					in.Args[k] = o
				}
			}
		}
	}
}

// Work that is not done takes answers away and gives none.
func TestLawBudget(t *testing.T) {
	for _, p := range lawful(t) {
		a, b, c := knows(p, 0)
		for limit := 1; limit < 12; limit += 2 {
			less(t, fmt.Sprintf("%s with %d", p.Modules[0].Path, limit), func() (map[side]analyse.Tri, map[*il.Instr]bool, map[string]string) { return knows(p, limit) },
				func() (map[side]analyse.Tri, map[*il.Instr]bool, map[string]string) { return a, b, c })
		}
	}
}

// The order of files changes nothing.
func TestLawOrder(t *testing.T) {
	files := []string{"-- a.py --\nfrom b import words\nLIMIT = 4\ndef f(url, n):\n    if n > LIMIT and n < 3:\n        return 1\n    run(words(url) + ['x'])\n    if kind(n) == 'high':\n        return 2\n", "-- b.py --\nfrom c import GIT\nfrom a import LIMIT\ndef words(u):\n    return [*GIT, u]\n", "-- c.py --\nGIT = ('git', 'clone')\nfrom a import f\ndef kind(n):\n    return 'low'\n"}
	want := ""
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}} {
		p := program(t, files[order[0]]+files[order[1]]+files[order[2]])
		v := &analyse.Values{Names: analyse.Resolve(p)}
		got := ""
		for f := range p.All() {
			got += claims(v, f) + shapes(v, f) + "\n"
		}
		if want == "" {
			want = got
		}
		if got != want || !strings.Contains(got, `"git" "clone" {url#0} "x"`) || !strings.Contains(got, "true no") {
			t.Errorf("in order %v %s, not %s", order, got, want)
		}
	}
}

func always(*il.Function, *il.Instr) bool { return true }

// ask asks everything of a program.
func ask(t *testing.T, p *il.Program) {
	a := analyse.Of(p)
	from := &analyse.Origins{Names: a.Names, Through: always, Fills: always}
	instrs := 0
	for f := range p.All() {
		for b, in := range f.Instructions() {
			instrs++
			if a.Values.Dead(f, b); in.Op != il.Call {
				continue
			}
			for _, o := range in.Args {
				for _, s := range a.Values.Shapes(f, o, in) {
					_ = s.String()
				}
				_ = a.Values.Of(f, o)
				_ = analyse.Guards(f, a.Names, o, in)
				for _, origin := range from.Of(f, o, in) {
					if origin.Function == nil || origin.Symbol == nil || len(origin.Steps()) == 0 {
						t.Errorf("an origin without its place: %+v", origin)
					}
				}
			}
		}
		a.Values.Conditions(f)
		a.Outcome.Never(f)
		for _, h := range a.Outcome.Handlers(f) {
			a.Outcome.Catches(h)
		}
	}
	if a.Values.Work > 2*65*(instrs+1) {
		t.Errorf("%d instructions took %d evaluations", instrs, a.Values.Work)
	}
	w := a.Flow()
	w.Budget = 1 << 12
	w.To = func(_ *il.Function, in *il.Instr, _ int) bool { return in.Op == il.Call && in.Kind == "sink" }
	for f := range p.All() {
		for i := range f.Params {
			o := il.Operand{Kind: il.Local, ID: f.Params[i].Var}
			w.Arrives(f, o)
			w.Returned(f, o)
		}
	}
	r := a.Reach(p.Modules[0].Top)
	for f := range p.All() {
		r.Of(f)
	}
}

// FuzzAnalyse: whatever the text is, what is asked of it is answered, and the work
// is bounded.
func FuzzAnalyse(f *testing.F) {
	for _, c := range conditionCases {
		f.Add(c.file, c.text)
	}
	for _, c := range shapeCases {
		_, text, _ := strings.Cut(shapeProgram(c.file, c.before, c.body), "\n")
		f.Add(c.file, text)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(text) > 1<<12 || !filepath.IsLocal(name) || strings.ContainsAny(name, "\x00\\\n") {
			return
		}
		files := []code.File{{Path: filepath.Clean(name), Bytes: []byte(text)}}
		python, err := code.Load(t.Context(), codetest.Inline{Service: code.Service()}, files)
		if err != nil {
			return
		}
		others, err := syntax.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, python.Layout, files)
		if err != nil {
			return
		}
		if p, err := lower.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, python, others); err == nil && len(p.Modules) > 0 {
			ask(t, p)
		}
	})
}
