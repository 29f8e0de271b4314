package report

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/automaton-auditor/automaton/internal/court"
)

func rendered(t testing.TB, rec *court.Record) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeHTML(&b, rec); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// elements walks a parsed page.
func elements(t *testing.T, page string) []*html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var list []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			list = append(list, n)
		}
	}
	return list
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// What the audited side wrote stays text in every field: the page has our
// elements and no others, links lead to the repository or into the page.
func TestPageHoldsForeignTextAsText(t *testing.T) {
	for name, rec := range goldenRecords() {
		t.Run(name, func(t *testing.T) {
			count, ids := map[string]int{}, map[string]bool{}
			for _, n := range elements(t, rendered(t, rec)) {
				count[n.Data]++
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "srcset" || a.Key == "action" {
						t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
					}
				}
				if href := attr(n, "href"); href != "" && !strings.HasPrefix(href, "#") {
					if !strings.HasPrefix(href, rec.Case.RepoURL) || strings.ContainsAny(href, " <>\"'") || attr(n, "rel") != "noopener noreferrer" {
						t.Errorf("link to %q", href)
					}
				}
				if id := attr(n, "id"); id != "" {
					if ids[id] {
						t.Errorf("id %q is there twice", id)
					}
					ids[id] = true
				}
			}
			if count["script"] != 2 || count["style"] != 1 || count["title"] < 1 || count["h1"] != 1 {
				t.Errorf("elements: %v", count)
			}
			for _, bad := range []string{"img", "iframe", "object", "embed", "link", "form", "base", "template", "math", "foreignobject"} {
				if count[bad] > 0 {
					t.Errorf("%d <%s>", count[bad], bad)
				}
			}
			want := foldedLists(rec)
			if _, rest := newDocket(rec).claimed(); len(rest) > 0 {
				want++
			}
			want += foldedDrawings(rec)
			if got := count["details"]; got != want {
				t.Errorf("%d details, want %d", got, want)
			}
		})
	}
}

// foldedLists is how many lists of a page are folded: evidence by what it
// speaks for, testimony, idle rules, the table of all evidence, the remedies
// that are worth least, those in the judges' words, and the explanations.
func foldedLists(rec *court.Record) int {
	n, d := 1, newDocket(rec)
	some := func(yes bool) {
		if yes {
			n++
		}
	}
	some(len(d.exhibits) > 0)
	some(len(rec.Remedies) > firstFixes)
	some(slices.ContainsFunc(d.heard(), func(c court.Criterion) bool { return len(d.ownRemedies(c.ID)) > 0 }))
	for _, c := range d.heard() {
		spoken := map[string]bool{}
		for _, x := range d.of(c.ID) {
			spoken[map[court.Outcome]string{court.Violation: "against", court.Absent: "against", court.Partial: "against", court.Unknown: "unknown"}[x.Outcome]] = true
		}
		n += len(spoken)
		some(len(d.says(c.ID)) > 0)
		some(d.stakes(c.ID) != nil)
		r := d.rulings[c.ID]
		some(r != nil && slices.ContainsFunc(r.Holdings, func(h court.Holding) bool { return h.Outcome != court.Fired }))
		some(r != nil && r.Final != nil && r.Spread == 0 && r.Status != court.Contested) // the criterion itself
	}
	return n
}

// foldedDrawings counts the lists that say what is drawn.
func foldedDrawings(rec *court.Record) int {
	n := 0
	if p := rec.Portrait; p != nil {
		if p.Graph != nil && len(p.Graph.Nodes) > 0 {
			n++
		}
		if p.History != nil && len(p.History.Commits) > 0 {
			n++
		}
		if v := newDocket(rec).chain(); v != nil && len(v.Ways) > 0 {
			n++
		}
		if p.History != nil && len(p.History.Spans) > 0 {
			n++
		}
	}
	return n
}

