package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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

func TestAllOfALayerAreNamed(t *testing.T) {
	got := newDiagram(graphOf("start>prosecutor start>defense start>techlead prosecutor>chief defense>chief techlead>chief")).parallel(judgeRole)
	if want := []string{"prosecutor", "defense", "techlead"}; !slices.Equal(got.boxes, want) {
		t.Errorf("%q stand side by side, not %q", got.boxes, want)
	}
}

// As large as a graph can be that is looked at, and larger: it ends.
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
		newDiagram(g).parallel(judgeRole)
	}
}

func TestChiefEnds(t *testing.T) {
	tests := map[string]struct {
		arrows string
		want   bool
	}{
		"a way to the end":                {"start>prosecutor start>defense prosecutor>chief defense>chief chief>end", true},
		"back to the judges":              {"start>prosecutor start>defense prosecutor>chief defense>chief chief>prosecutor chief>end", false},
		"back to a box before the judges": {"start>panel panel>prosecutor panel>defense prosecutor>chief defense>chief chief>panel chief>end", false},
		"the next case":                   {"start>detective detective>prosecutor prosecutor>chief chief>start chief>end", true},
		"the next case, by its own box":   {"start>queue queue>detective detective>prosecutor prosecutor>chief chief>queue queue>end chief>end", true},
		"the next case, with a fork":      {"queue>detective queue>inspector detective>prosecutor inspector>prosecutor prosecutor>chief chief>queue chief>end", true},
		"a turn without an end":           {"start>detective detective>prosecutor prosecutor>chief chief>start", false},
		"judges first":                    {"start>panel panel>prosecutor prosecutor>chief chief>detective detective>panel chief>end", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := newDiagram(graphOf(test.arrows)).chiefEnds(); got != test.want {
				t.Errorf("chiefEnds is %v", got)
			}
		})
	}
}

func TestRoleOf(t *testing.T) {
	tests := map[string]role{
		"Tech Lead":               judgeRole,
		"tech_lead_node":          judgeRole,
		"Judge 1: Defense (kind)": judgeRole,
		"The Prosecutor looks for every flaw that the evidence shows": judgeRole,
		"Tech Lead weight": otherRole,
		"Score from 1 to 5 that every judge writes down":             otherRole,
		"Repo Investigator clones and reads, and handles what fails": detectiveRole,
		"Final report, as Markdown, of the chief justice":            otherRole,
		"Error Handler": handlerRole,
	}
	for label, want := range tests {
		if got := roleOf(label); got != want {
			t.Errorf("%q is %s", label, got)
		}
	}
}
