package similar

import (
	"maps"
	"slices"
	"testing"

	"github.com/automaton-auditor/automaton/internal/likeness"
)

func contained(a, b likeness.Work) likeness.Share {
	r := likeness.Compare([]likeness.Set{a.Set(), b.Set()}, 2, nil)
	if len(r.Pairs) == 0 {
		return 0
	}
	return r.Pairs[0].Contained
}

// What stays of a program when it is changed. Of a mixed one, the weakest change leaves three quarters, the strongest one.
func TestChangesAreFound(t *testing.T) {
	least := map[string]likeness.Share{"rename": 9500, "reorder": 9500, "format": 9500, "dead": 5000, "loops": 5000, "split": 5000, "half": 9000, "mixed": 4000}
	all := seeds(t)
	names := slices.Sorted(maps.Keys(all))
	for i, name := range names {
		seed := workOf(t, map[string]string{"a.py": all[name]})
		for _, c := range changes {
			for strength := 1; strength <= 3; strength++ {
				text := c.make(all[name], all[names[(i+1)%len(names)]], strength)
				if text == all[name] && strength == 3 && c.name != "loops" && c.name != "split" {
					t.Errorf("%s: %s changes nothing", name, c.name)
				}
				other := workOf(t, map[string]string{"a.py": text})
				got := contained(seed, other)
				if got < least[c.name] && (c.name != "mixed" || strength == 1) {
					t.Errorf("%s, %s at strength %d: %d of %d", name, c.name, strength, got, least[c.name])
				}
				if solid := (likeness.Result{}).Solid(seed, other, likeness.Code); got >= listedContained && solid < listedSolid {
					t.Errorf("%s, %s at strength %d: %d of %d in passages", name, c.name, strength, solid, listedSolid)
				}
			}
		}
	}
}

// Programs that have nothing to do with each other are not listed.
func TestIndependentAreNot(t *testing.T) {
	all := seeds(t)
	var works []likeness.Work
	var sets []likeness.Set
	for _, name := range slices.Sorted(maps.Keys(all)) {
		works = append(works, workOf(t, map[string]string{"a.py": all[name]}))
		sets = append(sets, works[len(works)-1].Set())
	}
	r := likeness.Compare(sets, len(sets), nil)
	for _, p := range r.Pairs {
		m := r.Matches(works[p.A], works[p.B], likeness.Code)
		if p.Shared >= leastShared && p.Contained >= listedContained && r.Solid(works[p.A], works[p.B], likeness.Code) >= listedSolid || len(m) > 0 && m[0].Tokens >= listedLongest {
			t.Errorf("%d and %d: %+v, %+v", p.A, p.B, p, m)
		}
	}
}

// What everybody was given is held against nobody.
func TestBaseAlone(t *testing.T) {
	all := seeds(t)
	given := workOf(t, map[string]string{"given.py": all["matrix"], "more.py": all["maze"]})
	var sets []likeness.Set
	for _, own := range []string{"clock", "seats", "words"} {
		sets = append(sets, workOf(t, map[string]string{"given.py": renamed(all["matrix"], 2), "more.py": all["maze"], "own.py": all[own]}).Set())
	}
	for _, p := range likeness.Compare(sets, len(sets), []likeness.Set{given.Set()}).Pairs {
		if p.Shared >= leastShared {
			t.Errorf("%+v", p)
		}
	}
	if n := len(likeness.Compare(sets, len(sets), nil).Pairs); n != 3 {
		t.Errorf("%d pairs without the base", n)
	}
}

// In every language that is read, other names and another layout change nothing.
func TestLanguages(t *testing.T) {
	for name, c := range map[string]struct{ path, one, two string }{
		"go": {"a.go", "package a\n\nimport \"os\"\n\n// F does.\nfunc F(list []int, most int) (sum int) {\n\tfor _, x := range list {\n\t\tif x > most {\n\t\t\tsum += x * 2\n\t\t}\n\t}\n\treturn sum + len(os.Args)\n}\n",
			"package b\n\nimport \"flag\"\n\nfunc Count(all []int, top int) (n int) {\n\tfor _, each := range all {\n\t\tif each > top { // large\n\t\t\tn += each * 7\n\t\t}\n\t}\n\n\treturn n + len(flag.Args)\n}\n"},
		"typescript": {"a.ts", "import { a } from './a';\nexport function f(xs: number[]): number {\n  let sum = 0;\n  for (const x of xs) {\n    if (x > 3) { sum += a(x, 'one'); }\n  }\n  return sum;\n}\n",
			"import { bee } from '../bee';\n/** Adds. */\nexport function total(list: number[]): number {\n  let n = 0;\n  for (const it of list) {\n    if (it > 99)\n      n += bee(it, \"two\");\n  }\n  return n;\n}\n"},
		"javascript": {"a.js", "const f = (a, b) => { while (a < b) { a = step(a, b)[0]; } return { a, b }; };\nmodule.exports = { f: f };\n",
			"const go = (x, y) => {\n  while (x < y) x = walk(x, y)[1];\n  return { x, y };\n};\nmodule.exports = { go: go };\n"},
		"java": {"A.java", "package a;\nimport java.util.List;\nclass A {\n  int f(List<String> xs) {\n    int n = 0;\n    for (String x : xs) { if (x.isEmpty()) { n++; } }\n    return n;\n  }\n}\n",
			"package b.c;\nimport java.util.*;\n/** Counts. */\nclass Count {\n  int none(List<String> all) {\n    int k = 0;\n    for (String each : all) if (each.isBlank()) k++;\n    return k;\n  }\n}\n"},
		"rust": {"a.rs", "use std::fs;\nfn f(xs: &[i32]) -> i32 { let mut n = 0; for x in xs { if *x > 2 { n += x * 3; } } n }\n",
			"use std::io;\n// adds\nfn total(list: &[i32]) -> i32 {\n    let mut sum = 0;\n    for each in list {\n        if *each > 9 {\n            sum += each * 8;\n        }\n    }\n    sum\n}\n"},
		"c#": {"a.cs", "using System;\nnamespace A { class B { int F(int[] xs) { int n = 0; foreach (var x in xs) { if (x > 1) { n += x; } } return n; } } }\n",
			"using System.Linq;\nnamespace Z\n{\n  /// <summary>Adds.</summary>\n  class Y\n  {\n    int Sum(int[] all)\n    {\n      int k = 0;\n      foreach (var a in all)\n        if (a > 5) k += a;\n      return k;\n    }\n  }\n}\n"},
	} {
		one, two := workOf(t, map[string]string{c.path: c.one}), workOf(t, map[string]string{c.path: c.two})
		if got := contained(one, two); len(one.Set()) == 0 || got < 10000 {
			t.Errorf("%s: %d of %d fingerprints", name, got, len(one.Set()))
		}
	}
}
