package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/intree"
)

// Limits of the walk over an entrypoint. What passes them is not followed.
const (
	maxWays    = 32     // ways that are kept apart
	maxHelpers = 4      // functions that call one another
	maxSteps   = 50_000 // statements and expressions, for each way, turn and call
)

// walker follows an entrypoint in the order in which it runs.
type walker struct {
	*reader
	g         *agentgraph.Graph
	names     map[string]string           // nodes by the place where they are started
	begun     map[string][]string         // positions from which a node is started
	many      map[string]agentgraph.Truth // nodes that run many times at once, and whether their argument selects whom they play
	leads     map[*code.Definition]bool   // functions that start tasks
	junctions []*junction
	at        []way
	scopes    []scope
	loops     []*turns
	tries     []*try
	steps     int
}

// scope is one function on the way: the entrypoint, or a helper that it calls.
type scope struct {
	def    *code.Definition
	via    string              // the calls that lead to it
	held   map[string][]string // started nodes that variables hold
	left   []way               // where it returns
	result []string            // started nodes that it returns
}

// turns are the ways out of a loop's body.
type turns struct{ next, out []way }

// try is a statement whose handler starts something.
type try struct {
	at     code.Node
	failed []way
}

func (w *walker) scope() *scope { return &w.scopes[len(w.scopes)-1] }

func (w *walker) block(n code.Node) {
	for s := range n.Children() {
		if len(w.at) > 0 {
			w.statement(s)
		}
	}
}

// step counts what is followed; past the limit nothing more is.
func (w *walker) step(n code.Node) bool {
	if w.steps += max(len(w.at), 1); w.steps > maxSteps {
		w.lose(n)
		w.at = nil
	}
	return w.steps <= maxSteps
}

func (w *walker) statement(s code.Node) {
	if !w.step(s) {
		return
	}
	switch s.Kind() {
	case "function_definition", "class_definition", "decorated_definition":
	case "return_statement":
		held := w.children(s)
		if len(w.scopes) == 1 {
			w.end()
			return
		}
		w.scope().result = union(w.scope().result, held)
		w.scope().left, w.at = append(w.scope().left, w.at...), nil
	case "raise_statement":
		w.children(s)
		w.at = nil
	case "break_statement", "continue_statement":
		if l := len(w.loops) - 1; l >= 0 && s.Is("break_statement") {
			w.loops[l].out = append(w.loops[l].out, w.at...)
		} else if l >= 0 {
			w.loops[l].next = append(w.loops[l].next, w.at...)
		}
		w.at = nil
	case "if_statement":
		w.branch(s)
	case "match_statement":
		w.fork(s, w.cases(s), w.eval(s.Field("subject")))
	case "for_statement":
		w.hold(s.Field("left"), w.eval(s.Field("right")))
		w.repeat(s, w.starts(s.Field("body")), func() { w.block(s.Field("body")) })
	case "while_statement":
		w.repeat(s, true, func() { w.block(s.Field("body")) })
	case "try_statement":
		w.try(s)
	default:
		for c := range s.Children() {
			if c.Is("block") {
				w.block(c)
			} else {
				w.eval(c)
			}
		}
	}
}

// branch follows an if statement with all its elifs as one junction.
func (w *walker) branch(s code.Node) {
	asked := w.eval(s.Field("condition"))
	blocks, otherwise := []code.Node{s.Field("consequence")}, false
	for _, a := range s.Fields("alternative") {
		if a.Is("elif_clause") {
			blocks = append(blocks, a.Field("consequence"))
		} else {
			blocks, otherwise = append(blocks, a.Field("body")), true
		}
	}
	if !otherwise {
		blocks = append(blocks, code.Node{})
	}
	w.fork(s, blocks, asked)
}

// cases returns the blocks of a match statement.
func (w *walker) cases(s code.Node) []code.Node {
	var out []code.Node
	all := false
	for c := range s.Field("body").Children() {
		if c.Is("case_clause") {
			out = append(out, c.Field("consequence"))
			all = all || strings.HasPrefix(strings.ReplaceAll(c.Text(), " ", ""), "case_:")
		}
	}
	if !all {
		out = append(out, code.Node{})
	}
	return out
}

