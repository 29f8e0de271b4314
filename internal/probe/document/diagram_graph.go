package document

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func diagramGraph() probe.Probe {
	return probe.Probe{
		ID: "diagram.graph", Version: "1", Target: court.PDFImages,
		Title:  "The figure shows the course of the program",
		Doc:    "readable: the boxes and arrows of a figure can be read. aggregation: a box that joins (aggregator, collect, merge) has two arrows into it. chief_end: the judges lead to a chief justice, and from there the figure comes to its end. Only figures whose source can be read and drawings of boxes and arrows, of lines or characters, are looked at, and pictures that a model reads.",
		Remedy: "Draw the join of the evidence, the chief justice and the end.", Effort: 20,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"aggregation", "chief_end", "readable"}, Default: "readable", Doc: "which question"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			g, read, none, err := drawings(ctx, s)
			if err != nil {
				return none, err
			}
			if a.String("aspect") == "aggregation" {
				read = g.withParts(read)
			}
			if a.String("aspect") != "chief_end" { // which rests on arrows that are not there
				read = append(read, g.seen(ctx, s)...)
			}
			if len(read) == 0 {
				return none, nil
			}
			return []probe.Finding{graphFinding(g, read, a.String("aspect"))}, nil
		},
	}
}

func graphFinding(g *gallery, read []drawing, aspect string) probe.Finding {
	src := g.source(court.Structure)
	for _, d := range read {
		switch aspect {
		case "aggregation":
			if box, n := d.join(); n >= 2 {
				return d.shown(probe.Present(src, nil, "In the figure %d arrows lead into %s.", n, court.Clean(box, 60)))
			}
		case "chief_end":
			if d.chiefEnds() {
				return d.shown(probe.Present(src, nil, "In the figure the judges lead to the chief justice, and from there nothing leads back to them."))
			}
		default:
			return d.shown(probe.Present(src, nil, "The boxes and arrows of the figure can be read: it has %d and %d.", len(d.graph.Nodes), len(d.graph.Edges)))
		}
	}
	if g.unreadToo() {
		return probe.Cannot(court.NoDetector, g.places(), "What could be read does not show it; the rest cannot be read.")
	}
	if aspect == "aggregation" {
		return probe.Missing(court.One, src, "No box of a figure joins the evidence: none that collects has two arrows into it.")
	}
	return probe.Missing(court.One, src, "No figure leads from the judges to a chief justice and to its end.")
}

// join is the collecting box with the most arrows into it.
func (d *diagram) join() (label string, inputs int) {
	for _, n := range d.graph.Nodes {
		if d.role[n.ID] == aggregatorRole && len(d.prev[n.ID]) > inputs {
			label, inputs = n.Label, len(d.prev[n.ID])
		}
	}
	return label, inputs
}

// chiefEnds: a chief is reached from a judge, no judge from the chief, and a
// box without arrows out from the chief, if it is not one itself.
func (d *diagram) chiefEnds() bool {
	for _, chief := range d.with(chiefRole) {
		after := d.reach(chief, "")
		ends := len(d.next[chief]) == 0
		for box := range after {
			ends = ends || len(d.next[box]) == 0
			if d.role[box] == judgeRole {
				ends = false
				break
			}
		}
		for _, judge := range d.with(judgeRole) {
			if ends && d.reach(judge, "")[chief] && !after[judge] {
				return true
			}
		}
	}
	return false
}
