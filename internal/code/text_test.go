package code

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	tests := map[string]struct {
		raw   string
		text  string
		note  string
		lines int
	}{
		"plain":            {"a\nb\n", "a\nb\n", "", 2},
		"no last line end": {"a\nb", "a\nb", "", 2},
		"empty":            {"", "", "", 0},
		"byte order mark":  {"\xef\xbb\xbfa\n", "a\n", "UTF-8 with byte order mark", 1},
		"CRLF":             {"a\r\nb\r\n", "a\nb\n", "", 2},
		"lone CR":          {"a\rb\r", "a\nb\n", "", 2},
		"mixed":            {"a\r\nb\rc\nd", "a\nb\nc\nd", "", 4},
		"UTF-16 LE":        {"\xff\xfea\x00\n\x00", "a\n", "UTF-16 little endian", 1},
		"UTF-16 BE":        {"\xfe\xff\x00a\x00\n", "a\n", "UTF-16 big endian", 1},
		"cookie":           {"# -*- coding: cp1251 -*-\n# \xcf\n", "# -*- coding: cp1251 -*-\n# П\n", "encoding cp1251", 2},
		"cookie in line 2": {"#!/usr/bin/python\n# coding: koi8-r\n# \xf0\n", "#!/usr/bin/python\n# coding: koi8-r\n# П\n", "encoding koi8-r", 3},
		"Latin-1":          {"# \xe9\n", "# é\n", "not UTF-8, read as Latin-1", 1},
		"unknown cookie":   {"# coding: klingon\n\xe9\n", "# coding: klingon\né\n", "not UTF-8, read as Latin-1", 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := File{Path: "a.py", Bytes: []byte(tt.raw)}
			text, note := f.Text()
			if text != tt.text || note != tt.note {
				t.Errorf("got %q, %q; want %q, %q", text, note, tt.text, tt.note)
			}
			if n := f.Lines(); n != tt.lines {
				t.Errorf("got %d lines, want %d", n, tt.lines)
			}
		})
	}
}

// TestTroubledSources reads what other parsers reject or miscount.
func TestTroubledSources(t *testing.T) {
	tests := map[string]struct {
		raw  string
		line int
	}{
		"byte order mark": {"\xef\xbb\xbfimport os\nos.system('x')\n", 2},
		"UTF-16":          {"\xff\xfe" + strings.Join(strings.Split("import os\nos.system('x')\n", ""), "\x00") + "\x00", 2},
		"CRLF":            {"import os\r\n\r\nos.system(\r\n'x')\r\n", 3},
		"lone CR":         {"import os\r\ros.system('x')\r", 3},
		"tabs":            {"import os\nif True:\n\tif True:\n\t\tos.system('x')\n", 4},
		"continuation":    {"import os\nx = 1 + \\\n  2\nos.\\\n  system('x')\n", 4},
		"form feed":       {"import os\n\x0cos.system('x')\n", 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(tt.raw)}})
			calls := callsOf(p, "system")
			if len(calls) != 1 || calls[0].Line() != tt.line {
				t.Fatalf("got %d calls, want one on line %d", len(calls), tt.line)
			}
		})
	}
}

func TestBrokenStatements(t *testing.T) {
	good := "import os\ndef before():\n    os.system('a')\n"
	after := "def after():\n    os.system('b')\n"
	tests := map[string]string{
		"unclosed bracket":      good + "x = foo(1, [2\n" + after,
		"conflict markers":      good + "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> main\n" + after,
		"stray text":            good + "this is not python at all\n" + after,
		"bad body":              good + "def broken(:\n    x = = 1\n" + after,
		"bad inside a function": good + "def half():\n    y = )\n    os.getcwd()\n" + after,
		"missing colon":         good + "class A\n    pass\n" + after,
		"bad decorator":         good + "@@x\ndef g(): pass\n" + after,
	}
	for name, source := range tests {
		t.Run(name, func(t *testing.T) {
			p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(source)}})
			if len(p.Faults) > 0 {
				t.Fatalf("faults: %v", p.Faults)
			}
			var got []string
			for _, c := range callsOf(p, "system") {
				got = append(got, p.Enclosing(c).Name)
			}
			if diff := cmp.Diff([]string{"before", "after"}, got); diff != "" {
				t.Errorf("calls found in (-want +got):\n%s", diff)
			}
			m := p.Module("a.py")
			if len(m.Broken()) == 0 || m.Examined() >= m.Bytes {
				t.Errorf("nothing counted as broken")
			}
		})
	}
}

func TestTokens(t *testing.T) {
	p := load(t, `-- a.py --
"""StateGraph( in a docstring"""
# StateGraph( in a comment
x = "StateGraph("
y: "Graph" = f"judge {name + 'inner'} text"
z: Literal["value"]
def f():
    'doc'
    return y  # tail
`)
	m := p.Module("a.py")
	var got []string
	for _, tok := range m.Tokens() {
		got = append(got, tok.Text)
	}
	want := strings.Fields(`x = y : " Graph " = { name + } z : Literal [ ] def f ( ) : return y`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tokens differ (-want +got):\n%s", diff)
	}
	if n := len(m.Words("StateGraph")); n != 0 {
		t.Errorf("StateGraph occurs %d times in code, want none", n)
	}
	if w := m.Words("Graph"); len(w) != 1 || w[0].Line != 4 {
		t.Errorf("Graph in an annotation: %v, want line 4", w)
	}
	if w := m.Words("y"); len(w) != 2 || w[1].Line != 8 {
		t.Errorf("y occurs at %v, want lines 4 and 8", w)
	}
	if len(m.Comments()) != 2 || len(m.Docstrings()) != 2 || len(m.Strings()) != 7 {
		t.Errorf("%d comments, %d docstrings, %d strings", len(m.Comments()), len(m.Docstrings()), len(m.Strings()))
	}
	bare := m.Bare(6, 8)
	if strings.Contains(bare, "doc") || strings.Contains(bare, "tail") || strings.Count(bare, "\n") != 2 || !strings.Contains(bare, "return y") {
		t.Errorf("bare form is %q", bare)
	}
	if len(p.Mentions("name", ScopeProduction)) != 1 || len(p.Mentions("inner", ScopeProduction)) != 0 {
		t.Error("name is a code word and inner is none")
	}
}

func TestDecoratedFunctionLine(t *testing.T) {
	p := load(t, "-- a.py --\n@d\n@e(\n  1)\ndef f(): pass\n")
	if line := p.Find("a.f")[0].Line(); line != 4 {
		t.Errorf("f is on line %d, want 4, the def's", line)
	}
}

// TestShadowedModule is Python's rule that a package wins over a module of
// the same name.
func TestShadowedModule(t *testing.T) {
	p := load(t, "-- graph.py --\nimport os\nos.system('x')\n-- graph/__init__.py --\n")
	m := p.Module("graph.py")
	if !m.Shadowed || p.ModuleNamed("graph").Path != "graph/__init__.py" {
		t.Error("graph.py is shadowed by the package graph")
	}
}
