package graph

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Drive walks the graph from state and asks run to execute each superstep; run
// returns one outcome per task, in the order of the tasks. Drive is
// deterministic: the same outcomes give the same tasks and the same state, in
// any process. On an error it returns the state after the last whole step, with
// the outcomes of the step at work that run returned beside its error.
//
// Nothing enters the state but what went through JSON, so that a run which was
// resumed or moved cannot differ from one that was not; outcomes that run did
// not read from JSON are its own responsibility.
func (g *Graph[S]) Drive(state S, run func(Step[S]) ([]Outcome[S], error)) (S, error) {
	start, err := throughJSON(state)
	if err != nil {
		return state, fmt.Errorf("reading the input: %w", err)
	}
	step := Step[S]{State: start}
	used := map[Choice]int{}
	for at := g.begin(); ; step.N++ {
		if step.Tasks, err = g.tasks(step.N, at.frontier, step.State); err != nil {
			return step.State, fmt.Errorf("preparing step %d: %w", step.N, err)
		}
		outcomes, err := run(step)
		if err != nil {
			return g.soFar(step, outcomes), err
		}
		if len(at.frontier) == 0 {
			return step.State, nil
		}
		next, err := g.fold(step, outcomes)
		if err != nil {
			return step.State, fmt.Errorf("uniting step %d: %w", step.N, err)
		}
		step.State = next
		if step.Taken, err = g.choose(at.frontier, step.State, used); err != nil {
			return step.State, fmt.Errorf("leaving step %d: %w", step.N, err)
		}
		at = g.advance(at, func(from string) []string { return g.exit(from, step.Taken) })
	}
}

// soFar is the state with what a step that was cut short had finished. Outcomes
// of tasks that did not end are zero and write nothing.
func (g *Graph[S]) soFar(step Step[S], outcomes []Outcome[S]) S {
	if len(outcomes) != len(step.Tasks) {
		return step.State
	}
	next, err := g.fold(step, outcomes)
	if err != nil {
		return step.State
	}
	return next
}

// tasks lists the work of one superstep: nodes in order, items in order.
func (g *Graph[S]) tasks(step int, frontier []string, s S) ([]Task, error) {
	var tasks []Task
	for _, name := range frontier {
		n := g.nodes[name]
		if n.split == nil {
			tasks = append(tasks, Task{Step: step, Node: name})
			continue
		}
		err := guard("splitting "+name, func() error {
			items, err := n.split(s)
			for i, item := range items {
				tasks = append(tasks, Task{Step: step, Node: name, Index: i, Item: item})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return tasks, nil
}

// fold unites the outcomes of a step with the state, in the order of its tasks.
func (g *Graph[S]) fold(step Step[S], outcomes []Outcome[S]) (next S, err error) {
	if len(outcomes) != len(step.Tasks) {
		return next, fmt.Errorf("%d outcomes for %d tasks", len(outcomes), len(step.Tasks))
	}
	patches := make([]S, len(outcomes))
	for i, o := range outcomes {
		patches[i] = o.Patch
		if o.Failure == "" {
			continue
		}
		t := step.Tasks[i]
		if g.onFailure == nil {
			return next, fmt.Errorf("%s: %s", t.ID(), o.Failure)
		}
		err := guard("handling the failure of "+t.ID(), func() error {
			var err error
			patches[i], err = throughJSON(g.onFailure(t, o.Failure))
			return err
		})
		if err != nil {
			return next, err
		}
	}
	err = guard("reducing", func() error {
		var err error
		next, err = g.reduce.apply(step.State, patches)
		return err
	})
	return next, err
}

// choose asks every route of the frontier and counts the bounded branches.
func (g *Graph[S]) choose(frontier []string, s S, used map[Choice]int) ([]Choice, error) {
	var taken []Choice
	for _, from := range frontier {
		r, routed := g.routes[from]
		if !routed {
			continue
		}
		c := Choice{From: from}
		if err := guard("routing from "+from, func() error { c.Label = r.choose(s); return nil }); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(r.branches, func(b Branch) bool { return b.Label == c.Label })
		if i < 0 {
			return nil, fmt.Errorf("%s chose %q, which is none of its branches", from, c.Label)
		}
		if used[c]++; r.branches[i].Max > 0 && used[c] > r.branches[i].Max {
			return nil, fmt.Errorf("%s chose %q more than %d times", from, c.Label, r.branches[i].Max)
		}
		taken = append(taken, c)
	}
	return taken, nil
}

// exit is where a node leads after the choices of its step.
func (g *Graph[S]) exit(from string, taken []Choice) []string {
	for _, c := range taken {
		for _, b := range g.routes[from].branches {
			if c.From == from && c.Label == b.Label {
				return b.To
			}
		}
	}
	return g.edges[from]
}

// throughJSON is the value as every other process would read it.
func throughJSON[T any](v T) (out T, err error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return out, err
	}
	return decode[T](raw)
}

// guard makes an error of a panic in the functions a graph was given.
func guard(what string, fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: %v", what, p)
		}
	}()
	if err := fn(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
