package judicial

import (
	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// marks computes what expressions are made of. What a name holds, what a
// function returns and what decides a statement explain each other; each such
// thing is a cell, and the cells are filled up until nothing changes, so that
// no answer depends on what was asked before.
type marks struct {
	p    *intree.Program
	asks func(*code.Call) bool // calls of a model
	room *programPart          // whose calls count as callers of the functions in it; nil: all

	nodes map[*code.Definition]agentgraph.Role // functions whose call in the room runs another node

	cells   map[key]*cell
	all     []*cell
	solved  int // how many of all are final
	queue   []*cell
	now     *cell // the cell that is being computed
	decided bool  // what decided values is computed too; their data is final
	strict  bool  // in a condition: a score is only a score, whatever rules it went through

	sets   map[*code.Definition][]setting
	scopes map[*code.Definition]map[local][]setting
}

func newMarks(p *intree.Program, asks func(*code.Call) bool, in *programPart) *marks {
	return &marks{p: p, asks: asks, room: in, cells: map[key]*cell{},
		sets: map[*code.Definition][]setting{}, scopes: map[*code.Definition]map[local][]setting{}}
}

// question is what a cell says of its subject.
type question int

const (
	held     question = iota // what a name holds
	heldDict                 // as a dict
	result                   // what a function returns
	resultDict
	worth     // what an expression is made of
	worthDict // as a dict
	decision  // the conditions around a node
)

// key is the subject of a cell. For worth, part of parts is the element of a
// tuple.
type key struct {
	ask         question
	name        local
	fn          *code.Definition
	node        code.Node
	part, parts int
}

// cell is one thing to find out.
type cell struct {
	find    func() entries // from other cells
	is      entries
	readers []*cell
	reads   map[*cell]bool
	queued  bool
}

// Bounds of one analysis: repositories of this kind need a few thousand cells,
// each computed a few times.
const (
	maxCells = 60_000
	maxFinds = 600_000
)

// read is what is known of a subject so far.
func (k *marks) read(at key, find func() entries) entries {
	c := k.cells[at]
	if c == nil {
		if len(k.all) >= maxCells {
			return entries{}
		}
		c = &cell{find: find, reads: map[*cell]bool{}}
		k.cells[at] = c
		k.all = append(k.all, c)
		k.push(c)
	}
	if k.now != nil && !k.now.reads[c] {
		k.now.reads[c] = true
		c.readers = append(c.readers, k.now)
	}
	return c.is
}

func (k *marks) push(c *cell) {
	if !c.queued {
		c.queued = true
		k.queue = append(k.queue, c)
	}
}

// solve fills the new cells. What decided a value depends on the data in
// conditions, never the other way round: the data comes first.
func (k *marks) solve() {
	strict := k.strict
	defer func() { k.strict = strict }()
	k.strict = false
	for known := 0; known < len(k.all); {
		known = len(k.all)
		k.decided = false
		k.fill()
		k.decided = true
		for _, c := range k.all[k.solved:] {
			c.is.rest.when = 0
			k.push(c)
		}
		k.fill()
	}
	k.solved = len(k.all)
}

// fill computes cells until none changes any more.
func (k *marks) fill() {
	for finds := 0; len(k.queue) > 0 && finds < maxFinds; finds++ {
		c := k.queue[len(k.queue)-1]
		k.queue = k.queue[:len(k.queue)-1]
		c.queued = false
		k.now = c
		got := c.find()
		k.now = nil
		if !k.decided {
			got.rest.when = 0
		}
		if c.is.merge(got) {
			for _, r := range c.readers {
				k.push(r)
			}
		}
	}
}

// settled answers a question when every cell that the answer reads is final.
func settled[T any](k *marks, ask func() T) T {
	for {
		known := len(k.all)
		v := ask()
		if len(k.all) == known {
			return v
		}
		k.solve()
	}
}

// at is what an expression is made of where it stands.
func (k *marks) at(n code.Node) origin { return settled(k, func() origin { return k.of(n) }) }

// gives is what one setting gives its name.
func (k *marks) gives(s setting) origin { return settled(k, func() origin { return k.given(s) }) }

// condition is what a condition is made of, see ofCondition.
func (k *marks) condition(n code.Node) mark {
	return settled(k, func() mark { return k.ofCondition(n) })
}

// guards is the marks of the conditions around a node in its function.
func (k *marks) guards(n code.Node) mark { return settled(k, func() mark { return k.around(n) }) }

// returned is what a first-party function returns.
func (k *marks) returned(d *code.Definition) origin {
	return settled(k, func() origin { return k.result(d) })
}

// holds is what a name of a definition holds.
func (k *marks) holds(d *code.Definition, name string) origin {
	return settled(k, func() origin { return k.held(local{in: d, name: name}) })
}
