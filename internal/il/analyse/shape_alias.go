package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// keeps tells a method that leaves a list, map or text that is built as it is: of
// those that a language's own have, these do not.
func keeps(name string) bool { return !strings.Contains(mutators, " "+name+" ") }

const mutators = ` append extend insert remove pop clear sort reverse update setdefault popitem add discard difference_update intersection_update symmetric_difference_update 
 appendleft popleft extendleft rotate __setitem__ __delitem__ __iadd__ push shift unshift splice fill copyWithin set delete put addAll removeAll removeIf retainAll replaceAll putAll 
 putIfAbsent compute computeIfAbsent computeIfPresent merge poll offer addFirst addLast removeFirst removeLast insertAt deleteCharAt setLength setCharAt retain drain truncate sort_by sort_by_key 
 sort_unstable dedup swap swap_remove resize push_str push_back push_front pop_front pop_back iter_mut as_mut get_mut entry split_off extend_from_slice Add AddRange Insert InsertRange 
 Remove RemoveAt RemoveAll RemoveRange Clear Sort Reverse Enqueue Dequeue Push Pop TryAdd Append AppendLine AppendFormat Replace UnionWith ExceptWith AddFirst AddLast WriteString WriteByte WriteRune Write Reset `

// changers are functions outside of the program that change a list or map which
// they are given.
var changers = map[string]bool{"shuffle": true, "sort": true, "Sort": true, "Strings": true, "Slice": true, "SortFunc": true, "Reverse": true, "reverse": true, "heappush": true, "heappop": true, "heapify": true,
	"insort": true, "insort_left": true, "insort_right": true, "copy": true, "delete": true, "clear": true, "addAll": true, "swap": true, "fill": true, "assign": true, "setattr": true, "Unmarshal": true, "Decode": true, "take": true, "replace": true}

