package analyse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// ShapeKind says what a value was made as.
type ShapeKind uint8

// The kinds of shapes.
const (
	Single ShapeKind = iota // not taken apart: its one part is where sight ends
	Text                    // parts in their order, constants and holes
	List                    // of a list, tuple, array or set the elements in their order
	Map                     // the values of a map or record under their keys
)

// Shape is one way in which a value can be made.
type Shape struct {
	Kind  ShapeKind
	Parts []Part
	Why   string // why other parts may be there, or these be changed; "" where they are all
}

// Part is an element of a list, a stretch of a text, or the value under a key.
type Part struct {
	In    *il.Function // where Of is an operand
	Of    il.Operand   // what fills it, Opaque where that is not known
	At    il.Span      // where it was put in
	By    *il.Function // the function that did
	Key   string       // of a map
	Text  string
	Known bool // it is Text and nothing else
	Maybe bool // it may be missing
	Many  bool // any number of such parts: a loop adds them
	Rest  bool // not Of itself, but whatever that holds

	loop *il.Instr // the value of this join, while that is worked at
}

// Use is the instruction that puts the part in, nil where that is not known.
func (p Part) Use() *il.Instr {
	if p.In == nil {
		return nil
	}
	for _, in := range p.In.Instructions() {
		if in.Span == p.At && (in.Op == il.Make || in.Op == il.Call || in.Op == il.Bind || in.Op == il.Set) {
			return in
		}
	}
	return nil
}

// loose tells a part that may not be there exactly once.
func (p Part) loose() bool { return p.Maybe || p.Many || p.Rest || p.loop != nil }

// Whole tells that the parts are all that there is, each once.
func (s Shape) Whole() bool {
	return s.Why == "" && s.Kind != Single && !slices.ContainsFunc(s.Parts, Part.loose)
}

// Constant is a text that has no holes.
func (s Shape) Constant() (string, bool) {
	if s.Kind != Text || !s.Whole() || len(s.Parts) > 1 {
		return "", false
	}
	if len(s.Parts) == 0 {
		return "", true
	}
	return s.Parts[0].Text, s.Parts[0].Known
}

// String is the shape for tests and for people.
func (s Shape) String() string {
	var w strings.Builder
	for i, p := range s.Parts {
		if i > 0 && s.Kind != Text {
			w.WriteByte(' ')
		}
		if p.Rest {
			w.WriteByte('*')
		}
		if p.Key != "" {
			w.WriteString(p.Key + "=")
		}
		switch {
		case p.Known && s.Kind == Text:
			w.WriteString(p.Text)
		case p.Known:
			fmt.Fprintf(&w, "%q", p.Text)
		case p.In == nil:
			w.WriteString("{?}")
		default:
			w.WriteString("{" + p.In.Show(p.Of) + "}")
		}
		switch {
		case p.Many:
			w.WriteByte('+')
		case p.Maybe:
			w.WriteByte('?')
		}
	}
	marks := [...]string{"  ", `""`, "[]", "{}"}[s.Kind]
	out := strings.TrimSpace(marks[:1] + w.String() + marks[1:])
	if s.Why != "" {
		out += " ... " + s.Why
	}
	return out
}

// Shapes are the ways in which an operand that an instruction reads can be made,
// through copies, joins, changes (append, insert, +=, an element that is set), the
// texts and containers of each language, names of other scopes, and calls of
// functions of the program. at nil: read when all of the function has run.
//
// It over-approximates: a value is made in one of these ways, and a shape without
// Why has no part that is not listed. So it is sound for "is never among the
// words", "writes no other key". That a part is there is said where it is neither
// Maybe nor Many nor Rest and the shape has no Why; which of several ways a run takes is
// not said.
//
// It trusts, as Values does; and that functions outside of the program leave the
// lists and maps that they are given as they are, but for those that are known for
// changing them.
func (v *Values) Shapes(f *il.Function, o il.Operand, at *il.Instr) []Shape {
	return v.ShapesBy(nil, f, o, at)
}

const (
	maxWays   = 8        // shapes of one operand that are told apart
	mostParts = 128      // parts of one shape
	longest   = 64 << 10 // bytes of a text that is put together
	shapeWork = 64       // versions looked at for one question, times Values.Limit
	maxFrames = 4        // calls in calls
)

