package figure

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const boxes = `┌───────┐
│ START │
└───┬───┘
    ▼
┌───────┐
│ Join  │
└───────┘`

func TestFromMarkdown(t *testing.T) {
	type found struct {
		Origin   Origin
		Line     int
		Caption  string
		Readable bool
	}
	tests := map[string]struct {
		text string
		want []found
	}{
		"Mermaid":                    {"# Flow\n\n```mermaid\ngraph TD\n A --> B\n```\n", []found{{Mermaid, 4, "", true}}},
		"with a caption below":       {"```mermaid\ngraph TD\n A --> B\n```\n\n*Figure 1: The flow*\n", []found{{Mermaid, 2, "Figure 1: The flow", true}}},
		"with a caption above":       {"**Diagram 2 - Flow**\n\n```dot\ndigraph { a -> b }\n```\n", []found{{DOT, 4, "Diagram 2 - Flow", true}}},
		"PlantUML":                   {"```puml\n@startuml\n[a] --> [b]\n@enduml\n```", []found{{PlantUML, 2, "", true}}},
		"without a language":         {"```\ngraph LR\n A --> B\n```", []found{{Mermaid, 2, "", true}}},
		"not read, still a figure":   {"```mermaid\nsequenceDiagram\n A->>B: x\n```", []found{{Mermaid, 2, "", false}}},
		"broken, still a figure":     {"```mermaid\nthis is nothing\n```", []found{{Mermaid, 2, "", false}}},
		"drawing of characters":      {"```text\n" + boxes + "\n```", []found{{Text, 2, "", true}}},
		"listing":                    {"```python\ngraph.add_edge(a, b)  # a --> b\n```", nil},
		"tree of folders":            {"```\nsrc/\n├── a/\n│   ├── b.py\n│   └── c.py\n├── d/\n│   └── e.py\n└── f.py\n```", nil},
		"table with borders":         {"```\n┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ 2 │\n└───┴───┘\n```", nil},
		"ASCII table":                {"```\n+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n```", nil},
		"ASCII boxes":                {"```\n+-----+\n|  a  |\n+-----+\n   |\n   v\n+-----+\n|  b  |\n+-----+\n```", []found{{Text, 2, "", true}}},
		"log output":                 {"```\nstep 1 -> ok\nstep 2 -> ok\n| done |\n```", nil},
		"fence that is never closed": {"```mermaid\ngraph TD\n A --> B\n", nil},
		"longer fence":               {"````\n```mermaid\ngraph TD\n A-->B\n```\n````", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []found
			for _, f := range FromMarkdown(test.text) {
				got = append(got, found{f.Origin, f.Line, f.Caption, f.Readable})
				if len(f.Digest) != 64 || f.Source == "" || f.Readable && f.Graph == nil {
					t.Errorf("figure %+v", f)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzFromMarkdown(f *testing.F) {
	f.Add("```mermaid\ngraph TD\n A-->B\n```\nFigure 1: x")
	f.Add("~~~\n" + boxes + "\n~~~\n> ```dot\n> digraph {}\n> ```")
	f.Fuzz(func(t *testing.T, text string) {
		for _, figure := range FromMarkdown(text) {
			sound(t, figure.Graph)
			if figure.Line < 1 {
				t.Errorf("line %d", figure.Line)
			}
		}
	})
}

func TestTitleOfMarkdown(t *testing.T) {
	tests := map[string]string{
		"## 2. Flow of the court\n\n```mermaid\ngraph TD\n A --> B\n```\n":              "2. Flow of the court",
		"## The court\n\n```mermaid\ngraph TD\n A --> B\n```\n":                         "",
		"- **Flow notes:** in `flow.md`\n```mermaid\ngraph TD\n A --> B\n```\n":         "",
		"The flow of all parts:\n```mermaid\ngraph TD\n A --> B\n```\n":                 "The flow of all parts",
		"The graph is drawn by hand and ends.\n\n```mermaid\ngraph TD\n A --> B\n```\n": "",
	}
	for text, want := range tests {
		if got := FromMarkdown(text)[0].Title; got != want {
			t.Errorf("the title is %q, not %q", got, want)
		}
	}
}
