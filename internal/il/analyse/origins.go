package analyse

import (
	"slices"
	"strconv"

	"github.com/automaton-auditor/automaton/internal/il"
)

// OriginKind says what an Origin is.
type OriginKind uint8

// The kinds of origins.
const (
	OutOfSight    OriginKind = iota // Why says where it was lost
	FromConst                       // a constant, a truth, or a container without content
	FromParameter                   // a parameter that no call in sight fills, or of a function that is handed on
	FromCall                        // what a call gives whose function is not of the program, or that Ends
	FromPart                        // an attribute, key or element of what is not of the program
	FromName                        // a function, class, module, or a name outside
	FromException                   // what a handler was given
)

// Origin is one place that a value may come from.
type Origin struct {
	Kind     OriginKind
	Function *il.Function
	At       *il.Instr  // the call, the read or the handler; nil for others
	Operand  il.Operand // in Function
	Symbol   *Symbol    // what that stands for, as far as known; never nil
	Param    int        // of FromParameter
	Keys     []string   // what of it is meant, the outermost key first; "*" for any
	Part     bool       // the value is only made from it, and not equal to it
	Why      string

	way *steps
}

// Origins follows values back to where they come from: through copies, joins, texts,
// containers, fields of objects, closures, names of other modules, into the functions
// of the program that are called, and from a parameter to the arguments of the calls
// that are known. It over-approximates: what is on no list is not an origin, unless an
// origin is OutOfSight. It answers one caller at a time.
//
// It trusts that a container which is handed to a function outside of the program
// is not filled there, and that fields are set by the methods of their class, or
// where the class of the object is known.
type Origins struct {
	Names *Names
	// Ends tells an instruction whose result is an origin by itself, though its
	// parts could be followed; nil: none.
	Ends func(f *il.Function, in *il.Instr) bool
	// Through tells a call outside of the program whose result is made of its object
	// and arguments, beside those that are known for it; nil: none.
	Through func(f *il.Function, in *il.Instr) bool
	// Fills tells a call that writes what it reads from its object into an argument;
	// nil: none.
	Fills func(f *il.Function, in *il.Instr) bool
	// Counts tells a call that may fill a parameter; nil: all do.
	Counts func(Site) bool
	// Seen is told of every operand on a way; nil: nobody is.
	Seen func(f *il.Function, o il.Operand)
	Work int // expressions looked at

	fills map[*il.Function]fillers // of whom it was asked
	spare []*trace                 // of questions that were answered
}

// Bounds of one question.
const (
	maxOrigins = 256
	maxTraces  = 4096 // expressions
	maxEntered = 4    // calls in each other
	maxWay     = 64
)

// Of lists where an operand comes from, each place once.
func (w *Origins) Of(f *il.Function, o il.Operand, use *il.Instr) []Origin {
	t := &trace{Origins: w}
	if n := len(w.spare); n > 0 {
		t, w.spare = w.spare[n-1], w.spare[:n-1]
	}
	defer t.end()
	return t.of(f, o, use)
}

// of is what an operand adds to the origins that were found before.
func (t *trace) of(f *il.Function, o il.Operand, use *il.Instr) []Origin {
	t.out, t.work = t.out[:0], 0
	t.operand(visit{inquiry{f: f, o: o}, nil}, Step{f, o, use, false})
	if len(t.out) == 0 {
		return nil
	}
	return slices.Clone(t.out)
}

// visit is an inquiry, and how one got there.
type visit struct {
	inquiry
	way *steps
}

// inquiry is an operand and what is asked of it, by calls that were entered, and others that
// were left to their callers.
type inquiry struct {
	f    *il.Function
	o    il.Operand
	path path
	env  *entering
	up   uint8
	part bool
	met  met // by the value itself
}

// entering is a call that was entered: the parameters are its arguments.
type entering struct {
	site  Site
	outer *entering
}

// nameless is the symbol of what stands for nothing that is known.
var nameless = &Symbol{}