// What the court gives, what a person gives and what counts stand apart where people
// answered, and nowhere else.
func TestPageMarks(t *testing.T) {
	rec := goodRecord()
	if page := rendered(t, rec); strings.Contains(page, ">Effective mark<") {
		t.Error("there is an effective mark and nobody answered")
	}
	first, second := rec.Rubric.Criteria[0], rec.Rubric.Criteria[1]
	rec.Case.Answers = []court.Answer{{Criterion: first.ID, Score: 2 * court.One, By: "A. Person", Override: true}, {Criterion: second.ID, Excluded: true, Level: "not submitted", By: "A. Person", Override: true}}
	p := newPage(rec, nil, false)
	want := []markSet{{fmt.Sprint(*rec.Verdict.Rulings[0].Final), "2.00", "2.00", true}, {fmt.Sprint(*rec.Verdict.Rulings[1].Final), "–", "–", true}}
	for i, w := range want {
		if got := p.Criteria[i].Marks; got != w {
			t.Errorf("%s: got %+v, want %+v", p.Criteria[i].ID, got, w)
		}
	}
	page := rendered(t, rec)
	for _, head := range []string{"Court’s mark", "Human mark", "Effective mark"} {
		if !strings.Contains(page, ">"+head+"</th>") || !strings.Contains(page, "<b>"+head+"</b>") {
			t.Errorf("no column or no legend for %q", head)
		}
	}
}

// What is disputed comes first and lies open; what all judges agree on is folded.
func TestPageBeginsWithDisputes(t *testing.T) {
	rec := cappedRecord()
	p := newPage(rec, nil, false)
	if len(p.Disputed) == 0 || len(p.Disputed)+len(p.Rest) != len(p.Criteria) {
		t.Fatalf("%d disputed, %d others of %d", len(p.Disputed), len(p.Rest), len(p.Criteria))
	}
	for _, c := range p.Criteria {
		r := newDocket(rec).rulings[c.ID]
		if r == nil || r.Final == nil {
			continue
		}
		if disputed := r.Spread >= 2 || r.Status == court.Contested; disputed != c.Disputed || c.Agreed != (!disputed && r.Spread == 0) {
			t.Errorf("%s with a spread of %d, %s: disputed %t, agreed %t", c.ID, r.Spread, r.Status, c.Disputed, c.Agreed)
		}
	}
	page := rendered(t, rec)
	if first, rest := strings.Index(page, `id="`+p.Disputed[0].Anchor+`"`), strings.Index(page, `id="`+p.Rest[0].Anchor+`"`); first < 0 || first > rest {
		t.Errorf("the first dispute stands at %d, the first other criterion at %d", first, rest)
	}
}

// Every link into the page has its target.
func TestPageLinksHold(t *testing.T) {
	for name, rec := range goldenRecords() {
		t.Run(name, func(t *testing.T) {
			list := elements(t, rendered(t, rec))
			for _, n := range list {
				href := attr(n, "href")
				if strings.HasPrefix(href, "#") && !slices.ContainsFunc(list, func(m *html.Node) bool { return attr(m, "id") == href[1:] }) {
					t.Errorf("%q leads nowhere", href)
				}
			}
		})
	}
}

// The policy names exactly the style and the script that are on the page.
func TestPagePolicy(t *testing.T) {
	page := rendered(t, cappedRecord())
	var policy, css, js string
	for _, n := range elements(t, page) {
		switch {
		case n.Data == "meta" && attr(n, "http-equiv") == "Content-Security-Policy":
			policy = attr(n, "content")
		case n.Data == "style":
			css = n.FirstChild.Data
		case n.Data == "script" && attr(n, "type") == "":
			js = n.FirstChild.Data
		}
	}
	want := fmt.Sprintf("default-src 'none'; img-src data:; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", sourceDigest(css), sourceDigest(js))
	if policy != want {
		t.Errorf("got  %s\nwant %s", policy, want)
	}
	if regexp.MustCompile(`url\(|@import|https?:`).MatchString(css + js) {
		t.Error("the style or the script asks for something from elsewhere")
	}
}

// The record in the page gives record.json byte for byte.
func TestPageHoldsItsRecord(t *testing.T) {
	for name, rec := range goldenRecords() {
		t.Run(name, func(t *testing.T) {
			_, rest, _ := strings.Cut(rendered(t, rec), `<script type="application/json" id="automaton-record">`)
			embedded, _, ok := strings.Cut(rest, "</script>")
			want, err := plainJSON(rec)
			if err != nil || !ok {
				t.Fatal(err, ok)
			}
			if strings.ContainsAny(embedded, "<>&") {
				t.Error("the record could end its element")
			}
			if string(plainEscapes([]byte(embedded))) != string(want) {
				t.Error("the record does not read back")
			}
		})
	}
}

