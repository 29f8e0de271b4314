package report

import (
	"strings"
	"testing"
)

func TestInCode(t *testing.T) {
	for in, want := range map[string]string{
		"Ask again: llm.bind(Opinion).with_retry(n=3).":         "Ask again: [llm.bind(Opinion).with_retry(n=3)].",
		"Make the code at src/a_b.py:42 take effect, or not.":   "Make the code at [src/a_b.py:42] take effect, or not.",
		`Add to "README.md": how to set it up (git add -p).`:    `Add to "[README.md]": how to set it up (git add -p).`,
		"Replace it by ast.literal_eval and/or a table of 0.90": "Replace it by [ast.literal_eval] and/or a table of 0.90",
		"Hand it in with --pdf. Write e.g. 25 words.":           "Hand it in with --pdf. Write e.g. 25 words.",
		`Add a route: add_edge(START, "judge (1)"), run(a.`:     `Add a route: [add_edge(START, "judge (1)")], run(a.`,
		"Stop tracking them: git rm -r __pycache__":             "Stop tracking them: git rm -r [__pycache__]",
		"Explain it where the document names it":                "Explain it where the document names it",
	} {
		var b strings.Builder
		for _, p := range inCode(in) {
			if p.Code {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		if b.String() != want {
			t.Errorf("%q became\n%q, want\n%q", in, b.String(), want)
		}
	}
}