// is notes an origin. A constant that fails a test on the way is none, nor has none parts.
func (t *trace) is(v visit, kind OriginKind, at *il.Instr, s *Symbol, why string) {
	if len(t.out) >= maxOrigins {
		return
	}
	if s == nil {
		s = nameless
	}
	if k, ok := v.f.Const(v.o); ok && kind == FromConst && v.refuses(k) || s.Const != nil && v.refuses(*s.Const) {
		return
	}
	o := Origin{Kind: kind, Function: v.f, At: at, Operand: v.o, Symbol: s, Param: -1, Part: v.part, Why: why, way: v.way}
	for p := v.path; p != ""; {
		var key string
		if key, p = p.split(); key == eachKey {
			key = anyKey
		}
		o.Keys = append(o.Keys, key)
	}
	if kind == FromParameter {
		o.Param = v.f.Versions[v.o.ID].Param
	}
	t.out = append(t.out, o)
}

func (t *trace) lost(v visit, why string) { t.is(v, OutOfSight, nil, nil, why) }

// to goes on at another operand, that use reads; part: of which the value is made.
func (t *trace) to(v visit, o il.Operand, p path, use *il.Instr, part bool) {
	step := Step{v.f, o, use, p != ""}
	if v.o, v.path, v.part = o, p, v.part || part; v.part || p != "" {
		v.met = 0
	}
	t.operand(v, step)
}

// operand goes on at what a step reads.
func (t *trace) operand(v visit, step Step) {
	if !t.first(v.inquiry) {
		return
	}
	v.way = v.way.then(step)
	if t.Seen != nil {
		t.Seen(v.f, v.o)
	}
	t.Work++
	if t.work++; t.work > maxTraces || v.way.n > maxWay {
		if t.work <= maxTraces+1 || v.way.n > maxWay {
			t.lost(v, "the budget of work is spent")
		}
		return
	}
	switch v.o.Kind {
	case il.Constant:
		t.is(v, FromConst, nil, t.Names.Operand(v.f, v.o), "")
	case il.Free:
		t.name(v)
	case il.Local:
		version := v.f.Versions[v.o.ID]
		switch {
		case version.Param >= 0:
			t.parameter(v, version.Param)
		case version.Def == nil:
			t.lost(v, "a name that is not bound")
		default:
			t.instruction(v, version.Def)
		}
		t.filledBy(v, version)
	default:
		t.lost(v, "a construct that is not read")
	}
}

// instruction follows what bound a version.
func (t *trace) instruction(v visit, in *il.Instr) {
	if t.Ends != nil && t.Ends(v.f, in) {
		kind := FromPart
		if in.Op == il.Call {
			kind = FromCall
		}
		t.is(v, kind, in, t.symbol(v.f, in), "")
		return
	}
	switch in.Op {
	case il.Phi:
		for _, o := range in.Args {
			t.to(v, o, v.path, in, false)
		}
	case il.Assume:
		v.met |= meets(v.f, in)
		t.to(v, in.Args[0], v.path, in, false)
	case il.Bind:
		t.bind(v, in)
	case il.Get:
		t.get(v, in)
	case il.Set:
		t.set(v, in)
	case il.Make:
		t.make(v, in)
	case il.Call:
		t.call(v, in)
	case il.Import, il.Define:
		s := t.Names.Operand(v.f, local(in.Dst))
		if t.ofClass(v, s) {
			return
		}
		if in.Op == il.Import && s != nil && s.empty() {
			t.imported(v, s)
			return
		}
		t.is(v, named(s), in, s, "")
	case il.Catch:
		t.is(v, FromException, in, nil, "")
	case il.Yield:
		if in.Kind == "await" {
			t.to(v, in.Args[0], v.path, in, false)
			return
		}
		t.lost(v, "what is sent to a generator")
	default:
		t.lost(v, "a construct that is not read: "+in.Kind)
	}
}

// named is the kind of an origin that a name stands for.
func named(s *Symbol) OriginKind {
	if s != nil && s.Const != nil {
		return FromConst
	}
	return FromName
}

