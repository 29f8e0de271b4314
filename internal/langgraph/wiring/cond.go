package wiring

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// cond is a condition of the program: a number of a node in an ordered binary decision
// diagram, so that conditions which mean the same are equal.
type cond int32

const (
	never  cond = 0
	always cond = 1
)

// Limits on the diagrams: those of one reading, those up to which all that runs is told
// apart, and those of one router.
const (
	maxNodes    = 1 << 18
	fineNodes   = 1 << 14
	routerNodes = 1 << 12
)

// test is a decision that hangs on something unknown.
type test struct {
	at     []place          // where the program takes it
	usual  agentgraph.Truth // with the defaults and what callers pass
	thrown bool             // whether something raises
}

// place is an instruction of a function.
type place struct {
	f  *il.Function
	in *il.Instr
}

type fork struct {
	test   int32
	no, is cond
}

// conditions are the diagrams: Bryant, Graph-based algorithms for Boolean function
// manipulation, 1986.
type conditions struct {
	tests []*test
	named map[string]int32
	nodes []fork
	index map[fork]cond
	memo  map[[3]cond]cond
	short map[cond]cond
	spans map[place]il.Span // statements
}

func newConditions() conditions {
	return conditions{named: map[string]int32{}, nodes: []fork{{test: 1 << 30}, {test: 1 << 30}}, index: map[fork]cond{}, memo: map[[3]cond]cond{}, short: map[cond]cond{}, spans: map[place]il.Span{}}
}

// literal is the condition that a named test comes out true; a new one where it has no
// name.
func (c *conditions) literal(name string, at place, usual agentgraph.Truth) cond {
	t, ok := c.named[name]
	if !ok || name == "" {
		t = int32(len(c.tests))
		c.tests = append(c.tests, &test{usual: usual})
		if name != "" {
			c.named[name] = t
		}
	}
	if at.in != nil && !slices.Contains(c.tests[t].at, at) {
		c.tests[t].at = append(c.tests[t].at, at)
	}
	return c.node(fork{t, never, always})
}

func (c *conditions) node(d fork) cond {
	if d.no == d.is {
		return d.is
	}
	n, ok := c.index[d]
	if !ok {
		if len(c.nodes) > maxNodes {
			return always
		}
		n = cond(len(c.nodes))
		c.nodes = append(c.nodes, d)
		c.index[d] = n
	}
	return n
}

// choose is "if f then g else h".
func (c *conditions) choose(f, g, h cond) cond {
	switch {
	case f == always || g == h:
		return g
	case f == never:
		return h
	case g == always && h == never:
		return f
	}
	key := [3]cond{f, g, h}
	if out, ok := c.memo[key]; ok {
		return out
	}
	t := min(c.nodes[f].test, c.nodes[g].test, c.nodes[h].test)
	side := func(n cond, is bool) cond {
		switch {
		case c.nodes[n].test != t:
			return n
		case is:
			return c.nodes[n].is
		default:
			return c.nodes[n].no
		}
	}
	out := c.node(fork{t, c.choose(side(f, false), side(g, false), side(h, false)), c.choose(side(f, true), side(g, true), side(h, true))})
	c.memo[key] = out
	return out
}

func (c *conditions) and(f, g cond) cond { return c.choose(f, g, never) }
func (c *conditions) or(f, g cond) cond  { return c.choose(f, always, g) }
func (c *conditions) not(f cond) cond    { return c.choose(f, never, always) }

// support lists the tests that a condition hangs on.
func (c *conditions) support(f cond) (out []int32) {
	seen := map[cond]bool{}
	var walk func(cond)
	walk = func(n cond) {
		if n <= always || seen[n] {
			return
		}
		seen[n] = true
		if t := c.nodes[n].test; !slices.Contains(out, t) {
			out = append(out, t)
		}
		walk(c.nodes[n].no)
		walk(c.nodes[n].is)
	}
	walk(f)
	slices.Sort(out)
	return out
}

