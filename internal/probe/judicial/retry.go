package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/langgraph"
)

// again is one way in which a judge's call is made another time.
type again struct {
	how   string // in words
	at    court.Place
	tells bool                 // it sends the error along by itself
	after []analyse.Handler    // whose exceptions lead there, of those that the code writes
	makes func(*il.Instr) bool // tells a call of their function that the next try makes
	never string               // why it never comes to a second try; "" when it does
	in    *code.Definition     // the function that it is written in, or the node
}

// retries lists the ways in which a malformed answer leads to another call:
// those that work first, then those that cannot.
func (b *bench) retries() []again { return b.tries.get(b.findRetries) }

func (b *bench) findRetries() []again {
	out := b.nodeRetries()
	form := b.form()
	for _, d := range b.judges.defs {
		f := b.il.function(d)
		if !d.IsFunction() || f == nil {
			continue
		}
		own := b.decorated(d, form)
		if f.Kind != il.Lambda {
			own = append(own, b.againIn(f, form)...)
		}
		for _, c := range b.p.CallsIn(d) {
			own = append(own, b.wrapped(c)...)
		}
		for _, a := range own {
			a.in = d
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(x, y again) int { return rank(x) - rank(y) })
	return out
}

// onlyOnce are the judges whose call is made once, and how many ask a model; none where no
// call of a judge is made again.
func (b *bench) onlyOnce() (once []*code.Definition, all int) {
	for _, root := range b.judges.roots {
		part := enter(b.p, b.il, []*code.Definition{root}, b.judges.wired)
		if !b.models.within(part) {
			continue
		}
		if all++; !slices.ContainsFunc(b.retries(), func(a again) bool { return a.never == "" && part.holds(a.in) }) {
			once = append(once, root)
		}
	}
	if len(once) == all {
		once = nil
	}
	return once, all
}

func rank(a again) int {
	if a.never != "" {
		return 1
	}
	return 0
}

// nodeRetries are retry policies of judge nodes.
func (b *bench) nodeRetries() []again {
	if b.r.Main == nil || !b.judges.wired {
		return nil
	}
	var out []again
	for i := range b.r.Main.Nodes {
		n := &b.r.Main.Nodes[i]
		if n.Retry && slices.Contains(b.judges.roots, langgraph.Def(n.Source)) {
			out = append(out, again{how: "the retry policy of its node", at: spot(langgraph.Def(n.Source).Node), in: langgraph.Def(n.Source)})
		}
	}
	return out
}

// againIn reads the retries that a function writes itself: an exception, or a test
// of the answer, after which a run comes to a call of the model again.
func (b *bench) againIn(f *il.Function, form *way) (out []again) {
	asks := b.asks()
	var handlers []analyse.Handler
	for _, in := range f.Instructions() {
		if !form.at[in] {
			continue
		}
		by, _ := b.il.Outcome.Thrown(f, in)
		for _, h := range by {
			if !slices.ContainsFunc(handlers, func(o analyse.Handler) bool { return o.Catch == h.Catch }) && !transport(b.il.Outcome.Catches(h)) {
				handlers = append(handlers, h)
			}
		}
	}
	for _, h := range handlers {
		onward := b.il.Outcome.Onward(f, f.Block(h.Catch))
		for in := range calls(f) {
			if !asks.at[in] || !slices.Contains(onward, f.Block(in)) {
				continue
			}
			a := again{at: lies(f, in.Span), after: []analyse.Handler{h}, makes: func(next *il.Instr) bool { return next == in || b.il.callee(f, in) == f }}
			switch {
			case !h.Holds(f.Block(in)):
				out = append(out, b.turns(f, in, h)...)
				continue
			case b.il.callee(f, in) == f:
				a.how = "a handler that asks again"
			case b.failed(f, in, h):
				a.how = "the same call in its handler"
			case slices.ContainsFunc(b.il.Outcome.Catches(h), ofForm):
				a.how = "a call in the handler of malformed answers"
			default:
				continue
			}
			out = append(out, a)
		}
	}
	return append(out, b.tested(f, form)...)
}

// ofForm tells the name of an exception that says that an answer is malformed.
func ofForm(exception string) bool {
	return slices.Contains([]string{"ValidationError", "OutputParserException", "JSONDecodeError"}, exception[strings.LastIndexByte(exception, '.')+1:])
}

// turns is a loop by which a run comes from a handler to a call: one that counts
// tries, and not one that goes on to the next thing that is asked about.
func (b *bench) turns(f *il.Function, in *il.Instr, h analyse.Handler) []again {
	for _, l := range loopsAround(f, f.Block(h.Catch)) {
		if !l.holds(f.Block(in)) && !b.throwsTo(f, in, h) {
			continue
		}
		if b.itemised(f, l, in) {
			return nil
		}
		a := again{how: "a loop around the call", at: b.extent(f, l), makes: func(next *il.Instr) bool { return next == in || l.holds(f.Block(next)) }}
		for _, other := range b.il.Outcome.Handlers(f) {
			if l.holds(f.Block(other.Catch)) {
				a.after = append(a.after, other)
			}
		}
		if most, ok := b.turnsOf(f, l); ok && most < 2 {
			a.never = "the loop has one turn"
		} else if !b.goesOn(f, l, h) {
			a.never = onlyTransport
		}
		return []again{a}
	}
	return nil
}

// goesOn tells a loop that has another turn after a handler whatever the error says, or
// where it does not speak of the connection.
func (b *bench) goesOn(f *il.Function, l loop, h analyse.Handler) bool {
	seen := map[*il.Block]bool{}
	for work := []*il.Block{f.Block(h.Catch)}; len(work) > 0; work = work[1:] {
		k := work[0]
		if k == l.head {
			return true
		}
		if seen[k] || !l.holds(k) {
			continue
		}
		seen[k] = true
		next := k.Succs
		if end := k.End(); end.Op == il.Branch {
			switch speaksOfTransport(b.node(f, end.Span)) {
			case with:
				next = next[1:]
			case without:
				next = next[:1]
			default: // it may go either way
			}
		}
		work = append(work, next...)
	}
	return false
}

func (b *bench) throwsTo(f *il.Function, in *il.Instr, h analyse.Handler) bool {
	by, _ := b.il.Outcome.Thrown(f, in)
	return slices.ContainsFunc(by, func(o analyse.Handler) bool { return o.Catch == h.Catch })
}

// tested reads retries by a loop that is left only after a test of the answer.
func (b *bench) tested(f *il.Function, form *way) (out []again) {
	for in := range calls(f) {
		if !b.asks().at[in] || in.Dst == il.NoDst {
			continue
		}
		loops := loopsAround(f, f.Block(in))
		at := slices.IndexFunc(loops, func(l loop) bool {
			for k, other := range f.Instructions() {
				if form.at[other] && l.holds(k) {
					return b.leavesByTest(f, in, l)
				}
			}
			return false
		})
		// Whether a loop is over items costs a flow: it is asked last.
		if at >= 0 && !slices.ContainsFunc(loops[:at+1], func(l loop) bool { return b.itemised(f, l, in) }) {
			out = append(out, again{how: "a loop around the call", at: b.extent(f, loops[at])})
		}
	}
	return out
}

// leavesByTest tells a loop that is left where a test of the call's answer has one
// outcome, and goes on where it has the other.
func (b *bench) leavesByTest(f *il.Function, in *il.Instr, l loop) bool {
	for _, k := range f.Blocks {
		if l.holds(k) || !slices.ContainsFunc(k.Preds, l.holds) {
			continue
		}
		for _, g := range analyse.Guards(f, b.il.Names, il.Operand{Kind: il.Local, ID: in.Dst}, k.Instrs[0]) {
			if test := f.Block(g.Test); l.holds(test) && slices.ContainsFunc(test.Succs, l.holds) {
				return true
			}
		}
	}
	return false
}

// failed tells a call in a handler that asks what was asked when the exception
// came, and no other model.
func (b *bench) failed(f *il.Function, in *il.Instr, h analyse.Handler) bool {
	for other := range calls(f) {
		if b.asks().at[other] && other.Kind == in.Kind && b.throwsTo(f, other, h) &&
			f.Root(receiver(f, other)) == f.Root(receiver(f, in)) && slices.Equal(b.modelsGiven(f, other), b.modelsGiven(f, in)) {
			return true
		}
	}
	return false
}

// modelsGiven are the models among the arguments of a call, and those that functions
// among them ask.
func (b *bench) modelsGiven(f *il.Function, in *il.Instr) (out []string) {
	for _, o := range in.Args[1:] {
		name := f.Word(o)
		if o.Kind == il.Local {
			name = f.Versions[o.ID].Var
		}
		if ofClient(b.il.Names.Instance(f, o).Outside) || has(split(name), modelWords...) {
			out = append(out, f.Show(f.Root(o)))
		}
		if def := f.Def(f.Root(o)); def != nil && def.Op == il.Define && def.Ref != nil {
			for x := range calls(def.Ref) {
				if b.prompted[x] {
					out = append(out, x.Kind)
				}
			}
		}
	}
	return out
}

// loop is a loop of a function: where its turns begin, and the blocks that lead from
// there to the next turn.
type loop struct {
	head   *il.Block
	blocks []*il.Block
}

func (l loop) holds(b *il.Block) bool { return slices.Contains(l.blocks, b) }

// loopsAround are the loops of whose turns a block is a part, the innermost first.
func loopsAround(f *il.Function, b *il.Block) (out []loop) {
	for head := b; head != nil; head = head.Dominator() {
		l := loop{head: head}
		for _, p := range head.Preds {
			if head.Dominates(p) {
				l.add(p)
			}
		}
		if l.holds(b) {
			out = append(out, l)
		}
	}
	return out
}

// add adds what leads to a block without passing the head.
func (l *loop) add(b *il.Block) {
	for work := []*il.Block{b}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !l.holds(b) {
			l.blocks = append(l.blocks, b)
			if b != l.head {
				work = append(work, b.Preds...)
			}
		}
	}
}

