package document

import (
	"context"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func diagramMatch() probe.Probe {
	return probe.Probe{
		ID: "diagram.match", Version: "2", Target: court.PDFImages,
		Title:  "The figure agrees with the graph of the code",
		Doc:    "Compares the boxes or arrows of a figure with the nodes or edges of the code's graph: names by their letters, else by the role that only one of both sides has. F1 is the harmonic mean of precision (of what is drawn, what the code has) and recall (of what the code has, what is drawn). Left out, as good drawings do without it: edges from the start, to the end and of error handlers, and such handlers as nodes, when they are not drawn; what is drawn before the start or behind the end; decisions. An arrow is right that leads through one node which is not drawn, and two that lead through a box of the figure's own. Of several figures the best one counts, or all of them together, as one may draw each layer by itself; when it is hardly like the code and others could not be read, nothing is said. Only figures of which every arrow could be read are looked at. In a document without any figure a chain of names and arrows, as START -> [a | b] -> c, counts half.",
		Remedy: "Draw the nodes and edges that the code has.", Effort: 30,
		Args: []probe.Arg{{Name: "of", Type: "string", Allowed: []string{"nodes", "edges", "names"}, Default: "nodes", Doc: "what is compared; names: the boxes with the names of files, folders and code of any program, half of which is enough"}},
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
			if a.String("of") == "names" {
				f, err := namedBoxes(ctx, s, g, read)
				return []probe.Finding{f}, err
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

func matchFinding(g *gallery, read []drawing, code *agentgraph.Graph, of string) probe.Finding {
	if of == "edges" && len(code.Unresolved) > 0 {
		return probe.Cannot(court.Dynamic, nil, "Not every edge of the code's graph could be read.")
	}
	if of != "edges" {
		of = "nodes"
	}
	best, most := 0, likeness{}
	if all, ok := together(read); ok {
		read = append(slices.Clone(read), all)
	}
	for i, d := range read {
		c := compare(d, code)
		l := c.boxes(d)
		if of == "edges" {
			l = c.arrows()
		}
		if i == 0 || l.f1() > most.f1() {
			best, most = i, l
		}
	}
	const fair = court.One / 2
	if most.f1() < fair && g.unreadToo() {
		return probe.Cannot(court.NoDetector, g.places(), "The figure that could be read is not like the code's graph. %s %s", g.open, most.told(of)).Do(asText)
	}
	f := probe.Partly(most.f1(), g.source(court.Crossref), []court.Place{{Path: code.Builder.Path, Line: code.Builder.Line, EndLine: code.Builder.Line}},
		"%s", most.told(of))
	if n := read[best].parts; n > 0 {
		f.Rationale = fmt.Sprintf("The %d figures are taken together. ", n) + f.Rationale
	}
	f.Data = map[string]any{"of": of, "drawn": most.drawn(), "right": most.right, "real": most.real(), "found": most.found, "f1": most.f1(),
		"drawn_only": most.drawnOnly[:min(len(most.drawnOnly), maxData)], "code_only": most.codeOnly[:min(len(most.codeOnly), maxData)]}
	if read[best].seen && f.Outcome == court.Violation { // that a model saw nothing of it does not mean that nothing is there
		return probe.Cannot(court.NoDetector, g.places(), "What a model read of the figure has nothing in common with the code.").Do(asText)
	}
	return read[best].shown(f.Do("%s", most.asks()))
}

// maxData bounds the lists in a finding's data.
const maxData = 50
