package langgraph

import (
	"strings"
	"testing"
)

// TestHostile reads programs that would grow without end if they were run as they stand.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"list in itself":   "l = []\nl.append(l)\ng.add_edge(l, l)\ng.add_conditional_edges('a', lambda s: l, l)\n",
		"doubled text":     "s = 'aa'\nfor i in range(200):\n    s = s + s\ng.add_node(s, s)\n",
		"doubled list":     "l = ['aa']\nfor i in range(200):\n    l = l + l\n    l.extend(l)\nfor n in l:\n    g.add_node(n)\n",
		"doubled name":     "x = h(g)\nfor i in range(200):\n    x = f(x, x)[x].y\ng.add_node(x)\n",
		"many turns":       "for a in range(250):\n    for b in range(250):\n        g.add_node(f'{a}-{b}', h)\n",
		"replaced":         "s = 'aa'\nfor i in range(200):\n    s = s.replace('a', 'aaa')\ng.add_node(s, s)\n",
		"calls itself":     "def f(n):\n    g.add_node(n, f)\n    f(n + 'x')\n    return f(n + 'y')\nf('a')\n",
		"calls in returns": "def f(a):\n" + strings.Repeat("    if h(a): return [g1(a), g2(a)]\n", 40) + "def g1(a):\n" + strings.Repeat("    if h(a): return [g2(a), {**g2(a), 'x': a}]\n", 40) + "def g2(a):\n" + strings.Repeat("    if h(a): return [g3(a), {**g3(a), 'y': a}]\n", 40) + "def g3(a):\n" + strings.Repeat("    if h(a): return [{**a}, {'z': [a]}]\n", 40) + "g.add_node('f', f)\n",
		"many conditions":  "def f(a):\n" + many + "    return a\nfor n in range(3):\n    g.add_node(f(n), f)\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := read(t, program(t, map[string]string{"g.py": "from langgraph.graph import StateGraph\ng = StateGraph(dict)\n" + text}))
			if len(r.Graphs) != 1 {
				t.Errorf("%d graphs", len(r.Graphs))
			}
		})
	}
}

var many = strings.Repeat("    if h(a) or a.b:\n        a = h(a) if a else [a]\n", 300)
