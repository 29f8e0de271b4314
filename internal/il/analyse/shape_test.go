package analyse_test

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// shapes are what the first argument of the call of "run" in a function is made
// of, without the numbers of versions.
func shapes(v *analyse.Values, f *il.Function) string {
	var ways []string
	for _, in := range f.Instructions() {
		if in.Op == il.Call && in.Kind == "run" {
			for _, s := range v.Shapes(f, in.Args[1], in) {
				ways = append(ways, s.String())
			}
		}
	}
	return strings.Join(ways, " or ")
}

// TestShapes asks what "run" is given. In each language the function has a text,
// another, and a list of texts, and can ask for what is not known.
func TestShapes(t *testing.T) {
	for _, c := range shapeCases {
		t.Run(c.name+" in "+c.file, func(t *testing.T) {
			p := program(t, shapeProgram(c.file, c.before, c.body))
			f := find(t, p, "f")
			if got := shapes(&analyse.Values{Names: analyse.Resolve(p)}, f); strip(got) != c.want {
				t.Errorf("got  %s\nwant %s\n%s", strip(got), c.want, f)
			}
		})
	}
}

// shapeProgram is a file whose function f has a body.
func shapeProgram(file, before, body string) string {
	around := map[string][2]string{
		"m.py":     {"from lib import run, log\ndef f(url, dest, extra, on):\n", ""},
		"m.go":     {"package m\nimport (\n\t\"fmt\"\n\t\"strings\"\n\t. \"lib\"\n)\nfunc f(url, dest string, extra []string, on bool) {\n", "}\n"},
		"m.ts":     {"import { run, log } from 'lib'\nfunction f(url: string, dest: string, extra: string[], on: boolean) {\n", "}\n"},
		"M.java":   {"import static lib.Lib.run;\nclass M {\n void f(String url, String dest, List<String> extra, boolean on) {\n", "}\n}\n"},
		"src/m.rs": {"use lib::run;\nfn f(url: &str, dest: &str, extra: Vec<String>, on: bool) {\n", "}\n"},
		"M.cs":     {"class M {\n void f(string url, string dest, List<string> extra, bool on) {\n", "}\n}\n"},
	}
	if file == "m.py" {
		body = "    " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ") + "\n"
	}
	return "-- " + file + " --\n" + before + around[file][0] + body + around[file][1]
}

// strip takes the numbers of versions away.
func strip(s string) string {
	var w strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '#' {
			for i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9' {
				i++
			}
			continue
		}
		w.WriteByte(s[i])
	}
	return w.String()
}
