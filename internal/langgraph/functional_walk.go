package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
)

// Limits of the walk over an entrypoint. What passes them is not followed.
const (
	maxWays    = 32     // ways that come to one place
	maxHelpers = 4      // functions that call one another
	maxSteps   = 50_000 // instructions, for each way and call
)

// walker follows an entrypoint in the order in which it runs: each way by itself, until one
// comes where another has been.
type walker struct {
	*reader
	g         *agentgraph.Graph
	names     map[string]string           // nodes by the place where they are started
	begun     map[string][]string         // positions from which a node is started
	many      map[string]agentgraph.Truth // nodes that run many times at once, and whether their argument selects whom they play
	junctions []*junction
	leads     map[*il.Function][]*il.Instr // answers of starts
	plans     map[*il.Function]*plan
	frames    map[string]*frame // by the calls that lead to them
	todo      []coming
	seen      map[point][]string
	waits     map[*il.Instr]map[string]bool // by the position: whether something that was started is waited for
	steps     int
}

// frame is one function on the way: the entrypoint, or a helper that it calls.
type frame struct {
	*plan
	via  string // the calls that lead to it
	call *il.Instr
	from point // to go on at
	deep int
}

// point is a place in the code of a frame: an instruction of a block.
type point struct {
	*frame
	block *il.Block
	i     int
}

// coming is a way and where it has come to.
type coming struct {
	point
	way
}

// turn is a loop that a way is in, and how it came into it.
type turn struct {
	*frame
	head *il.Block
	was  way
}

// walk follows an entrypoint and all that it calls.
func (w *walker) walk(f *il.Function) {
	w.on(point{frame: &frame{plan: w.plan(f)}, block: f.Blocks[0]}, way{after: []string{agentgraph.START}})
	for len(w.todo) > 0 {
		next := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.run(next.point, next.way)
	}
}

// on is where a way goes on.
func (w *walker) on(p point, y way) { w.todo = append(w.todo, coming{p, y}) }

// at is the text of an instruction.
func (w *walker) at(p point, in *il.Instr) code.Node { return w.reader.node(p.f, in.Span) }

// run follows a way to the end of a block.
func (w *walker) run(p point, y way) {
	y.turns = slices.DeleteFunc(slices.Clone(y.turns), func(t turn) bool { return t.frame == p.frame && !p.loops[t.head][p.block] })
	key := y.key()
	if slices.Contains(w.seen[p], key) {
		return
	}
	if w.seen[p] = append(w.seen[p], key); len(w.seen[p]) > maxWays {
		w.lose(w.at(p, p.block.Instrs[p.i]))
		w.todo = nil
		return
	}
	for ; p.i < len(p.block.Instrs)-1; p.i++ {
		if !w.instruction(p, &y) {
			return
		}
	}
	w.leave(p, y)
}

// leave follows a way out of a block.
func (w *walker) leave(p point, y way) {
	end, next, within := p.block.End(), p.next[p.block], p.loops[p.block]
	switch {
	case end.Op == il.Return:
		w.back(p, y)
		return
	case within != nil:
		next = w.loop(p, &y)
	case len(next) > 1:
		k := p.fork(next, 0, 0)
		if w.steps += len(k.within) / 16; !k.decides {
			next = w.both(p, k, &y)
		}
	}
	fates := []way{y}
	if len(next) > 1 {
		fates = w.decide(w.at(p, end).Statement(), y, len(next), end.Op == il.Loop)
	}
	for i, b := range slices.Backward(next) {
		y := fates[i]
		if within[b] {
			y.turns = append(slices.Clip(y.turns), turn{p.frame, p.block, y})
		}
		w.on(point{frame: p.frame, block: b}, y)
	}
}

// both follows all that hangs on a condition that decides nothing, and is where it goes on.
func (w *walker) both(p point, k fork, y *way) []*il.Block {
	was, end := y.position(), p.block.End()
	for _, b := range k.within {
		for i := range b.Instrs[:len(b.Instrs)-1] {
			if !w.instruction(point{p.frame, b, i}, y) { // a helper waits
				w.lose(w.at(p, end).Statement())
				return nil
			}
		}
	}
	if y.position() != was && len(w.held(p.frame, end.Args...)) == 0 { // whether something is waited for nobody can tell
		w.lose(w.at(p, end).Statement())
	}
	if k.join == nil {
		return nil
	}
	return []*il.Block{k.join}
}

