package likeness

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func random(r *rand.Rand, n int) (list []Token) {
	for i := range n {
		list = append(list, Token{Sum: Sum(fmt.Sprint(r.IntN(40))), Line: i/8 + 1})
	}
	return list
}

func work(g Grain, files ...[]Token) (w Work) {
	for i, f := range files {
		w.Files = append(w.Files, File{Path: fmt.Sprintf("f%d", i), Marks: g.Winnow(f)})
	}
	return w
}

func sets(works []Work) (list []Set) {
	for _, w := range works {
		list = append(list, w.Set())
	}
	return list
}

func compare(works, base []Work) Result { return Compare(sets(works), len(works), sets(base)) }

// A match of Gram+Window-1 tokens is always found, and nothing that is shorter than Gram ever is.
func TestGuarantee(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, g := range []Grain{Code, Text} {
		for range 300 {
			passage := random(r, g.Gram+g.Window-1)
			a := slices.Concat(random(r, r.IntN(90)), passage, random(r, r.IntN(90)))
			b := slices.Concat(random(r, r.IntN(90)), passage, random(r, r.IntN(90)))
			if res := compare([]Work{work(g, a), work(g, b)}, nil); len(res.Pairs) != 1 || res.Pairs[0].Shared == 0 {
				t.Fatal("a passage was not found")
			}
			short := passage[:g.Gram-1]
			edge := func(text string) []Token { return []Token{{Sum: Sum(text)}} } // else chance may lengthen it
			a = slices.Concat(random(r, 60), edge("a"), short, edge("b"), random(r, 60))
			b = slices.Concat(random(r, 60), edge("c"), short, edge("d"), random(r, 60))
			if res := compare([]Work{work(g, a), work(g, b)}, nil); len(res.Pairs) != 0 {
				t.Fatalf("%d tokens were found", len(short))
			}
		}
	}
}

// Of every window a mark is kept, and of long files about two in Window+1.
func TestDensity(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tokens := random(r, 40_000)
	marks := Code.Winnow(tokens)
	for i := 1; i < len(marks); i++ {
		if gap := marks[i].At - marks[i-1].At; gap < 1 || gap > Code.Window {
			t.Fatalf("a gap of %d", gap)
		}
	}
	if want := 2 * len(tokens) / (Code.Window + 1); len(marks) < want*9/10 || len(marks) > want*11/10 {
		t.Errorf("%d marks, about %d are expected", len(marks), want)
	}
	if Code.Winnow(tokens[:Code.Gram-1]) != nil || len(Code.Winnow(tokens[:Code.Gram])) != 1 {
		t.Error("short files")
	}
}

// A rolling sum is that of its tokens alone: what stands before changes nothing.
func TestRolling(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	tokens := random(r, 500)
	one := Grain{Gram: 23, Window: 1}
	all, tail := one.Winnow(tokens), one.Winnow(tokens[100:])
	for i, m := range tail {
		if m.Hash != all[i+100].Hash {
			t.Fatalf("token %d", i)
		}
	}
}

func TestCompare(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	given, mine, other := random(r, 600), random(r, 2000), random(r, 2000)
	works := []Work{
		work(Code, given, mine),
		work(Code, given, other),
		work(Code, given, mine[:1000], random(r, 1000)),
		work(Code, given, random(r, 2000)),
	}
	res := compare(works, []Work{work(Code, given)})
	if len(res.Pairs) != 1 {
		t.Fatalf("%+v", res.Pairs)
	}
	p := res.Pairs[0]
	if p.A != 0 || p.B != 2 || p.Contained < 4500 || p.Contained > 5500 || p.Alike < 4500 || p.Alike > 5500 {
		t.Errorf("%+v", p)
	}
	m := res.Matches(works[0], works[2], Code)
	if len(m) != 1 || m[0].Tokens < 950 || m[0].Tokens > 1000 || m[0].A.Path != "f1" || m[0].B.Path != "f1" || m[0].A != m[0].B {
		t.Errorf("%+v", m)
	}
	if all := compare(works, nil); len(all.Pairs) != 6 { // without the base everybody shares it
		t.Errorf("%+v", all.Pairs)
	}
}

