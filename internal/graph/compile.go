package graph

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var nodeName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// Compile checks the description and reports all mistakes at once. Besides
// names and reducers it proves, by walking every choice of every route, that
// each node can run, that no join can wait for ever (which would end a run
// early without a word) and that every loop has a bound.
func (b *Builder[S]) Compile() (*Graph[S], error) {
	b.checkNodes()
	b.checkEdges()
	b.checkJoins()
	b.checkRoutes()
	var err error
	if b.g.reduce, err = reducerOf[S](); err != nil {
		b.fail("%w", err)
	}
	if len(b.errs) == 0 { // the walks need sound names
		b.checkWalks()
	}
	if err := b.err(); err != nil {
		return nil, err
	}
	g := b.g
	g.order = slices.Clone(g.order)
	g.nodes, g.edges = maps.Clone(g.nodes), maps.Clone(g.edges)
	g.joins, g.routes = maps.Clone(g.joins), maps.Clone(g.routes)
	return &g, nil
}

func (b *Builder[S]) checkNodes() {
	for _, n := range b.g.order {
		if !nodeName.MatchString(n) {
			b.fail("node %q: a name has letters, digits and _ and starts with a letter", n)
		}
		if b.g.nodes[n].negative() {
			b.fail("node %q has a negative policy", n)
		}
		_, routed := b.g.routes[n]
		if len(b.g.edges[n]) == 0 && !routed {
			b.fail("node %q leads nowhere", n)
		}
	}
}

func (b *Builder[S]) checkEdges() {
	if len(b.g.edges[Start]) == 0 {
		b.fail("no edge from Start")
	}
	if slices.Contains(b.g.edges[Start], End) {
		b.fail("Start leads to End")
	}
	for _, from := range slices.Sorted(maps.Keys(b.g.edges)) {
		if from != Start && b.g.nodes[from] == nil {
			b.fail("edge from unknown node %q", from)
		}
		b.checkTargets(fmt.Sprintf("edge from %q", from), b.g.edges[from])
	}
}

func (b *Builder[S]) checkTargets(what string, to []string) {
	if len(to) == 0 {
		b.fail("%s lacks a target", what)
	}
	for i, t := range to {
		switch {
		case t == End && len(to) > 1:
			b.fail("%s leads to End and elsewhere", what)
		case t != End && b.g.nodes[t] == nil:
			b.fail("%s leads to unknown node %q", what, t)
		case slices.Contains(to[:i], t):
			b.fail("%s leads to %q twice", what, t)
		}
	}
}

func (b *Builder[S]) checkJoins() {
	for _, to := range slices.Sorted(maps.Keys(b.g.joins)) {
		if b.g.nodes[to] == nil || len(b.g.joins[to]) == 0 {
			b.fail("join %q needs a known node and members", to)
		}
		if slices.Contains(b.g.joins[to], Start) {
			b.fail("join %q cannot wait for Start", to)
		}
		for _, from := range slices.Sorted(maps.Keys(b.g.edges)) {
			if slices.Contains(b.g.edges[from], to) && !slices.Contains(b.g.joins[to], from) {
				b.fail("edge from %q leads to join %q, of which it is no member", from, to)
			}
		}
	}
}

func (b *Builder[S]) checkRoutes() {
	for _, from := range slices.Sorted(maps.Keys(b.g.routes)) {
		r := b.g.routes[from]
		if b.g.nodes[from] == nil || r.choose == nil || len(r.branches) == 0 {
			b.fail("route from %q needs a known node, a choice and branches", from)
		}
		if len(b.g.edges[from]) > 0 {
			b.fail("node %q has both edges and a route", from)
		}
		for i, br := range r.branches {
			what := fmt.Sprintf("branch %q of %q", br.Label, from)
			if br.Label == "" || slices.ContainsFunc(r.branches[:i], func(o Branch) bool { return o.Label == br.Label }) {
				b.fail("%s needs a label of its own", what)
			}
			if br.Max < 0 {
				b.fail("%s has a negative bound", what)
			}
			b.checkTargets(what, br.To)
			for _, to := range br.To {
				if b.g.joins[to] != nil {
					b.fail("%s leads to join %q; only edges from its members may", what, to)
				}
			}
		}
	}
}

func (b *Builder[S]) checkWalks() {
	if loop := b.g.unbounded(); loop != nil {
		b.fail("loop %s has no bound; give one of its branches a Max", strings.Join(loop, " -> "))
	}
	reached, err := b.g.explore()
	if err != nil {
		b.fail("%w", err)
		return
	}
	for _, n := range b.g.order {
		if !reached[n] {
			b.fail("node %q can never run", n)
		}
	}
}