// without is a condition whatever some tests say: they no longer count.
func (c *conditions) without(f cond, drop func(int32) bool) cond {
	memo := map[cond]cond{}
	var walk func(cond) cond
	walk = func(n cond) cond {
		if n <= always {
			return n
		}
		if out, ok := memo[n]; ok {
			return out
		}
		d := c.nodes[n]
		no, is := walk(d.no), walk(d.is)
		out := c.or(no, is)
		if !drop(d.test) {
			out = c.choose(c.node(fork{d.test, never, always}), is, no)
		}
		memo[n] = out
		return out
	}
	return walk(f)
}

// maxTests bounds the tests that one condition hangs on.
const maxTests = 10

// bounded is a condition that hangs on some tests at most, the later ones: it holds where the
// whole one does, and maybe elsewhere.
func (c *conditions) bounded(f cond) cond {
	if f <= always {
		return f
	}
	out, ok := c.short[f]
	if !ok {
		out = f
		if tests := c.support(f); len(tests) > maxTests {
			first := tests[len(tests)-maxTests]
			out = c.without(f, func(t int32) bool { return t < first })
		}
		c.short[f] = out
	}
	return out
}

// usually is the truth of a condition with the defaults.
func (c *conditions) usually(f cond) agentgraph.Truth {
	switch f {
	case always:
		return agentgraph.Yes
	case never:
		return agentgraph.No
	}
	d := c.nodes[f]
	switch c.tests[d.test].usual {
	case agentgraph.Yes:
		return c.usually(d.is)
	case agentgraph.No:
		return c.usually(d.no)
	}
	if a, b := c.usually(d.is), c.usually(d.no); a == b {
		return a
	}
	return agentgraph.Unknown
}

// around tells whether a test is taken by a statement that an instruction stands in. What
// follows a statement that may leave early does not hang on it.
func (c *conditions) around(t *test, in *il.Instr, f *il.Function) bool {
	for _, p := range t.at {
		if p.f != f {
			continue
		}
		s, ok := c.spans[p]
		if !ok {
			s = statement(p)
			c.spans[p] = s
		}
		if s.From <= in.Span.From && in.Span.To <= s.To {
			return true
		}
	}
	return false
}

// of tells a test that a function takes.
func (t *test) of(f *il.Function) bool {
	return slices.ContainsFunc(t.at, func(p place) bool { return p.f == f })
}

// statement is the stretch of text of the statement or expression that a test decides.
func statement(p place) il.Span {
	s := p.in.Span
	if p.in.Op == il.Catch {
		return s
	}
	best := il.Span{To: 1 << 31}
	for _, b := range p.f.Blocks {
		if e := b.End(); e.Op == il.Jump && e.Span.From <= s.From && s.To < e.Span.To && e.Span.To-e.Span.From < best.To-best.From {
			best = e.Span
		}
	}
	return best
}

// branches writes a condition as the sides of the program's statements, as far as it
// can be written so.
func (x *machine) branches(f cond) (out []agentgraph.Branch) {
	groups := map[agentgraph.Place][]int32{}
	var order []agentgraph.Place
	for _, t := range x.support(f) {
		if len(x.tests[t].at) == 0 {
			continue
		}
		p := x.tests[t].at[0]
		at := x.Place(p.f, p.in.Span)
		if groups[at] == nil {
			order = append(order, at)
		}
		groups[at] = append(groups[at], t)
	}
	for _, at := range order {
		own := x.without(f, func(t int32) bool { return !slices.Contains(groups[at], t) })
		first, ok := x.sides[at]
		if !ok && own != always {
			x.sides[at], first = own, own
		}
		if own == always || own != first && own != x.not(first) || x.tests[groups[at][0]].thrown {
			continue
		}
		out = append(out, agentgraph.Branch{At: at, Negated: own != first, Value: x.usually(first)})
	}
	return out
}
