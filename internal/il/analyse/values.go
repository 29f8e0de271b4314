package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Values computes what each version of a variable can be, and which blocks a run
// can enter, by sparse conditional propagation: a block is entered only over an
// edge whose condition can be true, and an Assume narrows what it tests. The
// source is Wegman and Zadeck, Constant Propagation with Conditional Branches,
// 1991. It answers one caller at a time.
//
// It over-approximates, and so is sound for "can never be": never true, never
// entered, not among the values. That a condition can be true is said only of
// Exact values, which come from declared bounds.
//
// It trusts: what pydantic's models declare of their fields, where the program
// never sets such a field past the model; annotations that name such a model;
// declared types in languages that enforce them; that assertions run; that an
// object which equals a constant or has an order with a number is one; that a
// name in capitals which one file binds once, and nothing else writes, is what it
// is bound to. Parameters can be anything, no matter who calls.
type Values struct {
	Names *Names
	// Limit is how many instructions may be evaluated for each instruction of a
	// function, nought: a default. A function beyond it is not known. Of a shape,
	// so many times 64 versions are looked at.
	Limit int
	Work  int // instructions evaluated
	// Aside tells the files that no run of the program comes to, as tests: what they make no
	// rule of the program meets. nil: none.
	Aside func(path string) bool

	open, usual *run
	standing    *run            // see asIs
	written     map[string]bool // names and fields that something writes, other than where they are bound
	models      map[*il.Function]bool
	twice       map[home]bool   // what two modules of a package define
	handed      map[string]bool // see escaped
	aliases     map[*il.Function]*aliases
	typing      int                       // operands looked at for the type that is asked for
	seesAll     Tri                       // every call of the program, and what it is given
	whole       map[*il.Function]bool     // see closed
	mentioned   *mentions                 // see readFrom
	loops       map[*il.Block][]*il.Block // see behind
}

// run is one of the two runs. By default, parameters, flags of a module and
// settings of the environment have the values that they have by default.
type run struct {
	v        *Values
	defaults bool
	switches bool                    // of the defaults only those of switches; see Off
	tops     map[*il.Function]*state // of switches: what is known of top levels, each by itself
	done     map[*il.Function]*state
	low      map[*il.Function]int // of the functions in work: Tarjan's numbers
	stack    []*il.Function
	ring     map[*il.Function]int // of functions that call each other: the same number

	passing map[*il.Block][]bool // of one function: the successors that lead to where its runs come by; see Passing
	usual   *state               // what is known of all its runs
	given   *given               // nil: parameters can be anything
}

// state is what is known of one function.
type state struct {
	f       *il.Function
	rules   rules
	values  []Value
	reached []bool
	taken   [][]bool // by block and successor
	result  Value
	lost    string // why nothing is known
	shared  map[string]bool
	asked   map[*il.Instr]bool // answers of onNothing to one question
}

const (
	evaluations = 64 // Values.Limit
	maxGrowth   = 4  // how often a value may change before it is widened
)

// Of is what an operand of a function can be. Where the function is not known it
// can be anything.
func (v *Values) Of(f *il.Function, o il.Operand) Value {
	r := v.runs(false)
	return r.operand(r.state(f), o)
}

// Dead tells a block that no run enters. False says nothing.
func (v *Values) Dead(f *il.Function, b *il.Block) bool {
	s := v.runs(false).state(f)
	return s.lost == "" && !s.reached[b.ID]
}

// Enters are the blocks of a function that a run may come to where it is known of some tests
// whether they hold, and of loops whether they go round.
func (v *Values) Enters(f *il.Function, holds func(test *il.Instr) Tri) map[*il.Block]bool {
	seen := map[*il.Block]bool{}
	for work := f.Blocks[:min(1, len(f.Blocks))]; len(work) > 0; {
		b := work[0]
		work = work[1:]
		if seen[b] || v.Dead(f, b) {
			continue
		}
		seen[b] = true
		next := b.Succs
		if test := b.End(); test.Op == il.Branch || test.Op == il.Loop {
			switch holds(test) {
			case No:
				next = b.Succs[1:]
			case Yes:
				next = b.Succs[:1]
			case Unknown:
			}
		}
		work = append(slices.Clone(work), next...)
	}
	return seen
}

