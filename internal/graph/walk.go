package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// place is where a walk stands: the nodes to run next and, for each join that
// has not fired, the members that arrived. Drive and the proof of Compile move
// by the same function, so what is proved is what runs.
type place struct {
	frontier []string            // as declared
	waiting  map[string][]string // sorted
}

// begin is the place of the first superstep.
func (g *Graph[S]) begin() place {
	return place{frontier: g.declared(g.edges[Start])}
}

// advance moves on from p, whose frontier has run and leads where exits says.
// It does not change p.
func (g *Graph[S]) advance(p place, exits func(from string) []string) place {
	next := place{waiting: maps.Clone(p.waiting)}
	if next.waiting == nil {
		next.waiting = map[string][]string{}
	}
	for _, from := range p.frontier {
		for _, to := range exits(from) {
			if members := g.joins[to]; members != nil {
				here := append(slices.Clone(next.waiting[to]), from)
				slices.Sort(here)
				if here = slices.Compact(here); len(here) < len(members) {
					next.waiting[to] = here
					continue
				}
				delete(next.waiting, to)
			}
			if to != End && !slices.Contains(next.frontier, to) {
				next.frontier = append(next.frontier, to)
			}
		}
	}
	next.frontier = g.declared(next.frontier)
	return next
}

// declared puts names in the order of declaration: tasks, and with them what
// append concatenates, do not depend on which edge was written first.
func (g *Graph[S]) declared(names []string) []string {
	out := slices.Clone(names)
	slices.SortFunc(out, func(a, b string) int { return slices.Index(g.order, a) - slices.Index(g.order, b) })
	return out
}

// mostPlaces bounds the proof, not the runs. An audit has under twenty.
const mostPlaces = 4096

// explore walks the graph under every combination of choices, whatever the
// bounds of the branches. It returns the nodes that can run, or the first walk
// found that strands a join.
func (g *Graph[S]) explore() (map[string]bool, error) {
	reached, seen := map[string]bool{}, map[string]bool{}
	queue := []place{g.begin()}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		key := fmt.Sprint(p.frontier, p.waiting) // fmt sorts the keys of maps
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > mostPlaces {
			return nil, fmt.Errorf("more than %d places to check", mostPlaces)
		}
		if len(p.frontier) == 0 && len(p.waiting) > 0 {
			return nil, g.stranded(p)
		}
		for _, n := range p.frontier {
			reached[n] = true
		}
		ways := g.ways(p.frontier)
		if len(ways) > mostPlaces {
			return nil, fmt.Errorf("more than %d ways to leave %s", mostPlaces, strings.Join(p.frontier, ", "))
		}
		for _, way := range ways {
			queue = append(queue, g.advance(p, func(from string) []string { return way[from] }))
		}
	}
	return reached, nil
}

func (g *Graph[S]) stranded(p place) error {
	join := slices.Sorted(maps.Keys(p.waiting))[0]
	return fmt.Errorf("join %q can wait for ever: %s arrived, of %s", join,
		strings.Join(p.waiting[join], ", "), strings.Join(g.joins[join], ", "))
}

// ways lists every combination of what the nodes of a frontier may lead to, or
// a few more than mostPlaces of them. An empty frontier has none.
func (g *Graph[S]) ways(frontier []string) []map[string][]string {
	if len(frontier) == 0 {
		return nil
	}
	all := []map[string][]string{{}}
	for _, from := range frontier {
		var more []map[string][]string
		for _, way := range all {
			for _, to := range g.exits(from) {
				w := maps.Clone(way)
				w[from] = to
				more = append(more, w)
			}
		}
		if all = more; len(all) > mostPlaces {
			break
		}
	}
	return all
}

// exits lists the sets of nodes that may follow a node: one per branch, or the
// one that its edges lead to.
func (g *Graph[S]) exits(from string) [][]string {
	r, routed := g.routes[from]
	if !routed {
		return [][]string{g.edges[from]}
	}
	var out [][]string
	for _, b := range r.branches {
		out = append(out, b.To)
	}
	return out
}

// unbounded returns a cycle of which no bounded branch is part, closed by its
// first node, or nil. It strips nodes off from the ends: what stays has a
// successor that stays, so following successors must come round.
func (g *Graph[S]) unbounded() []string {
	left := map[string][]string{}
	for _, n := range g.order {
		next := slices.Clone(g.edges[n])
		for _, b := range g.routes[n].branches {
			if b.Max == 0 {
				next = append(next, b.To...)
			}
		}
		left[n] = next
	}
	stays := func(n string) bool { _, ok := left[n]; return ok }
	for stripped := true; stripped; {
		stripped = false
		for _, n := range g.order {
			if stays(n) && !slices.ContainsFunc(left[n], stays) {
				delete(left, n)
				stripped = true
			}
		}
	}
	first := slices.IndexFunc(g.order, stays)
	if first < 0 {
		return nil
	}
	path := []string{g.order[first]}
	for {
		at := path[len(path)-1]
		next := left[at][slices.IndexFunc(left[at], stays)]
		if i := slices.Index(path, next); i >= 0 {
			return append(path[i:], next)
		}
		path = append(path, next)
	}
}
