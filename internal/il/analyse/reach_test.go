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
			for f := range p.All() {
				last := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
				want, _, named := strings.Cut(last, "_")
				if !named || f.Kind != il.Plainly || want == "" {
					continue
				}
				if a := r.Of(f); a.Is.String() != want {
					t.Errorf("%s: %s %s %v", f.Name, a.Is, a.Why, a.Places)
				}
			}
		})
	}
}