// extent is where a loop stands, as its statement is written.
func (b *bench) extent(f *il.Function, l loop) court.Place {
	at := lies(f, l.head.End().Span)
	if m := b.p.Module(f.Module.Path); m != nil {
		for n := range m.Root().Walk() {
			if n.Is("for_statement", "while_statement") && n.Line() == at.Line {
				return spot(n)
			}
		}
	}
	return at
}

// counters are functions outside whose results a loop counts its turns by.
var counters = []string{"builtins.range", "range", "itertools.count", "itertools.repeat"}

// itemised tells a loop whose turns ask about different things: its element comes
// to the call, and is not a number.
func (b *bench) itemised(f *il.Function, l loop, in *il.Instr) bool {
	end := l.head.End()
	if end.Op != il.Loop {
		return false
	}
	counts := false
	if of := f.Def(f.Root(end.Args[0])); of != nil && of.Op == il.Call {
		name := b.il.outside(f, of)
		counts = slices.Contains(counters, name) || strings.HasSuffix(name, "Retrying")
	}
	for _, x := range l.head.Succs[0].Instrs {
		if x.Op != il.Get || x.Kind != "each" && x.Kind != "key" {
			continue
		}
		element := il.Operand{Kind: il.Local, ID: x.Dst}
		if counts {
			return picks(f, element)
		}
		flow := b.il.Flow()
		flow.To = func(_ *il.Function, at *il.Instr, _ int) bool { return at == in }
		return !flow.Avoids(f, element)
	}
	return !counts
}

// picks tells a number by which elements are taken out of something.
func picks(f *il.Function, number il.Operand) bool {
	for _, in := range f.Instructions() {
		if in.Op == il.Get && in.Kind == "item" && f.Root(in.Args[1]) == f.Root(number) {
			return true
		}
	}
	return false
}

// turnsOf is the most turns that a loop over numbers takes; false where that is not
// known.
func (b *bench) turnsOf(f *il.Function, l loop) (float64, bool) {
	end := l.head.End()
	if end.Op != il.Loop {
		return 0, false
	}
	of := f.Def(f.Root(end.Args[0]))
	if of == nil || of.Op != il.Call || !slices.Contains(counters[:2], b.il.outside(f, of)) || len(of.Args) > 3 {
		return 0, false
	}
	most, ok := b.il.atMost(f, of.Args[len(of.Args)-1], of)
	if len(of.Args) == 3 {
		first, known := f.Const(f.Root(of.Args[1]))
		most, ok = most-first.Num, ok && known
	}
	return most, ok
}