// Lost says why nothing is known of a function, "" where something is.
func (v *Values) Lost(f *il.Function) string { return v.runs(false).state(f).lost }

func (v *Values) runs(defaults bool) *run {
	if v.open == nil {
		v.survey()
		v.loops = map[*il.Block][]*il.Block{}
		v.open, v.usual = v.start(false), v.start(true)
	}
	if defaults {
		return v.usual
	}
	return v.open
}

func (v *Values) start(defaults bool) *run {
	return &run{v: v, defaults: defaults, done: map[*il.Function]*state{}, low: map[*il.Function]int{}, ring: map[*il.Function]int{}}
}

// state is what is known of a function. What it calls comes first. Among
// functions that call each other, results are not known, whichever is asked for
// first.
func (r *run) state(f *il.Function) *state {
	if s, ok := r.done[f]; ok {
		return s
	}
	r.visit(f)
	return r.done[f]
}

// visit solves a function after those that it calls: Tarjan, Depth-first search
// and linear graph algorithms, 1972.
func (r *run) visit(f *il.Function) int {
	at := len(r.low) + 1
	r.low[f] = at
	r.stack = append(r.stack, f)
	low := at
	for _, in := range f.Instructions() {
		g := r.v.callee(f, in)
		if g == nil || r.done[g] != nil {
			continue
		}
		if n, working := r.low[g]; working {
			low = min(low, n)
		} else {
			low = min(low, r.visit(g))
		}
	}
	if low < at {
		return low
	}
	i := slices.Index(r.stack, f)
	ring := slices.Clone(r.stack[i:])
	r.stack = r.stack[:i]
	for _, g := range ring {
		r.ring[g] = at
	}
	for _, g := range ring {
		r.done[g] = r.solve(g)
	}
	return low
}

// callee is the function of the program whose result a call has, nil where that is
// not certain.
func (v *Values) callee(f *il.Function, in *il.Instr) *il.Function {
	if in.Op != il.Call || in.Mode == il.Spawned || in.Mode == il.Deferred || in.Mode == il.Decorate {
		return nil
	}
	s := v.Names.Operand(f, in.Args[0])
	if s == nil || s.Function == nil {
		return nil
	}
	g := s.Function
	if g.Kind == il.ClassBody || g.Kind == il.Declared || g.Lost != "" || len(g.Blocks) == 0 || slices.ContainsFunc(g.Decorators, func(d string) bool { return d != "staticmethod" }) || g.Async && in.Mode != il.Awaited || g.Module.Damaged {
		return nil
	}
	if v.twice[homeOf(g.Module, g.Name)] || v.written[lastName(in.Kind)] || s.Bound && !v.final(g) || yields(g) || v.written[lastName(g.Name)] {
		return nil
	}
	return g
}

// final tells a method that no class outside of the program replaces.
func (v *Values) final(g *il.Function) bool {
	r, name := rulesOf(g.Module.Language), lastName(g.Name)
	return r.finals || r.private != "" && len(name) > 1 && name[:1] == r.private && name[:2] != "__"
}

// solve runs over one function.
func (r *run) solve(f *il.Function) *state {
	s := &state{f: f, rules: rulesOf(f.Module.Language), lost: f.Lost, result: anything(), shared: r.v.sharedIn(f)}
	if s.lost == "" && f.Kind == il.Declared {
		s.lost = "it has no body"
	}
	if s.lost == "" && jumpsAbout(f) {
		s.lost = "its ways are not known"
	}
	if s.lost != "" {
		return s
	}
	s.values, s.reached = make([]Value, len(f.Versions)), make([]bool, len(f.Blocks))
	s.taken = make([][]bool, len(f.Blocks))
	for i := range s.values {
		s.values[i] = nothing()
	}
	for _, b := range f.Blocks {
		s.taken[b.ID] = make([]bool, len(b.Succs))
	}
	for i, p := range f.Params {
		s.values[p.Var] = anything()
		if !s.shared[p.Name] {
			s.values[p.Var] = r.param(f, i)
		}
	}
	w := &solver{r: r, s: s, growth: make([]int, len(f.Versions)), home: map[*il.Instr]*il.Block{}}
	if !w.run() {
		return &state{f: f, rules: s.rules, lost: "the budget is spent", result: anything()}
	}
	result := nothing()
	for b, in := range f.Instructions() {
		if s.reached[b.ID] && in.Op == il.Return {
			result = result.join(r.operand(s, in.Args[0]))
		}
	}
	if !result.Empty() { // what never returns is for outcome to say
		s.result = result
		s.result.Exact = false
	}
	return s
}

