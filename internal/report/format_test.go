package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The same record gives the same bytes, and neither the moment nor the length
// of the run is in a report for people.
func TestFormatsAreFunctionsOfTheRecord(t *testing.T) {
	for _, f := range Formats {
		t.Run(f.Name, func(t *testing.T) {
			var a, b bytes.Buffer
			if err := errors.Join(f.Write(&a, cappedRecord()), f.Write(&b, cappedRecord())); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Error("two renderings differ")
			}
			if f.Name == "text" || f.Name == "md" {
				rec := cappedRecord()
				rec.Run = court.Run{Started: "2030-01-01T00:00:00Z", Millis: 1}
				var c bytes.Buffer
				if err := f.Write(&c, rec); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(a.Bytes(), c.Bytes()) {
					t.Error("the run shows")
				}
			}
		})
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left on device")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestFormatsReportWriteErrors(t *testing.T) {
	for _, f := range Formats {
		if err := f.Write(fullDisk{}, goodRecord()); !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "writing the report: ") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// A record that holds next to nothing renders, too.
func TestFormatsOfAnEmptyRecord(t *testing.T) {
	for name, rec := range map[string]*court.Record{"zero": {}, "empty verdict": {Verdict: &court.Verdict{}, Gate: &court.Gate{}}} {
		for _, f := range Formats {
			var b bytes.Buffer
			if err := f.Write(&b, rec); err != nil || b.Len() == 0 {
				t.Errorf("%s as %s: %d bytes, %v", name, f.Name, b.Len(), err)
			}
		}
	}
}

func TestPermalink(t *testing.T) {
	const commit = "9f2c41d07be35a0e6c1a8d2f4b6e9c7a1d3f5b80"
	at := func(url string) court.Case { return court.Case{RepoURL: url, Commit: commit} }
	lines := court.Place{Path: "a b/c#d.py", Line: 3, EndLine: 5}
	tests := map[string]struct {
		c    court.Case
		p    court.Place
		want string
	}{
		"lines":                  {at("https://github.com/o/n"), lines, "https://github.com/o/n/blob/" + commit + "/a%20b/c%23d.py#L3-L5"},
		"a file":                 {at("https://github.com/o/n.git"), court.Place{Path: "a"}, "https://github.com/o/n/blob/" + commit + "/a"},
		"a commit":               {at("https://github.com/o/n"), court.Place{Commit: "abcdef1"}, "https://github.com/o/n/commit/abcdef1"},
		"another forge":          {at("https://codeberg.org/o/n"), lines, "https://codeberg.org/o/n/src/commit/" + commit + "/a%20b/c%23d.py#L3-L5"},
		"and another":            {at("https://bitbucket.org/o/n"), lines, "https://bitbucket.org/o/n/src/" + commit + "/a%20b/c%23d.py#lines-3:5"},
		"a page":                 {at("https://github.com/o/n"), court.Place{Page: 4}, ""},
		"a folder":               {at("file:night-owl"), lines, ""},
		"no TLS":                 {at("http://github.com/o/n"), lines, ""},
		"a script":               {at("javascript:alert(1)//"), lines, ""},
		"credentials":            {at("https://u:p@github.com/o/n"), lines, ""},
		"a query":                {at("https://github.com/o/n?x=1"), lines, ""},
		"a strange host":         {at(`https://git"hub.com/o/n`), lines, ""},
		"a path that climbs":     {at("https://github.com/o/n"), court.Place{Path: "../../evil/repo"}, ""},
		"an address that climbs": {at("https://github.com/o/../n"), lines, ""},
		"no commit":              {court.Case{RepoURL: "https://github.com/o/n", Commit: "main"}, lines, ""},
		"a strange commit":       {at("https://github.com/o/n"), court.Place{Commit: "../x"}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Permalink(tt.c, tt.p); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestPlainEscapes(t *testing.T) {
	for in, want := range map[string]string{
		`"\u003cb\u003E\u0026"`: `"<b>&"`, `"\\u003c"`: `"\\u003c"`, `"\\\u003c"`: `"\\<"`, "\"a\u2028b\"": `"a\u2028b"`, `"\`: `"\`, `\u003`: `\u003`,
	} {
		if got := string(plainEscapes([]byte(in))); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestLayout(t *testing.T) {
	tests := map[string]struct{ got, want string }{
		"wrap":           {strings.Join(wrap("a bb ccc dddd", 5), "|"), "a bb|ccc|dddd"},
		"a long word":    {strings.Join(wrap("abcdefgh i", 3), "|"), "abc|def|gh|i"},
		"a wide rune":    {strings.Join(wrap("漢字", 1), "|"), "漢字"},
		"nothing":        {strings.Join(wrap("", 5), "|"), ""},
		"items":          {strings.Join(wrapItems([]string{"a b", "c d", "e"}, 8), "|"), "a b,|c d, e"},
		"a long item":    {strings.Join(wrapItems([]string{"aaaa bbbb", "c"}, 6), "|"), "aaaa|bbbb,|c"},
		"cut":            {cut("abcdef", 4), "abc…"},
		"cut wide":       {cut("漢字漢字", 5), "漢字…"},
		"cut the start":  {cutLeft("abcdef", 4), "…def"},
		"short enough":   {cutLeft("abc", 4), "abc"},
		"pad":            {left("é", 3) + "|" + right("漢", 3), "é  | 漢"},
		"cut at a word":  {cutWord("the clone keeps fewer commits", 14), "the clone…"},
		"cut at its end": {cutWord("the clone keeps fewer", 10), "the clone…"},
		"one long word":  {cutWord("abcdefgh", 4), "abc…"},
		"few lines":      {strings.Join(fewLines("a bb ccc dddd e", 5, 2), "|"), "a bb|ccc…"},
		"a statement":    {statement("the graph is run"), "The graph is run."},
		"of a name":      {statement("evidences is a dict"), "evidences is a dict."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}
