package analyse_test

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// What f gives back hangs on what asked() gives, or is shown not to.
func TestSlice(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want analyse.Tri
	}{
		"itself":                       {"def f(x):\n    return asked()\n", analyse.Yes},
		"in a text of a list":          {"def f(x):\n    out = []\n    out.append(f'{asked()}')\n    return '\\n'.join(out)\n", analyse.Yes},
		"thrown away":                  {"def f(x):\n    asked()\n    return 1\n", analyse.No},
		"chosen by it":                 {"def f(x):\n    if asked() > 3:\n        word = 'good'\n    else:\n        word = 'bad'\n    return word\n", analyse.Yes},
		"returned by it":               {"def f(x):\n    if asked():\n        return 'good'\n    return 'bad'\n", analyse.Yes},
		"chosen by something else":     {"def f(x):\n    y = asked()\n    if x['a'] > 3:\n        word = 'good'\n    else:\n        word = 'bad'\n    return word\n", analyse.No},
		"a key of a table":             {"WORDS = {1: 'good', 2: 'bad'}\ndef f(x):\n    return WORDS[asked()]\n", analyse.Yes},
		"how often a loop turns":       {"def f(x):\n    n = 0\n    for y in asked():\n        n += 1\n    return n\n", analyse.Yes},
		"a loop beside":                {"def f(x):\n    n = 0\n    for y in asked():\n        print(y)\n    return n\n", analyse.No},
		"by a helper":                  {"def f(x):\n    return helper(asked(), 1)\ndef helper(a, b):\n    return a\n", analyse.Yes},
		"a helper that does not use":   {"def f(x):\n    return helper(asked(), 1)\ndef helper(a, b):\n    return b\n", analyse.No},
		"the other of two":             {"def f(x):\n    a, b = helper(asked())\n    return b\ndef helper(a):\n    return a, 2\n", analyse.No},
		"filled by a helper":           {"def f(x):\n    out = []\n    fill(out, asked())\n    return out\ndef fill(to, what):\n    to.append(what)\n", analyse.Yes},
		"filled under another name":    {"def f(x):\n    out = []\n    other = out\n    other.append(asked())\n    return out\n", analyse.Yes},
		"filled where a table has it":  {"def f(x):\n    out = {}\n    out.setdefault('a', []).append(asked())\n    return out\n", analyse.Yes},
		"filled by a method":           {"def f(x):\n    out = {}\n    out.update(asked())\n    return out\n", analyse.Yes},
		"a comparison with a name":     {"def f(x):\n    good = asked() > 3\n    return 1 if good else 2\n", analyse.Yes},
		"by what is called on it":      {"def f(x):\n    return asked().choices[0].text.strip()\n", analyse.Yes},
		"a part of a library's answer": {"import lib\ndef f(x):\n    return lib.make(asked()).part\n", analyse.Yes},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(t, "-- m.py --\nfrom model import asked\n"+c.text)
			all := analyse.Of(p)
			ends := func(f *il.Function, in *il.Instr) bool {
				if in == nil || in.Op != il.Call {
					return false
				}
				s := all.Names.Operand(f, in.Args[0])
				return s != nil && s.Outside == "model.asked"
			}
			f := find(t, p, "f")
			var of []analyse.Use
			for _, in := range f.Instructions() {
				if in.Op == il.Return {
					of = append(of, analyse.Use{Function: f, Operand: in.Args[0], At: in})
				}
			}
			if len(of) > 1 { // which of them it is, is chosen in who calls
				of = nil
				p = program(t, "-- m.py --\nfrom model import asked\n"+c.text+"def g(x):\n    return f(x)\n")
				all = analyse.Of(p)
				g := find(t, p, "g")
				for _, in := range g.Instructions() {
					if in.Op == il.Return {
						of = append(of, analyse.Use{Function: g, Operand: in.Args[0], At: in})
					}
				}
			}
			s := all.Slice(ends, of...)
			got := analyse.Unknown
			if s.Whole {
				got = analyse.No
			}
			for _, x := range s.Origins {
				if x.Kind == analyse.FromCall && x.Symbol.Outside == "model.asked" {
					got = analyse.Yes
				}
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
