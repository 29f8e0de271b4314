package facts

import (
	"sync"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
)

// The layers of the graphs that facts are told of, as the profile calls them.
const (
	Detective agentgraph.Role = "detective"
	Judge     agentgraph.Role = "judge"
	Chief     agentgraph.Role = "chief"
)

// Wiring is what is so about the graph that a program runs. Each answer is told
// when somebody first asks for it.
type Wiring struct {
	*agentgraph.Reading
	layers map[agentgraph.Role]*layer
}

// layer is the nodes of one role.
type layer struct {
	parallel func() Fact[Parallel]
	join     func() Fact[[]agentgraph.Item]
	wired    func() Fact[[]agentgraph.Item]
}

// Wired makes the facts of a reading.
func Wired(r *agentgraph.Reading) *Wiring {
	w := &Wiring{Reading: r, layers: map[agentgraph.Role]*layer{}}
	for _, role := range []agentgraph.Role{Detective, Judge, Chief} {
		of := func(look func(*agentgraph.Graph, agentgraph.Role) agentgraph.Answer) func() Fact[[]agentgraph.Item] {
			return sync.OnceValue(func() Fact[[]agentgraph.Item] {
				return w.asked(func(g *agentgraph.Graph) agentgraph.Answer { return look(g, role) })
			})
		}
		w.layers[role] = &layer{
			parallel: sync.OnceValue(func() Fact[Parallel] {
				if r.Main == nil {
					return Fact[Parallel]{Answer: w.without(), At: At(r.Sentinels...)}
				}
				return parallelOf(r.Main, role)
			}),
			join:  of((*agentgraph.Graph).Join),
			wired: of((*agentgraph.Graph).Present),
		}
	}
	return w
}

// Graph is the graph itself: no when there surely is none.
func (w *Wiring) Graph() Fact[*agentgraph.Graph] {
	if w.Main == nil {
		return Fact[*agentgraph.Graph]{Answer: w.without(), At: At(w.Sentinels...)}
	}
	return Fact[*agentgraph.Graph]{Value: w.Main, Answer: agentgraph.Yes, At: At(w.Main.Builder)}
}

// without is the answer to any question of a graph where there is none.
func (w *Wiring) without() Answer {
	if w.Absent() == agentgraph.Unknown {
		return agentgraph.Unknown
	}
	return agentgraph.No
}

// Parallel is how the nodes of a role run, detectives or judges.
func (w *Wiring) Parallel(role agentgraph.Role) Fact[Parallel] { return w.layers[role].parallel() }

// Join is the node in which detectives, or judges, come together before the
// next layer.
func (w *Wiring) Join(role agentgraph.Role) Fact[[]agentgraph.Item] { return w.layers[role].join() }

// Plays tells whether judges, or a chief, are nodes of the graph.
func (w *Wiring) Plays(role agentgraph.Role) Fact[[]agentgraph.Item] { return w.layers[role].wired() }

// Decides tells whether anything is decided while the graph runs.
func (w *Wiring) Decides() Fact[[]agentgraph.Item] { return w.asked((*agentgraph.Graph).HasRoutes) }

// Linear tells whether the graph is a chain; a graph of one node is neither.
func (w *Wiring) Linear() Fact[[]agentgraph.Item] { return w.asked((*agentgraph.Graph).Linear) }

// asked is the fact of an analysis of the graph.
func (w *Wiring) asked(look func(*agentgraph.Graph) agentgraph.Answer) Fact[[]agentgraph.Item] {
	if w.Main == nil {
		return Fact[[]agentgraph.Item]{Answer: w.without(), At: At(w.Sentinels...)}
	}
	a := look(w.Main)
	f := Fact[[]agentgraph.Item]{Value: a.Items, Answer: a.Value, Why: Reason{Text: a.Reason}, At: Shown(a.Items)}
	if a.Value == agentgraph.Unknown {
		f.Why.Code = court.Dynamic
	}
	return f
}
