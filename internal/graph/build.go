package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Builder collects the description of a graph; Compile checks it.
type Builder[S any] struct {
	g    Graph[S]
	errs []error
}

// New starts the description of a graph over the state S: a struct with
// exported JSON fields. A field that nodes may write has the tag
//
//	reduce:"merge"   union by key: of []E or map[string][]E, where E is Keyed
//	reduce:"upsert"  the element of a later step replaces: of []E, where E is Keyed, or map[string]V
//	reduce:"append"  concatenation in the order of the tasks: of a slice
//	reduce:"last"    one writer per step, the latest stands: of anything
//
// A field without the tag is set by the input alone. A zero field of a patch,
// or an empty list or map, writes nothing.
func New[S any](name string) *Builder[S] {
	return &Builder[S]{g: Graph[S]{
		name:   name,
		nodes:  map[string]*node[S]{},
		edges:  map[string][]string{},
		joins:  map[string][]string{},
		routes: map[string]route[S]{},
	}}
}

// Node adds a node. It sees the whole state, which it must not change, and
// returns a patch: a state with the fields that it writes.
func (b *Builder[S]) Node(name string, fn func(context.Context, S) (S, error), p Policy) {
	n := &node[S]{Policy: p}
	if fn != nil {
		n.run = func(ctx context.Context, s S, _ json.RawMessage) (S, error) { return fn(ctx, s) }
	}
	b.add(name, n)
}

// Map adds a node that runs once for each item which items derives from the
// state. items must be a pure function, and T must survive JSON. Without items
// there is no task, and the node still counts as run. It would be a method if
// methods had type parameters.
func Map[S, T any](b *Builder[S], name string, items func(S) []T, fn func(context.Context, S, T) (S, error), p Policy) {
	if items == nil || fn == nil {
		b.add(name, &node[S]{Policy: p})
		return
	}
	b.add(name, &node[S]{
		Policy: p,
		split: func(s S) ([]json.RawMessage, error) {
			list := items(s)
			out := make([]json.RawMessage, len(list))
			for i := range list {
				var err error
				if out[i], err = json.Marshal(list[i]); err != nil {
					return nil, fmt.Errorf("encoding item %d: %w", i, err)
				}
			}
			return out, nil
		},
		run: func(ctx context.Context, s S, raw json.RawMessage) (patch S, err error) {
			var item T
			if err := json.Unmarshal(raw, &item); err != nil {
				return patch, Permanent(fmt.Errorf("decoding the item: %w", err))
			}
			return fn(ctx, s, item)
		},
	})
}

// Edge runs every node of to in the step after from. A node to which two nodes
// of one step lead runs once; one to which nodes of different steps lead runs
// after each of them, unless it is a Join.
func (b *Builder[S]) Edge(from string, to ...string) {
	b.g.edges[from] = append(b.g.edges[from], to...)
}

// Join is a barrier: to runs once all nodes of from have run since it last ran.
// It adds the edges from them, and nothing else may lead to to.
func (b *Builder[S]) Join(to string, from ...string) {
	if _, dup := b.g.joins[to]; dup {
		b.fail("join %q declared twice", to)
	}
	b.g.joins[to] = slices.Clone(from)
	for _, f := range from {
		b.Edge(f, to)
	}
}

// Route runs, after from, the nodes of the branch whose label choose returns.
// choose must be a pure function of the state.
func (b *Builder[S]) Route(from string, choose func(S) string, branches ...Branch) {
	if _, dup := b.g.routes[from]; dup {
		b.fail("route from %q declared twice", from)
	}
	own := slices.Clone(branches)
	for i := range own {
		own[i].To = slices.Clone(own[i].To)
	}
	b.g.routes[from] = route[S]{choose, own}
}

// OnFailure turns the final failure of a task into a patch, which is how a
// failed node becomes data. why is bounded and has no stack. fn must be a pure
// function. Without it a failed task fails the run.
func (b *Builder[S]) OnFailure(fn func(t Task, why string) S) { b.g.onFailure = fn }

func (b *Builder[S]) add(name string, n *node[S]) {
	if _, dup := b.g.nodes[name]; dup {
		b.fail("node %q declared twice", name)
		return
	}
	b.g.nodes[name], b.g.order = n, append(b.g.order, name)
	if n.run == nil {
		b.fail("node %q lacks a function", name)
	}
}

func (b *Builder[S]) fail(format string, a ...any) {
	b.errs = append(b.errs, fmt.Errorf(format, a...))
}

// err is all that was found wrong so far.
func (b *Builder[S]) err() error {
	if err := errors.Join(b.errs...); err != nil {
		return fmt.Errorf("compiling graph %s: %w", b.g.name, err)
	}
	return nil
}
