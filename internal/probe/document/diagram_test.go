package document

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/figure"
)

// graphOf is a graph of arrows like "a>b".
func graphOf(arrows string) *figure.Graph {
	g := &figure.Graph{Kind: figure.Flow}
	known := map[string]bool{}
	for arrow := range strings.FieldsSeq(arrows) {
		from, to, _ := strings.Cut(arrow, ">")
		for _, id := range []string{from, to} {
			if !known[id] {
				known[id] = true
				g.Nodes = append(g.Nodes, figure.Node{ID: id, Label: id})
			}
		}
		g.Edges = append(g.Edges, figure.Edge{From: from, To: to})
	}
	return g
}

func TestLayers(t *testing.T) {
	tests := map[string]struct {
		arrows string
		want   layer
	}{
		"a fork":                       {"start>prosecutor start>defense prosecutor>chief defense>chief", drawnParallel},
		"a fork, further down":         {"start>x start>y x>prosecutor y>defense", drawnParallel},
		"a fork in a turn":             {"start>prosecutor start>defense prosecutor>chief defense>chief chief>start", drawnParallel},
		"a fork in a turn, no start":   {"prosecutor>chief defense>chief chief>router router>prosecutor router>defense", drawnParallel},
		"a row":                        {"start>prosecutor prosecutor>defense defense>chief", drawnInARow},
		"a row in a turn":              {"start>prosecutor prosecutor>defense defense>chief chief>prosecutor", drawnInARow},
		"a row, all of it a turn":      {"prosecutor>defense defense>chief chief>prosecutor", drawnOtherwise},
		"a row with a way around":      {"start>prosecutor start>defense prosecutor>defense defense>chief", drawnOtherwise},
		"a wheel":                      {"start>router router>prosecutor router>defense prosecutor>router defense>router", drawnOtherwise},
		"a row that is heard again":    {"start>prosecutor prosecutor>defense defense>chief chief>prosecutor chief>defense", drawnInARow},
		"one after a fork":             {"start>prosecutor start>x x>defense prosecutor>x", drawnOtherwise},
		"by one box that leads to all": {"start>panel panel>prosecutor panel>defense", drawnParallel},
		"one alone":                    {"start>prosecutor prosecutor>end", notDrawn},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := newDiagram(graphOf(test.arrows)).parallel(judgeRole); got.is != test.want {
				t.Errorf("drawn %s, boxes %q", got.is, got.boxes)
			}
		})
	}
}

// As large as a graph can be that is looked at, and larger.
func TestLayersOfLargeGraphs(t *testing.T) {
	for _, boxes := range []int{mostBoxes, 4 * mostBoxes} {
		var b strings.Builder
		for i := range mostArrows {
			fmt.Fprintf(&b, "x%d>x%d ", i*7%(boxes-mostInRole), (i*13+i/boxes)%(boxes-mostInRole))
		}
		for i := range mostInRole {
			fmt.Fprintf(&b, "x0>judge%d judge%d>judge%d ", i, i, (i+1)%mostInRole)
		}
		g := graphOf(b.String())
		g.Edges = g.Edges[len(g.Edges)-mostArrows:]
		start := time.Now()
		newDiagram(g).parallel(judgeRole)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%d boxes took %v", boxes, took)
		}
	}
}
