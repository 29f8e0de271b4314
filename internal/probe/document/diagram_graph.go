package document

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func diagramGraph() probe.Probe {
	return probe.Probe{
		ID: "diagram.graph", Version: "2", Target: court.PDFImages,
		Title:  "The figure shows the course of the program",
		Doc:    "readable: the boxes and arrows of a figure can be read. aggregation: a box that joins (aggregator, collect, merge) has two arrows into it. chief_end: the judges lead to a chief justice, and from there the figure comes to its end. Only figures whose source can be read and drawings of boxes and arrows, of lines or characters, are looked at, and pictures that a model reads; the pixels of pictures, too: where their labels were not read, three ways must part and join again at two places, one for each layer. In a document without any figure a chain of names and arrows, as START -> [a | b] -> c, counts half.",
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
			f := none
			if len(read) > 0 {
				f = []probe.Finding{graphFinding(g, read, a.String("aspect"))}
			}
			switch a.String("aspect") {
			case "aggregation":
				return orTraced(f[0], func() (probe.Finding, bool) { return g.tracedJoin(ctx, s) }), nil
			case "chief_end":
				return orTraced(f[0], func() (probe.Finding, bool) { return g.tracedEnd(ctx, s) }), nil
			default:
				return orTraced(f[0], func() (probe.Finding, bool) { return g.tracedKind(ctx, s) }), nil
			}
		},
	}
}

func graphFinding(g *gallery, read []drawing, aspect string) probe.Finding {
	src := g.source(court.Structure)
	for _, d := range read {
		switch aspect {
		case "aggregation":
			if box, n := d.join(); n >= 2 {
				return d.shown(probe.Present(src, nil, "In the figure, %d arrows lead into %s.", n, court.Clean(box, 60)))
			}
		case "chief_end":
			if d.chiefEnds() {
				return d.shown(probe.Present(src, nil, "In the figure, the judges lead to the chief justice, and nothing leads back from there within one case."))
			}
		default:
			return d.shown(probe.Present(src, nil, "The boxes and arrows of the figure can be read: %d boxes and %d arrows.", len(d.graph.Nodes), len(d.graph.Edges)))
		}
	}
	if g.unreadToo() {
		return probe.Cannot(court.NoDetector, g.places(), "What could be read of the figures does not show this. %s", g.open).Do(asText)
	}
	if aspect == "aggregation" {
		return probe.Missing(court.One, src, "No figure has a box that joins the evidence: no box that collects has two arrows into it.")
	}
	return probe.Missing(court.One, src, "No figure leads from the judges to a chief justice and on to the end without a way back to the judges.")
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
// box without arrows out from the chief, if it is not one itself. The next case
// of a batch is another hearing.
func (d *diagram) chiefEnds() bool {
	anew := d.begins()
	for _, chief := range d.with(chiefRole) {
		after := d.until(chief, anew)
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

// begins lists where the work on a case begins: the start and what it leads to,
// and boxes that lead to two detectives, if detectives come after them.
func (d *diagram) begins() map[string]bool {
	found := map[string]bool{}
	for _, n := range d.graph.Nodes {
		detectives := 0
		for _, t := range d.next[n.ID] {
			if d.role[t] == detectiveRole {
				detectives++
			}
		}
		first := d.role[n.ID] == startRole || d.role[n.ID] == otherRole && slices.ContainsFunc(d.prev[n.ID], func(id string) bool { return d.role[id] == startRole })
		if (first || detectives > 1) && d.investigates(n.ID) {
			found[n.ID] = true
		}
	}
	return found
}

// investigates: detectives come after a box before any judge does, and no judge right after it.
func (d *diagram) investigates(box string) bool {
	if d.role[box] == judgeRole || d.role[box] == chiefRole || slices.ContainsFunc(d.next[box], func(id string) bool { return d.role[id] == judgeRole }) {
		return false
	}
	judges := map[string]bool{}
	for _, id := range d.with(judgeRole) {
		judges[id] = true
	}
	for after := range d.until(box, judges) {
		if d.role[after] == detectiveRole {
			return true
		}
	}
	return false
}

// until is everything that arrows lead to from a box, up to some others.
func (d *diagram) until(from string, stop map[string]bool) map[string]bool {
	seen := map[string]bool{}
	todo := slices.Clone(d.next[from])
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[at] && !stop[at] {
			seen[at] = true
			todo = append(todo, d.next[at]...)
		}
	}
	return seen
}
