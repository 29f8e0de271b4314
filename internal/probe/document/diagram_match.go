package document

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func diagramMatch() probe.Probe {
	return probe.Probe{
		ID: "diagram.match", Version: "1", Target: court.PDFImages,
		Title:  "The figure agrees with the graph of the code",
		Doc:    "Compares the boxes or arrows of a figure with the nodes or edges of the code's graph, names without case, blanks and underscores, and takes F1, the harmonic mean of what is right in the figure and what is complete. Of several figures the best one counts. Only figures whose source can be read are looked at.",
		Remedy: "Draw the nodes and edges that the code has.", Effort: 30,
		Args: []probe.Arg{{Name: "of", Type: "string", Allowed: []string{"nodes", "edges"}, Default: "nodes", Doc: "what is compared"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			g, read, none, err := drawings(ctx, s)
			if err != nil {
				return none, err
			}
			if len(read) == 0 {
				read = g.seen(ctx, s)
			}
			if len(read) == 0 {
				return none, nil
			}
			code, err := s.Graphs(ctx)
			if err != nil {
				return nil, err
			}
			if code.Main == nil {
				return []probe.Finding{probe.Cannot(court.NoArtifact, nil, "The code has no graph to compare with.")}, nil
			}
			return []probe.Finding{matchFinding(g, read, code.Main, a.String("of"))}, nil
		},
	}
}

func matchFinding(g *gallery, read []drawing, code *langgraph.Graph, of string) probe.Finding {
	if of == "edges" && len(code.Unresolved) > 0 {
		return probe.Cannot(court.Dynamic, nil, "Not every edge of the code's graph could be read.")
	}
	best, share := 0, court.Fixed(-1)
	var right, shown, there int
	for i, d := range read {
		drawn, real := nodeSets(d, code)
		if of == "edges" {
			drawn, real = edgeSets(d, code)
		}
		n := 0
		for k := range drawn {
			if real[k] {
				n++
			}
		}
		if f1 := probe.Ratio(2*n, len(drawn)+len(real)); f1 > share {
			best, share, right, shown, there = i, f1, n, len(drawn), len(real)
		}
	}
	if of != "edges" {
		of = "nodes"
	}
	f := probe.Partly(share, g.source(court.Crossref), []court.Place{{Path: code.Builder.Path, Line: code.Builder.Line, EndLine: code.Builder.Line}},
		"The figure has %d %s and the code %d; the same are %d.", shown, of, there, right)
	if read[best].seen && f.Outcome == court.Violation { // that a model saw nothing of it does not mean that nothing is there
		return probe.Cannot(court.NoDetector, g.places(), "What a model read of the figure has nothing in common with the code.")
	}
	return read[best].shown(f)
}

func nodeSets(d drawing, code *langgraph.Graph) (drawn, real map[string]bool) {
	drawn, real = map[string]bool{}, map[string]bool{}
	for _, name := range d.names(code) {
		if name != langgraph.START && name != langgraph.END {
			drawn[name] = true
		}
	}
	for _, n := range code.Nodes {
		real[n.Name] = true
	}
	return drawn, real
}

func edgeSets(d drawing, code *langgraph.Graph) (drawn, real map[string]bool) {
	drawn, real = map[string]bool{}, map[string]bool{}
	names := d.names(code)
	for _, e := range d.graph.Edges {
		drawn[names[e.From]+"\x00"+names[e.To]] = true
	}
	for _, e := range code.Edges {
		real[e.From+"\x00"+e.To] = true
	}
	for _, r := range code.Routes {
		for _, t := range r.Targets {
			if !t.Dead {
				real[r.From+"\x00"+t.Name] = true
			}
		}
	}
	return drawn, real
}
