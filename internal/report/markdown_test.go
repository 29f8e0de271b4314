package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func markdownOf(t *testing.T, name string) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeMarkdown(&b, goldenRecords()[name]); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// visible is a Markdown text without what cannot be markup: fenced quotes, code
// spans and escaped characters.
func visible(text string) string {
	var lines []string
	fence := ""
	for l := range strings.SplitSeq(text, "\n") {
		run := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case fence != "" && l == fence:
			fence = ""
		case fence != "":
		case len(run) >= 3:
			fence = run
		default:
			lines = append(lines, withoutSpans(regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]").ReplaceAllString(l, "")))
		}
	}
	return strings.Join(lines, "\n")
}

// withoutSpans removes code spans, which end at a run of equally many marks.
func withoutSpans(l string) string {
	var b strings.Builder
	for l != "" {
		i := strings.IndexByte(l, '`')
		if i < 0 {
			b.WriteString(l)
			break
		}
		b.WriteString(l[:i])
		rest := strings.TrimLeft(l[i:], "`")
		mark := l[i : len(l)-len(rest)]
		end := -1
		for at := 0; at < len(rest); {
			j := strings.Index(rest[at:], mark)
			if j < 0 {
				break
			}
			j += at
			after := j + len(mark)
			if rest[j-min(j, 1):j] != "`" && (after == len(rest) || rest[after] != '`') {
				end = after
				break
			}
			for at = after; at < len(rest) && rest[at] == '`'; at++ {
			}
		}
		if end < 0 {
			b.WriteString(mark)
			l = rest
			continue
		}
		l = rest[end:]
	}
	return b.String()
}

// Attacks in every field render as text.
func TestMarkdownHoldsForeignTextAsText(t *testing.T) {
	for _, format := range []string{"md", "github-summary", "github-comment"} {
		t.Run(format, func(t *testing.T) {
			text := inFormat(t, format, attackRecord())
			if format == "github-comment" {
				_, text, _ = strings.Cut(text, "\n")
			}
			holdsText(t, visible(text))
		})
	}
}

func holdsText(t *testing.T, text string) {
	t.Helper()
	links := regexp.MustCompile(`\]\(([^)]*)\)`)
	for _, m := range links.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "https://github.com/northwind/automaton-auditor") {
			t.Errorf("a link to %s", m[1])
		}
	}
	text = links.ReplaceAllString(text, "]()")
	for _, bad := range []string{"<script", "<img", "](javascript", "](http://", "https://evil", "www.evil", "@octocat", "#1 ", "\x1b", "\u202e", "\n# Heading", "- [ ] item\n", "*b*", "$x$", "~~~"} {
		if i := strings.Index(text, bad); i >= 0 {
			t.Errorf("found %q in %q", bad, text[max(0, i-60):min(len(text), i+60)])
		}
	}
	tags := regexp.MustCompile(`</?[a-z!][^>]*>`).FindAllString(text, -1)
	for _, tag := range tags {
		if tag != "<details>" && tag != "</details>" && tag != "<summary>" && tag != "</summary>" && tag != "<!-- -->" {
			t.Errorf("a tag: %s", tag)
		}
	}
}

// A table row has as many cells as its table, whatever is in them.
func TestMarkdownTables(t *testing.T) {
	for name := range goldenRecords() {
		t.Run(name, func(t *testing.T) {
			want := 0
			for l := range strings.SplitSeq(markdownOf(t, name), "\n") {
				if !strings.HasPrefix(l, "| ") && !strings.HasPrefix(l, "|-") {
					want = 0
					continue
				}
				bars := strings.Count(regexp.MustCompile(`\\[|\\]`).ReplaceAllString(l, ""), "|")
				if want == 0 {
					want = bars
				}
				if bars != want {
					t.Errorf("%d bars, want %d: %s", bars, want, l)
				}
			}
		})
	}
}

