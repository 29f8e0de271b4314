package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// balanced checks that a Markdown text is whole: nothing folded or fenced is
// left open, and every section has its heading.
func balanced(t *testing.T, text string) {
	t.Helper()
	open, fence := 0, ""
	for l := range strings.SplitSeq(text, "\n") {
		run := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case fence != "":
			if l == fence {
				fence = ""
			}
		case len(run) >= 3:
			fence = run
		case strings.HasPrefix(l, "<details>"):
			open++
		case l == "</details>":
			open--
		}
		if open < 0 || open > 1 {
			t.Fatalf("%d are open at %q", open, l)
		}
	}
	if open != 0 || fence != "" || !strings.HasSuffix(text, "\n") {
		t.Fatalf("%d folded, fence %q, at the end %q", open, fence, text[max(0, len(text)-60):])
	}
}

// Whatever the limit, what is left is whole sections that fit, the head first;
// and a criterion above 3 gives way before one of 3.
func TestFitting(t *testing.T) {
	for name, rec := range goldenRecords() {
		for _, short := range []shortness{allOfIt, noEvidence, aComment} {
			list := newMarkdown(rec, short).sections()
			all := whole(list)
			for limit := 200; limit < len(all)+300; limit += 1 + len(all)/150 {
				left := fitting(list, limit, func(s string) int { return len(s) })
				text := whole(left)
				if len(text) > limit || !strings.HasPrefix(text, "# "+mdTitle+"\n") {
					t.Fatalf("%s: %d bytes for %d, beginning with %q", name, len(text), limit, text[:min(40, len(text))])
				}
				balanced(t, text)
				for i, s := range left[:len(list)] {
					if s.text != list[i].text && s.text != list[i].brief && s.text != "" {
						t.Fatalf("%s: half a section: %q", name, s.text)
					}
				}
				if limit > len(all) && text != all {
					t.Errorf("%s: %d bytes are shortened to %d, and %d were allowed", name, len(all), len(text), limit)
				}
			}
		}
	}
	list := newMarkdown(cappedRecord(), aComment).sections()
	text := whole(fitting(list, len(whole(list))-2000, func(s string) int { return len(s) }))
	for _, c := range cappedRecord().Verdict.Rulings {
		_, mine, _ := strings.Cut(text, "`"+c.Criterion+"`\n")
		mine, _, _ = strings.Cut(mine, "\n#")
		if *c.Final == 3 && strings.Contains(mine, "The full report has") {
			t.Errorf("%s, of 3, gave way", c.Criterion)
		}
	}
	if !strings.Contains(text, "The full report has the rest.") {
		t.Error("nothing gave way")
	}
}

// The summary of a job is the report as long as GitHub takes it, then the same
// without evidence and without links to it.
func TestStepSummary(t *testing.T) {
	for name, rec := range goldenRecords() {
		if inFormat(t, "github-summary", rec) != inFormat(t, "md", rec) {
			t.Errorf("%s: the summary is not the report", name)
		}
	}
	long := crowd(3)
	for i := range long.Evidences["safe"] {
		long.Evidences["safe"][i].Content = strings.Repeat("x = 1\n", 20_000)
	}
	text := inFormat(t, "github-summary", long)
	if len(text) > 900_000 || strings.Contains(text, "#### E1\n") || strings.Contains(text, "(#e1)") ||
		!strings.Contains(text, "The full report has the evidence: 11 pieces.") || !strings.Contains(text, "**Final score: 3 of 5**") {
		t.Errorf("%d bytes, beginning with %q", len(text), text[:min(2000, len(text))])
	}
	balanced(t, text)
}

// A comment fits, keeps the kept headings, links to places and to nothing that
// a comment does not have.
func TestComment(t *testing.T) {
	records := goldenRecords()
	records["crowd"] = crowd(50)
	records["many"] = many(80, strings.Repeat("long name ", 8))
	records["wide"] = many(80, strings.Repeat("名字\U0001F30D", 8))
	records["repairs"] = cappedRecord()
	records["repairs"].Remedies = slices.Repeat(cappedRecord().Remedies, 4)
	if text := inFormat(t, "github-comment", records["repairs"]); !strings.Contains(text, "\n<details><summary>2 more</summary>\n\n11. ") {
		t.Error("a long plan is not folded")
	}
	for _, name := range slices.Sorted(maps.Keys(records)) {
		text := inFormat(t, "github-comment", records[name])
		if n := utf8.RuneCountInString(text); n > 60_000 || len(text) > 4*60_000 {
			t.Errorf("%s: %d characters, %d bytes", name, n, len(text))
		}
		mark, rest, _ := strings.Cut(text, "\n")
		if !hiddenMark.MatchString(mark) || strings.Contains(visible(rest), "](#") {
			t.Errorf("%s: mark %q, links %v", name, mark, strings.Contains(visible(rest), "](#"))
		}
		balanced(t, rest)
		if told := strings.Contains(text, "The full report has this part.") || strings.Contains(text, "The full report has the rest."); told != (name == "many" || name == "wide") && !strings.Contains(text, "more than fits here") {
			t.Errorf("%s: what is left out is not told, or nothing is", name)
		}
		for _, h := range []string{"Executive Summary", "Criterion Breakdown", "Remediation Plan"} {
			if strings.Count(text, "\n## "+h+"\n") != 1 && !strings.Contains(text, "more than fits here") {
				t.Errorf("%s: no %s", name, h)
			}
		}
	}
}

// many is a record of n criteria with names that are long.
func many(n int, name string) *court.Record {
	rec := crowd(1)
	for i := range n {
		c := rec.Rubric.Criteria[0]
		c.ID, c.Name = fmt.Sprintf("c%d", i), strings.Repeat(name, 1+i%60)
		rec.Rubric.Criteria = append(rec.Rubric.Criteria, c)
	}
	return rec
}

// One comment for each rubric, whatever it is called.
func TestCommentMark(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{"", "courtroom", "Courtroom", "a--> b", "漢字", "漢", strings.Repeat("x", 1000)} {
		mark := commentMark(name)
		if seen[mark] != "" || !hiddenMark.MatchString(mark) {
			t.Errorf("%q and %q have the mark %q", name, seen[mark], mark)
		}
		seen[mark] = name + "."
	}
}
