package analyse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// TestThrown asks of each call in a program to which handlers its exceptions go, by
// their lines, whether they may leave, and which calls may run behind the handlers.
func TestThrown(t *testing.T) {
	p := program(t, `
-- m.py --
def f(x):
    a()
    try:
        b()
        c()
    except ValueError:
        d()
    except Exception:
        raise e()
    else:
        g()
    for i in x:
        try:
            h()
        except KeyError:
            continue
    return k()
-- m.ts --
function f() {
  try { a(); return b(); } catch (e) { c(); }
  d();
}
-- M.java --
class M { void f() {
  while (true) {
    try { a(); return; } catch (IllegalStateException x) { b(); }
  }
} }
`)
	want := strings.TrimSpace(`
M.java a: 3 leaves, then a b
M.java b: leaves
m.py a: leaves
m.py b: 6 8, then d e h k
m.py c: 6 8, then d e h k
m.py d: leaves
m.py e: leaves
m.py g: leaves
m.py h: 15 leaves, then h k
m.py k: leaves
m.ts a: 2, then c d
m.ts b: 2, then c d
m.ts c: leaves
m.ts d: leaves
`)
	outcome := &analyse.Outcome{Names: analyse.Resolve(p)}
	var got []string
	for f := range p.All() {
		var lines []string
		for _, in := range f.Instructions() {
			if in.Op == il.Call {
				lines = append(lines, fmt.Sprintf("%s %s: %s", f.Module.Path, in.Kind, thrown(outcome, f, in)))
			}
		}
		got = append(got, sorted(lines)...)
	}
	if d := cmp.Diff(want, strings.Join(got, "\n")); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestFallout asks of each function where a run goes on when a() raises: which calls it comes
// to with the exception on its way, and which by a handler, and which stand aside of a test.
func TestFallout(t *testing.T) {
	p := program(t, `
-- m.py --
def finally_():
    try:
        a()
        b()
    finally:
        c()
    d()
def handled():
    try:
        a()
    except Exception:
        b()
    finally:
        c()
    d()
def back():
    try:
        a()
    except ValueError:
        return b()
    c()
def inner():
    try:
        try:
            a()
        finally:
            b()
        c()
    finally:
        d()
    e()
def turn():
    for i in x:
        try:
            a()
        except ValueError:
            continue
        b()
    c()
def tested():
    if a():
        b()
        return 1
    if x:
        c()
    d()
`)
	want := strings.TrimSpace(`
back: b
finally_: c!
handled: b c d
inner: b! d!
tested: aside b
turn:
`)
	outcome := &analyse.Outcome{Names: analyse.Resolve(p)}
	var got []string
	for f := range p.All() {
		var a *il.Instr
		words := ""
		for _, in := range f.Instructions() {
			if in.Op != il.Call {
				continue
			}
			if in.Kind == "a" {
				a = in
			}
			if a == nil {
				continue
			}
			if pending, comes := outcome.Fallout(f, a)[f.Block(in)]; comes {
				words += " " + in.Kind + map[bool]string{true: "!"}[pending]
			}
			if outcome.Aside(f, a, in) {
				words += " aside " + in.Kind
			}
		}
		if a != nil {
			got = append(got, f.Name+":"+words)
		}
	}
	if d := cmp.Diff(want, strings.Join(sorted(got), "\n")); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func thrown(outcome *analyse.Outcome, f *il.Function, in *il.Instr) string {
	by, leaves := outcome.Thrown(f, in)
	var words, then []string
	var from []*il.Block
	for _, h := range by {
		words = append(words, fmt.Sprint(h.At.Line))
		from = append(from, f.Block(h.Catch))
	}
	if leaves {
		words = append(words, "leaves")
	}
	for _, b := range outcome.Onward(f, from...) {
		for _, next := range b.Instrs {
			if next.Op == il.Call {
				then = append(then, next.Kind)
			}
		}
	}
	out := strings.Join(words, " ")
	if len(then) > 0 {
		out += ", then " + strings.Join(sorted(then), " ")
	}
	return out
}

func sorted(in []string) []string {
	slices.Sort(in)
	return in
}
