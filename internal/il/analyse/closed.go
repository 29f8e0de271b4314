package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Handling says what calls do with a thing that was opened.
type Handling struct {
	Closes map[string]bool                        // methods that close it, by their names
	Plain  map[string]bool                        // parts of it that are no handle: a name, a status
	Same   map[string]bool                        // methods whose result stands for it: a stream that is filtered
	Given  func(*il.Function, *il.Instr) Takeover // a call that is given it, or a part
}

// Takeover is what a call does with what it is given.
type Takeover uint8

// What calls do.
const (
	Keeps  Takeover = iota // it is somebody else's from here on, or that is not known
	Reads                  // it is used, and still to be closed
	Wraps                  // what the call gives stands for it
	Closes                 // it is closed
)

// Closed answers whether what a call opens is closed: Yes where something closes it
// on every way out of the function, No where nothing does, or a way out passes no
// closing. What is returned, stored or handed on is somebody else's to close, and
// is Unknown; so is what is opened at the top of a module: it may live as long as
// the program.
//
// A way on which the thing was tested and is not there needs no closing. Ways of an
// exception, and all ways behind a finally block, which stands once for all that
// pass it, make Unknown only.
func (o *Outcome) Closed(f *il.Function, call *il.Instr, h Handling) Answer {
	if f.Kind == il.Top {
		return Answer{Why: "it may live as long as the program"}
	}
	k := &keeper{f: f, names: o.Names, h: h, seen: map[int32]bool{}, closing: map[*il.Instr]bool{}, asked: map[*il.Instr]int{}}
	k.follow(call.Dst, false)
	switch {
	case k.gone != nil:
		return Answer{Why: "it is handed on", Places: []il.Place{f.Place(k.gone.Span)}}
	case len(k.closing) == 0 && !k.later:
		return Answer{Is: No, Why: "nothing closes it", Places: []il.Place{f.Place(call.Span)}}
	case k.later:
		return Answer{Is: Yes, Why: "it is closed in the end"}
	}
	if out := k.leak(call, false); out != nil {
		return Answer{Is: No, Why: "a way out leaves it open", Places: []il.Place{f.Place(call.Span), f.Place(out.Span)}}
	}
	if out := k.leak(call, true); out != nil {
		return Answer{Why: "it may be left open", Places: []il.Place{f.Place(call.Span), f.Place(out.Span)}}
	}
	return Answer{Is: Yes, Why: "every way closes it"}
}

// keeper follows what was opened through its function.
type keeper struct {
	f       *il.Function
	names   *Names
	h       Handling
	seen    map[int32]bool
	closing map[*il.Instr]bool
	asked   map[*il.Instr]int // branches that test it, or what came with it: the side on which it is not there
	later   bool              // closed when the function leaves, or by a function inside
	gone    *il.Instr         // where it is handed on
}

// follow looks at the uses of a version; part: of a member of the thing.
func (k *keeper) follow(id int32, part bool) {
	if id == il.NoDst || k.seen[id] {
		return
	}
	k.seen[id] = true
	for _, in := range k.f.Versions[id].Uses {
		k.use(in, id, part)
	}
}

func (k *keeper) use(in *il.Instr, id int32, part bool) {
	switch in.Op {
	case il.Phi, il.Assume:
		k.follow(in.Dst, part)
	case il.Bind:
		switch {
		case in.Kind == "" || in.Kind == "cast":
			k.follow(in.Dst, part)
		case negated[in.Kind] == "" && in.Kind != "not" && in.Kind != "!":
			k.hand(in)
		}
	case il.Get:
		if in.Args[0].Is(id) {
			k.get(in, part)
		}
	case il.Set:
		if in.Args[2].Is(id) {
			k.hand(in)
		}
		k.follow(in.Dst, part)
	case il.Call:
		k.call(in, id)
	case il.Branch:
		k.asked[in] = missing(in, false)
	case il.Loop:
	case il.Define:
		k.captured(in, id)
	default:
		k.hand(in)
	}
}

func (k *keeper) hand(in *il.Instr) {
	if k.gone == nil {
		k.gone = in
	}
}

// get is a member: a method that is called, a part, or one of several results.
func (k *keeper) get(in *il.Instr, part bool) {
	if in.Kind == "each" || in.Kind == "key" {
		return // what it yields is not the thing
	}
	if i, ok := k.f.Const(in.Args[1]); ok && in.Kind == "item" && i.Type == il.IntConst && !part {
		if i.Num == 0 {
			k.follow(in.Dst, part)
		} else {
			k.beside(in.Dst)
		}
		return
	}
	key, ok := k.f.Str(in.Args[1])
	if !ok || k.h.Plain[key] {
		return
	}
	k.member(in.Dst, key)
}

