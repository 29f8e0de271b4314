package automaton_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "rewrite docs/voice.txt")

// Every sentence of the program stands in docs/voice.txt, room by room, so that a person can read from end to end how
// it speaks. Places that are filled in are shown as they are written.
func TestVoiceListing(t *testing.T) {
	voice := spoken(t)
	var b strings.Builder
	b.WriteString("How the program speaks: every sentence that it can print, by the folder that holds it.\nWritten by go test . -run VoiceListing -update; do not edit.\n")
	for _, dir := range slices.Sorted(maps.Keys(voice)) {
		b.WriteString("\n" + dir + "\n")
		for _, s := range slices.Sorted(maps.Keys(voice[dir])) {
			b.WriteString("  " + s + "\n")
		}
	}
	if *update {
		if err := os.WriteFile("docs/voice.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	raw, err := os.ReadFile("docs/voice.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(raw), b.String()); diff != "" {
		t.Errorf("docs/voice.txt is not fresh; run: go test . -run VoiceListing -update\n%s", diff)
	}
}

// words is what makes a text a sentence and no name, key or pattern.
var words = regexp.MustCompile(`\pL[\pL’'-]*[,;:.]? (\S+ )*?\pL[\pL’'-]*[,;:.]? (\S+ )*?\pL`)

// spoken are the sentences by folder: constants of Go, the texts of the page, and of the tables and rubrics.
func spoken(t *testing.T) map[string]map[string]bool {
	t.Helper()
	rooms, _ := house(t)
	voice := map[string]map[string]bool{}
	say := func(dir, s string) {
		if s = strings.Join(strings.Fields(s), " "); words.MatchString(s) {
			if voice[dir] == nil {
				voice[dir] = map[string]bool{}
			}
			voice[dir][s] = true
		}
	}
	for dir, r := range rooms {
		if support(dir) {
			continue
		}
		for _, f := range r.files {
			said(f, func(s string) { say(dir, s) })
		}
	}
	for _, p := range []string{"internal/report/page/*.tmpl", "internal/tables/*.json", "internal/rubric/builtin/*.json", "internal/rubric/plan/*.json", "internal/trial/reach.json"} {
		files, err := filepath.Glob(p)
		if err != nil || len(files) == 0 {
			t.Fatal(p, err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, ".json") {
				values(t, raw, func(s string) { say(file, s) })
				continue
			}
			for _, s := range regexp.MustCompile(`<[^>]*>|\{\{-? *(if|else|end|range|with|define|template|block)[^}]*\}\}`).Split(string(raw), -1) {
				say(file, s)
			}
		}
	}
	return voice
}

// said gives each constant text of a file that is not a pattern: one that is put together of several as a whole.
func said(f *ast.File, say func(string)) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return x.Tag == nil
		case *ast.CallExpr:
			if to, ok := x.Fun.(*ast.SelectorExpr); ok && to.Sel.Name == "MustCompile" {
				return false
			}
		case *ast.BinaryExpr:
			if x.Op == token.ADD {
				if s, ok := joined(x); ok {
					say(s)
					return false
				}
			}
		case *ast.BasicLit:
			if s, ok := spelled(x, nil); ok && x.Kind == token.STRING {
				say(s)
			}
		}
		return true
	})
}

// joined is a sum of texts in which what is not a constant is shown as dots.
func joined(x ast.Expr) (string, bool) {
	if b, ok := x.(*ast.BinaryExpr); ok && b.Op == token.ADD {
		left, l := joined(b.X)
		right, r := joined(b.Y)
		return left + right, l || r
	}
	if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		return spelled(lit, nil)
	}
	return "…", false
}

