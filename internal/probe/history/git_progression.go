package history

import (
	"bytes"
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func gitProgression() probe.Probe {
	return probe.Probe{
		ID: "git.progression", Version: "1", Target: court.GithubRepo,
		Title:  "The history goes from setup to tools to the graph",
		Doc:    "Takes for each phase the first commit in which one of its files has real content: setup (manifest, README, state classes), tools (functions below a tools folder), graph (a call that builds a StateGraph). Projects without LangGraph: manifest, source, tests or CI, where the manifest may come with the source or after it; a project that arrives with all three in one commit began elsewhere, and is weighed by how much of its code came later. Messages prove nothing and are not read; empty and placeholder files do not count.",
		Effort: 30, Recall: court.One,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			with, err := usesLangGraph(ctx, s, p)
			if err != nil {
				return nil, err
			}
			if !with {
				return grown(p)
			}
			steps, err := phases(ctx, s, p)
			if err != nil {
				return nil, err
			}
			if f := hiddenGraph(ctx, s, steps); f != nil {
				return p.holds(*f)
			}
			return p.holds(progressed(p, steps), court.Present)
		},
	}
}

// rises tells whether the phases came strictly one after the other.
func rises(steps []phase) bool {
	for k := range steps {
		if steps[k].At < 0 || k > 0 && steps[k].At <= steps[k-1].At {
			return false
		}
	}
	return true
}

func progressed(p *past, steps []phase) probe.Finding {
	words, at := told(p, steps)
	inOrder, same := false, true
	var missing []string
	first, n := -1, 0
	for k, a := range steps {
		if a.At < 0 {
			missing = append(missing, a.Name)
			continue
		}
		n++
		if first < 0 {
			first = a.At
		}
		same = same && a.At == first
		for _, b := range steps[k+1:] {
			inOrder = inOrder || b.At > a.At
		}
	}
	var f probe.Finding
	switch {
	case rises(steps):
		f = probe.Present(court.Git, at, "%s", words)
	case n < 2:
		f = probe.Missing(court.One, court.Git, "%s A progression needs at least two of these phases.", words).
			Do("Commit what is missing when it is done, each part on its own: %s.", strings.Join(missing, ", "))
	case same:
		f = probe.Against(court.Git, at[:1], "%s.", atOnce(p, steps))
	case inOrder:
		f = probe.Partly(5000, court.Git, at, "%s Only two of the three came in this order.", words)
	default:
		f = probe.Against(court.Git, at, "%s No phase came after the one that it builds on.", words)
	}
	f.Data = map[string]any{"phases": steps}
	return f
}

// usesLangGraph tells whether today's code or manifests speak of LangGraph.
func usesLangGraph(ctx context.Context, s *probe.Scene, p *past) (bool, error) {
	texts, err := s.Texts(ctx)
	if err != nil {
		return false, err
	}
	for file, b := range texts {
		relevant := isPython(file) && p.source(file) || p.layout.Scope(file) == code.ScopeConfig && setupFile(file)
		if relevant && (bytes.Contains(b, []byte(graphWord)) || bytes.Contains(b, []byte("langgraph"))) {
			return true, nil
		}
	}
	return false, nil
}

// hiddenGraph is the sentinel: the word stands in today's code, and no version
// builds a graph in a way that we understand.
func hiddenGraph(ctx context.Context, s *probe.Scene, steps []phase) *probe.Finding {
	if steps[2].At >= 0 {
		return nil
	}
	program, err := s.Python(ctx)
	if err != nil {
		return nil
	}
	for _, m := range program.Mentions(graphWord, code.ScopeProduction) {
		f := probe.Cannot(court.Dynamic, []court.Place{{Path: m.Path, Line: m.Words(graphWord)[0].Line}},
			"The code names %s here, but no call that builds a graph was understood in any version.", graphWord)
		return &f
	}
	return nil
}
