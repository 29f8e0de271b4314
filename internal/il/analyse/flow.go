package analyse

import (
	"cmp"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Flow follows values from where they are bound to where they are used: through
// copies, joins, texts, containers (three keys deep), objects that are seen under
// several names, fields, functions inside, and calls, by the summaries of the
// functions called. It answers one caller at a time.
//
// "Does not arrive" is sound: it is said where no chain of definitions and uses
// leads there, and nothing on the way was lost from sight. "Arrives" is said where
// every step is certain to hand the value, or what holds it, on, given that the way
// is taken: another name of the same object, a key that is not known, or a function
// outside of the program make it Unknown. That a value decides a branch is not a flow,
// and an exception that leaves the function hands nothing on.
type Flow struct {
	Names *Names
	// To tells where a way ends: at an operand of an instruction, by its position;
	// of a call 0 is the object whose method is called, the arguments follow.
	To func(f *il.Function, in *il.Instr, arg int) bool
	// Stops tells an operand of an instruction that hands nothing on; nil: none.
	Stops func(f *il.Function, in *il.Instr, arg int) bool
	// Dead excludes blocks that no run enters; nil: none.
	Dead func(*il.Function, *il.Block) bool
	// After are, for a function, those whose first argument is later a map into
	// which its result was merged: the nodes of a graph behind it.
	After map[*il.Function][]*il.Function
	// Budget is the most work, in uses looked at; nought: a default. When it is
	// spent, what is not done is Unknown.
	Budget int
	Work   int

	known    map[ask]*summary
	waiting  map[ask][]ask // who is done again when a summary grows
	asked    map[ask]map[ask]bool
	rounds   map[ask]int
	parts    map[ask]int
	queue    []ask
	queued   map[ask]bool
	aliases  map[*il.Function]*aliases
	free     map[*il.Function]map[int32][]*il.Instr // the uses of names that other scopes bind
	calls    map[*il.Function]map[*il.Function][]*il.Instr
	callees  map[*il.Instr]*Symbol
	readers  map[*il.Function]map[string][]*il.Function
	looks    map[*il.Function]map[string]bool
	homes    map[*il.Function]map[*il.Instr]*il.Block
	quitting bool
}

const (
	flowBudget = 1 << 20
	maxRounds  = 24 // of one summary
	maxParts   = 4  // of one operand that are told apart
	maxPlaces  = 24 // of a way that is told
)

// ask is a question to one function: where does an operand go, or what lies in it
// under some keys.
type ask struct {
	f      *il.Function
	o      il.Operand
	path   path
	root   bool // nobody in sight calls f: what it leaves in its object may be used later
	glance bool // nothing but whether it surely comes to no end is asked
}

// summary says where that goes.
type summary struct {
	result map[path]*trail // in what the function gives back
	into   map[spot]*trail // in the object of a parameter
	end    *trail
	lost   string // where it goes out of sight; "" nowhere

	ordered []path // of result, once it is asked for
	placed  []spot // of into
}

// spot is a place in a parameter's object.
type spot struct {
	param int
	path  path
}

// trail is the way of a value, the last step first. A step holds the way through
// the function that was called there, so that ways share what they have in common.
type trail struct {
	at     il.Place
	inside *trail
	before *trail
	sure   bool
}

// better tells whether a way is to be told instead of another: only a certain one
// replaces one that is not, so that each is replaced once.
func (t *trail) better(than *trail) bool { return t.rank() > than.rank() }

func (t *trail) rank() int {
	switch {
	case t == nil:
		return 0
	case t.sure:
		return 2
	}
	return 1
}

// places are the steps of a way, the first first.
func (t *trail) places() (out []il.Place) {
	var walk func(*trail)
	walk = func(t *trail) {
		if t == nil || len(out) >= maxPlaces {
			return
		}
		walk(t.before)
		if len(out) < maxPlaces && (len(out) == 0 || out[len(out)-1] != t.at) {
			out = append(out, t.at)
		}
		walk(t.inside)
	}
	walk(t)
	return out
}

// Arrives answers whether a value of a function comes to an end that To tells.
func (w *Flow) Arrives(f *il.Function, o il.Operand) Answer {
	s := w.solve(ask{f: f, o: o, root: true})
	return s.answer(s.end)
}

// Avoids reports whether a value of a function surely comes to no end that To tells. It looks no
// further than to the first sign of one.
func (w *Flow) Avoids(f *il.Function, o il.Operand) bool {
	return !w.solve(ask{f: f, o: o, root: true, glance: true}).shown()
}

// shown tells a summary of a value that comes to an end, or may.
func (s *summary) shown() bool { return s.end != nil || s.lost != "" }

// Returned answers whether a value of a function arrives in what it gives back.
func (w *Flow) Returned(f *il.Function, o il.Operand) Answer {
	s := w.solve(ask{f: f, o: o, root: true})
	var best *trail
	for _, p := range s.paths() {
		if s.result[p].better(best) {
			best = s.result[p]
		}
	}
	return s.answer(best)
}

func (s *summary) answer(t *trail) Answer {
	switch {
	case t != nil && t.sure:
		return Answer{Yes, "it arrives", t.places()}
	case t != nil:
		return Answer{Unknown, "it may arrive", t.places()}
	case s.lost != "":
		return Answer{Unknown, "it is lost from sight: " + s.lost, nil}
	}
	return Answer{No, "no way leads there", nil}
}

// solve computes a summary and all that it hangs on: a worklist in which one is
// done again only when another that it used has grown. Each can grow a few times,
// so the work is linear in the program.
func (w *Flow) solve(a ask) *summary {
	if w.known == nil {
		w.known, w.waiting, w.asked, w.rounds, w.parts, w.queued = map[ask]*summary{}, map[ask][]ask{}, map[ask]map[ask]bool{}, map[ask]int{}, map[ask]int{}, map[ask]bool{}
		w.aliases, w.free = map[*il.Function]*aliases{}, map[*il.Function]map[int32][]*il.Instr{}
		w.calls, w.callees = map[*il.Function]map[*il.Function][]*il.Instr{}, map[*il.Instr]*Symbol{}
		w.looks = map[*il.Function]map[string]bool{}
		w.readers, w.homes = map[*il.Function]map[string][]*il.Function{}, map[*il.Function]map[*il.Instr]*il.Block{}
		if w.Budget == 0 {
			w.Budget = flowBudget
		}
	}
	if w.known[a] == nil {
		w.known[a] = &summary{}
		w.push(a)
	}
	for len(w.queue) > 0 && !w.quitting && !(a.glance && w.known[a].shown()) {
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.queued[next] = false
		was, now := w.known[next], w.walk(next)
		if w.rounds[next]++; w.rounds[next] > maxRounds && !now.same(was) {
			now.lose("functions that call each other")
			if was.lost == now.lost {
				continue
			}
		}
		if w.known[next] = now; !now.same(was) {
			for _, b := range w.waiting[next] {
				w.push(b)
			}
		}
	}
	s := w.known[a]
	if w.quitting {
		s = &summary{lost: "the budget of work is spent"}
	}
	return s
}

func (w *Flow) push(a ask) {
	if !w.queued[a] {
		w.queued[a] = true
		w.queue = append(w.queue, a)
	}
}

// question asks about an operand, or what lies in it. Of one operand only so many
// parts are told apart; the rest are asked for as any of them.
func (w *Flow) question(f *il.Function, o il.Operand, p path, who ask) *summary {
	a := ask{f: f, o: o, path: p}
	if w.known[a] == nil && p != "" {
		whole := ask{f: f, o: o}
		if w.parts[whole]++; w.parts[whole] > maxParts {
			a.path = anyKey + "\x00"
		}
	}
	return w.of(a, who)
}

// of is what is known so far of a question, for the one who asks it.
func (w *Flow) of(a, who ask) *summary {
	s := w.known[a]
	if s == nil {
		s = &summary{}
		w.known[a] = s
		w.push(a)
	}
	if w.asked[a] == nil {
		w.asked[a] = map[ask]bool{}
	}
	if !w.asked[a][who] {
		w.asked[a][who] = true
		w.waiting[a] = append(w.waiting[a], who)
	}
	return s
}

func (s *summary) lose(why string) {
	if s.lost == "" || why < s.lost {
		s.lost = why
	}
}

func (s *summary) same(o *summary) bool {
	return s.lost == o.lost && s.end.rank() == o.end.rank() && maps.EqualFunc(s.result, o.result, alike) && maps.EqualFunc(s.into, o.into, alike)
}

func alike(a, b *trail) bool { return a.rank() == b.rank() }

// paths and spots are the keys of a finished summary in an order that does not depend on chance.
func (s *summary) paths() []path {
	if s.ordered == nil {
		s.ordered = slices.Sorted(maps.Keys(s.result))
	}
	return s.ordered
}

func (s *summary) spots() []spot {
	if s.placed == nil {
		s.placed = sortedSpots(s.into)
	}
	return s.placed
}

func sortedSpots(table map[spot]*trail) []spot {
	return slices.SortedFunc(maps.Keys(table), func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.path, b.path))
	})
}