// values gives the texts of a JSON file, keys left out.
func values(t *testing.T, raw []byte, say func(string)) {
	t.Helper()
	var all any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			say(v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(all)
}

// voiceRules are what no sentence of the program may do.
var voiceRules = []struct {
	name string
	bad  *regexp.Regexp
}{
	{"a word that has a plainer one", regexp.MustCompile(`(?i)\b(?:hear(?:d|ing)? again|part(?:s|ed)? over|falls? with\b|does not reach further|testimony|no instrument|once all is known|scale five|bound own|by plan|sealing|portrait|first made for|whoever|is said to|said to be)\b`)},
	{"an inverted negation: say \"is not a\"", regexp.MustCompile(`\b(?:is|are|was|were) no (?:[a-z]+)\b`)},
	{"a small letter after a full stop", regexp.MustCompile(`[a-z]{3}\. [a-z]+[^a-z:]`)}, // but for the list of a probe's arguments
	{"a title inside of a sentence", regexp.MustCompile(`” does not hold|” holds only|” fails\b`)},
}

// reports are the goldens in which the program speaks of submissions that are ours, without what is quoted of them.
var reports = []string{"internal/report/testdata/*.md", "internal/report/testdata/*.html", "internal/report/testdata/*.github-comment", "internal/probe/*/testdata/*/*.txtar", "internal/report/testdata/*.txt", "internal/report/testdata/*.csv", "internal/report/testdata/*.xml",
	"internal/trial/testdata/golden/*", "cmd/automaton/testdata/script/*.txtar"}

// clipped is what no sentence of a report has beside the rules of the listing.
var clipped = []struct {
	name string
	bad  *regexp.Regexp
}{
	{"an expression in the notation of the reader of graphs", regexp.MustCompile(`\?[\w.]+@[\w./-]+:\d`)},
	{"all of one", regexp.MustCompile(`\b[Aa]ll 1\b`)},
	{"a sentence twice", regexp.MustCompile(`: Nothing that runs leads there`)},
	{"one of one", regexp.MustCompile(`\b[01] of (?:the )?1\b`)},
	{"one of many", regexp.MustCompile(`(?:^|[^\w.#/–-])1 (?:checks|criteria|points|commits|files|lines|judges|places|functions|fields|edges|nodes|pages|opinions|faults|notes|tests|calls|subjects)\b`)},
	{"a list of nothing", regexp.MustCompile(`[a-z]: \.(?:\s|$)`)},
	{"an id in place of a name", regexp.MustCompile(`\bexplains? [a-z]+_[a-z_]+\b`)},
}

// No golden of a report breaks a rule of the voice.
func TestVoiceOfReports(t *testing.T) {
	seen := 0
	for _, pattern := range reports {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.IsDir() || strings.HasPrefix(filepath.Base(file), "attack") { // its words are those of an attacker
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := string(raw)
			if strings.HasSuffix(file, ".html") {
				text = pageText(t, raw)
			}
			fenced, foreign := false, strings.HasPrefix(file, "internal/probe/") // a comment stands first
			for n, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(line, "```") {
					fenced = !fenced
				}
				if name, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(file, ".txtar") {
					foreign = !strings.HasPrefix(name, "want") && !strings.HasPrefix(name, "must") // a file of the submission
				}
				if fenced || foreign || strings.HasPrefix(line, "# ") || !words.MatchString(line) {
					continue
				}
				seen++
				plain := plainly.ReplaceAllString(line, "")
				for _, r := range slices.Concat(voiceRules, clipped) {
					if at := r.bad.FindString(plain); at != "" {
						t.Errorf("%s:%d: %s: %q in %.200q", file, n+1, r.name, at, line)
					}
				}
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d sentences of reports were read", seen)
	}
}

// pageText is what a page says, each block on a line of its own, without what it quotes.
func pageText(t *testing.T, raw []byte) string {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch n.Data {
		case "script", "style", "pre", "code", "blockquote", "q", "svg":
			if n.Type == html.ElementNode {
				b.WriteString(" ")
				return
			}
		}
		inline := n.Type == html.ElementNode && slices.Contains([]string{"abbr", "b", "em", "strong", "i"}, n.Data)
		if n.Type == html.ElementNode && !inline {
			b.WriteString("\n")
		}
		if n.Type == html.TextNode {
			b.WriteString(strings.Join(strings.Fields(" "+n.Data+" "), " ") + " ")
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if n.Type == html.ElementNode && !inline {
			b.WriteString("\n")
		}
	}
	walk(doc)
	return b.String()
}

// plainly are the expressions in which a rule's words are right.
var plainly = regexp.MustCompile(`(?i)\b(?:there|it) (?:is|are|was|were) no\b|\{\{[^}]*\}\}|\b(?:is|are|was|were) no (?:longer|more)\b|e\.g\. |i\.e\. `)

// No sentence of the listing breaks a rule of the voice.
func TestVoice(t *testing.T) {
	for dir, sentences := range spoken(t) {
		for s := range sentences {
			plain := plainly.ReplaceAllString(s, "")
			for _, r := range voiceRules {
				if at := r.bad.FindString(plain); at != "" {
					t.Errorf("%s: %q: %s: %q", dir, s, r.name, at)
				}
			}
		}
	}
}
