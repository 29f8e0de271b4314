package report

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/browsertest"
	"github.com/automaton-auditor/automaton/internal/court"
)

func shortened(t testing.TB, rec *court.Record) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeShort(&b, rec); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// manyCriteria is a record with three times the criteria, with long names and remedies.
func manyCriteria() *court.Record {
	rec := cappedRecord()
	for i, c := range slices.Clone(rec.Rubric.Criteria) {
		for n := range 2 {
			again := c
			again.ID, again.Name = fmt.Sprintf("%s_%d", c.ID, n), strings.Repeat(c.Name+" and ", 3)+fmt.Sprint(i)
			rec.Rubric.Criteria = append(rec.Rubric.Criteria, again)
			for _, r := range slices.Clone(rec.Verdict.Rulings) {
				if r.Criterion == c.ID {
					r.Criterion = again.ID
					rec.Verdict.Rulings = append(rec.Verdict.Rulings, r)
				}
			}
			for _, h := range slices.Clone(rec.Hearings) {
				if h.Criterion == c.ID {
					h.Criterion = again.ID
					rec.Hearings = append(rec.Hearings, h)
				}
			}
		}
	}
	for i := range rec.Remedies {
		rec.Remedies[i].Text = strings.Repeat(rec.Remedies[i].Text+" and ", 6)
	}
	return rec
}

// What the audited side wrote stays text; the page has no script, one style by its
// digest, and links to the repository only.
func TestShortHoldsForeignTextAsText(t *testing.T) {
	for name, rec := range goldenRecords() {
		t.Run(name, func(t *testing.T) {
			page := shortened(t, rec)
			css, policy := "", ""
			for _, n := range elements(t, page) {
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "action" {
						t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
					}
				}
				if href := attr(n, "href"); href != "" && (!strings.HasPrefix(href, rec.Case.RepoURL) || attr(n, "rel") != "noopener noreferrer") {
					t.Errorf("link to %q", href)
				}
				switch {
				case slices.Contains([]string{"script", "img", "iframe", "object", "embed", "link", "form", "base", "svg"}, n.Data):
					t.Errorf("<%s>", n.Data)
				case n.Data == "style":
					css = n.FirstChild.Data
				case attr(n, "http-equiv") == "Content-Security-Policy":
					policy = attr(n, "content")
				}
			}
			if want := fmt.Sprintf("default-src 'none'; style-src %s; base-uri 'none'; form-action 'none'", sourceDigest(css)); policy != want {
				t.Errorf("got  %s\nwant %s", policy, want)
			}
		})
	}
}

// It holds what the person who is judged needs: every criterion with its mark and a
// sentence, three things to do with their lines, and how to object.
func TestShortSaysWhatCounts(t *testing.T) {
	rec := cappedRecord()
	p := newShortPage(rec)
	if len(p.Rows) != len(rec.Rubric.Criteria) || len(p.First) != 3 || p.More != len(rec.Remedies)-3 {
		t.Errorf("%d rows, %d first, %d more", len(p.Rows), len(p.First), p.More)
	}
	for _, r := range p.Rows {
		if r.Mark == "" || !strings.HasSuffix(strings.TrimRight(r.Reason, "\u201d"), ".") {
			t.Errorf("%+v", r)
		}
	}
	if !slices.ContainsFunc(p.First, func(f shortFix) bool {
		return f.Quote != nil && f.Quote.Start > 0 && len(f.Quote.Lines) <= shortExcerpt
	}) {
		t.Errorf("no remedy shows its lines: %+v", p.First)
	}
	page := shortened(t, rec)
	for _, want := range []string{p.Total, p.Range, "If you have a question or disagree", "What could not be checked"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	rec.Case.Answers = []court.Answer{{Criterion: rec.Rubric.Criteria[0].ID, Score: 2 * court.One, By: "A. Person", Reason: "Seen in the lab", Override: true}}
	if r := newShortPage(rec).Rows[0]; r.Mark != "2.00" || !strings.Contains(r.Reason, "A. Person") {
		t.Errorf("with a person's mark: %+v", r)
	}
}

// However much there is to say, it is bound to two pages.
func TestShortFits(t *testing.T) {
	records := goldenRecords()
	records["big"], records["many"] = bigRecord(), manyCriteria()
	for name, rec := range records {
		if p := newShortPage(rec); p.lines() > shortLines {
			t.Errorf("%s: %d lines, %d rows", name, p.lines(), len(p.Rows))
		}
	}
	p := newShortPage(manyCriteria())
	if !strings.Contains(p.Others, "The full report has") {
		t.Errorf("all %d criteria have a row", len(p.Rows))
	}
}

var pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)

// It prints on two pages of A4, makes no request, and goes on a phone.
func browserShort(t *testing.T, b *browsertest.Browser) {
	records := goldenRecords()
	records["big"], records["many"] = bigRecord(), manyCriteria()
	for name, rec := range records {
		t.Run(name, func(t *testing.T) {
			p := b.Open(t, shortened(t, rec), browsertest.Look{})
			var made struct{ Data []byte }
			p.Do(t, "Page.printToPDF", map[string]any{"preferCSSPageSize": true}, &made)
			if n := len(pdfPage.FindAll(made.Data, -1)); n < 1 || n > 2 {
				t.Errorf("%d pages", n)
			}
			for _, bad := range p.Misdeeds() {
				t.Error(bad)
			}
			p.Show(t, browsertest.Look{Width: 320})
			if got := browsertest.Eval[int](t, p, "document.documentElement.scrollWidth"); got > 320 {
				t.Errorf("%d wide on 320", got)
			}
		})
	}
}