// disturbed says why an object may have been changed, before an instruction reads
// it, in another way than those that it was followed through; "" where it was not.
// mapped: it is a map.
func (s *shaper) disturbed(f *il.Function, o il.Operand, at *il.Instr, mapped bool) string {
	all := s.v.aliasesIn(f)
	w := &watch{s: s, f: f, at: at, class: all.find(2 * o.ID), all: all, mapped: mapped && f.Module.Language == "python"}
	seen := map[*il.Instr]bool{}
	for _, id := range all.see(o.ID) {
		for _, in := range f.Versions[id].Uses {
			if seen[in] {
				continue
			}
			seen[in] = true
			if why := w.changes(in); why != "" && w.before(in) {
				return why
			}
			if in.Op == il.Get && in.Kind == "attr" && w.is(in.Args[0]) {
				if why := w.asked(in.Dst, in); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

func (v *Values) aliasesIn(f *il.Function) *aliases {
	if v.aliases == nil {
		v.aliases = map[*il.Function]*aliases{}
	}
	if v.aliases[f] == nil {
		v.aliases[f] = aliasesOf(f)
	}
	return v.aliases[f]
}

// watch looks for changes of one object.
type watch struct {
	s      *shaper
	f      *il.Function
	at     *il.Instr
	class  int32
	all    *aliases
	mapped bool
	home   map[*il.Instr]*il.Block
	later  map[*il.Block]bool // blocks that a run may come to after something made the object
	ways   map[*il.Block]bool // blocks from whose end a run may come to at
}

// is tells an operand that may be the object.
func (w *watch) is(o il.Operand) bool { return o.Kind == il.Local && w.all.find(2*o.ID) == w.class }

// has tells an operand that may be the object, or hold it.
func (w *watch) has(o il.Operand) bool {
	return o.Kind == il.Local && (w.all.find(2*o.ID) == w.class || w.all.find(2*o.ID+1) == w.class)
}

// changes says how an instruction may change the object, "" where it does not.
func (w *watch) changes(in *il.Instr) string {
	switch in.Op {
	case il.Set:
		if w.is(in.Args[0]) && !w.s.chain[in] && !w.ofList(in) && (in.Kind != "attr" || w.f.Module.Language == "javascript" || w.f.Module.Language == "typescript") {
			return "it may be changed under another name"
		}
		if w.has(in.Args[2]) && (in.Kind == "outer" || in.Kind == "export") {
			return "another scope has it"
		}
	case il.Bind:
		if augmented(w.f, in) && w.is(in.Args[0]) && !w.s.chain[in] {
			return "it may be changed under another name"
		}
	case il.Call:
		return w.called(in)
	case il.Define:
		if in.Ref != nil && in.Ref.Kind != il.ClassBody {
			return w.captured(in)
		}
	case il.Unknown:
		return "it is used where the code is not read"
	default:
	}
	return ""
}

// augmented tells "a += b" of a language in which that changes the object: its
// target begins where the operator does.
func augmented(f *il.Function, in *il.Instr) bool {
	if f.Module.Language != "python" || in.Op != il.Bind || len(in.Args) < 2 || in.Kind == "cast" {
		return false
	}
	return slices.ContainsFunc(f.Versions[in.Dst].Uses, func(use *il.Instr) bool {
		return (use.Op == il.Set || use.Op == il.Bind && use.Kind == "") && use.Span.From == in.Span.From && use.Span.To < in.Span.To
	})
}

// lists are the mutators that no map of Python has.
var lists = map[string]bool{"append": true, "extend": true, "insert": true, "remove": true, "sort": true, "reverse": true, "add": true, "discard": true,
	"appendleft": true, "popleft": true, "extendleft": true, "rotate": true}

// ofList tells a change of a list, where the object is a map.
func (w *watch) ofList(set *il.Instr) bool {
	if !w.mapped || set.Kind != "add" {
		return false
	}
	call := callOf(w.f, set)
	return call != nil && lists[lastName(call.Kind)]
}

// captured tells whether a function inside changes the object.
func (w *watch) captured(in *il.Instr) string {
	for i, a := range in.Args {
		if i < len(in.Names) && w.has(a) && changesName(in.Ref, in.Names[i]) {
			return "a function inside may change it"
		}
	}
	return ""
}

// changesName tells whether a function does more with a name of a scope around it
// than to read it.
func changesName(g *il.Function, name string) bool {
	if g.Lost != "" {
		return true
	}
	for _, in := range g.Instructions() {
		for k, a := range in.Args {
			if a.Kind != il.Free || g.Word(a) != name {
				continue
			}
			switch {
			case in.Op == il.Set && k == 0, in.Op == il.Define:
				return true
			case in.Op == il.Get && in.Kind == "attr" && k == 0:
				if key, _ := g.Str(in.Args[1]); !keeps(key) {
					return true
				}
			}
		}
	}
	return false
}

// asked says how a method of the object that was read may change it.
func (w *watch) asked(method int32, get *il.Instr) string {
	name, _ := w.f.Str(get.Args[1])
	for _, use := range w.f.Versions[method].Uses {
		switch {
		case w.mapped && lists[name]:
		case use.Op == il.Bind && use.Kind == "":
			if why := w.asked(use.Dst, get); why != "" {
				return why
			}
		case use.Op == il.Call && use.Args[0].Is(method) && !keeps(name) && !w.followed(use) && w.before(use):
			return "it is changed by " + name
		}
	}
	return ""
}

// called says how a call may change the object.
func (w *watch) called(in *il.Instr) string {
	sym := w.s.v.Names.Operand(w.f, in.Args[0])
	for i, a := range in.Args[1:] {
		switch {
		case !w.has(a):
		case sym != nil && sym.Outside != "":
			if name := lastName(sym.Outside); changers[name] && makers[lastNames(sym.Outside)] == makesUnknown && (additions[name] == addUnknown || lastNames(sym.Outside) == "Collections.addAll") {
				return "it is given to " + in.Kind
			}
		case sym != nil && sym.Function != nil:
			if p := position(sym, in, i); sym.Function.Kind != il.ClassBody && (p < 0 || harms(w.s.v, sym.Function, p, 0)) {
				return "it is given to " + in.Kind
			}
		case method(lastName(in.Kind)) == notKnown && additions[lastName(in.Kind)] == addUnknown && methods[lastName(in.Kind)] == makesUnknown:
			return "it is given to " + in.Kind
		}
	}
	return ""
}

// followed tells a call whose change a Set tells that was followed.
func (w *watch) followed(call *il.Instr) bool {
	for set := range w.s.chain {
		if set.Span == call.Span {
			return true
		}
	}
	return false
}

// harms tells whether a function may change what a parameter is given.
func harms(v *Values, g *il.Function, i, depth int) bool {
	if depth >= maxInside || g.Lost != "" || len(g.Blocks) == 0 {
		return true
	}
	all := v.aliasesIn(g)
	id := g.Params[i].Var
	w := &watch{s: &shaper{v: v}, f: g, class: all.find(2 * id), all: all}
	for _, seer := range all.see(id) {
		for _, in := range g.Versions[seer].Uses {
			if in.Op != il.Call {
				if w.changes(in) != "" || in.Op == il.Get && in.Kind == "attr" && w.is(in.Args[0]) && w.asked(in.Dst, in) != "" {
					return true
				}
				continue
			}
			sym := v.Names.Operand(g, in.Args[0])
			if sym == nil || sym.Function == nil {
				if w.called(in) != "" {
					return true
				}
				continue
			}
			for k, a := range in.Args[1:] {
				if p := position(sym, in, k); w.has(a) && sym.Function.Kind != il.ClassBody && sym.Function != g && (p < 0 || harms(v, sym.Function, p, depth+1)) {
					return true
				}
			}
		}
	}
	return false
}

// before tells whether a run can pass an instruction on its way from what made the
// object to what reads it.
func (w *watch) before(in *il.Instr) bool {
	if w.at == nil {
		return true
	}
	if w.home == nil {
		w.home = map[*il.Instr]*il.Block{}
		for b, other := range w.f.Instructions() {
			w.home[other] = b
		}
		w.arrive()
	}
	b, to := w.home[in], w.home[w.at]
	if b == nil || to == nil {
		return true
	}
	if !w.behind(in, b) {
		return false
	}
	if len(w.s.from) == 1 && w.home[w.s.from[0]] == b && slices.Index(b.Instrs, in) <= slices.Index(b.Instrs, w.s.from[0]) {
		return false // it comes by where the object is made, or makes it
	}
	return w.ways[b] || b == to && slices.Index(b.Instrs, in) < slices.Index(b.Instrs, w.at)
}

// behind tells whether a run can pass an instruction after something made the object.
func (w *watch) behind(in *il.Instr, b *il.Block) bool {
	if w.later == nil {
		var next []*il.Block
		for _, from := range w.s.from {
			if made := w.home[from]; made != nil {
				next = append(next, made.Succs...)
			}
		}
		w.later = onward(next, func(*il.Block) bool { return false })
	}
	return w.later[b] || len(w.s.from) == 0 || slices.ContainsFunc(w.s.from, func(from *il.Instr) bool {
		made := w.home[from]
		return made == nil || made == b && slices.Index(b.Instrs, from) < slices.Index(b.Instrs, in)
	})
}

// arrive finds the blocks from whose end a run may come to the read without making
// the object anew.
func (w *watch) arrive() {
	w.ways = map[*il.Block]bool{}
	var stop *il.Block
	if len(w.s.from) == 1 {
		stop = w.home[w.s.from[0]]
	}
	to := w.home[w.at]
	if to == nil || to == stop {
		return
	}
	for work := []*il.Block{to}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range b.Preds {
			if !w.ways[p] {
				w.ways[p] = true
				if p != stop {
					work = append(work, p)
				}
			}
		}
	}
}
