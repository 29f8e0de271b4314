package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/code"
)

func TestPathsIn(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"plain":             {"see src/graph.py for it", []string{"src/graph.py"}},
		"end of a sentence": {"It stands in src/graph.py.", []string{"src/graph.py"}},
		"line after it":     {"src/graph.py:40 and src/state.py::State", []string{"src/graph.py", "src/state.py"}},
		"backslashes":       {`.\src\nodes\judge.py`, []string{"src/nodes/judge.py"}},
		"neighbours":        {"src/state.py/graph.py", []string{"src/state.py", "src/graph.py"}},
		"bare neighbours":   {"a.py/b.py", []string{"a.py", "b.py"}},
		"in a list":         {"(a.py, b.json; c.md)", []string{"a.py", "b.json", "c.md"}},
		"settings":          {"copy .env.example first", []string{".env.example"}},
		"without extension": {"the Dockerfile", []string{"Dockerfile"}},
		"address":           {"https://example.org/a/b.py and www.example.org/c.html", nil},
		"pattern":           {"out/*.json, report_<ts>.md, run_{id}.json, audit/report_YYYYMMDD_HHMMSS.json", nil},

		"drive":               {`C:\Users\x\state.py`, nil},
		"product":             {"Node.js and Next.js", nil},
		"attribute":           {"json.loads(x) and operator.add", nil},
		"longer extension":    {"setup.pyproject", nil},
		"outside the project": {"../other/a.py and /etc/x.conf.py", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, pathsIn(tc.text)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestTreeFiles(t *testing.T) {
	repo := &against{layout: code.Survey([]code.File{{Path: "audit/a.md"}})}
	tests := map[string]struct {
		text string
		want []string
	}{
		"nested":        {"court/\n├── src/\n│   ├── a.py\n│   └── deep/\n│       └── b.py  # the last\n├── c.md\n", []string{"src/a.py", "src/deep/b.py", "c.md"}},
		"blanks lost":   {"├── one/\n│\t└── a.py\n└── two/\n└── b.py\n", []string{"one/a.py", "two/b.py"}},
		"lost deeper":   {"├── src/\n│\t└── tools/\n│\t├── a.py\n│\t└── b.py\n└── c.py\n", []string{"src/tools/a.py", "src/tools/b.py", "c.py"}},
		"known root":    {"audit/\n├── a.md\n", []string{"audit/a.md"}},
		"no tree":       {"import a.py\nx = open('b.json')\n", nil},
		"plain strokes": {"|-- a.py\n`-- b.py\n", []string{"a.py", "b.py"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range treeFiles(tc.text, repo) {
				got = append(got, f.path)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func FuzzPaths(f *testing.F) {
	for _, s := range []string{"a.py/b.py/c.py", "├── x/\n└── y.py", `..\..\a.py`, "│││││││││││││││└── a.md", "https://a.b/c.py", ".env.example/.env.example"} {
		f.Add(s)
	}
	repo := &against{layout: code.Survey(nil)}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range pathsIn(text) {
			if p == "" || p[0] == '/' {
				t.Errorf("%q gave %q", text, p)
			}
		}
		treeFiles(text, repo)
		symbolsIn(text)
	})
}