// member follows a member of the thing: a method that is called, or a part. Who is
// given the method that closes may call it.
func (k *keeper) member(id int32, key string) {
	if k.seen[id] {
		return
	}
	closing := k.h.Closes[key]
	k.seen[id] = true
	for _, use := range k.f.Versions[id].Uses {
		switch {
		case use.Op == il.Call && use.Args[0].Is(id):
			if closing {
				k.close(use)
			}
			if k.h.Same[key] {
				k.follow(use.Dst, true)
			}
		case use.Op == il.Bind && use.Kind == "", use.Op == il.Phi, use.Op == il.Assume:
			k.member(use.Dst, key)
		case closing:
			k.hand(use)
		default:
			k.use(use, id, true)
		}
	}
}

func (k *keeper) close(in *il.Instr) {
	k.closing[in] = true
	k.later = k.later || in.Mode == il.Deferred
}

// beside notes the tests of what came with the thing: an error.
func (k *keeper) beside(id int32) {
	if id == il.NoDst || k.seen[id] {
		return
	}
	k.seen[id] = true
	for _, in := range k.f.Versions[id].Uses {
		switch in.Op {
		case il.Branch:
			k.asked[in] = missing(in, true)
		case il.Phi, il.Assume, il.Bind:
			k.beside(in.Dst)
		default:
		}
	}
}

func (k *keeper) call(in *il.Instr, id int32) {
	if in.Args[0].Is(id) {
		return // it is called itself: an opener that was kept
	}
	switch k.h.Given(k.f, in) {
	case Closes:
		k.close(in)
	case Wraps:
		k.follow(in.Dst, true)
	case Reads:
	default:
		k.hand(in)
	}
}

// captured is a function inside that reads the thing: it may close it, or keep it.
func (k *keeper) captured(in *il.Instr, id int32) {
	for i, a := range in.Args {
		if a.Is(id) && k.closesInside(in.Ref, in.Names[i]) {
			k.later = true
			return
		}
	}
	k.hand(in)
}

func (k *keeper) closesInside(f *il.Function, name string) bool {
	for _, in := range f.Instructions() {
		if in.Op != il.Get {
			continue
		}
		base := f.Root(in.Args[0])
		for def := f.Def(base); def != nil && def.Op == il.Get; def = f.Def(base) {
			base = f.Root(def.Args[0])
		}
		if key, _ := f.Str(in.Args[1]); f.Word(base) == name && k.h.Closes[key] {
			return true
		}
	}
	return false
}

// missing is the side of a test on which the thing is not there; an error that came
// with it is there then.
func missing(test *il.Instr, isError bool) int {
	side := 1
	if test.Kind == "==" || test.Kind == "is" {
		side = 0
	}
	if isError && len(test.Args) == 2 {
		side = 1 - side
	}
	return side
}

// leak is a way out of the function, behind the call, that passes no closing: by
// plain steps, or by those of an exception, too.
func (k *keeper) leak(call *il.Instr, exceptions bool) *il.Instr {
	home := k.f.Versions[call.Dst].Block
	after := k.behind()
	seen := map[*il.Block]bool{}
	for work := []*il.Block{home}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if slices.ContainsFunc(b.Instrs, func(in *il.Instr) bool { return k.closing[in] }) {
			continue
		}
		end := b.End()
		if (end.Op == il.Return || end.Op == il.Raise) && len(b.Succs) == 0 && (exceptions || !after[b]) {
			return end
		}
		if b != home && slices.Contains(b.Instrs, call) {
			continue
		}
		for i, s := range b.Succs {
			side, ok := k.asked[end]
			if ok && side == i || b == home && end.Op == il.Jump && i > 0 {
				continue // it is not there, or opening it failed
			}
			if !exceptions && (end.Op == il.Raise || end.Op == il.Jump && len(b.Succs) > 1 && (i > 0 || len(s.Preds) > 1)) {
				continue
			}
			work = append(work, s)
		}
	}
	return nil
}

// behind are the blocks that a closing leads to. A way out that it shares with one
// that closes nothing may hang on the same condition as the opening did.
func (k *keeper) behind() map[*il.Block]bool {
	found := map[*il.Block]bool{}
	var work []*il.Block
	for b, in := range k.f.Instructions() {
		if k.closing[in] {
			work = append(work, b.Succs...)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !found[b] {
			found[b] = true
			work = append(work, b.Succs...)
		}
	}
	return found
}