// running is a function as one call runs it.
type running struct {
	f     *il.Function
	call  *il.Instr // nil where that is not known
	sym   *Symbol
	outer *running
	depth int
}

// seat is a version in a frame.
type seat struct {
	fr *running
	id int32
}

// reading is a read of a version.
type reading struct {
	seat
	at *il.Instr
}

// read is what an operand is made of, with the changes that it was followed through and
// what made it.
type read struct {
	ways  []Shape
	chain map[*il.Instr]bool
	from  []*il.Instr
}

// shaper answers one question.
type shaper struct {
	v     *Values
	state *run
	work  int
	busy  map[seat]bool
	memo  map[reading]read
	chain map[*il.Instr]bool // the changes that the object which is read has been followed through
	from  []*il.Instr        // what made it
	joins map[seat][]Shape   // on the way to it
}

func single(f *il.Function, o il.Operand, why string) []Shape {
	p := Part{In: f, Of: o}
	if def := f.Def(o); def != nil {
		p.At, p.By = def.Span, f
	}
	if c, ok := f.Const(o); ok && c.Type == il.StrConst {
		p.Text, p.Known = c.Text, true
		return []Shape{{Kind: Text, Parts: []Part{p}, Why: why}}
	}
	return []Shape{{Parts: []Part{p}, Why: why}}
}

// read is what an operand is made of when an instruction reads it: as it was made
// and changed on the way there, unless it may have been changed past it.
func (s *shaper) read(fr *running, o il.Operand, at *il.Instr) []Shape {
	return s.reads(fr, o, at).ways
}

func (s *shaper) reads(fr *running, o il.Operand, at *il.Instr) read {
	if o.Kind != il.Local {
		return read{ways: s.outer(fr, o)}
	}
	key := reading{seat{fr, o.ID}, at}
	if known, ok := s.memo[key]; ok {
		return known
	}
	chain, from, joins := s.chain, s.from, s.joins
	s.chain, s.from, s.joins = map[*il.Instr]bool{}, nil, map[seat][]Shape{}
	out := s.trace(fr, o)
	if slices.ContainsFunc(out, func(w Shape) bool { return w.Kind == List || w.Kind == Map || len(s.chain) > 0 }) {
		maps := !slices.ContainsFunc(out, func(w Shape) bool { return w.Kind != Map })
		if why := s.disturbed(fr.f, o, at, maps); why != "" {
			out = slices.Clone(out)
			for i := range out {
				if out[i].Kind != Single && out[i].Why == "" {
					out[i].Why = why
				}
			}
		}
	}
	got := read{out, s.chain, s.from}
	s.chain, s.from, s.joins = chain, from, joins
	if !loops(out) {
		s.memo[key] = got
	}
	return got
}

// loops tells shapes that hang on a join that is worked at.
func loops(list []Shape) bool {
	return slices.ContainsFunc(list, func(w Shape) bool {
		return slices.ContainsFunc(w.Parts, func(p Part) bool { return p.loop != nil })
	})
}

// outer is an operand that is not a version of the function.
func (s *shaper) outer(fr *running, o il.Operand) []Shape {
	switch o.Kind {
	case il.Constant:
		return single(fr.f, o, "")
	case il.Free:
		if known := s.v.Of(fr.f, o); len(known.Strs) == 1 && known.equal(texts(known.Strs[0])) {
			return []Shape{{Kind: Text, Parts: []Part{{In: fr.f, Of: o, Text: known.Strs[0], Known: true}}}}
		}
		return s.elsewhere(fr, o, fr.f.Word(o))
	default:
		return single(fr.f, o, "it is a construct that is not read")
	}
}

// elsewhere is what another scope, or module, binds a name to.
func (s *shaper) elsewhere(fr *running, o il.Operand, name string) []Shape {
	g, w, ok := s.v.Names.Binding(fr.f, name)
	if ok = ok && o.Kind == il.Free; !ok {
		if g, w = s.handedOut(s.v.Names.Operand(fr.f, o)); g == nil {
			return single(fr.f, o, "")
		}
	}
	if fr.depth >= maxFrames {
		return single(fr.f, o, "")
	}
	out := slices.Clone(s.read(&running{f: g, depth: fr.depth + 1}, w, nil))
	fixed := capital(name) && !s.v.written[name] && !s.v.escaped()[name] && s.v.readOnly(g, g.Root(w), 0)
	for i := range out {
		switch {
		case out[i].Kind == Single:
			out[i] = single(fr.f, o, "")[0]
		case !fixed && (out[i].Kind != Text || s.v.written[name]):
			out[i] = out[i].loosened("another scope binds " + name)
		}
	}
	return out
}

