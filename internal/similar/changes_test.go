package similar

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/likeness"
)

// seeds are programs of our own, by name.
func seeds(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("testdata/seeds/*.py")
	if err != nil || len(paths) < 12 {
		t.Fatal(len(paths), err)
	}
	out := map[string]string{}
	for _, p := range paths {
		raw, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(p), ".py")] = string(raw)
	}
	return out
}

// workOf is the fingerprints of files, as Take makes them.
func workOf(t testing.TB, texts map[string]string) (w likeness.Work) {
	t.Helper()
	var files []code.File
	for path, text := range texts {
		files = append(files, code.File{Path: path, Bytes: []byte(text)})
	}
	slices.SortFunc(files, func(a, b code.File) int { return strings.Compare(a.Path, b.Path) })
	p, err := code.Load(t.Context(), codetest.Inline{Service: code.Service()}, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range p.Modules {
		walk := walker{}
		walk.python(m.Root())
		w.Files = append(w.Files, likeness.File{Path: m.Path, Marks: walk.marks()})
	}
	for _, f := range files {
		if f.Language() == "python" {
			continue
		}
		x, err := syntax.Parse(f)
		if err != nil {
			t.Fatal(err)
		}
		walk := walker{}
		walk.tree(x.Root(), "")
		w.Files = append(w.Files, likeness.File{Path: f.Path, Marks: walk.marks()})
	}
	return w
}

// change makes another program of one: weak at strength 1, thorough at 3. other is a second source.
type change struct {
	name string
	make func(text, other string, strength int) string
}

var changes = []change{
	{"rename", func(text, _ string, n int) string { return renamed(text, n) }},
	{"reorder", func(text, _ string, n int) string { return reordered(text, n) }},
	{"format", func(text, _ string, n int) string { return reformatted(text, n) }},
	{"dead", func(text, _ string, n int) string { return withDead(text, n) }},
	{"loops", func(text, _ string, n int) string { return loopsTurned(text, n) }},
	{"split", func(text, _ string, n int) string { return splitUp(text, n) }},
	{"half", func(text, _ string, n int) string {
		head, list := methods(text)
		return head + strings.Join(list[:max(1, len(list)*(4-n)/4)], "\n\n\n") + "\n"
	}},
	{"mixed", func(text, other string, n int) string {
		head, one := methods(text)
		second, two := methods(other)
		return head + second + strings.Join(append(slices.Clone(one[:max(1, len(one)*(4-n)/4)]), two[len(two)*(3-n)/4:]...), "\n\n\n") + "\n"
	}},
}

// chosen tells a part of all texts: a third of them at strength 1, all at 3.
func chosen(text string, strength int) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text))
	return int(h.Sum32()%3) < strength
}

// blocks are the head of a program, and its functions and classes.
func blocks(text string) (head string, list []string) {
	all := strings.Split(strings.TrimSpace(text), "\n\n\n")
	return all[0] + "\n\n\n", all[1:]
}

// methods are the parts of a program that can be taken without the others: its functions, and the methods of its
// classes, each in a class of its own.
func methods(text string) (head string, list []string) {
	head, all := blocks(text)
	for _, block := range all {
		parts := strings.Split(block, "\n\n    ")
		if !strings.HasPrefix(block, "class") {
			parts = []string{block}
		}
		for i, p := range parts {
			if i > 0 {
				p = fmt.Sprintf("class Part%d:\n    %s", i, p)
			}
			list = append(list, p)
		}
	}
	return head, list
}

var (
	literal = regexp.MustCompile(`(?s)"""(.*?)"""|[a-z]?"(?:[^"\\\n]|\\.)*"|[a-z]?'(?:[^'\\\n]|\\.)*'|#[^\n]*`)
	word    = regexp.MustCompile(`\b[a-zA-Z][a-zA-Z0-9_]*\b`)
	keyword = strings.Fields("and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield")
)

