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
				return told(w, func(g *agentgraph.Graph) Fact[Parallel] { return parallelOf(g, role) })
			}),
			join:  of((*agentgraph.Graph).Join),
			wired: of((*agentgraph.Graph).Present),
		}
	}
	return w
}

// Graph is the graph itself: no when there surely is none.
func (w *Wiring) Graph() Fact[*agentgraph.Graph] {
	return told(w, func(g *agentgraph.Graph) Fact[*agentgraph.Graph] {
		return Fact[*agentgraph.Graph]{Value: g, Answer: Yes, At: At(g.Builder)}
	})
}

// told is a fact of the graph; where there is none, the answer to any question
// of one.
func told[T any](w *Wiring, ask func(*agentgraph.Graph) Fact[T]) Fact[T] {
	if w.Main == nil {
		return Fact[T]{Answer: w.without(), At: At(w.Sentinels...)}
	}
	return ask(w.Main)
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
	return told(w, func(g *agentgraph.Graph) Fact[[]agentgraph.Item] {
		a := look(g)
		f := Fact[[]agentgraph.Item]{Value: a.Items, Answer: a.Value, Why: Reason{Text: a.Reason}, At: Shown(a.Items)}
		if a.Value == Unknown {
			f.Why.Code = court.Dynamic
		}
		return f
	})
}

// Escapes are the routes that lead away when something failed, as far as the
// wiring could be followed.
type Escapes struct {
	Routes   []agentgraph.ErrorRoute
	Complete bool
}

// Escapes tells whether there are such routes.
func (w *Wiring) Escapes() Fact[Escapes] {
	return told(w, func(g *agentgraph.Graph) Fact[Escapes] {
		all, complete := g.ErrorRoutes()
		f := Fact[Escapes]{Value: Escapes{all, complete}, Answer: No, Why: Reason{Text: "no route of the graph was recognised as one for errors"}}
		for _, r := range all {
			f.Answer, f.Why, f.At = Yes, Reason{}, append(f.At, At(r.Route.At)...)
		}
		if f.Answer == No && !complete {
			f.Answer, f.Why.Code = Unknown, court.Dynamic
		}
		return f
	})
}

// Keeps tells whether the graph is compiled with a checkpointer.
func (w *Wiring) Keeps() Fact[struct{}] {
	return told(w, func(g *agentgraph.Graph) Fact[struct{}] {
		if len(g.Ops.Checkpointer) == 0 {
			return Fact[struct{}]{Answer: No}
		}
		return Fact[struct{}]{Answer: Yes, At: At(g.Ops.Checkpointer...)}
	})
}