// Above the limit evidence that nobody cites loses its quote, and the page says
// so; the record in it stays whole.
func TestPageAboveItsLimit(t *testing.T) {
	rec := cappedRecord()
	whole, err := renderPage(rec, nil, nil, maxPage)
	if err != nil {
		t.Fatal(err)
	}
	less, err := renderPage(rec, nil, nil, len(whole)-1)
	if err != nil {
		t.Fatal(err)
	}
	const notice, uncited, cited = "shown without its quote", ">    return 60<", "git log --oneline"
	if strings.Contains(string(whole), notice) || !strings.Contains(string(whole), uncited) {
		t.Error("the page is trimmed below its limit")
	}
	if !strings.Contains(string(less), notice) || strings.Contains(string(less), uncited) || !strings.Contains(string(less), cited) {
		t.Error("the page is not trimmed as it says")
	}
}

func TestQuote(t *testing.T) {
	long := make([]string, 40)
	for i := range long {
		long[i] = fmt.Sprintf("line %d", i+1)
	}
	x := &court.Exhibit{Evidence: court.Evidence{ID: "ev-1", Content: strings.Join(long, "\n"), At: []court.Place{{Path: "a.py", Line: 101, EndLine: 140}}}}
	tests := map[string]struct {
		quotes      []string
		start, hit  int
		left, first string
	}{
		"nobody cites it":       {nil, 101, -1, "28 lines of this quote left out here; the record in this file holds them.", "line 1"},
		"a line near the start": {[]string{"line 3"}, 101, 2, "16 lines", "line 1"},
		"a line in the middle":  {[]string{"line  20"}, 101, -1, "16 lines", "line 1"}, // white space is collapsed before
		"a late line":           {[]string{"line 30"}, 117, 13, "16 lines", "line 17"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := &pageMaker{docket: newDocket(cappedRecord()), quotes: map[string][]string{"ev-1": tt.quotes}, cites: map[string]bool{"ev-1": tt.quotes != nil}}
			q := m.quote(x)
			hit := slices.IndexFunc(q.Lines, func(l quoteLine) bool { return l.Hit })
			if q.Start != tt.start || hit != tt.hit || !strings.HasPrefix(q.Left, tt.left) || q.Lines[0].Tokens[0].Text != tt.first || !strings.HasPrefix(q.Left, fmt.Sprint(40-len(q.Lines))) {
				t.Errorf("start %d, hit %d, %q, first %v, %d lines", q.Start, hit, q.Left, q.Lines[0].Tokens, len(q.Lines))
			}
		})
	}
}

// Two pieces of evidence with the same quote at the same place show it once.
func TestSameQuoteOnce(t *testing.T) {
	rec := goodRecord()
	list := rec.Evidences["criterion_1"]
	again := list[0]
	again.ID, again.Label, again.Check = "ev-other", "E9", "check.two"
	rec.Evidences["criterion_1"] = append(list, again)
	page := rendered(t, rec)
	if !strings.Contains(page, `Same quote as <a class="cite" href="#E1">E1</a>`) {
		t.Error("the second quote does not point at the first")
	}
	body, _, _ := strings.Cut(page, `id="automaton-record"`)
	if n := strings.Count(body, `<ol start="3">`); n != 1 {
		t.Errorf("the quote is there %d times", n)
	}
}

// Of two cards with one quote the one that lies open carries it: what speaks
// against the case, though what speaks for it was found first.
func TestSharedQuoteLiesOpen(t *testing.T) {
	rec := goodRecord()
	list := rec.Evidences["criterion_1"]
	x := list[slices.IndexFunc(list, func(x court.Exhibit) bool { return x.Outcome == court.Present && x.Content != "" })]
	x.ID, x.Label, x.Outcome = "ev-other", "E9", court.Violation
	rec.Evidences["criterion_1"] = append(list, x)
	low := 2
	rec.Verdict.Rulings[0].Final = &low
	if page := rendered(t, rec); !strings.Contains(page, `Same quote as <a class="cite" href="#E9">E9</a>`) {
		t.Error("the quote lies in a closed group")
	}
}

