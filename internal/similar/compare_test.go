package similar

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/likeness"
	"github.com/automaton-auditor/automaton/internal/report"
)

// submission is one of some files of code.
func submission(t testing.TB, id string, files map[string]string, more func(*Prints)) Submission {
	t.Helper()
	p := &Prints{Code: workOf(t, files)}
	s := Sources{}
	for path, text := range files {
		s[path] = strings.Split(text, "\n")
	}
	if more != nil {
		more(p)
	}
	raw := p.Encode()
	return Submission{ID: id, Prints: func() (*Prints, error) { return Decode(raw) }, Sources: func() (Sources, error) { return s, nil }}
}

func compared(t testing.TB, list []Submission, base ...*Prints) *report.Similarity {
	t.Helper()
	s, err := Compare(list, base)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// class is twelve submissions of which two share code, two a document, two commits, and two a state of all files.
func class(t testing.TB) (list []Submission) {
	all := seeds(t)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		files := map[string]string{"main.py": all[name]}
		var more func(*Prints)
		switch i {
		case 1:
			files["extra.py"] = renamed(all["clock"], 3)
		case 2, 3:
			tokens := words("in the evening all boats come back and the keeper writes down how many of them there are", 1, nil)
			for k := range 60 {
				tokens = words(fmt.Sprintf("boat %d of the keeper", k), k+2, tokens)
			}
			more = func(p *Prints) {
				p.Text.Files = []likeness.File{{Path: "document 1", Marks: likeness.Text.Winnow(tokens)}}
			}
		case 4, 5:
			more = func(p *Prints) { p.Commits, p.Trees = likeness.Set{7, 8, uint64(100 + i)}, likeness.Set{70, 80} }
		case 6, 7:
			more = func(p *Prints) {
				p.Trees = likeness.Set{91}
				p.Blobs = []Blob{{Path: "a.bin", Sum: 5, Since: 1_767_600_000}, {Path: "main.py", Sum: uint64(20 + i), Since: 1_767_600_000}}
			}
		}
		list = append(list, submission(t, fmt.Sprintf("s%02d", i), files, more))
	}
	return list
}

func TestCompare(t *testing.T) {
	s := compared(t, class(t))
	got := map[string]report.LikePair{}
	for _, p := range s.Pairs {
		got[p.A+" "+p.B] = p
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"s00 s01", "s02 s03", "s04 s05", "s06 s07"}) {
		t.Fatalf("%v", names)
	}
	p := got["s00 s01"]
	if p.Contained < 9500 || p.Alike < 4000 || p.Alike > 9000 || p.Longest < 150 || len(p.Places) == 0 || len(p.Places) > mostPlaces {
		t.Errorf("%+v", p)
	}
	x := p.Places[0]
	if x.A.Path != "main.py" || x.B.Path != "extra.py" || len(x.A.Lines) == 0 || len(x.A.Lines) > mostShown || x.A.Lines[0] == x.B.Lines[0] {
		t.Errorf("%+v", x)
	}
	if p := got["s02 s03"]; p.Document != 10000 || p.Contained >= listedContained || !slices.ContainsFunc(p.Places, func(x report.LikePlace) bool { return x.Text }) {
		t.Errorf("%+v", p)
	}
	if p := got["s04 s05"]; p.Commits != 2 || p.States != 2 {
		t.Errorf("%+v", p)
	}
	if p := got["s06 s07"]; p.Commits != 0 || p.States != 1 || !slices.Equal(p.Files, []string{"a.bin"}) {
		t.Errorf("%+v", p)
	}
	if !slices.EqualFunc(s.Clusters, [][]string{{"s00", "s01"}}, slices.Equal) || s.Submissions != 12 || s.Old+s.Left+len(s.Common)+len(s.Unread) != 0 {
		t.Errorf("%+v", s)
	}
}

