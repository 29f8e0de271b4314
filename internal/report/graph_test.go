package report

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// anyWiring is a wiring of so many nodes and edges, drawn by lot: with circles,
// wires that lead back to their own box, twins, and boxes without any.
func anyWiring(lot *rand.Rand, nodes, edges int) *court.Wiring {
	w := &court.Wiring{}
	name := func(i int) string { return fmt.Sprintf("node_%0*d", 1+i%9, i) }
	for i := range nodes {
		w.Nodes = append(w.Nodes, court.WiredNode{Name: name(i), Role: roles[i%len(roles)].role, Many: i%5 == 0})
	}
	for range edges {
		from, to := name(lot.IntN(nodes)), name(lot.IntN(nodes))
		switch lot.IntN(8) {
		case 0:
			from = court.WireStart
		case 1:
			to = court.WireEnd
		}
		kinds := []court.WireKind{court.WireAlways, court.WireRoute, court.WireSend, court.WireNever}
		w.Edges = append(w.Edges, court.WiredEdge{From: from, To: to, Kind: kinds[lot.IntN(4)], By: "route"})
	}
	return w
}

// full is every node of a number of them wired to every other.
func full(nodes int) *court.Wiring {
	w := anyWiring(rand.New(rand.NewPCG(1, 1)), nodes, 0)
	for _, a := range w.Nodes {
		for _, b := range w.Nodes {
			if a.Name != b.Name {
				w.Edges = append(w.Edges, court.WiredEdge{From: a.Name, To: b.Name, Kind: court.WireAlways})
			}
		}
	}
	return w
}

func wirings() map[string]*court.Wiring {
	list := map[string]*court.Wiring{"courtroom": courtroom(), "tangled": tangled(), "40 to all": full(40), "alone": {Nodes: []court.WiredNode{{Name: "a"}}}}
	lot := rand.New(rand.NewPCG(20261122, 7))
	for i := range 60 {
		list[fmt.Sprint("lot ", i)] = anyWiring(lot, 1+lot.IntN(40), lot.IntN(90))
	}
	return list
}

// No two boxes overlap, and every box stands in the drawing.
func TestBoxesStandApart(t *testing.T) {
	for name, w := range wirings() {
		v := newGrapher(w, court.Case{}).draw()
		for i, a := range v.Nodes {
			if a.X < 0 || a.Y < 0 || a.X+a.W > v.W || a.Y+a.H > v.H {
				t.Errorf("%s: %q stands outside the drawing", name, a.Title)
			}
			for _, b := range v.Nodes[i+1:] {
				if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
					t.Errorf("%s: %q and %q overlap", name, a.Title, b.Title)
				}
			}
		}
	}
}

// Every wire begins and ends at the sides of its own boxes, and runs through no
// other.
func TestWiresEndAtTheirBoxes(t *testing.T) {
	for name, w := range wirings() {
		g := newGrapher(w, court.Case{})
		v := g.draw()
		for k, wire := range v.Wires {
			from, to := v.Nodes[g.wires[k].from], v.Nodes[g.wires[k].to]
			if !atSide(wire.from, from) || !atSide(wire.to, to) {
				t.Errorf("%s: %s ends at %v and %v, not at its boxes", name, wire.Title, wire.from, wire.to)
			}
			for i, p := range along(t, wire.Path) {
				for n, b := range v.Nodes {
					own := n == g.wires[k].from || n == g.wires[k].to
					if !own && p.x > b.X && p.x < b.X+b.W && p.y > b.Y && p.y < b.Y+b.H {
						t.Fatalf("%s: %s runs through %q at step %d", name, wire.Title, b.Title, i)
					}
				}
			}
		}
	}
}

func atSide(p point, b graphNode) bool {
	across := p.x >= b.X && p.x <= b.X+b.W && (p.y == b.Y || p.y == b.Y+b.H)
	beside := p.x == b.X+b.W && p.y >= b.Y && p.y <= b.Y+b.H
	return across || beside
}

var pathStep = regexp.MustCompile(`([MCVc])([^MCVc]*)`)