// loop is where a way goes on from the head of a loop. A loop over items is taken to have some;
// one that starts nothing is not a loop of the graph, and is run once; nodes that it starts and
// does not wait for run many times at once.
func (w *walker) loop(p point, y *way) []*il.Block {
	end, within, next := p.block.End(), p.loops[p.block], p.next[p.block]
	i := slices.IndexFunc(y.turns, func(t turn) bool { return t.frame == p.frame && t.head == p.block })
	starts := slices.ContainsFunc(p.f.Blocks, func(b *il.Block) bool { return within[b] && len(p.starts[b]) > 0 })
	if i >= 0 {
		was := y.turns[i].was
		if y.turns = slices.Delete(slices.Clone(y.turns), i, i+1); !starts || was.position() == y.position() { // nothing was waited for
			for _, name := range y.open {
				if !slices.Contains(was.open, name) {
					w.many[name] = max(w.many[name], w.selectsBy(p, end))
				}
			}
			return p.out(p.block)
		}
	}
	if len(next) > 1 && (!starts || i < 0 && end.Op == il.Loop) {
		k := max(0, slices.IndexFunc(next, func(b *il.Block) bool { return within[b] }))
		return next[k : k+1]
	}
	return next
}

// selectsBy says whether a loop goes over whom a node plays.
func (w *walker) selectsBy(p point, loop *il.Instr) agentgraph.Truth {
	if loop.Op != il.Loop {
		return agentgraph.Unknown
	}
	parts := map[string]bool{}
	for _, name := range w.namesIn(p.f, loop.Args[0], loop) {
		if len(name) <= maxPartName {
			for _, part := range w.words.PartsIn(name, w.words.Reviewers) {
				parts[part] = true
			}
		}
	}
	if len(parts) > 1 || w.words.NamesAll(w.at(p, loop).Text()) {
		return agentgraph.Yes
	}
	return agentgraph.Unknown
}

// back follows a way out of a function: of the entrypoint to its end.
func (w *walker) back(p point, y way) {
	if p.call == nil {
		w.end(y, w.at(p, p.block.End()))
		return
	}
	if p.call.Mode == il.Awaited {
		w.wait(p.from, &y, w.given(p.from.frame, p.call))
	}
	p.from.i++
	w.on(p.from, y)
}

// instruction follows one; false: the way does not go on behind it, or not here.
func (w *walker) instruction(p point, y *way) bool {
	in := p.block.Instrs[p.i]
	if w.steps++; w.steps > maxSteps {
		w.lose(w.at(p, in))
		w.todo = nil
		return false
	}
	for i, o := range in.Args {
		if in.Op == il.Make || in.Op == il.Call && i > 0 {
			if _, g := w.bodies.Names.Operand(p.f, o).Full(); w.isTask(g) {
				w.lose(w.at(p, in)) // a task as a value: nobody knows who calls it
			}
		}
	}
	switch {
	case in.Op == il.Define && in.Ref.Kind == il.Lambda && len(w.starts(in.Ref)) > 0:
		w.lose(w.at(p, in))
	case in.Op == il.Yield && in.Kind == "await":
		w.wait(p, y, w.held(p.frame, in.Args[0]))
	case p.leaves(in):
		w.back(p, *y)
		return false
	case in.Op == il.Call:
		return w.call(p, in, y)
	}
	return true
}

// call follows a call: of a task, of what waits for tasks, of a function that
// starts some, or of something else, which may do anything with what it is given.
func (w *walker) call(p point, in *il.Instr, y *way) bool {
	g, sure := w.callee(p.f, in)
	task, leads := w.isTask(g), len(w.starts(g)) > 0
	given := w.held(p.frame, in.Args[1:]...)
	if !sure && (g == nil || task || leads) {
		w.lose(w.at(p, in))
	}
	name, _ := w.bodies.Names.Called(p.f, in)
	switch object, method := method(p.f, in); {
	case task:
		d := w.p.Origins.Definition(g)
		node := w.node(p.key(in), d.Name, d, w.at(p, in))
		if leads {
			w.lose(w.at(p, in)) // tasks of a task
		}
		w.start(node, y, w.at(p, in))
	case leads || g != nil && len(given) > 0:
		if fr := w.frame(p, in, g); fr != nil {
			w.on(point{frame: fr, block: g.Blocks[0]}, *y)
			return false
		}
		w.lose(w.at(p, in))
		return true
	case method == "result" || method == "exception":
		w.wait(p, y, w.held(p.frame, object))
	case name == "concurrent.futures.wait":
		w.wait(p, y, given)
	case !passes(name, method) && len(given) > 0:
		w.lose(w.at(p, in))
	}
	if in.Mode == il.Awaited {
		w.wait(p, y, w.given(p.frame, in))
	}
	return true
}
