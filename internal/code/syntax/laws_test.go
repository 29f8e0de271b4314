package syntax

import (
	"strings"
	"testing"
)

// samples are texts of each language, the seeds of FuzzRead.
var samples = map[string][]string{
	"go":         {"package a\nimport x \"y\"\nfunc (t *T) f(a, b int) error { return g(1)[2].h }\n", "package a\nfunc {"},
	"javascript": {"#!x\n/** d */ export default async ({a: [b = 1], ...c}) => `x${d?.[e]}\\u{41}`", "class A { #p = /x/; static { } get [k]() {} }", "const {a} = require('b').c, d = <E f='&amp;' {...g}>h</E>", "{{((=>"},
	"typescript": {"@D() export abstract class A<T> extends B implements C { constructor(private a?: T) {} m(): void; }", "export type * from 'x'; enum E { A = 1, 'b' } namespace N { let x!: T }", "interface I { (a): b; new (): c; [k: string]: d } <"},
	"tsx":        {"const f = <T,>(x: T) => <A<T> b={x as any} />;", "<a:b></"},
	"java":       {"package a; import static b.C.*; @X class D<T> extends E { int f = 1; void g(int... h) throws I { try (var j = k) { l(m -> n); } catch (O | P q) {} } }", "class {"},
	"c#":         {"using A = B.C; namespace D; [E] record F<G>(int H) : I(H) { J K { get; set; } = new() { L = 1 }; void M(params N[] o) { using var p = q; foreach (var (r, s) in t) u(v => w, out var x); } }", "var a = b switch { C { D: > 1 } e when f => $@\"{g,2}\"\"\", _ => throw h }; #if I\nreturn;\n#endif", "class {"},
	"python":     {"from a import b as c\n@d\nasync def e(f: g = 1, *h): return [i for j in k if l]\n", "def ("},
	"rust":       {"use a::{b, c as d}; #[test] fn e() -> F { g!(\"{h}\", 1)?; match i { J(k) if l => m, _ => {} } } impl N for O {}", "fn ("},
}

func numberOf(language string) byte {
	for i, r := range readers {
		if r.language == language {
			return byte(i)
		}
	}
	panic("no reader of " + language)
}

// FuzzRead gives any text to any reader: it may be refused, but what is read is
// a tree that its receiver accepts, with every node inside its parent.
func FuzzRead(f *testing.F) {
	for language, texts := range samples {
		for _, text := range texts {
			f.Add(numberOf(language), text)
		}
	}
	f.Fuzz(func(t *testing.T, number byte, text string) {
		number %= byte(len(readers))
		if len(text) > 10_000 {
			return
		}
		answer, err := handle(append([]byte{number}, text...))
		if err != nil {
			return
		}
		file := &File{text: text, Bytes: len(text)}
		if err := file.fill(answer); err != nil {
			t.Fatal(err)
		}
		checkTree(t, file)
	})
}

// checkTree holds a tree to what every reader promises.
func checkTree(t *testing.T, f *File) {
	t.Helper()
	if f.Examined < 0 || f.Examined > f.Bytes {
		t.Errorf("%d of %d bytes examined", f.Examined, f.Bytes)
	}
	for n := range f.Root().Walk() {
		if p := n.Parent(); p.Valid() && (n.Start() < p.Start() || n.End() > p.End()) {
			t.Fatalf("%s at %d-%d lies outside of its %s at %d-%d", n.Kind(), n.Start(), n.End(), p.Kind(), p.Start(), p.End())
		}
		if n.Is("broken") {
			for p := range n.Around() {
				if !p.Has(Broken) {
					t.Fatalf("%s does not tell of what is broken in it", p.Kind())
				}
			}
		}
	}
	for _, c := range f.Comments() {
		if c.From > c.To || int(c.To) > len(f.Text()) {
			t.Fatal("a comment lies outside of the text")
		}
	}
}

