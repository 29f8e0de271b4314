package analyse_test

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// The names of the functions begin with the answer.
func TestReach(t *testing.T) {
	for name, c := range map[string]struct{ entry, archive string }{
		"python": {"main", `
-- m.py --
from other import yes_imported, Judge
import side
def main():
    yes_called()
    table = {"a": yes_in_table}
    run(yes_handed)
    j = Judge()
    j.yes_method()
    [yes_in_comprehension() for x in table]
def yes_called():
    def yes_inside(): pass
    def no_inside(): pass
    yes_inside()
    yes_imported()
def yes_in_table(): pass
def yes_handed(): pass
def yes_in_comprehension(): pass
def no_never(): no_by_the_dead()
def no_by_the_dead(): pass
@app.get("/")
def yes_decorated(): pass
-- other.py --
def yes_imported(): pass
def no_imported(): pass
class Judge:
    def __init__(self): self.yes_from_constructor()
    def yes_from_constructor(self): pass
    def yes_method(self): pass
    def no_method(self): pass
-- side.py --
def yes_at_import(): pass
yes_at_import()
-- alone.py --
no_at_import()
def no_at_import(): pass
`},
		"decorated": {"main", `
-- m.py --
from functools import lru_cache, wraps
import other
def main():
    yes_cached()
    other.yes_cached_there()
    K.yes_static()
    return K().yes_property
@lru_cache
def yes_cached(): pass
@lru_cache(maxsize=3)
def no_cached(): pass
class K:
    @staticmethod
    def yes_static(): pass
    @staticmethod
    def no_static(): pass
    @property
    def yes_property(self): pass
if x:
    def yes_either(): pass
else:
    def yes_either(): pass
yes_either()
-- other.py --
from functools import lru_cache
@lru_cache(maxsize=3)
def yes_cached_there(): pass
`},
		"go": {"main", `
-- main.go --
package main
type T struct{}
func (t T) yes_method() {}
func (t T) no_method() {}
func main() { yes_called(); var t T; t.yes_method(); go yes_spawned(); defer yes_deferred(); f := yes_value; f() }
func yes_called() {}
func yes_spawned() {}
func yes_deferred() {}
func yes_value() {}
func no_never() {}
`},
		"typescript": {"main", `
-- m.ts --
import { yes_imported } from "./n";
export function main() { yes_imported(); [1].map(yes_handed); new K().yes_method(); }
function yes_handed() {}
function no_never() {}
class K { constructor() { this.yes_from_constructor(); } yes_from_constructor() {} yes_method() {} no_method() {} }
-- n.ts --
export function yes_imported() {}
export function no_exported() {}
`},
		"computed": {"main", `
-- m.py --
def main(name): getattr(thing, name)()
def unknown_maybe(): pass
`},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(t, c.archive)
			r := analyse.ReachFrom(analyse.Resolve(p), nil, function(t, p, c.entry))
			answersAsNamed(t, p, r)
		})
	}
}

// What is only named is not known to run, and what is not even named does not. The
// names of the functions begin with the answer; open: any file may be run.
func TestHear(t *testing.T) {
	for name, c := range map[string]struct {
		said, archive string
		open          bool
	}{
		"a command": {"python -m tools.run build", `
-- m.py --
def main(): pass
def no_other(): pass
-- tools/run.py --
def build(): unknown_called()
def unknown_called(): pass
def no_other(): pass
-- tools/__init__.py --
def no_package(): pass
-- left.py --
def build(): no_called()
def no_called(): pass
`, false},
		"texts in code": {"", `
-- m.py --
import tools, importlib
def main():
    importlib.import_module("plugin").unknown_by_name()
    return getattr(tools, "unknown_got")
-- tools.py --
__all__ = ["no_exported"]
def unknown_got(): pass
def no_exported(): pass
-- plugin.py --
def unknown_by_name(): pass
-- left.py --
def no_left(): pass
`, false},
		"a computed name": {"", `
-- m.py --
import tools
def main(name): return getattr(tools, name)
-- tools.py --
def unknown_any(): pass
-- left.py --
def no_left(): pass
`, false},
		"a computed file": {"", `
-- m.py --
import importlib
def main(name): importlib.import_module(name)
`, true},
		"a child": {"", `
-- m.py --
import subprocess, sys
def main(name): subprocess.run([sys.executable, "-m", name])
`, true},
		"a child that is written out": {"", `
-- m.py --
import subprocess, sys
def main():
    subprocess.run([sys.executable, "-m", "tools"])
    subprocess.run(["python", "-V"])
-- tools.py --
from m import main
def no_called(): pass
`, false},
		"a class that a framework calls": {"", `
-- m.py --
from http.server import BaseHTTPRequestHandler
from pydantic import BaseModel
def main(): pass
class Handler(BaseHTTPRequestHandler):
    def yes_called_by_it(self): pass
class Plain(BaseModel):
    def no_method(self): pass
`, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(t, c.archive)
			r := analyse.Of(p).Reach(function(t, p, "main"))
			if open := r.Hear(c.said); open != c.open {
				t.Errorf("open is %v", open)
			}
			answersAsNamed(t, p, r)
		})
	}
}

// answersAsNamed compares what is said of each function with what its name begins with.
func answersAsNamed(t *testing.T, p *il.Program, r *analyse.Reach) {
	t.Helper()
	for f := range p.All() {
		last := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		want, _, named := strings.Cut(last, "_")
		if !named || f.Kind != il.Plainly || want == "" {
			continue
		}
		if a := r.Of(f); a.Is.String() != want {
			t.Errorf("%s in %s: %s %s %v", f.Name, f.Module.Path, a.Is, a.Why, a.Places)
		}
	}
}

// The lines that no run comes to are marked.
func TestNeverRun(t *testing.T) {
	const text = `from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import a # never
else:
    import b
for _ in ():
    c = 1 # never
for d in []:
    def inside(): # never
        return 1 # never
def f(x):
    if 1 == 2:
        g() # never
    if x:
        return 1
        g() # never
    return 2
class K:
    x: int = 1
    def m(self):
        raise ValueError
        self.m() # never
e = []
for y in e:
    k = 2
e.append(1)
`
	a := analyse.Of(program(t, "-- m.py --\n"+text))
	for i, line := range strings.Split(text, "\n") {
		if want := strings.HasSuffix(line, "# never"); a.Never("m.py", i+1) != want {
			t.Errorf("line %d, %q: %v", i+1, line, !want)
		}
	}
}