func TestLexer(t *testing.T) {
	x := &court.Exhibit{Evidence: court.Evidence{At: []court.Place{{Path: "a.py"}}}}
	tests := map[string]struct{ in, want string }{
		"words":                 {"return None", "k:return| |k:None"},
		"a name":                {"returned = 1", "returned = 1"},
		"a comment":             {"x = 1  # don't", "x = 1  |c:# don't"},
		"strings":               {`f"a\"b" + 'c'`, `f|s:"a\"b"| + |s:'c'`},
		"an open string":        {`x = "abc`, `x = |s:"abc`},
		"a string that runs on": {"x = \"\"\"a\nif b\n\"\"\" if", "x = |s:\"\"\"a\ns:if b\ns:\"\"\"| |k:if"},
		"other letters":         {"größe if ü", "größe |k:if| ü"},
		"nothing":               {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := lexerFor(x)
			var got []string
			for s := range strings.SplitSeq(tt.in, "\n") {
				var parts []string
				for _, tok := range l.line(s) {
					if tok.Class != "" {
						tok.Text = tok.Class + ":" + tok.Text
					}
					parts = append(parts, tok.Text)
				}
				got = append(got, strings.Join(parts, "|"))
			}
			if strings.Join(got, "\n") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Whatever is on a line, the tokens are that line.
func FuzzLexer(f *testing.F) {
	for _, s := range []string{"if x: # y", `"""a`, "'", "\\", "größe\xff", "`a`//b"} {
		f.Add(s, "a.py")
		f.Add(s, "a.go")
	}
	f.Fuzz(func(t *testing.T, s, name string) {
		l := lexerFor(&court.Exhibit{Evidence: court.Evidence{At: []court.Place{{Path: name}}}})
		for range 2 {
			var got strings.Builder
			for _, tok := range l.line(s) {
				got.WriteString(tok.Text)
			}
			if got.String() != s {
				t.Fatalf("got %q of %q", got.String(), s)
			}
		}
	})
}

// bigRecord has 300 pieces of evidence with quotes of 24 lines.
func bigRecord() *court.Record {
	rec := cappedRecord()
	d := &draft{rec}
	quote := strings.Repeat("    result = subprocess.run([\"git\", \"log\"], check=True)\n", 24)
	for i := range 300 - 68 {
		c := rec.Rubric.Criteria[i%10]
		x := d.evidence(c.ID, c.Checks[0].ID, c.Name+" holds", court.Present, court.Place{Path: fmt.Sprintf("src/big_%03d.py", i), Line: 10, EndLine: 33}, "0.9", "all lines read", quote+fmt.Sprint(i))
		if i%3 == 0 {
			d.cite(c.ID, court.Prosecutor, x)
		}
	}
	return d.sealed()
}

func BenchmarkPage(b *testing.B) {
	rec := bigRecord()
	size := 0
	for b.Loop() {
		size = len(rendered(b, rec))
	}
	b.ReportMetric(float64(size)/1e6, "MB/page")
}

// A label that an argument names is a link there; what it cites besides is
// listed behind it.
func TestLabelled(t *testing.T) {
	rec := cappedRecord()
	d := newDocket(rec)
	id := func(label string) string { return d.byID[label].ID }
	tests := map[string]struct {
		argument    string
		cited       []string
		parts, rest string
	}{
		"named":               {"It fails (a.py:3) E1. So does E2.", []string{id("E1"), id("E2")}, "It fails (a.py:3) |<E1>|. So does |<E2>|.", ""},
		"not named":           {"It fails.", []string{id("E1")}, "It fails.", "E1"},
		"a longer label":      {"See E12 and E1", []string{id("E1")}, "See E12 and |<E1>", ""},
		"part of a word":      {"TYPE1 E1x éE1", []string{id("E1")}, "TYPE1 E1x éE1", "E1"},
		"named and not cited": {"See E3.", []string{id("E1")}, "See E3.", "E1"},
		"unknown evidence":    {"See E1.", []string{"ev-0"}, "See E1.", "ev-0"},
		"nothing":             {"", nil, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			parts, rest := d.labelled(tt.argument, tt.cited)
			var got []string
			for _, p := range parts {
				if p.id != "" {
					p.text = "<" + d.labels([]string{p.id})[0] + ">"
				}
				got = append(got, p.text)
			}
			if strings.Join(got, "|") != tt.parts || strings.Join(d.labels(rest), " ") != tt.rest {
				t.Errorf("got %q, rest %v", strings.Join(got, "|"), d.labels(rest))
			}
		})
	}
}