// fork follows alternatives. Where none of them starts anything or leaves, they
// decide nothing, but whether something is waited for: that nobody can tell,
// unless the condition asks for it.
func (w *walker) fork(at code.Node, blocks []code.Node, asked []string) {
	run := func(b code.Node) {
		switch {
		case b.Is("block"):
			w.block(b)
		case b.Valid():
			w.eval(b)
		}
	}
	if !slices.ContainsFunc(blocks, w.matters) {
		before := w.positions()
		for _, b := range blocks {
			run(b)
		}
		if len(asked) == 0 && !slices.Equal(before, w.positions()) {
			w.lose(at)
		}
		return
	}
	var out []way
	for k, ways := range w.decide(at, w.at, len(blocks), false) {
		w.at = ways
		run(blocks[k])
		out = append(out, w.at...)
	}
	w.at = w.merge(out, at)
}

func (w *walker) positions() (out []string) {
	for _, y := range w.at {
		out = append(out, y.position())
	}
	return out
}

// repeat follows a loop twice, so that its end leads to its beginning. A loop
// over items is taken to have some; one that starts nothing is not a loop of the
// graph; nodes that it starts and does not wait for run many times at once.
func (w *walker) repeat(s code.Node, loops bool, body func()) {
	t := &turns{}
	w.loops = append(w.loops, t)
	defer func() { w.loops = w.loops[:len(w.loops)-1] }()
	counted := !s.Is("while_statement")
	endless := s.Is("while_statement") && slices.Contains([]string{"True", "1"}, s.Field("condition").Text())
	var after []way
	if s.Is("while_statement") {
		w.eval(s.Field("condition"))
	}
	enter := w.at
	if s.Is("while_statement") && !endless {
		fates := w.decide(s, enter, 2, false)
		enter, after = fates[0], fates[1]
	}
	for range 2 {
		w.at = slices.Clone(enter)
		body()
		ends := w.merge(append(w.at, t.next...), s)
		t.next = nil
		if !loops {
			after = append(after, ends...)
			break
		}
		var again []way
		for _, y := range ends {
			from := slices.IndexFunc(enter, func(e way) bool { return e.position() == y.position() })
			switch {
			case from >= 0: // nothing was waited for
				for _, name := range y.open {
					if !slices.Contains(enter[from].open, name) {
						w.many[name] = max(w.many[name], w.selectsBy(s))
					}
				}
				after = append(after, y)
			case endless:
				again = append(again, y)
			default:
				fates := w.decide(s, []way{y}, 2, counted)
				again, after = append(again, fates[0]...), append(after, fates[1]...)
			}
		}
		if enter = again; len(again) == 0 {
			break
		}
	}
	w.at = w.merge(append(after, t.out...), s)
}

// selectsBy says whether a loop goes over whom a node plays.
func (w *walker) selectsBy(loop code.Node) agentgraph.Truth {
	over := iterated(loop)
	if over.Valid() && w.words.NamesAll(over.Text()) {
		return agentgraph.Yes
	}
	if v, ok := intree.Value(w.bodies.Analyses, over); ok {
		seen := map[string]bool{}
		for _, name := range w.held(v.Function, v.Operand, v.Use) {
			seen[w.words.PartOf(name, w.words.Reviewers)] = true
		}
		if delete(seen, ""); len(seen) > 1 {
			return agentgraph.Yes
		}
	}
	return agentgraph.Unknown
}

// try follows a statement whose handlers run when something that was waited for
// failed.
func (w *walker) try(s code.Node) {
	t := &try{at: s}
	var handlers []code.Node
	var then []code.Node
	for c := range s.Children() {
		switch {
		case c.Is("except_clause", "except_group_clause"):
			handlers = append(handlers, c)
		case c.Is("else_clause", "finally_clause"):
			then = append(then, c)
		}
	}
	guarded := slices.ContainsFunc(handlers, w.matters)
	if guarded {
		w.tries = append(w.tries, t)
	}
	w.block(s.Field("body"))
	if guarded {
		w.tries = w.tries[:len(w.tries)-1]
		on := w.at
		w.at = w.merge(t.failed, s)
		if len(handlers) == 1 {
			w.statement(handlers[0])
		} else {
			w.fork(handlers[0], handlers, nil)
		}
		w.at = w.merge(append(on, w.at...), s)
	}
	for _, c := range then {
		w.statement(c)
	}
}

// merge drops ways that are the same; more than can be kept apart are not followed.
func (w *walker) merge(ways []way, at code.Node) []way {
	var out []way
	for _, y := range ways {
		slices.Sort(y.open)
		if !slices.ContainsFunc(out, func(o way) bool { return o.position() == y.position() && slices.Equal(o.open, y.open) }) {
			out = append(out, y)
		}
	}
	if len(out) > maxWays {
		w.lose(at)
		return nil
	}
	return out
}