// The order in which submissions are given changes nothing.
func TestOrder(t *testing.T) {
	list := class(t)
	want := compared(t, list)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if diff := cmp.Diff(want, compared(t, list)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Old submissions are compared with new ones only, and a base is taken off all.
func TestOldAndBase(t *testing.T) {
	all := seeds(t)
	given := map[string]string{"given.py": all["matrix"]}
	old := func(id string) Submission {
		s := submission(t, id, map[string]string{"given.py": all["matrix"], "a.py": all["seats"]}, nil)
		s.Old = true
		return s
	}
	list := []Submission{old("spring/a"), old("spring/b"), submission(t, "a", map[string]string{"given.py": all["matrix"], "b.py": renamed(all["seats"], 3)}, nil),
		submission(t, "b", map[string]string{"given.py": all["matrix"], "b.py": all["tides"]}, nil)}
	base := &Prints{Code: workOf(t, given)}
	s := compared(t, list, base)
	var got []string
	for _, p := range s.Pairs {
		got = append(got, p.A+" "+p.B)
	}
	if !slices.Equal(got, []string{"a spring/a", "a spring/b"}) || s.Submissions != 2 || s.Old != 2 {
		t.Errorf("%v, %+v", got, s)
	}
}

// What many share is in no pair, and its members are told.
func TestCommon(t *testing.T) {
	all := seeds(t)
	names := slices.Sorted(maps.Keys(all))
	var list []Submission
	for i, name := range names {
		files := map[string]string{"own.py": all[name]}
		if i < 6 {
			files = map[string]string{"shared.py": all["seats"], "more.py": all["words"]}
		}
		list = append(list, submission(t, fmt.Sprintf("s%02d", i), files, nil))
	}
	s := compared(t, list)
	for _, p := range s.Pairs {
		if p.A < "s06" && p.B < "s06" {
			t.Errorf("%+v", p)
		}
	}
	if len(s.Common) < 6 || s.Common[0].ID != "s00" || s.Common[0].Share != 10000 {
		t.Errorf("%+v", s.Common)
	}
}

// What cannot be read ends the comparison with a reason.
func TestDamaged(t *testing.T) {
	list := class(t)
	list[3].Prints = func() (*Prints, error) { return Decode([]byte("nothing")) }
	if _, err := Compare(list, nil); !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "s03") {
		t.Error(err)
	}
}

// A thousand submissions of 22,000 tokens with passages that are common to some, of which every tenth took a third of
// another: in a minute and 512 MiB.
func TestThousand(t *testing.T) {
	if os.Getenv("AUTOMATON_LAWS") == "" || testing.Short() {
		t.Skip("left to make laws, without the race detector")
	}
	r := rand.New(rand.NewPCG(13, 14))
	var list []Submission
	written := func(n int) []likeness.Token {
		tokens := make([]likeness.Token, n)
		for k := range tokens {
			tokens[k] = likeness.Token{Sum: uint64(r.IntN(40))}
		}
		return tokens
	}
	var idioms [][]likeness.Token // what everybody writes now and then
	for range 2000 {
		idioms = append(idioms, written(60))
	}
	var last []likeness.Token
	for i := range 1000 {
		tokens := written(22_000)
		for range 60 {
			copy(tokens[7000+r.IntN(14_900):], idioms[r.IntN(len(idioms))])
		}
		if i%10 == 9 {
			copy(tokens, last[:7000])
		}
		for k := range tokens {
			tokens[k].Line = k/6 + 1
		}
		last = tokens
		raw := (&Prints{Code: likeness.Work{Files: []likeness.File{{Path: "a.py", Marks: likeness.Code.Winnow(tokens)}}}}).Encode()
		list = append(list, Submission{ID: fmt.Sprintf("s%04d", i), Prints: func() (*Prints, error) { return Decode(raw) }})
	}
	runtime.GC()
	began := time.Now()
	s := compared(t, list)
	took := time.Since(began)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	out, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pairs in %v, %d MiB of memory in all, a list of %d bytes", len(s.Pairs), took.Round(time.Millisecond), memory.Sys>>20, len(out))
	if len(s.Pairs) != 100 || took > time.Minute || memory.Sys > 512<<20 {
		t.Error("too slow, too large, or not found")
	}
}
