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

// TestBehind asks of each handler, by its line, whether nothing is written in it and what is done
// about the failure behind it.
func TestBehind(t *testing.T) {
	p := program(t, `
-- m.py --
def first(xs):
    for x in xs:
        try:
            return x.get()
        except Exception:
            continue
    return other()

def none(xs):
    try:
        return xs.get()
    except Exception:
        pass
    return None

def tries(xs):
    for x in xs:
        try:
            x.put()
        except Exception:
            pass
    raise xs.error

def within(xs):
    for x in xs:
        if x.bad:
            raise x.error
        try:
            x.put()
        except Exception:
            pass
def last(xs):
    try:
        for x in xs:
            try:
                return x.get()
            except Exception:
                continue
        a()
    except KeyError:
        b()
    return None
-- m.ts --
function asked() {
  let a;
  try { a = b(); } catch {}
  if (!a) { throw c(); }
}
function changed(a) {
  try { a.b = c(); } catch {}
  if (a.d) { e(); }
}
function inside() {
  let a = 1;
  try { a = b(); } catch { return }
  return () => { if (a) { c(); } };
}
function nested(xs) {
  for (const x of xs) {
    while (true) {
      try { x.put(); break; } catch {}
    }
  }
}
`)
	want := strings.TrimSpace(`
m.py first 5: apart acts
m.py last 37: apart acts
m.py last 40:
m.py none 12: empty apart
m.py tries 20: empty raises
m.py within 30: empty
m.ts asked 3: empty asked
m.ts changed 7: empty
m.ts inside 12: asked
m.ts nested 18: empty apart
`)
	a := analyse.Of(p)
	var got []string
	for f := range p.All() {
		for _, h := range a.Outcome.Handlers(f) {
			words := []string{fmt.Sprintf("%s %s %d:", f.Module.Path, f.Name, h.At.Line)}
			for _, x := range []struct {
				is   bool
				word string
			}{{h.Empty(), "empty"}, {a.Outcome.Apart(h, false), "apart"}, {a.Outcome.Apart(h, true), "acts"}, {a.Outcome.RaisesBehind(h), "raises"}, {a.Outcome.Asked(h), "asked"}} {
				if x.is {
					words = append(words, x.word)
				}
			}
			got = append(got, strings.Join(words, " "))
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Error(diff)
	}
}

// TestConditional asks of each call whether a condition asks for what it gives.
func TestConditional(t *testing.T) {
	p := program(t, `
-- go.mod --
module example.org/m
-- m.go --
package m

func f() int {
	n, _ := a()
	for range 3 {
		if n > 2 {
			return 0
		}
	}
	k, _ := b()
	m := k
	if size(m) == 0 {
		return 1
	}
	j, _ := c()
	if err := d(); err != nil {
	}
	return j
}
`)
	a := analyse.Of(p)
	var got []string
	for f := range p.All() {
		for b, in := range f.Instructions() {
			if in.Op == il.Call {
				got = append(got, fmt.Sprint(in.Kind, " ", slices.ContainsFunc(f.Versions[in.Dst].Uses, func(u *il.Instr) bool { return a.Outcome.Conditional(f, u) })))
			}
			if in.Op == il.Branch {
				got = append(got, fmt.Sprint(in.Kind, " idle ", a.Outcome.Idle(b)))
			}
		}
	}
	want := []string{"a true", "> idle false", "b true", "size false", "== idle false", "c false", "d true", "!= idle true"}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestAfter asks of each call whether every way to it has passed a test of what "there" gives.
func TestAfter(t *testing.T) {
	p := program(t, `
-- m.py --
def left(x):
    if not there(x):
        return
    inside(x)
def joined(x):
    if x and not there(x):
        print(x)
    outside(x)
def nested(x):
    ok = there(x)
    for y in x:
        if ok and y:
            inside(y)
`)
	a := analyse.Of(p)
	var got []string
	for f := range p.All() {
		for _, in := range f.Instructions() {
			if in.Op == il.Call {
				got = append(got, fmt.Sprint(f.Name, " ", in.Kind, " ", a.Outcome.After(f, in, func(test *il.Instr) bool { return test.Kind == "there" })))
			}
		}
	}
	want := []string{"left there false", "left inside true", "joined there false", "joined print true", "joined outside false", "nested there false", "nested inside true"}
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		t.Error(diff)
	}
}

// TestImportedModules asks which modules another one imports.
func TestImportedModules(t *testing.T) {
	p := program(t, `
-- a.py --
from b import f
import p.deep
-- b.py --
import b
def f(): pass
-- p/__init__.py --
-- p/deep.py --
from . import near
-- p/near.py --
-- alone.py --
import os
`)
	var got []string
	for m, imported := range analyse.Resolve(p).ImportedModules() {
		if imported {
			got = append(got, m.Path)
		}
	}
	if diff := cmp.Diff([]string{"b.py", "p/__init__.py", "p/deep.py", "p/near.py"}, sorted(got)); diff != "" {
		t.Error(diff)
	}
}