// along is the points of a path of ours: M, C, V, and the one c of a loop.
func along(t *testing.T, path string) (points []point) {
	t.Helper()
	var at point
	for _, m := range pathStep.FindAllStringSubmatch(path, -1) {
		var n []int
		for f := range strings.FieldsSeq(m[2]) {
			v, err := strconv.Atoi(f)
			if err != nil {
				t.Fatalf("path %q: %v", path, err)
			}
			n = append(n, v)
		}
		switch m[1] {
		case "M":
			at = point{n[0], n[1]}
		case "V":
			at.y = n[0]
		case "C":
			for k := 1; k <= 8; k++ {
				r := 8 - k
				points = append(points, point{(r*r*r*at.x + 3*r*r*k*n[0] + 3*r*k*k*n[2] + k*k*k*n[4]) / 512,
					(r*r*r*at.y + 3*r*r*k*n[1] + 3*r*k*k*n[3] + k*k*k*n[5]) / 512})
			}
			at = point{n[4], n[5]}
		case "c":
			at = point{at.x + n[4], at.y + n[5]}
		}
		points = append(points, at)
	}
	return points
}

// The same graph gives the same drawing.
func TestDrawingIsTheSameEveryTime(t *testing.T) {
	for name, w := range wirings() {
		first := fmt.Sprintf("%+v", newGrapher(w, court.Case{}).draw())
		for range 2 {
			if diff := cmp.Diff(first, fmt.Sprintf("%+v", newGrapher(w, court.Case{}).draw())); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
		}
	}
}

// The drawing shows the nodes and edges that there are, and the list says all of
// it in words.
func TestDrawingShowsTheWiring(t *testing.T) {
	w := tangled()
	v := newGrapher(w, court.Case{}).draw()
	if got, want := len(v.Nodes), len(w.Nodes)+3; got != want { // START, END and the one that is never added
		t.Errorf("%d boxes, want %d", got, want)
	}
	if len(v.Wires) != len(w.Edges) {
		t.Errorf("%d wires, want %d", len(v.Wires), len(w.Edges))
	}
	m := &pageMaker{docket: newDocket(&court.Record{Portrait: &court.Portrait{Graph: w}})}
	words := fmt.Sprintf("%+v", m.graph().List)
	for _, n := range w.Nodes {
		for _, want := range []string{n.Name, n.Doubt} {
			if !strings.Contains(words, want) {
				t.Errorf("the words lack %q", want)
			}
		}
	}
	for _, want := range []string{"START Role: Place: Link: Says:[Always goes on to documents, pictures, sources.]", "The router admissible names, and never takes, on_error (see 2 above).",
		"The router fan_out sends to workers_*.", "The router again decides on documents (it is added under a condition; see 3 above).", "Waits for all of documents, pictures, sources.",
		"Edges name it, and nothing adds it.", "See 1 above."} {
		if !strings.Contains(words, want) {
			t.Errorf("the words lack %q:\n%s", want, words)
		}
	}
}

// A record may hold more than any picture: what is drawn is bounded.
func TestDrawingIsBounded(t *testing.T) {
	w := full(300)
	for i := range w.Edges {
		w.Defects = append(w.Defects, court.Mark{What: "x", Nodes: []string{w.Edges[i].From}, Edges: []int{i, -1, 1 << 40}})
	}
	m := &pageMaker{docket: newDocket(&court.Record{Portrait: &court.Portrait{Graph: w}})}
	v := m.graph()
	if len(v.Nodes) > mostDrawnNodes+mostStrangers+2 || len(v.Wires) > mostDrawnEdges || len(v.Defects)+len(v.Rest) > mostDrawnMarks || len(v.Defects) != mostUnfolded {
		t.Errorf("%d nodes, %d wires, %d defects", len(v.Nodes), len(v.Wires), len(v.Defects))
	}
	if none := newGrapher(&court.Wiring{}, court.Case{}); none.lacking() != "it has no nodes." {
		t.Errorf("of nothing it says %q", none.lacking())
	}
}
