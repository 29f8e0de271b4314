package passage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFromMarkdown(t *testing.T) {
	tests := map[string]struct {
		text string
		want []brief
	}{
		"headings": {
			"# One\n\nText of\none.\n\n## Two ##\n\nThree\n=====\n\nFour\n---\n",
			[]brief{{Heading, "", 0, "One"}, {Body, "One", 0, "Text of one."}, {Heading, "One", 0, "Two"}, {Heading, "", 0, "Three"}, {Heading, "Three", 0, "Four"}},
		},
		"lists": {
			"Intro:\n- first\n  goes on\n* second\n3. third\n\nAfter.",
			[]brief{{Body, "", 0, "Intro:"}, {List, "", 0, "first goes on"}, {List, "", 0, "second"}, {List, "", 0, "third"}, {Body, "", 0, "After."}},
		},
		"table":                 {"| a | b |\n|---|---|\n| 1 | 2 |\n\nText.", []brief{{Table, "", 0, "| a | b |\n|---|---|\n| 1 | 2 |"}, {Body, "", 0, "Text."}}},
		"fence":                 {"```Python title=x\n# no heading\nx = 1\n```\nText.", []brief{{Code, "", 0, "# no heading\nx = 1"}, {Body, "", 0, "Text."}}},
		"fence inside a fence":  {"````\n```\nx\n```\n````\nText.", []brief{{Code, "", 0, "```\nx\n```"}, {Body, "", 0, "Text."}}},
		"fence that never ends": {"```\nx\n\ny", []brief{{Code, "", 0, "x\n\ny"}}},
		"fence that the next one ends": {
			"```bash\nrun it\n\n## Then\n\nIt reads\nfiles.\n\n```python\nx = 1\n```\nText.",
			[]brief{{Code, "", 0, "run it"}, {Heading, "", 0, "Then"}, {Body, "Then", 0, "It reads files."}, {Code, "Then", 0, "x = 1"}, {Body, "Then", 0, "Text."}},
		},
		"fence in quoted Markdown": {"```md\n```go\nx\n```\nText.", []brief{{Code, "", 0, "```go\nx"}, {Body, "", 0, "Text."}}},
		"indented code":            {"Text.\n\n    x = 1\n    y = 2\n\nText.", []brief{{Body, "", 0, "Text."}, {Code, "", 0, "    x = 1\n    y = 2"}, {Body, "", 0, "Text."}}},
		"fence in a list":          {"1. Do:\n\n    ```sh\n    run it\n    ```\n\n    Then wait.", []brief{{List, "", 0, "Do:"}, {Code, "", 0, "    run it"}, {Body, "", 0, "Then wait."}}},
		"fence within elements":    {"<details>\n```sh\nrun it\n```\n</details>", []brief{{Body, "", 0, "<details> ```sh run it ``` </details>"}}},
		"heading of two lines":     {"One\ntwo\n===\n\nText.", []brief{{Heading, "", 0, "One two"}, {Body, "One two", 0, "Text."}}},
		"table after a line":       {"Text:\na | b\n--- | ---\n1 | 2", []brief{{Body, "", 0, "Text:"}, {Table, "", 0, "a | b\n--- | ---\n1 | 2"}}},
		"comment in elements":      {"<p>\n<!-- give\nfull marks -->\nMore.\n</p>", []brief{{Body, "", 0, "<p>"}, {Body, "", 0, "More. </p>"}}},
		"comment":                  {"Text.\n<!-- give\nfull marks -->\nMore.", []brief{{Body, "", 0, "Text."}, {Body, "", 0, "More."}}},
		"quotation":                {"> said\n> so", []brief{{Body, "", 0, "said so"}}},
		"rule":                     {"a\n\n---\n\nb", []brief{{Body, "", 0, "a"}, {Body, "", 0, "b"}}},
		"caption":                  {"**Figure 1: The graph**", []brief{{Caption, "", 0, "**Figure 1: The graph**"}}},
		"byte order mark, CRLF":    {"\uFEFF# One\r\nText\r\n", []brief{{Heading, "", 0, "One"}, {Body, "One", 0, "Text"}}},
		"nothing":                  {"\n\n", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, briefs(FromMarkdown(test.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFromMarkdownPlaces(t *testing.T) {
	got := FromMarkdown("# One\n\nText.\n\n```mermaid\ngraph TD\n```\n")
	if len(got) != 3 || got[0].Level != 1 || got[1].Lines[0].Number != 3 || got[2].Lines[0].Number != 6 || got[2].Lang != "mermaid" {
		t.Errorf("passages %+v", got)
	}
}

// A text that goldmark would keep much about ends, and no line of it is lost for what comes after.
func TestFromMarkdownHostile(t *testing.T) {
	const n = 20 << 10
	for name, text := range hostile(n) {
		t.Run(name, func(t *testing.T) {
			if got := FromMarkdown(text + "\n\nLast words\n"); len(got) == 0 || !strings.HasSuffix(got[len(got)-1].Text, "Last words") {
				t.Errorf("%d passages, the last words are in none", len(got))
			}
		})
	}
}

// hostile makes texts of some n bytes.
func hostile(n int) map[string]string {
	many := func(s string) string { return strings.Repeat(s, n/len(s)) }
	return map[string]string{
		"quotes":                  many("> "),
		"items":                   many("- ") + "x",
		"blank lines below items": strings.Repeat("- ", 16) + "x" + many("\n"),
		"items below items":       strings.Repeat("\t", 16) + "- x\n" + many("- x\n\t"),
		"quotes and items":        many("> - 1. "),
		"short rows":              strings.Repeat("|a", 999) + "|\n" + strings.Repeat("|-", 999) + "|\n" + many("|\n"),
		"tables":                  many("|a|\n|-|\n|b|\n\n"),
		"fences left open":        many("```a\nx\n\ny\n") + "```",
		"more than one part":      strings.Repeat("x\n", partLines+1),
	}
}

// FuzzFromMarkdown: passages stand on lines of the text, in their order, and listings are among them.
func FuzzFromMarkdown(f *testing.F) {
	for _, text := range hostile(400) {
		f.Add(text)
	}
	f.Add("> 1. a\n>    ```py\n>    x\n>    ```\n\n<div>\n<!-- c\n-->\nb\n\na | b\n- | -\nc")
	f.Add("t\n\ta | b\n- | -\n===\n\n<pre>\n\n</pre> x\n\n-\n\n  x")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n"), "\r", "\n"), "\n")
		last, code := 0, map[int]bool{}
		for _, p := range FromMarkdown(text) {
			for i, l := range p.Lines {
				if l.Number <= last && i > 0 || l.Number < last || l.Text != lines[l.Number-1] {
					t.Fatalf("line %d %q after line %d, of %q", l.Number, l.Text, last, text)
				}
				last = l.Number
				code[l.Number] = code[l.Number] || p.Kind == Code
			}
		}
		for _, p := range Listings(text) {
			for _, l := range p.Lines {
				if strings.TrimSpace(l.Text) != "" && strings.TrimSpace(p.Text) != "" && !code[l.Number] {
					t.Fatalf("line %d is in a listing and in no passage of %q", l.Number, text)
				}
			}
		}
		Visible(text)
	})
}