// A few lines here and there that a large work shares by chance are not passages of a small one; a part of it that was
// taken over is.
func TestSolid(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	small := random(r, 2000)
	var large []Token
	for i := 0; i+39 <= len(small); i += 100 {
		large = slices.Concat(large, random(r, 500), small[i:i+39])
	}
	one, two := work(Code, small), work(Code, large)
	res := compare([]Work{one, two}, nil)
	if p := res.Pairs[0]; p.Contained < 1000 || res.Solid(one, two, Code) != 0 {
		t.Errorf("%+v, %d in passages", p, res.Solid(one, two, Code))
	}
	two = work(Code, slices.Concat(large, small[500:1000]))
	res = compare([]Work{one, two}, nil)
	if a, b := res.Solid(one, two, Code), res.Solid(two, one, Code); a != b || a < 2200 || a > 2600 {
		t.Errorf("%d and %d in passages, of a quarter", a, b)
	}
}

// Works of an old cohort are compared with new ones only.
func TestFresh(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	one := work(Code, random(r, 900))
	res := Compare(sets([]Work{one, one, one}), 1, nil)
	if len(res.Pairs) != 2 || res.Pairs[0].A != 0 || res.Pairs[1].A != 0 {
		t.Errorf("%+v", res.Pairs)
	}
}

// A long table of constants is one fingerprint, however long it is.
func TestRepetition(t *testing.T) {
	var table []Token
	for i := range 3000 {
		table = append(table, Token{Sum: Sum([]string{"(", "string", ")"}[i%3]), Line: i})
	}
	w := work(Code, table)
	if n := len(w.Files[0].Marks); n != 1 {
		t.Errorf("%d fingerprints", n)
	}
	if m := compare([]Work{w, w}, nil).Matches(w, w, Code); len(m) != 1 || m[0].Tokens != Code.Gram || m[0].A.EndLine < 2900 {
		t.Errorf("%+v", m)
	}
}

// What more than a few share is in no pair, and told of each of them.
func TestCommon(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	shared := random(r, 800)
	var works []Work
	for i := range 12 {
		files := [][]Token{random(r, 800)}
		if i < 7 {
			files = append(files, shared)
		}
		works = append(works, work(Code, files...))
	}
	res := compare(works, nil)
	if len(res.Pairs) != 0 {
		t.Errorf("%+v", res.Pairs)
	}
	for i, n := range res.Common {
		if has := n > 0; has != (i < 7) || n+res.Size[i] != len(works[i].Set()) {
			t.Errorf("work %d: %d of %d", i, n, res.Size[i])
		}
	}
}

func TestClusters(t *testing.T) {
	list := []Pair{{A: 3, B: 5, Contained: 9000}, {A: 0, B: 1, Contained: 6000}, {A: 1, B: 4, Contained: 5000}, {A: 2, B: 3, Contained: 4999}}
	if diff := cmp.Diff([][]int{{0, 1, 4}, {3, 5}}, Clusters(list, 5000)); diff != "" {
		t.Error(diff)
	}
}

// The order of the works changes the numbers in a pair and nothing else.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	pool := [][]Token{random(r, 300), random(r, 300), random(r, 300)}
	var works []Work
	for range 9 {
		works = append(works, work(Code, pool[r.IntN(3)], random(r, 200), pool[r.IntN(3)]))
	}
	set := func(list []Work, name []int) map[[2]int]Pair {
		out := map[[2]int]Pair{}
		for _, p := range compare(list, nil).Pairs {
			a, b := name[p.A], name[p.B]
			p.A, p.B = 0, 0
			out[[2]int{min(a, b), max(a, b)}] = p
		}
		return out
	}
	same := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	turned := slices.Clone(works)
	slices.Reverse(turned)
	if diff := cmp.Diff(set(works, same), set(turned, []int{8, 7, 6, 5, 4, 3, 2, 1, 0})); diff != "" {
		t.Error(diff)
	}
}

func FuzzWinnow(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog and comes back again"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		var tokens []Token
		for i, b := range raw {
			tokens = append(tokens, Token{Sum: uint64(b), Line: i})
		}
		last := -1
		for _, m := range Text.Winnow(tokens) {
			if m.At <= last || m.At+Text.Gram > len(tokens) || m.EndLine < m.Line {
				t.Fatalf("%+v after %d of %d", m, last, len(tokens))
			}
			last = m.At
		}
	})
}

// A thousand works of 6,000 tokens, of which every tenth took a third of another.
func BenchmarkThousand(b *testing.B) {
	r := rand.New(rand.NewPCG(13, 14))
	var raw [][]Token
	for i := range 1000 {
		t := random(r, 6000)
		if i%10 == 9 {
			copy(t, raw[i-9][:2000])
		}
		raw = append(raw, t)
	}
	for b.Loop() {
		works := make([]Work, len(raw))
		for i, t := range raw {
			works[i] = work(Code, t)
		}
		if res := compare(works, nil); len(res.Pairs) != 100 {
			b.Fatal(len(res.Pairs))
		}
	}
}
