package analyse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

func TestHandlers(t *testing.T) {
	p := program(t, `
-- m.py --
def f(x):
    try:
        g(x)
    except (ValueError, KeyError):
        pass
    except OSError as e:
        log(e)
    except Exception as e:
        raise RuntimeError("x") from e
    try:
        g(x)
    except:
        return []
    for i in x:
        try:
            g(i)
        except Exception:
            continue
    try:
        g(x)
    except Exception:
        x = None
    try:
        g(x)
    except Exception:
        if x:
            raise
        return None
    with suppress(OSError):
        g(x)
    try:
        g(x)
    except Exception:
        sys.exit(1)
-- m.ts --
function f() {
  try { g(); } catch (e) { }
  try { g(); } catch { throw new Error("x"); }
  try { g(); } catch (e) { console.error(e); }
}
-- M.java --
class M { void f() {
  try { g(); } catch (IOException | IllegalStateException e) { }
  try { g(); } catch (Exception e) { throw e; }
} }
`)
	o := &analyse.Outcome{Names: analyse.Resolve(p)}
	var got []string
	for f := range p.All() {
		for _, h := range o.Handlers(f) {
			got = append(got, fmt.Sprintf("%s %s %v", h.At, [...]string{"handled", "raised", "dropped"}[h.Fate], o.Catches(h)))
		}
	}
	want := strings.Split(`M.java:2 dropped [IOException java.lang.IllegalStateException]
M.java:3 raised [java.lang.Exception]
m.py:4 dropped [builtins.ValueError builtins.KeyError]
m.py:6 handled [builtins.OSError]
m.py:8 raised [builtins.Exception]
m.py:12 dropped []
m.py:17 dropped [builtins.Exception]
m.py:21 handled [builtins.Exception]
m.py:25 dropped [builtins.Exception]
m.py:29 dropped [builtins.OSError]
m.py:33 raised [builtins.Exception]
m.ts:2 dropped []
m.ts:3 raised []
m.ts:4 handled []`, "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestNever(t *testing.T) {
	p := program(t, `
-- m.py --
import sys
def yes(x):
    if x: raise ValueError(x)
    sys.exit(1)
def yes_calls(x):
    yes(x)
    return 1
def no_finally(x): # it does never return, but the ways through finally are not told apart
    try:
        yes(x)
        return 1
    finally:
        print(x)
def yes_loop():
    while True:
        pass
def no_caught(x):
    try:
        yes(x)
    except ValueError:
        return 2
def no_generator():
    yield 1
    raise ValueError
def no(x):
    if x: return 1
    raise ValueError
async def yes_async(): raise ValueError
def no_task(): return yes_async()
async def yes_awaits(): await yes_async()
-- m.go --
package m
func yes() { panic("x") }
func no(x int) { if x > 1 { yes() } }
-- m.rs --
fn yes() -> i32 { panic!("x") }
fn yes_too() -> i32 { yes() + 1 }
fn yes_endless() { loop { yes(); } }
fn no(x: i32) -> i32 { match x { 1 => 2, _ => yes() } }
`)
	o := &analyse.Outcome{Names: analyse.Resolve(p)}
	for f := range p.All() {
		if f.Kind == il.Top {
			continue
		}
		want := analyse.No
		if strings.HasPrefix(f.Name, "yes") {
			want = analyse.Yes
		}
		if a := o.Never(f); a.Is != want {
			t.Errorf("%s %s: %s %s", f.Module.Path, f.Name, a.Is, a.Why)
		}
	}
}

func TestClosed(t *testing.T) {
	p := program(t, `
-- m.py --
def yes_with():
    with open("a") as f:
        return f.read()
def yes_close():
    f = open("a")
    x = f.read()
    f.close()
    return x
def yes_finally(p):
    f = None
    try:
        f = open(p)
        return f.read()
    finally:
        if f:
            f.close()
def no_never():
    f = open("a")
    return f.read()
def no_way(x):
    f = open("a")
    if x:
        return 1
    f.close()
def unknown_returned():
    return open("a")
def unknown_kept(self):
    self.f = open("a")
def unknown_given():
    f = open("a")
    take(f)
def no_read():
    f = open("a")
    read(f)
def no_wrapped():
    return wrap(open("a")).read()
def yes_wrapped():
    w = wrap(open("a"))
    w.close()
def yes_given():
    f = closing(open("a"))
def no_thrown_away():
    open("a")
def unknown_list():
    return [open("a")]
def yes_inside():
    f = open("a")
    def done():
        f.close()
    return done
-- m.go --
package m
import "os"
func yes_defer() error {
	f, err := os.open("a")
	if err != nil { return err }
	defer f.Close()
	return nil
}
func no_way(x int) error {
	f, err := os.open("a")
	if err != nil { return err }
	if x > 1 { return nil }
	f.Close()
	return nil
}
func yes_both(x int) error {
	f, err := os.open("a")
	if err != nil { return err }
	if x > 1 { f.Close(); return nil }
	return f.Close()
}
-- M.java --
class M {
  void yes_try() { try (R r = open("a")) { r.read(); } }
  void no_never() { R r = open("a"); r.read(); }
}
-- m.ts --
function no_never() { const f = open("a"); f.read(); }
`)
	o := &analyse.Outcome{Names: analyse.Resolve(p)}
	h := analyse.Handling{Closes: map[string]bool{"close": true, "Close": true}, Given: func(_ *il.Function, in *il.Instr) analyse.Takeover {
		return map[string]analyse.Takeover{"read": analyse.Reads, "wrap": analyse.Wraps, "closing": analyse.Closes}[in.Kind]
	}}
	for f := range p.All() {
		for _, in := range f.Instructions() {
			if in.Op != il.Call || in.Kind != "open" && in.Kind != "os.open" {
				continue
			}
			want, _, _ := strings.Cut(f.Name[strings.LastIndexByte(f.Name, '.')+1:], "_")
			if a := o.Closed(f, in, h); a.Is.String() != want {
				t.Errorf("%s %s: %s %s", f.Module.Path, f.Name, a.Is, a.Why)
			}
		}
	}
}
