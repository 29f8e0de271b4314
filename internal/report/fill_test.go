package report

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

func gradeOf(id, mail string, score court.Fixed) Grade {
	g := Grade{ID: id, Email: mail, comment: "=good & <b>well</b>, told"}
	if score != 0 {
		g.Score = &score
	}
	return g
}

// linesThatDiffer lists the lines that differ, as "N: line".
func linesThatDiffer(before, after string) (list []string) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) {
			return append(list, "other lines")
		}
		if a[i] != b[i] {
			list = append(list, fmt.Sprintf("%d: %s", i+1, b[i]))
		}
	}
	return list
}

func TestFillExports(t *testing.T) {
	hundred := &Range{0, 100 * court.One}
	// 17 is the id of one student, and by chance the number that Canvas gave to another one.
	class := []Grade{gradeOf("s-01", "", 42512), gradeOf("s-02", "", 10000), gradeOf("17", "", 50000), gradeOf("eva", "Eva@Example.org", 0)}
	tests := map[string]struct {
		file string
		list []Grade
		how  Filling
		want []string
		out  Filled
	}{
		"Canvas": {file: "canvas.csv", list: class, how: Filling{Column: "Auditor (9034)", Range: hundred},
			want: []string{`4: "Ruiz, Ana",501,s-01,aruiz,Group A,9,81.3,90,45`, `5: "Чен, Мария",502,s-02,mchen,"Group A and Group ""B""",10,0,100,56`,
				`7: "Lind, Eva",504,,eva@example.org,Group B,8,,80,40`},
			out: Filled{By: "SIS User ID", Rows: []int{6}, Missing: []string{"17"}, Blank: []string{"eva"}}},
		"Canvas by its own number": {file: "canvas.csv", list: class, how: Filling{Column: "Auditor (9034)", Match: "ID", Range: hundred},
			want: []string{`6: "Okafor, Ben",17,s-77,bokafor,Group A,7,100,70,35`, `7: "Lind, Eva",504,,eva@example.org,Group B,8,,80,40`},
			out:  Filled{By: "ID", Rows: []int{4, 5}, Missing: []string{"s-01", "s-02"}, Blank: []string{"eva"}}},
		"another scale": {file: "canvas.csv", list: class[:1], how: Filling{Column: "Auditor (9034)"},
			want: []string{`4: "Ruiz, Ana",501,s-01,aruiz,Group A,9,4.25,90,45`},
			out:  Filled{By: "SIS User ID", Rows: []int{5, 6, 7}, Notes: []string{"the best grade in the file is 100, and these grades go up to 5; --scale 0..100 brings them there"}}},
		"Moodle": {file: "moodle.csv", list: []Grade{gradeOf("s-01", "", 42512), gradeOf("m", "maria@example.org", 20000)},
			how: Filling{Column: "Grade", Feedback: "Feedback comments", Range: hundred},
			want: []string{`2: "Participant 8101","Ana Ruiz",s-01,ana@example.org,"Submitted for grading - ",81.3,100.00,Yes,"Friday, 6 March 2026, 10:00",-,"'=good &amp; &lt;b&gt;well&lt;/b&gt;, told"` + "\r",
				`3: "Participant 8102","Мария Чен",,MARIA@example.org,"No submission",25,100.00,Yes,-,-,"'=good &amp; &lt;b&gt;well&lt;/b&gt;, told"` + "\r"},
			out: Filled{By: "ID number", Rows: []int{4}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("testdata", "grades", test.file))
			if err != nil {
				t.Fatal(err)
			}
			got, err := Fill(raw, test.list, test.how)
			if err != nil {
				t.Fatal(err)
			}
			lines := linesThatDiffer(string(raw), string(got.Raw))
			if diff := cmp.Diff(test.want, lines); diff != "" {
				t.Error(diff)
			}
			got.Raw = nil
			if diff := cmp.Diff(test.out, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// wideBytes is text in UTF-16 with its mark.
func wideBytes(text string, little bool) []byte {
	var out []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if little {
			out = append(out, byte(u), byte(u>>8))
		} else {
			out = append(out, byte(u>>8), byte(u))
		}
	}
	return out
}

// Whatever a file looks like, the cells of one column are other ones afterwards and every other byte is the same: the
// file that is expected is put together from the same pieces.
func TestFillChangesNothingElse(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pieces := []string{"", "x", " padded ", "=SUM(A1)", "a b", "Ж", "漢字", "🙂", "it''s", "1,5", "a;b", "tab\there", `say "so"`, "two\nlines", "two\r\nlines", "-", "+1", "@x"}
	for n := range 3000 {
		comma := []string{",", ";", "\t"}[r.IntN(3)]
		end := []string{"\n", "\r\n", "\r"}[r.IntN(3)]
		columns, target := 3+r.IntN(4), 0
		target = 1 + r.IntN(columns-1)
		raw := func(text string, plain bool) string {
			if strings.ContainsAny(text, "\"\r\n"+comma) || !plain {
				return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			return text
		}
		head := []string{"ID"}
		for i := 1; i < columns; i++ {
			head = append(head, fmt.Sprintf("column %d", i))
		}
		before, after := strings.Join(head, comma)+end, strings.Join(head, comma)+end
		var list []Grade
		for row := range r.IntN(6) {
			id := fmt.Sprintf("id-%d", row)
			found := r.IntN(3) > 0
			if found {
				list = append(list, gradeOf(id, "", court.Fixed(r.IntN(2))*34567))
			}
			var a, b []string
			for i := range columns {
				text := pieces[r.IntN(len(pieces))]
				if i == 0 {
					text = id
				}
				plain := r.IntN(2) == 0
				was := raw(text, plain)
				is := was
				if i == target && found {
					is = raw(number(list[len(list)-1].Score), !strings.HasPrefix(was, `"`))
				}
				a, b = append(a, was), append(b, is)
			}
			before, after = before+strings.Join(a, comma), after+strings.Join(b, comma)
			if row < 5 || r.IntN(2) == 0 { // the last line may have no end
				before, after = before+end, after+end
			}
		}
		encode := []func(string) []byte{func(s string) []byte { return []byte(s) }, func(s string) []byte { return []byte("\ufeff" + s) },
			func(s string) []byte { return wideBytes(s, true) }, func(s string) []byte { return wideBytes(s, false) }}[r.IntN(4)]
		got, err := Fill(encode(before), list, Filling{Column: head[target]})
		if err != nil {
			t.Fatalf("file %d: %v\n%q", n, err, before)
		}
		if string(got.Raw) != string(encode(after)) {
			t.Fatalf("file %d, column %d:\n%q\nbecame\n%q, want\n%q", n, target, before, got.Raw, after)
		}
		if len(got.Missing) > 0 {
			t.Fatalf("file %d: %v have no row", n, got.Missing)
		}
	}
}

// Where it is in doubt whose row it is, nobody gets a grade.
func TestFillInDoubt(t *testing.T) {
	list := []Grade{gradeOf("a", "x@example.org", 30000), gradeOf("b", "x@example.org", 40000), gradeOf("c", "", 20000)}
	got, err := Fill([]byte("ID,Email,Grade\nc,,\nc,,\n,x@example.org,\nz,,7\n"), list, Filling{Column: "Grade"})
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Raw) != "ID,Email,Grade\nc,,\nc,,\n,x@example.org,\nz,,7\n" || !slices.Equal(got.Rows, []int{2, 3, 4, 5}) || !slices.Equal(got.Missing, []string{"a", "b", "c"}) {
		t.Errorf("%+v", got)
	}
}

func TestFillRefuses(t *testing.T) {
	for text, how := range map[string]Filling{
		"ID,Grade\n":         {Column: "Mark"},
		"ID,Grade,Grade\n":   {Column: "Grade"},
		"ID,Grade\na,1\n":    {Column: "ID"},
		"ID,Grade\na,\"1\n":  {Column: "Grade"},
		"":                   {Column: "Grade"},
		"I\x00D\x00":         {Column: "ID"},
		"ID,Grade,Note\na\n": {Column: "Grade", Feedback: "Grade"},
	} {
		if got, err := Fill([]byte(text), []Grade{gradeOf("a", "", 30000)}, how); err == nil {
			t.Errorf("%q became %q", text, got.Raw)
		}
	}
}

func FuzzFill(f *testing.F) {
	f.Add([]byte("ID,Grade\na,1\n"))
	f.Add(wideBytes("ID;Grade\r\n\"a\";\"\"\"1\"\r\n", true))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := readSheet(raw)
		if err != nil {
			return
		}
		at := 0
		for _, row := range s.rows {
			for _, c := range row.cells {
				if c.from < at || c.to < c.from || c.to > len(raw) {
					t.Fatalf("cell %+v behind %d", c, at)
				}
				at = c.to
				_ = s.text(c)
			}
		}
		if string(s.with(nil)) != string(raw) {
			t.Fatal("the file changed")
		}
	})
}

// A row whose id names one submission and whose mail another one is nobody's: both contradict each other.
func TestFillContradiction(t *testing.T) {
	file := "Name,SIS User ID,Email,Grade\nLovelace,bea,ada@uni.example,7\nMoss,bea,bea@uni.example,8\nRow,,cyd@uni.example,9\n"
	list := []Grade{gradeOf("ada", "ada@uni.example", 40000), gradeOf("bea", "bea@uni.example", 30000), gradeOf("cyd", "cyd@uni.example", 20000)}
	got, err := Fill([]byte(file), list, Filling{Column: "Grade"})
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(file, ",9\n", ",2.00\n", 1); string(got.Raw) != want {
		t.Errorf("%s\nwant\n%s", got.Raw, want)
	}
	if diff := cmp.Diff([]string{"ada", "bea"}, got.Missing); diff != "" || len(got.Rows) != 2 {
		t.Error(diff, got.Rows)
	}
}
