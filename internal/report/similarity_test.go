package report

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func similarity() *Similarity {
	return &Similarity{Submissions: 12, Old: 3, Left: 1, Clusters: [][]string{{"s01", "s07", "spring/s03"}}, Common: []LikeMember{{"s05", 7150}, {"s06", 5000}}, Unread: []string{"s09"},
		Pairs: []LikePair{
			{A: "s01", B: "s07", Contained: 9650, Alike: 8123, Longest: 912, Document: 40, Files: []string{"src/report.py", "a.txt and b.txt"}, MoreFiles: 2, Places: []LikePlace{
				{A: LikeExcerpt{Path: "src/plan.py", From: 3, To: 5, Since: "2026-01-05", Lines: []string{"def plan(days):", "    return [d for d in days if d.open]", ""}},
					B: LikeExcerpt{Path: "app/times.py", From: 11, To: 14, Lines: []string{"def free(week):", "    return [x for x in week if x.empty]"}}, Tokens: 77},
				{A: LikeExcerpt{Path: "document 1", From: 2, To: 2, Lines: []string{"Every day has three parts."}}, B: LikeExcerpt{Path: "document 1", From: 4, To: 5}, Tokens: 41, Text: true}}},
			{A: "s02", B: "spring/s03", Commits: 14, States: 20},
			{A: "s04", B: "s08", States: 1, Contained: 30},
		}}
}

// similarPage is the page of similarity.
func similarPage(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := similarity().Page(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hold compares with a golden file, which -update rewrites.
func hold(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(want, got) {
		t.Errorf("%s differs (%v); -update rewrites it", name, err)
	}
}

func TestSimilarityGolden(t *testing.T) {
	s := similarity()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"similarity.html": func(b *bytes.Buffer) error { return s.Page(b) },
		"similarity.csv":  func(b *bytes.Buffer) error { return s.CSV(b) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		hold(t, name, b.Bytes())
	}
}

// Whatever a submission calls itself and its files, and whatever it has written in them, is text.
func TestSimilarityEscapes(t *testing.T) {
	tags := func(s *Similarity) (list []string) {
		var b bytes.Buffer
		if err := s.Page(&b); err != nil {
			t.Fatal(err)
		}
		for z := html.NewTokenizer(&b); ; {
			switch z.Next() {
			case html.ErrorToken:
				return list
			case html.StartTagToken, html.SelfClosingTagToken:
				list = append(list, z.Token().String())
			default:
			}
		}
	}
	made := func(x string) *Similarity {
		e := LikeExcerpt{Path: x, From: 1, To: 1, Since: x, Lines: []string{x}}
		return &Similarity{Submissions: 2, Clusters: [][]string{{x, x, x}}, Common: []LikeMember{{x, 6000}}, Unread: []string{x},
			Pairs: []LikePair{{A: x, B: x, Contained: 9000, Files: []string{x}, Places: []LikePlace{{A: e, B: e}}}}}
	}
	want := strings.Join(tags(made("plain")), "\n")
	for name, x := range attacks {
		if got := strings.Join(tags(made(x)), "\n"); got != want {
			t.Errorf("%s: other tags than of plain text", name)
		}
		var b bytes.Buffer
		if err := made(x).CSV(&b); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != len(likeColumns) || strings.ContainsRune("=+-@", rune(rows[1][0][0])) {
			t.Errorf("%s: %v, %d rows", name, err, len(rows))
		}
		b.Reset()
		if err := ClassSummary(&b, Class{Alike: made(x)}, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b\x07\u202e") {
			t.Errorf("%s reaches the terminal", name)
		}
	}
}

func TestSimilarityOfNone(t *testing.T) {
	var b bytes.Buffer
	if err := (&Similarity{Submissions: 9}).Page(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "No two of 9 submissions have much in common.") || strings.Contains(b.String(), "<table") {
		t.Error("an empty list")
	}
}