// Every criterion has all of its parts, and the headings that others look for
// are there.
func TestMarkdownIsComplete(t *testing.T) {
	for name, rec := range goldenRecords() {
		t.Run(name, func(t *testing.T) {
			text := markdownOf(t, name)
			for _, h := range []string{"\n## Executive Summary\n", "\n## Criterion Breakdown\n", "\n## Remediation Plan\n", "\n## Evidence Index\n", "\n## Check this report\n"} {
				if strings.Count(text, h) != 1 {
					t.Errorf("%d of %q", strings.Count(text, h), h)
				}
			}
			if strings.Contains(text, "\n## Faults and notes\n") != (len(rec.Faults) > 0) {
				t.Error("the faults")
			}
			_, body, _ := strings.Cut(text, "\n## Criterion Breakdown\n")
			body, _, _ = strings.Cut(body, "\n## Remediation Plan\n")
			d := newDocket(rec)
			parts := strings.Split(body, "\n### ")[1:]
			if len(parts) != len(d.heard()) {
				t.Fatalf("%d criteria, want %d", len(parts), len(d.heard()))
			}
			for i, c := range d.heard() {
				for _, want := range []string{"**Final score: ", "\n- **Prosecutor** ", "\n- **Defense** ", "\n- **Tech Lead** ", "\n**Chief Justice.** ", "\n**Remediation.** ", "vidence"} {
					if !strings.Contains(parts[i], want) && !(want == "\n**Remediation.** " && strings.Contains(parts[i], "\n**Remediation.**\n")) {
						t.Errorf("%s lacks %q", c.ID[:min(20, len(c.ID))], want)
					}
				}
				differ := d.disagreement(c.ID) != ""
				if differ != strings.Contains(parts[i], "\n**Disagreement.** ") && differ != strings.Contains(parts[i], "\n**Dissent.** ") {
					t.Errorf("%s: disagreement", c.ID[:min(20, len(c.ID))])
				}
			}
		})
	}
}

func TestMarkdownEscapes(t *testing.T) {
	tests := map[string]struct{ got, want string }{
		"plain":             {mdText("two words"), "two words"},
		"markup":            {mdText("*a* _b_ `c` [d](e) ~f~ |g| $h$ \\"), `\*a\* \_b\_ \` + "`c\\`" + ` \[d\](e) \~f\~ \|g\| \$h\$ \\`},
		"tags":              {mdText("<b> &amp;"), "&lt;b&gt; &amp;amp;"},
		"mention":           {mdText("@octocat a@b.c #12 # 1"), "@<!-- -->octocat a@<!-- -->b.c #<!-- -->12 # 1"},
		"a link by itself":  {mdText("see https://x.y Www.z"), `see https:<!-- -->//x.y Www<!-- -->.z`},
		"an issue":          {mdText("GH-12, a/b#1 and ghost-1"), "GH<!-- -->-12, a/b#<!-- -->1 and ghost-1"},
		"a commit":          {mdText("see 9f2c41d07be35a0e and a/b@9f2c41d"), "see 9f2c41d07be35a0e and a/b@<!-- -->9f2c41d"},
		"a small picture":   {mdText("a:smile:b :+1: 12:30:05"), `a:<!-- -->smile:b :<!-- -->+1: 12:30:05`},
		"start of a list":   {mdText("- a"), `\- a`},
		"start of a number": {mdText("12. a"), `12\. a`},
		"start of heading":  {mdText("# a"), `\# a`},
		"lines":             {mdText("a\n\n# b"), "a # b"},
		"code":              {mdCode("a`b``c", false), "```a`b``c```"},
		"code of marks":     {mdCode("`", false), "`` ` ``"},
		"code with a bar":   {mdCode(`a\|b`, true), `a\\\|b`},
		"no code":           {mdCode(" ", false), ""},
		"fence":             {mdFence("a\n```\nb\r\n"), "````text\na\n```\nb\n````"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got  %s\nwant %s", tt.got, tt.want)
			}
		})
	}
}

func TestSlugs(t *testing.T) {
	s := slugs{}
	for _, tt := range [][2]string{{"Safe Tool Engineering", "#safe-tool-engineering"}, {"Theoretical Depth (Documentation)", "#theoretical-depth-documentation"},
		{"Safe  Tool Engineering", "#safe-tool-engineering-1"}, {"!?", ""}, {"Größe_2", "#gr%C3%B6%C3%9Fe_2"}} {
		if got := s.next(tt[0]); got != tt[1] {
			t.Errorf("%q: got %q, want %q", tt[0], got, tt[1])
		}
	}
}