// handedOut is the only value of a name that a module hands out.
func (s *shaper) handedOut(sym *Symbol) (*il.Function, il.Operand) {
	if sym == nil || !sym.empty() {
		return nil, il.Operand{}
	}
	top := s.v.Names.Top(sym.At.Path)
	if top == nil {
		return nil, il.Operand{}
	}
	for i, ver := range top.Versions {
		if binds(ver) && top.Place(ver.Def.Span) == sym.At && s.v.Names.once(top, ver.Var) == int32(i) {
			return top, il.Operand{Kind: il.Local, ID: int32(i)}
		}
	}
	return nil, il.Operand{}
}

// trace follows a version to what made it.
func (s *shaper) trace(fr *running, o il.Operand) []Shape {
	f := fr.f
	if o.Kind != il.Local {
		return s.outer(fr, o)
	}
	if s.work++; s.work > s.v.limit()*shapeWork {
		return single(f, o, "the budget is spent")
	}
	ver := f.Versions[o.ID]
	def := ver.Def
	switch {
	case slices.Contains(f.Shared, ver.Var):
		return single(f, o, "another function binds "+ver.Var)
	case ver.Param >= 0:
		s.from = append(s.from, nil)
		return s.param(fr, o, ver.Param)
	case def == nil:
		return single(f, o, "")
	}
	switch def.Op {
	case il.Assume:
		return s.trace(fr, def.Args[0])
	case il.Phi:
		return s.phi(fr, o, ver)
	case il.Bind:
		return s.bind(fr, o, def)
	case il.Make:
		s.from = append(s.from, def)
		return s.made(fr, o, def)
	case il.Set:
		s.chain[def] = true
		return s.changed(fr, o, def)
	case il.Get:
		return s.got(fr, o, def)
	case il.Call:
		s.from = append(s.from, def)
		return s.call(fr, o, def)
	case il.Import:
		return s.elsewhere(fr, o, lastName(def.Names[len(def.Names)-1]))
	default:
		return single(f, o, "")
	}
}

// param is what the call gives a parameter, where the call is known.
func (s *shaper) param(fr *running, o il.Operand, i int) []Shape {
	p := fr.f.Params[i]
	switch {
	case fr.call == nil:
		return single(fr.f, o, "")
	case p.Spread != "":
		return s.rest(fr, o, i)
	}
	if given, ok := fr.given(i); ok {
		return s.read(fr.outer, given, fr.call)
	}
	if !p.Filled || slices.Contains(fr.call.Names, "*") || slices.Contains(fr.call.Names, "**") {
		return single(fr.f, o, "")
	}
	if in, i := filling(fr.f, p.Name); in != nil {
		return s.read(&running{f: fr.f.Outer}, in.Args[i], in)
	}
	return single(fr.f, p.Default, "")
}

// phi is one of what meets there. What a loop adds may be there any number of
// times.
func (s *shaper) phi(fr *running, o il.Operand, ver il.Version) []Shape {
	at := seat{fr, o.ID}
	if s.busy[at] {
		return []Shape{{Parts: []Part{{In: fr.f, Of: o, loop: ver.Def}}}}
	}
	if known, ok := s.joins[at]; ok {
		return known
	}
	s.busy[at] = true
	defer delete(s.busy, at)
	known := s.state.state(fr.f)
	var ways []Shape
	for i, p := range ver.Block.Preds {
		taken := known.lost != ""
		for k, to := range p.Succs {
			taken = taken || to == ver.Block && known.taken[p.ID][k]
		}
		if taken && ver.Def.Args[i].Kind != il.Undef {
			ways = append(ways, s.trace(fr, ver.Def.Args[i])...)
		}
	}
	if len(ways) == 0 {
		return single(fr.f, o, "")
	}
	out := unrolled(ver.Def, o, fr.f, ways)
	if !loops(out) {
		s.joins[at] = out
	}
	return out
}