// TestHostileText are texts that are deep, long, or broken all over: they cost
// at most their file.
func TestHostileText(t *testing.T) {
	tests := map[string]struct {
		language, text string
		reason         string // "" is read
	}{
		"brackets":        {"javascript", strings.Repeat("[", 300_000), ""},
		"nested arrays":   {"javascript", strings.Repeat("[", 600) + strings.Repeat("]", 600), ""},
		"nested elements": {"tsx", strings.Repeat("<a>", 900) + strings.Repeat("</a>", 900), ""},
		"chain":           {"typescript", "x" + strings.Repeat(".a()", 5000), ""},
		"nested types":    {"typescript", "let x: " + strings.Repeat("A<", 300) + "B" + strings.Repeat(">", 300), ""},
		"template":        {"javascript", "x = `" + strings.Repeat("a", maxSource-100) + "`", ""},
		"substitutions":   {"javascript", "x = `" + strings.Repeat("${a}b", 20_000) + "`", ""},
		"one line":        {"javascript", strings.Repeat(`!function(e){var n=e[0];t(n,"x")}([1]),`, 3_000) + "0", ""},
		"many":            {"javascript", strings.Repeat("a,b;", 140_000), "more than"},
		"nul":             {"javascript", "\x00\x00 = 1\nf()\n", ""},
		"open strings":    {"javascript", strings.Repeat("'\n\"\n", 5_000), ""},
		"comments":        {"typescript", strings.Repeat("/** a */\n", 30_000) + "f();\n", ""},
		"documented":      {"typescript", strings.Repeat("/** a */ // b\nexport const x = 1\n", 5_000), ""},
		"java braces":     {"java", strings.Repeat("{", 300_000), ""},
		"java sum":        {"java", "class A { String a = 1" + strings.Repeat(" + b()", 3_000) + "; }", ""},
		"java else":       {"java", "class A { void f() { " + strings.Repeat("if (a) {} else ", 900) + "{} } }", ""},
		"java string":     {"java", `class A { String a = "` + strings.Repeat(`\n`, maxSource/16) + `"; }`, ""},
		"c# braces":       {"c#", strings.Repeat("{", 300_000), ""},
		"c# sum":          {"c#", "class A { string a = 1" + strings.Repeat(" + b()", 3_000) + "; }", ""},
		"c# else":         {"c#", "class A { void F() { " + strings.Repeat("if (a) {} else ", 900) + "{} } }", ""},
		"c# usings":       {"c#", "class A { void F() { " + strings.Repeat("using var a = b; ", 3_000) + " } }", ""},
		"c# queries":      {"c#", "class A { int a = " + strings.Repeat("from a in ", 1_000) + "b select c; }", ""},
		"c# into":         {"c#", "class A { object a = from b in c select d" + strings.Repeat(" into e select f", 1_000) + "; }", ""},
		"c# patterns":     {"c#", "class A { bool a = b is " + strings.Repeat("not (c or ", 300) + "d" + strings.Repeat(")", 300) + "; }", ""},
		"c# conditions":   {"c#", strings.Repeat("#if A\n", 3_000) + "class B {}\n" + strings.Repeat("#endif\n", 3_000), ""},
		"c# text":         {"c#", "class A { string a = $\"" + strings.Repeat("{b}c", 20_000) + "\"; }", ""},
		"rust brackets":   {"rust", strings.Repeat("(", 300_000), ""},
		"rust macros":     {"rust", "fn f() { " + strings.Repeat("a!(", 3_000) + strings.Repeat(")", 3_000) + "; }", ""},
		"rust many":       {"rust", "fn f() { " + strings.Repeat(`println!("{a}", b);`, 2_000) + " }", ""},
		"rust tokens":     {"rust", "m! { " + strings.Repeat("a.b(", 3_000) + "c" + strings.Repeat(".d", 3_000) + strings.Repeat(")", 3_000) + " }", ""},
		"rust uses":       {"rust", "use " + strings.Repeat("a::{b,", 1_000) + strings.Repeat("}", 1_000) + ";", ""},
		"rust conditions": {"rust", "#[cfg(" + strings.Repeat("all(", 3_000) + "test" + strings.Repeat(")", 3_000) + ")] fn f() {}", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			answer, err := handle(append([]byte{numberOf(tt.language)}, tt.text...))
			switch {
			case err != nil && tt.reason != "" && strings.Contains(err.Error(), tt.reason):
			case err != nil || tt.reason != "":
				t.Fatalf("error %v, want %q", err, tt.reason)
			default:
				f := &File{text: tt.text, Bytes: len(tt.text)}
				if err := f.fill(answer); err != nil {
					t.Fatal(err)
				}
				checkTree(t, f)
			}
		})
	}
}

// BenchmarkRead reads a text of each language that is what people write.
func BenchmarkRead(b *testing.B) {
	for _, r := range readers {
		var text strings.Builder
		for text.Len() < 200<<10 {
			text.WriteString(strings.ReplaceAll(samples[r.language][0], "package a", "") + "\n")
		}
		b.Run(r.language, func(b *testing.B) {
			request := append([]byte{numberOf(r.language)}, text.String()...)
			if r.language == "go" {
				request = append([]byte{numberOf("go")}, "package a\n"+text.String()...)
			}
			b.SetBytes(int64(len(request)))
			for b.Loop() {
				if _, err := handle(request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