// jumpsAbout tells a function with ways that were not lowered.
func jumpsAbout(f *il.Function) bool {
	for _, in := range f.Instructions() {
		if in.Op == il.Unknown && (in.Kind == "goto_statement" || in.Kind == "conditional compilation" || in.Kind == "ERROR" || in.Kind == "broken") {
			return true
		}
	}
	return false
}

// param is what a parameter can be, no matter who calls.
func (r *run) param(f *il.Function, i int) Value {
	p := f.Params[i]
	if r.given != nil {
		if v, ok := r.argument(f, i); ok {
			return v
		}
	}
	if c, ok := f.Const(p.Default); ok && r.defaults && (!r.switches || r.given != nil) && p.Filled {
		return constant(c)
	}
	if p.Spread == "" {
		return r.v.declared(f, il.Operand{Kind: il.Local, ID: p.Var})
	}
	return anything()
}

// solver is the work on one function.
type solver struct {
	r      *run
	s      *state
	growth []int
	home   map[*il.Instr]*il.Block
	blocks []*il.Block
	uses   []*il.Instr
	budget int
}

// limit is what Limit says, or the default.
func (v *Values) limit() int {
	if v.Limit == 0 {
		return evaluations
	}
	return v.Limit
}

// run evaluates until nothing changes; false: the budget is spent.
func (w *solver) run() bool {
	f := w.s.f
	limit := w.r.v.limit()
	for b, in := range f.Instructions() {
		w.home[in] = b
		w.budget += limit
	}
	w.blocks = append(w.blocks, f.Blocks[0])
	for len(w.blocks) > 0 || len(w.uses) > 0 {
		if n := len(w.uses); n > 0 {
			in := w.uses[n-1]
			w.uses = w.uses[:n-1]
			if b := w.home[in]; w.s.reached[b.ID] && !w.evaluate(b, in) {
				return false
			}
			continue
		}
		b := w.blocks[len(w.blocks)-1]
		w.blocks = w.blocks[:len(w.blocks)-1]
		first := !w.s.reached[b.ID]
		w.s.reached[b.ID] = true
		for _, in := range b.Instrs {
			if (first || in.Op == il.Phi) && !w.evaluate(b, in) {
				return false
			}
		}
	}
	return true
}

func (w *solver) evaluate(b *il.Block, in *il.Instr) bool {
	w.r.v.Work++
	if w.budget--; w.budget < 0 {
		return false
	}
	if in.Op.Ends() {
		for i, to := range b.Succs {
			if leads := w.r.passing[b]; leads != nil && !leads[i] || w.r.given != nil && i > 0 && thrown(in, to) {
				continue
			}
			if !w.s.taken[b.ID][i] && w.r.passes(w.s, in, i) && !w.r.unmet(w.s, b, i) {
				w.s.taken[b.ID][i] = true
				w.blocks = append(w.blocks, to)
				continue
			}
			for _, known := range to.Instrs { // it hangs on both sides of the condition, and reads one
				if known.Op != il.Assume || known.Cond != in {
					break
				}
				w.uses = append(w.uses, known)
			}
		}
		return true
	}
	if in.Dst == il.NoDst {
		return true
	}
	was, now := w.s.values[in.Dst], anything()
	if !w.s.shared[w.s.f.Versions[in.Dst].Var] {
		now = w.r.result(w.s, b, in)
	}
	if now.equal(was) {
		if textMethods[attrOf(w.s.f, in)] != nil { // who calls it hangs on its object
			w.uses = append(w.uses, w.s.f.Versions[in.Dst].Uses...)
		}
		return true
	}
	// However the rules are written, a value only grows, and not often.
	if w.growth[in.Dst]++; w.growth[in.Dst] > maxGrowth {
		now = now.join(was).widen(was)
	}
	if w.growth[in.Dst] > 3*maxGrowth {
		now = anything()
	}
	if !now.equal(was) {
		w.s.values[in.Dst] = now
		w.uses = append(w.uses, w.s.f.Versions[in.Dst].Uses...)
	}
	return true
}
