package document

import (
	"cmp"
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/figure"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func diagramContradiction() probe.Probe {
	return probe.Probe{
		ID: "diagram.contradiction", Version: "1", Target: court.PDFImages,
		Title:  "The figure does not contradict the code",
		Doc:    "Compares, for detectives and for judges, what a figure draws side by side or in a row with what the code's graph does. Only figures whose source can be read and drawings of boxes and arrows, of lines or characters, are looked at, and only when every arrow of them was read and no caption says that something else than the program is meant, never what a model read alone nor a chain of names and arrows in text; when another figure cannot be read, a clean result is not given.",
		Remedy: "Draw the graph as the code wires it.", Effort: 30,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			g, read, _, err := drawings(ctx, s)
			if err != nil {
				return nil, err
			}
			read = slices.DeleteFunc(read, func(d drawing) bool { return d.figure.Origin == figure.Chain }) // which may be of a plan
			if len(read) == 0 {
				return []probe.Finding{g.diagrams().unread(ctx, s)}, nil
			}
			code, err := s.Wiring(ctx)
			if err != nil {
				return nil, err
			}
			if code.Main == nil {
				return []probe.Finding{probe.Cannot(court.NoArtifact, nil, "The code has no graph to compare with.")}, nil
			}
			return []probe.Finding{contradiction(g, read, code)}, nil
		},
	}
}

// notMeant is in the caption of figures that do not show the program as it is.
var notMeant = regexp.MustCompile(`(?i)\b(?:alternatives?|reject(?:ed|s)?|naive|before|previous(?:ly)?|old|former|initial|wrong|incorrect|anti-?pattern|bad|avoid(?:ed)?|instead|versus|vs|planned|proposed|future|interim|draft|peer(?:'s|’s)?|example)\b`)

func contradiction(g *gallery, read []drawing, code *facts.Wiring) probe.Finding {
	at := line(code.Main.Builder.Path, code.Main.Builder.Line)
	open, compared := "", 0
	if g.unreadToo() {
		open = g.open
	}
	for _, d := range read {
		if notMeant.MatchString(d.figure.Caption + "\n" + d.figure.Title) {
			open = cmp.Or(open, "The words of one say that it may show something else than the program as it is.")
			continue
		}
		for _, layer := range []struct {
			role role
			real facts.Fact[facts.Parallel]
		}{{detectiveRole, code.Parallel(facts.Detective)}, {judgeRole, code.Parallel(facts.Judge)}} {
			drawn := d.parallel(layer.role)
			switch {
			case drawn.is != drawnParallel && drawn.is != drawnInARow:
				continue
			case layer.real.Answer == agentgraph.Unknown:
				open = cmp.Or(open, "Whether the code runs side by side what is drawn so is not known.")
			case drawn.is == drawnParallel && layer.real.Answer == agentgraph.No:
				return d.shown(probe.Against(g.source(court.Crossref), at, "The figure draws %s side by side, but in the code they do not run in parallel.", cleanList(drawn.boxes)))
			case drawn.is == drawnInARow && layer.real.Answer == agentgraph.Yes:
				return d.shown(probe.Against(g.source(court.Crossref), at, "The figure draws %s one after the other, but in the code they run in parallel.", cleanList(drawn.boxes)))
			}
			compared++
		}
	}
	if open != "" {
		return probe.Cannot(court.NoDetector, g.places(), "The figures that could be read do not contradict the code. %s", open).Do(asText)
	}
	if compared == 0 {
		return probe.Nothing(court.One, g.source(court.Crossref), "No figure draws detectives or judges side by side or in a row.")
	}
	return read[0].shown(probe.Clean(court.One, g.source(court.Crossref), "The code runs side by side, or in a row, what the figure draws so."))
}
