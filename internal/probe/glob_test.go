package probe

import (
	"strings"
	"testing"
)

func TestGlob(t *testing.T) {
	tests := map[string]struct {
		pattern string
		yes, no []string
	}{
		"base name anywhere": {"**/state.py", []string{"state.py", "src/state.py", "a/b/State.py"}, []string{"src/mystate.py", "state.pyc"}},
		"one component":      {"src/*.py", []string{"src/a.py"}, []string{"src/a/b.py", "a.py"}},
		"folder":             {"**/audit/**", []string{"audit/x.md", "a/audit/b/c.md"}, []string{"audit", "audits/x.md"}},
		"choice":             {"*.{yml,yaml}", []string{"ci.yml", "ci.yaml"}, []string{"ci.json", "x/ci.yml"}},
		"class":              {"v[0-9].[!t]*", []string{"v1.md"}, []string{"v1.txt", "vx.md"}},
		"one letter":         {"?.go", []string{"a.go"}, []string{"ab.go", "/.go"}},
		"everything":         {"**/*", []string{"a", "a/b.c"}, nil},
		"dot slash":          {"./a.py", []string{"a.py"}, []string{"xa.py", "a-py"}},
		"open brace":         {"a{b,c", []string{"ab", "ac"}, []string{"a"}},
		"open bracket":       {"a[b", []string{"a[b"}, []string{"ab"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			re, err := Glob(tc.pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range tc.yes {
				if !re.MatchString(p) {
					t.Errorf("%q does not match %q", tc.pattern, p)
				}
			}
			for _, p := range tc.no {
				if re.MatchString(p) {
					t.Errorf("%q matches %q", tc.pattern, p)
				}
			}
		})
	}
}

func TestGlobRefuses(t *testing.T) {
	for _, p := range []string{"", strings.Repeat("a", maxGlob+1), "[z-a]"} {
		if re, err := Glob(p); err == nil {
			t.Errorf("%q gave %v", p, re)
		}
	}
}

func FuzzGlob(f *testing.F) {
	for _, s := range []string{"**/*.py", "a{b,{c,d}}[!x]", "[]", "[^]]", `\`, "{{{,", "**/**/**"} {
		f.Add(s, "a/b.py")
	}
	f.Fuzz(func(_ *testing.T, pattern, path string) {
		if re, err := Glob(pattern); err == nil {
			re.MatchString(path)
		}
	})
}