// usesOf are the instructions that read an operand.
func (w *Flow) usesOf(f *il.Function, o il.Operand) []*il.Instr {
	if o.Kind == il.Local {
		return f.Versions[o.ID].Uses
	}
	table, ok := w.free[f]
	if !ok {
		table = map[int32][]*il.Instr{}
		for _, in := range f.Instructions() {
			for k, a := range in.Args {
				if a.Kind == il.Free && !slices.Contains(in.Args[:k], a) {
					table[a.ID] = append(table[a.ID], in)
				}
			}
		}
		w.free[f] = table
	}
	return table[o.ID]
}

// callee is what a call calls.
func (w *Flow) callee(f *il.Function, in *il.Instr) *Symbol {
	s, ok := w.callees[in]
	if !ok {
		if s = w.Names.Operand(f, in.Args[0]); s == nil {
			s = &Symbol{}
		}
		w.callees[in] = s
	}
	return s
}

// callsOf are the calls of one function in another.
func (w *Flow) callsOf(f, g *il.Function) []*il.Instr {
	table, ok := w.calls[f]
	if !ok {
		table = map[*il.Function][]*il.Instr{}
		for _, in := range f.Instructions() {
			if in.Op == il.Call {
				if s := w.callee(f, in); s.Function != nil {
					table[s.Function] = append(table[s.Function], in)
				}
			}
		}
		w.calls[f] = table
	}
	return table[g]
}

// home is the block of an instruction.
func (w *Flow) home(f *il.Function, in *il.Instr) *il.Block {
	if in.Dst != il.NoDst {
		return f.Versions[in.Dst].Block
	}
	table, ok := w.homes[f]
	if !ok {
		table = map[*il.Instr]*il.Block{}
		for b, in := range f.Instructions() {
			table[in] = b
		}
		w.homes[f] = table
	}
	return table[in]
}