// symbol is what an instruction gives, by the name of what is called or read.
func (t *trace) symbol(f *il.Function, in *il.Instr) *Symbol {
	if in.Op == il.Call {
		return t.Names.Operand(f, in.Args[0])
	}
	return t.Names.Operand(f, local(in.Dst))
}

// telltale are operators whose result is a truth; negated are the others.
var telltale = map[string]bool{"not": true, "!": true, "instanceof": true, "is": true, "in": true}

func (t *trace) bind(v visit, in *il.Instr) {
	switch {
	case in.Kind == "" || in.Kind == "cast":
		t.to(v, in.Args[0], v.path, in, false)
	case negated[in.Kind] != "" || telltale[in.Kind]:
		t.is(v, FromConst, in, nil, "")
	default:
		for _, o := range in.Args {
			t.to(v, o, v.path.loose(), in, true)
		}
	}
}

// get follows a part to what it is taken from.
func (t *trace) get(v visit, in *il.Instr) {
	if s := t.Names.Operand(v.f, local(in.Dst)); s != nil && !s.empty() {
		if t.property(v, s.Function, v.path) {
			return
		}
		kind := named(s)
		if s.Outside != "" {
			kind = FromPart
		}
		t.is(v, kind, in, s, "")
		return
	} else if s != nil && s.At.Path != "" { // a name of a module of the program
		t.imported(v, s)
		return
	}
	if in.Kind == "key" {
		t.lost(v, "the key of a loop")
		return
	}
	key, _ := keyOf(v.f, in.Args[1])
	if in.Kind == "each" {
		key = eachKey
	}
	p, _ := v.path.under(key)
	t.to(v, in.Args[0], p, in, false)
}

// set follows an object that was changed: to what was put in, and to what it was
// before. A key that is set anew is gone.
func (t *trace) set(v visit, in *il.Instr) {
	if in.Kind == "outer" || in.Kind == "export" {
		t.lost(v, "a name of a scope around")
		return
	}
	key, known := keyOf(v.f, in.Args[1])
	if in.Kind == "add" && !known {
		key = anyKey
	}
	head, rest := v.path.split()
	if head == "" {
		rest, v.part = "", true
	}
	k, _ := v.f.Const(v.f.Root(in.Args[1]))
	if head == eachKey && in.Kind == "item" && v.f.Module.Language == "python" && k.Type != il.IntConst {
		t.to(v, in.Args[1], rest, in, false)
	}
	if meet(head, key) && (head != eachKey || k.Type != il.StrConst) {
		t.to(v, in.Args[2], rest, in, false)
	}
	if head != key || !known || in.Kind == "add" {
		t.to(v, in.Args[0], v.path, in, false)
	}
}

// meet tells whether two keys may be the same, where nothing means all.
func meet(head, key string) bool {
	return head == "" || key == "" || head == key || head == anyKey || head == eachKey || key == anyKey
}

func (t *trace) make(v visit, in *il.Instr) {
	head, rest := v.path.split()
	if len(in.Args) == 0 {
		t.is(v, FromConst, in, nil, "")
	}
	spread := false
	for i, o := range in.Args {
		name := ""
		if i < len(in.Names) {
			name = in.Names[i]
		}
		key := nameKey(name)
		switch {
		case in.Kind == "text" || in.Kind == "pattern" || name == "*" || name == "**":
			spread = true
			t.to(v, o, v.path.loose(), in, in.Kind == "text" || head == "")
			continue
		case in.Kind == "map" && head == eachKey && v.f.Module.Language == "python" && name == "":
			t.lost(v, "a key that is computed")
			continue
		case in.Kind == "map" && head == eachKey && v.f.Module.Language == "python":
			u := v
			u.path = rest
			t.is(u, FromConst, nil, &Symbol{Const: &il.Const{Type: il.StrConst, Text: name}}, "")
			continue
		case in.Kind == "map" && name == "":
			key = anyKey
		case in.Kind != "map" && spread:
			key = anyKey
		case in.Kind != "map":
			key = "#" + strconv.Itoa(i)
		}
		if meet(head, key) {
			t.to(v, o, rest, in, head == "")
		}
	}
}
