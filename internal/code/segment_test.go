package code

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// bared writes "C" over comments, "D" over docstrings and "L" over literals.
func bared(text string, list []Segment) string {
	b := []byte(text)
	for _, s := range list {
		for i := s.From + s.Open; i < s.To-s.Close; i++ {
			if b[i] != '\n' {
				b[i] = "?CDL"[s.Kind]
			}
		}
	}
	return string(b)
}

func TestStretches(t *testing.T) {
	tests := map[string]struct {
		lang       Language
		text, want string
	}{
		"python, no tree":   {"python", "x = 'a # b' # c\n'''d\ne'''\nf('''g''')", "x = 'LLLLL' #CC\n'''D\nD'''\nf('''L''')"},
		"go":                {"go", "a := `// b` + \"/* c\\\"\" // d\nx := '\"' /* e\nf */ + y", "a := `LLLL` + \"LLLLLL\" //CC\nx := 'L' /*CC\nCC*/ + y"},
		"javascript":        {"javascript", "a = b / c; // d\nx = /[/\"]#/g; y = `p ${q(`r`)} // s`; return /'/ // t", "a = b / c; //CC\nx = /LLLLL/g; y = `LLLLLLLLLLLLLLLL`; return /L/ //CC"},
		"rust":              {"rust", "fn f<'a>(x: &'a str) { r#\"// \"b\"#; 'c'; \"d\ne\" } /* f /* g */ h */ // i", "fn f<'a>(x: &'a str) { r#\"LLLLL\"#; 'L'; \"L\nL\" } /*CCCCCCCCCCCCC*/ //CC"},
		"java":              {"java", "String s = \"\"\"\n// a\"\"\"; char c = '\"'; // b", "String s = \"\"\"\nLLLL\"\"\"; char c = 'L'; //CC"},
		"c++":               {"c++", "auto s = R\"x(a)\" // b)x\"; int n = 1'000; // c", "auto s = R\"x(LLLLLLLL)x\"; int n = 1'000; //CC"},
		"shell":             {"shell", "a=${b#c} # d\ncat <<'EOF'\n# e\n  EOF\necho \"f # g\" don\\'t # h", "a=${b#c} #CC\ncat <<'EOF'\nLLL\n  EOF\necho \"LLLLL\" don\\'t #CC"},
		"shift":             {"ruby", "a <<B # c\nd", "a <<B #CC\nd"},
		"ruby":              {"ruby", "a = 1\n=begin\nb\n=end\nc = \"#{d} # e\" # f", "a = 1\n=begin\nC\n=end\nc = \"LLLLLLLL\" #CC"},
		"sql":               {"sql", "select 'it''s -- a' -- b\n/* c */", "select 'LL''LLLLLL' --CC\n/*CCC*/"},
		"lua":               {"lua", "a = [[ -- b ]] --[[ c\nd ]] -- e", "a = [[LLLLLL]] --[[CC\nCC]] --CC"},
		"haskell":           {"haskell", "f' = 'a' -- b\n{- c {- d -} e -}", "f' = 'L' --CC\n{-CCCCCCCCCCCCC-}"},
		"elixir":            {"elixir", "@doc \"\"\"\na\n\"\"\"\nx = \"\"\"\nb\n\"\"\"", "@doc \"\"\"\nD\n\"\"\"\nx = \"\"\"\nL\n\"\"\""},
		"zig":               {"zig", "x =\n\\\\a // b\n; // c", "x =\n\\\\LLLLLL\n; //CC"},
		"yaml":              {"yaml", "a: it's # b\nc: 'd # e' # f", "a: it's #CC\nc: 'LLLLL' #CC"},
		"markdown":          {"markdown", "a <!-- b\nc --> d # e", "a <!--CC\nCC--> d # e"},
		"unclosed block":    {"go", "a /* b\nc", "a /*CC\nC"},
		"unclosed string":   {"go", "a \"b\nc // d", "a \"L\nc //CC"},
		"unknown":           {"jinja", "{# a #}", "{# a #}"},
		"comment at an end": {"go", "//", "//"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := bared(tt.text, Segments(tt.lang, tt.text)); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestModuleStretches(t *testing.T) {
	const text = `"""A module."""
# c
import os  # d
x = r'a # b' "c"
def f(y: "Graph"):
    """Doc
    of f."""
    "idle" 'one'
    ("idle too")
    return f"p{os.name!r}q" + g("""r""")
`
	const want = `"""DDDDDDDDD"""
#CC
import os  #CC
x = r'LLLLL' "L"
def f(y: "Graph"):
    """DDD
DDDDDDDDD"""
    "DDDD" 'DDD'
    ("DDDDDDDD")
    return f"L{os.name!r}L" + g("""L""")
`
	m := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(text)}}).Module("a.py")
	if got := bared(text, m.Segments()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is read without a tree is what is read with one, but for what only a
// tree can tell.
func TestStretchesWithoutTree(t *testing.T) {
	const text = "'''A'''\nx = 1 # b\ny = 'c' + \"d\\\"\"\n"
	m := loadFiles(t, []File{{Path: "a.py", Bytes: []byte(text)}}).Module("a.py")
	if with, without := bared(text, m.Segments()), bared(text, Segments("python", text)); with != without {
		t.Errorf("with a tree\n%s\nwithout\n%s", with, without)
	}
}

// Text that is made to be slow takes no more than a look at each byte or so.
func TestStretchesAreBounded(t *testing.T) {
	const size = 1 << 18
	for lang, unit := range map[Language]string{
		"shell": "<<A\n", "ruby": "<<EOF\nEOG\n", "javascript": "(/[", "typescript": "`${`${", "c++": `R"a(`, "rust": `r####"`,
		"python": `"""`, "elixir": ` "" `, "haskell": "{-", "go": "'", "lua": "[=[", "php": "<<<A\n",
	} {
		text := strings.Repeat(unit, size/len(unit))
		if list := Segments(lang, text); len(list) > len(text) {
			t.Errorf("%s: %d segments", lang, len(list))
		}
	}
}

var lexedLanguages = []Language{"python", "go", "javascript", "java", "scala", "rust", "c", "c#", "zig", "php", "terraform", "css", "shell", "docker", "make",
	"ruby", "powershell", "elixir", "lua", "sql", "haskell", "graphql", "yaml", "toml", "ini", "markdown", "jinja"}

func FuzzStretches(f *testing.F) {
	for i, text := range []string{"# a\n'''b'''", "`a` // b", "/[/]/ `${`a`}`", "'a' '\\u{1}", "r#\"a\"#", "R\"(a)\"", "<<A\nb\nA\n", "é'é'// é", "\"\"\"", "{-{--}", "\xff'\xff", "<!-- -->"} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		text = strings.ToValidUTF8(text, "?")
		at := 0
		for _, s := range Segments(lexedLanguages[int(n)%len(lexedLanguages)], text) {
			if s.From < at || s.To <= s.From || s.To > len(text) || s.Open+s.Close > s.To-s.From || s.Kind == 0 {
				t.Fatalf("%+v after %d of %d", s, at, len(text))
			}
			for _, cut := range []int{s.From, s.From + s.Open, s.To - s.Close} {
				if cut < len(text) && !utf8.RuneStart(text[cut]) {
					t.Fatalf("%+v cuts a letter", s)
				}
			}
			at = s.To
		}
	})
}