// outside changes a program outside of its texts and comments.
func outside(text string, f func(string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range literal.FindAllStringIndex(text, -1) {
		b.WriteString(f(text[at:m[0]]) + text[m[0]:m[1]])
		at = m[1]
	}
	return b.String() + f(text[at:])
}

// renamed gives names other names, whatever they mean.
func renamed(text string, strength int) string {
	return outside(text, func(s string) string {
		return word.ReplaceAllStringFunc(s, func(w string) string {
			if slices.Contains(keyword, w) || !chosen(w, strength) {
				return w
			}
			return "v_" + w + "_x"
		})
	})
}

// reordered turns the order of functions around, and at 3 that of methods, too.
func reordered(text string, strength int) string {
	head, list := blocks(text)
	if strength == 1 {
		slices.Reverse(list[len(list)/2:])
	} else {
		slices.Reverse(list)
	}
	if strength == 3 {
		for i, block := range list {
			if parts := strings.Split(block, "\n\n    "); strings.HasPrefix(block, "class") && len(parts) > 2 {
				slices.Reverse(parts[1:])
				list[i] = strings.Join(parts, "\n\n    ")
			}
		}
	}
	return head + strings.Join(list, "\n\n\n") + "\n"
}

var (
	returned = regexp.MustCompile(`(?m)^( *)(return) ([^\n\[({]+)$`)
	indented = regexp.MustCompile(`(?m)^( +)`)
)

// reformatted lays a program out in another way: comments, indents, brackets.
func reformatted(text string, strength int) string {
	var out []string
	for i, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), "def ") && chosen(l, strength) {
			out = append(out, strings.Repeat(" ", len(l)-len(strings.TrimLeft(l, " ")))+"# Part "+fmt.Sprint(i))
		}
		out = append(out, l)
	}
	text = strings.Join(out, "\n")
	if strength >= 2 {
		text = returned.ReplaceAllString(text, "$1$2 (\n$1    $3\n$1)")
	}
	if strength == 3 {
		text = indented.ReplaceAllStringFunc(text, func(s string) string { return s[:len(s)/2] })
		text = outside(text, func(s string) string { return strings.ReplaceAll(s, ", ", ",") })
	}
	return text
}

// idleLines do nothing for the one who calls the function around them.
var idleLines = []string{
	"unused_%d = [len(part) for part in (\"north\", \"south\")]",
	"if False:\n%sprint(\"never\", %d)",
	"spare_%d = {\"depth\": 3}.get(\"width\", 0)",
	"while False:\n%sspare = %d + 1",
}

// withDead puts code that does nothing into functions, and at 3 adds functions that nobody calls.
func withDead(text string, strength int) string {
	var out []string
	n := 0
	for l := range strings.Lines(text) {
		out = append(out, strings.TrimSuffix(l, "\n"))
		if head := strings.TrimSpace(l); strings.HasPrefix(head, "def ") && strings.HasSuffix(head, ":") && chosen(l, strength) {
			pad := strings.Repeat(" ", len(l)-len(strings.TrimLeft(l, " "))+4)
			x := idleLines[n%len(idleLines)]
			if strings.Contains(x, "\n") {
				x = fmt.Sprintf(x, pad+"    ", n)
			} else {
				x = fmt.Sprintf(x, n)
			}
			out = append(out, pad+x)
			n++
		}
	}
	text = strings.Join(out, "\n")
	if strength == 3 {
		text += "\n\n\ndef nobody(kettle, spoon=2):\n    total = 0\n    for turn in range(spoon):\n        total += kettle * turn\n    return total if total else None\n"
	}
	return text
}

var forLoop = regexp.MustCompile(`(?m)^( *)for ([a-z_]+) in ([^\n]+):$`)

// loopsTurned writes loops in another form.
func loopsTurned(text string, strength int) string {
	n := 0
	return forLoop.ReplaceAllStringFunc(text, func(s string) string {
		m := forLoop.FindStringSubmatch(s)
		if !chosen(s, strength) {
			return s
		}
		n++
		return fmt.Sprintf("%[1]slist_%[4]d = list(%[3]s)\n%[1]sat_%[4]d = 0\n%[1]swhile at_%[4]d < len(list_%[4]d):\n%[1]s    %[2]s = list_%[4]d[at_%[4]d]\n%[1]s    at_%[4]d += 1", m[1], m[2], m[3], n)
	})
}

// splitUp gives the bodies of functions to others, which the functions call.
func splitUp(text string, strength int) string {
	head, list := blocks(text)
	for i, block := range list {
		first, body, ok := strings.Cut(block, "\n")
		if !ok || !strings.HasPrefix(first, "def ") || !chosen(first, strength) {
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(first, "def "), ":")
		name, args, _ := strings.Cut(name, "(")
		list[i] = fmt.Sprintf("def inner_%s(%s:\n%s\n\n\ndef %s(*given, **named):\n    print(\"calling\")\n    return inner_%s(*given, **named)", name, args, body, name, name)
	}
	if strength == 3 {
		slices.Reverse(list)
	}
	return head + strings.Join(list, "\n\n\n") + "\n"
}
