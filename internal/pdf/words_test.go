package pdf

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func whole() *Picture {
	return &Picture{View: View{Page: 1, Box: Box{X1: 600, Y1: 800}, DPI: 72}, Width: 600, Height: 800}
}

func texts(lines []Line) []string {
	out := []string{}
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

func TestWords(t *testing.T) {
	cases := map[string]struct {
		words         []string
		lines, labels []string
	}{
		"a line":        {[]string{"Repo 10 10 40 10 90 1", "Investigator 54 10 80 10 90 1"}, []string{"Repo Investigator"}, []string{"Repo Investigator"}},
		"two boxes":     {[]string{"Judge 10 10 40 10 90 1", "Clerk 100 10 40 10 90 1"}, []string{"Judge\tClerk"}, []string{"Judge", "Clerk"}},
		"stacked":       {[]string{"Evidence 10 10 60 10 90 1", "Aggregator 8 24 64 10 90 2"}, []string{"Evidence", "Aggregator"}, []string{"Evidence Aggregator"}},
		"not stacked":   {[]string{"Start 10 10 60 10 90 1", "Next 10 60 60 10 90 2"}, []string{"Start", "Next"}, []string{"Start", "Next"}},
		"unsure":        {[]string{"maybe 10 10 40 10 45 1", "noise 60 10 40 10 20 1", "sure 10 50 40 10 61 2"}, []string{"maybe", "sure"}, []string{"sure"}},
		"strokes":       {[]string{"| 10 10 2 10 90 1", "—> 50 50 20 10 90 2", "ok 10 90 20 10 90 3"}, []string{"|", "—>", "ok"}, []string{"ok"}},
		"beside, mixed": {[]string{"big 10 10 40 30 90 1", "small 52 18 40 8 90 1"}, []string{"big small"}, []string{"big", "small"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			words, err := parseWords([]byte(tsv(c.words...)), whole())
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.lines, texts(words.Lines())); d != "" {
				t.Error("lines", d)
			}
			if d := cmp.Diff(c.labels, texts(words.Labels())); d != "" {
				t.Error("labels", d)
			}
		})
	}
}

// A row that is not of a word in the picture does no harm.
func TestWordsPassesOverNonsense(t *testing.T) {
	row := func(fields string) string { return strings.ReplaceAll(fields, " ", "\t") + "\n" }
	text := tsvHead + "\n" + row("5 1 1 1 1 1 10 10 20 10 95 good") +
		row("5 1 1 1 1 2 -4 10 20 10 95 left") + row("5 1 1 1 1 2 10 10 9999 10 95 wide") + row("5 1 1 1 1 2 10 10 20 10 NaN nan") +
		row("5 1 1 1 1 2 10 10 20 10 101 over") + row("5 1 1 1 1 2 x 10 20 10 95 letters") + row("4 1 1 1 1 0 10 10 20 10 95 level") +
		row("5 1 1") + "5\t1\t1\t1\t1\t3\t40\t10\t20\t10\t95\ttwo\twords\r\n"
	words, err := parseWords([]byte(text), whole())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"good two\twords"}, texts(words.Lines())); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"", "hello", strings.ReplaceAll(tsvHead, "conf", "sure")} {
		if _, err := parseWords([]byte(bad), whole()); err == nil {
			t.Errorf("%q is taken for a table", bad)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add([]byte(tsv("Chief 10 10 30 10 91.5 1", "Justice 42 10 30 10 88 1", "below 10 22 30 10 99 2")))
	f.Add([]byte(tsvHead + "\n5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t95\t\xff\xfe\n"))
	f.Add([]byte(strings.Repeat("5\t", 400)))
	f.Fuzz(func(t *testing.T, data []byte) {
		words, err := parseWords(data, whole())
		if err != nil {
			return
		}
		if len(words) > maxWords {
			t.Fatalf("%d words", len(words))
		}
		for _, w := range words {
			if !utf8.ValidString(w.Text) || len(w.Text) > maxWordBytes || w.Box.X1 < w.Box.X0 || w.Box.X1 > 1200 || w.Box.Y1 > 1600 {
				t.Fatalf("%+v", w)
			}
		}
		if n := len(words.Labels()); n > maxLabels {
			t.Fatalf("%d labels", n)
		}
		for _, l := range words.Lines() {
			if strings.ContainsAny(l.Text, "\n") || l.Size < 0 {
				t.Fatalf("%+v", l)
			}
		}
	})
}
