package analyse_test

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// flow follows to the arguments and objects of calls that are written with one of
// the names.
func flow(p *il.Program, names ...string) *analyse.Flow {
	return &analyse.Flow{Names: analyse.Resolve(p), To: func(_ *il.Function, in *il.Instr, arg int) bool {
		for _, name := range names {
			if in.Op == il.Call && arg > 0 && (in.Kind == name || strings.HasSuffix(in.Kind, "."+name)) {
				return true
			}
		}
		return false
	}}
}

// TestFlow asks of each function whether its parameter x arrives at a call of
// "sink": the name of a function begins with the answer.
func TestFlow(t *testing.T) {
	p := program(t, `
-- m.py --
import subprocess, shlex
from dataclasses import dataclass, replace
from pydantic import BaseModel

def yes_plain(x): sink(x)
def yes_copy(x):
    y = x
    sink(y + "a")
def yes_text(x): sink(f"say {x}")
def yes_format(x): sink("say {}".format(x))
def yes_join(x):
    parts = []
    parts.append(x)
    sink("\n".join(parts))
def yes_list(x): sink([x])
def yes_loop(x):
    for y in [x, 1]:
        sink(y)
def yes_collected(x):
    sink([str(y) for y in x])
def yes_unpacked(x):
    a, b = 1, x
    sink(b)
def no_unpacked(x):
    a, b = x, 1
    sink(b)
def yes_key(x):
    d = {"a": x}
    sink(d["a"])
def yes_key_that_is_a_number(x):
    d = {1: x}
    sink(d[1])
def unknown_key_itself(x):
    d = {}
    d[x] = 1
    for k, v in d.items(): sink(k)
def unknown_keys(x):
    d = {}
    d[x] = 1
    for k in d.keys(): sink(k)
def no_other_key(x):
    d = {"a": x}
    sink(d["b"])
def no_key_set_again(x):
    d = {"a": x}
    d["a"] = 1
    sink(d["a"])
def yes_get(x):
    d = {"a": x}
    sink(d.get("a", 1))
def no_overwritten(x):
    x = "constant"
    sink(x)
def unknown_maybe_overwritten(x): # it arrives on one way: that is a yes
    pass
def yes_on_one_way(x):
    if x > 3:
        x = 1
    sink(x)
def no_compared(x): sink(x == 3)
def no_chosen(x): sink([1, 2][x])
def yes_called(x): helper(x)
def helper(y): sink(y)
def yes_returned(x): sink(same(x))
def same(y): return y
def no_dropped(x): sink(constant(x))
def constant(y): return 5
def yes_keyword(x): named(b=x)
def named(a=1, b=2): sink(b)
def no_keyword(x): other(b=x)
def other(a=1, b=2): sink(a)
def yes_rest(x): rest(1, x)
def rest(*all): sink(all[1])
def yes_rest_by_name(x): rest_by_name(k=x)
def rest_by_name(**all): sink(all["k"])
def yes_nested(x):
    def inner():
        sink(x)
    inner()
def unknown_nested(x):
    def inner():
        sink(x)
    run(inner)
def yes_nested_result(x):
    def inner(): return x
    sink(inner())
def yes_lambda(x):
    f = lambda: x
    sink(f())
def unknown_outside(x): sink(fetch(x))
def unknown_argument(x): sink(task.result(x))
def no_printed(x):
    print(x)
    sink(1)
def yes_dumped(x): sink(str(x).strip().upper())
def yes_changed_by_alias(x):
    a = []
    a.append(x)
    sink(a)
def unknown_alias(x):
    a = []
    b = a
    b.append(x)
    sink(a)
def no_copy(x):
    a = {"k": 1}
    b = dict(a)
    b["k"] = x
    sink(a)
def unknown_filled_elsewhere(x):
    a = []
    fill(a, x)
    sink(a)
def fill(a, v): a.append(v)

@dataclass
class Opinion:
    score: int
    reason: str = ""
class Model(BaseModel):
    score: int
def yes_field(x): sink(Opinion(score=x).score)
def yes_field_by_position(x): sink(Opinion(1, x).reason)
def no_other_field(x): sink(Opinion(score=x).reason)
def yes_model(x): sink(Model(score=x).score)
class Judge:
    def __init__(self, prompt):
        self.prompt = prompt
        self.other = 1
    def run(self): sink(self.prompt)
    def rest(self): sink(self.other)
def yes_constructed(x): Judge(x).run()
def no_constructed(x): Judge(x).rest()
class Late:
    def unknown_kept(self, x): self.value = x
    def use(self): sink(self.value)
    def no_kept(self, x): self.nowhere = x
async def yes_awaited(x): sink(await soon(x))
async def soon(y): return y
def yes_yielded(x):
    for y in made(x): sink(y)
def made(y): yield y
def no_raised(x): raise ValueError(x)
def yes_finally(x):
    try: y = x
    finally: sink(x)
def yes_map(x): sink(list(map_it(x)))
def map_it(y): return [z for z in y]
def yes_items(x):
    d = {"a": x}
    for k, v in d.items(): sink(v)
def yes_sent(x):
    llm.sink([{"role": "user", "content": f"Evidence: {x}"}])

-- m.tsx --
function yes_template(x: string) { sink(`+"`a ${x}`"+`); }
function yes_spread(x: any) { const o = { ...x, b: 1 }; sink(o); }
function yes_object(x: string) { const { a, b } = { a: x, b: 1 }; sink(a); }
function yes_number(x: string) { const o = { 1: x }; sink(o[1]); }
function unknown_number(x: string) { const o = { 1: x }; sink(o["1"]); }
function no_index(x: string) { for (const i in [x]) { sink(1); } }
function unknown_index(x: string) { for (const i in [x]) { sink(i); } }
function unknown_component(x: string) { sink(<Foo a={x} />); }
function no_object(x: string) { const { a, b } = { a: x, b: 1 }; sink(b); }
function yes_mapped(x: string[]) { sink(x.map((y) => y + "!")); }
function no_mapped(x: string[]) { sink(x.map((y) => 1)); }
function yes_each(x: string[]) { x.forEach((y) => sink(y)); }
class Keeper { constructor(private v: string) {} run() { sink(this.v); } }
function yes_kept(x: string) { new Keeper(x).run(); }
async function yes_promise(x: string) { const r = await later(x); sink(r); }
async function later(y: string) { return y; }
-- m.go --
package m
import "fmt"
type T struct { a, b string }
func yes_struct(x string) { t := T{a: x}; sink(t.a) }
func unknown_index(x string) { for i := range []string{x} { sink(i) } }
func yes_element(x string) { for _, v := range []string{x} { sink(v) } }
func no_struct(x string) { t := T{a: x}; sink(t.b) }
func yes_two(x string) { a, _ := two(x); sink(a) }
func no_two(x string) { _, b := two(x); sink(b) }
func two(y string) (string, int) { return y, 1 }
func yes_appended(x string) { var l []string; l = append(l, x); sink(l) }
func yes_method(x string) { t := &T{}; t.give(x) }
func (t *T) give(y string) { sink(y) }
func yes_sprintf(x string) { sink(fmt.Sprintf("%s", x)) }
-- M.java --
class M {
  String f;
  void yes_plain(String x) { sink("a" + x); }
  void yes_local(String x) { String y = x.trim(); sink(y); }
  void yes_own(String x) { give(x); }
  void give(String y) { sink(y); }
  void no_length(String x) { sink(x.length()); }
}
-- m.rs --
fn yes_format(x: &str) { let s = format!("a {}", x); sink(s); }
fn yes_match(x: Option<i32>) { match x { Some(y) => sink(y), None => {} } }
fn yes_tail(x: i32) { sink(same(x)); }
fn same(y: i32) -> i32 { y }
fn no_shadowed(x: i32) { let x = 1; sink(x); }
`)
	w := flow(p, "sink")
	for f := range p.All() {
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		want, _, _ := strings.Cut(name, "_")
		if f.Kind != il.Plainly || want != "yes" && want != "no" && want != "unknown" || name == "unknown_maybe_overwritten" {
			continue
		}
		for _, param := range f.Params {
			if param.Name != "x" {
				continue
			}
			if a := w.Arrives(f, il.Operand{Kind: il.Local, ID: param.Var}); a.Is.String() != want {
				t.Errorf("%s %s: %s %s %v", f.Module.Path, f.Name, a.Is, a.Why, a.Places)
			}
		}
	}
}
