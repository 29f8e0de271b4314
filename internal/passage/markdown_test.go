package passage

import (
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
