package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// reasons joins what the items say, at most three phrases.
func reasons(items []agentgraph.Item) string {
	var out []string
	for len(items) > 0 {
		if len(out) == 3 {
			out = append(out, fmt.Sprintf("and %d more", len(items)))
			break
		}
		phrase, rest := together(items)
		out, items = append(out, phrase), rest
	}
	return strings.Join(out, "; ")
}

// together is one phrase for the first item and all that say the same of other
// names, and the items that are left.
func together(items []agentgraph.Item) (phrase string, rest []agentgraph.Item) {
	phrase, rest = court.Clean(items[0].Reason, 160), items[1:]
	for k, way := range items[0].Shared {
		names, others := sharing(items, k)
		if len(others) >= len(rest) {
			continue
		}
		if len(names) > maxNames {
			names = append(names[:maxNames-1], fmt.Sprintf("%d more", len(names)-maxNames+1))
		}
		phrase, rest = court.Clean(way.Before, 80)+safetext.List(names)+court.Clean(way.After, 120), others
	}
	return phrase, rest
}

// sharing is the names of which the first item's phrase number k can be said in
// one, and the items that do not share it. Of pairs, it can be said when all of
// them are there.
func sharing(items []agentgraph.Item, k int) (names []string, others []agentgraph.Item) {
	way, n := items[0].Shared[k], 0
	for _, it := range items {
		i := 0
		for i < len(it.Shared) && (it.Shared[i].Before != way.Before || it.Shared[i].After != way.After) {
			i++
		}
		if i == len(it.Shared) {
			others = append(others, it)
			continue
		}
		n++
		for _, name := range it.Shared[i].Names {
			if name = court.Clean(name, 60); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if said := len(names); n == said || len(way.Names) > 1 && n == said*(said-1)/2 {
		return names, others
	}
	return nil, items
}

// maxNames is how many names one phrase lists.
const maxNames = 5

// saying is what the items say, as a sentence.
func saying(items []agentgraph.Item) string {
	text := reasons(items)
	if len(items) > 0 && begins(items[0], text) {
		return text + "." // a name keeps its small letter
	}
	return safetext.Sentence(text)
}

// begins tells whether a text begins with a name of the submission.
func begins(it agentgraph.Item, text string) bool {
	if len(it.Shared) > 0 {
		return !strings.HasPrefix(text, "the router of ")
	}
	return slices.ContainsFunc(it.Nodes, func(n string) bool { return strings.HasPrefix(text, agentgraph.Label(n)) })
}

// flaw is the finding of an analysis that looks for a flaw.
func flaw(a agentgraph.Answer, g *agentgraph.Graph, clean string, ask advise) probe.Finding {
	switch a.Value {
	case agentgraph.Yes:
		return probe.Against(court.AST, facts.Shown(a.Items), "%s", saying(a.Items)).Do("%s", ask(g, a.Items))
	case agentgraph.No:
		f := probe.Clean(court.One, court.AST, "%s", safetext.Sentence(clean))
		f.Places = facts.At(g.Builder)
		return f
	default:
		where := facts.Shown(a.Items)
		if len(where) == 0 {
			where = facts.At(g.Builder)
		}
		return unsettled(where, a.Reason)
	}
}

// unsettled is the finding that the code does not tell something.
func unsettled(at []court.Place, why string) probe.Finding {
	return probe.Cannot(court.Dynamic, at, "%s", safetext.Sentence(court.Clean(why, 200)))
}

// reading is the facts of the graphs with the model they were made from.
type reading struct {
	*facts.Wiring
	program *intree.Program
}

// read is the reading for questions about state and models, which are read in
// Python only.
func read(ctx context.Context, s *probe.Scene) (*reading, error) {
	r, err := readGraph(ctx, s)
	if err == nil && r.Main != nil && r.program.Module(r.Main.Builder.Path) == nil {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: "state and models are read in Python, but the graph is built in " + court.Clean(r.Main.Builder.Path, 120)}
	}
	return r, err
}

// readGraph is the reading for questions about the wiring.
func readGraph(ctx context.Context, s *probe.Scene) (*reading, error) {
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.Wiring(ctx)
	if err != nil {
		return nil, err
	}
	if r.Main == nil && r.State == nil && r.Material == nil && r.Review == nil {
		if err := elsewhere(ctx, s); err != nil {
			return nil, err
		}
	}
	return &reading{r, p}, nil
}

// graph is the graph that counts, or the finding that says why there is none.
func (r *reading) graph() (*agentgraph.Graph, []probe.Finding) {
	if r.Main != nil {
		return r.Main, nil
	}
	return nil, []probe.Finding{r.noGraph()}
}

// noGraph says that there is no graph, or that nobody could tell.
func (r *reading) noGraph() probe.Finding {
	if r.Absent() == agentgraph.Unknown {
		return probe.Cannot(court.Dynamic, facts.At(r.Sentinels...), "StateGraph is named in code, but no construction of it could be followed.")
	}
	if c := probe.Ratio(r.program.Examined()); c > 0 || len(r.program.Modules) > 0 {
		return probe.Missing(c, court.AST, "No StateGraph is built in the production Python code.").OfNothing(true).Do(buildGraph)
	}
	return probe.Missing(court.One, court.AST, "There is no Python code that could build a StateGraph.").OfNothing(true).Do(buildGraph)
}

// asks is a probe that reads the main graph; without one the answer is that of
// noGraph.
func asks(ctx context.Context, s *probe.Scene, ask func(*agentgraph.Graph) []probe.Finding) ([]probe.Finding, error) {
	return asksFacts(ctx, s, func(r *reading) []probe.Finding { return ask(r.Main) })
}

// asksFacts is a probe that asks for facts of the main graph.
func asksFacts(ctx context.Context, s *probe.Scene, ask func(*reading) []probe.Finding) ([]probe.Finding, error) {
	r, err := readGraph(ctx, s)
	if err != nil {
		return nil, err
	}
	if g, none := r.graph(); g == nil {
		return none, nil
	}
	return ask(r), nil
}

// flawedWrites is flawed for an analysis of what the nodes write.
func flawedWrites(look func(*agentgraph.Graph) agentgraph.Answer, clean string, ask advise) func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
	return func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding {
			f := flaw(look(g), g, clean, ask)
			if none, ok := joined(g); ok {
				return []probe.Finding{none}
			}
			if none, ok := writeless(g); ok && f.Exhaustive() {
				f = none
			}
			return []probe.Finding{f}
		})
	}
}

// flawed is asks for one analysis that looks for a flaw.
func flawed(look func(*agentgraph.Graph) agentgraph.Answer, clean string, ask advise) func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
	return func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		return asks(ctx, s, func(g *agentgraph.Graph) []probe.Finding { return []probe.Finding{flaw(look(g), g, clean, ask)} })
	}
}
