package il

// maxFields bounds the fields of a function that are told apart, and what
// deciding where they still hold may cost: fields times blocks.
const (
	maxFields = 512
	maxHeld   = 1 << 22
)

// field is a key of a variable, or of a field of one.
type field struct {
	base int32
	kind string
	key  Operand
}

// fields makes a variable of each field that is read more than once: "op.score"
// read twice with nothing in between that may change it is one value, so that
// "op.score > 4 and op.score < 0" is seen to be never true. The first read stays
// a Get; a later one, where every way to it holds the value, becomes a copy.
//
// What may change a field: a binding of the variable, a Set of that key on any
// object, a Set of an unknown key, and what hands control to code that is not
// seen: calls of all but harmless names, yields, handlers, and constructs that were
// not lowered.
func (f *Function) fields() {
	t := &fieldTable{f: f, vars: map[field]int32{}, index: map[int32]int{}}
	if !t.collect() {
		return
	}
	in := t.solve()
	for _, b := range f.Blocks {
		t.rewrite(b, in[b.ID])
	}
}

type fieldTable struct {
	f     *Function
	vars  map[field]int32 // the variable that stands for a field
	index map[int32]int   // of such a variable
	of    []field         // by index
}

// held is the set of fields whose variable holds what the object holds.
type held []bool

// collect finds the fields that are read twice.
func (t *fieldTable) collect() bool {
	count := map[field]int{}
	temps := map[int32]field{} // what a temporary was read from
	for _, in := range t.f.Instructions() {
		if k, ok := t.field(in, temps); ok {
			temps[in.Dst] = k
			count[k]++
			if count[k] == 2 && len(t.of) < maxFields {
				v := int32(len(t.f.Vars))
				t.f.Vars = append(t.f.Vars, t.name(k))
				t.vars[k], t.index[v] = v, len(t.of)
				t.of = append(t.of, k)
			}
		}
	}
	return len(t.of) > 0 && len(t.of)*len(t.f.Blocks) <= maxHeld
}

func (t *fieldTable) name(k field) string {
	key, _ := t.f.Str(k.key)
	if k.kind == "item" {
		return t.f.Vars[k.base] + "[" + key + "]"
	}
	return t.f.Vars[k.base] + "." + key
}

// field is what a Get with a constant key reads. The key of a field of a field is
// the variable that stands for the first.
func (t *fieldTable) field(in *Instr, temps map[int32]field) (field, bool) {
	if in.Op != Get || in.Kind == "each" || in.Dst == NoDst || in.Args[0].Kind != Local || in.Args[1].Kind != Constant {
		return field{}, false
	}
	base := in.Args[0].ID
	if outer, ok := temps[base]; ok {
		v, ok := t.vars[outer]
		if !ok {
			return field{}, false
		}
		base = v
	} else if t.f.Vars[base][0] == '%' {
		return field{}, false
	}
	return field{base, in.Kind, in.Args[1]}, true
}

// solve computes what every way to each block holds.
func (t *fieldTable) solve() []held {
	in := make([]held, len(t.f.Blocks))
	out := make([]held, len(t.f.Blocks))
	for i := range in {
		in[i], out[i] = make(held, len(t.of)), make(held, len(t.of))
		for k := range out[i] {
			out[i][k] = true // until a way is seen that does not
		}
	}
	for range maxRounds {
		changed := false
		for _, b := range t.f.Blocks {
			now := in[b.ID]
			for k := range now {
				now[k] = len(b.Preds) > 0
				for _, p := range b.Preds {
					now[k] = now[k] && out[p.ID][k]
				}
			}
			after := append(held(nil), now...)
			temps := map[int32]field{}
			for _, instr := range b.Instrs {
				t.pass(instr, after, temps)
			}
			for k, v := range after {
				if out[b.ID][k] != v {
					out[b.ID][k], changed = v, true
				}
			}
		}
		if !changed {
			return in
		}
	}
	for i := range in {
		clear(in[i])
	}
	return in
}

// pass tells what is held after an instruction.
func (t *fieldTable) pass(in *Instr, now held, temps map[int32]field) (v int32, known bool) {
	k, ok := t.field(in, temps)
	if ok {
		temps[in.Dst] = k
		if v, known = t.vars[k]; known {
			now[t.index[v]] = true
		}
	}
	switch in.Op {
	case Call:
		if !harmless[in.Kind] {
			clear(now)
		}
	case Yield, Unknown, Catch:
		clear(now)
	case Set:
		for i, k := range t.of {
			now[i] = now[i] && in.Args[1].Kind == Constant && k.key != in.Args[1] && in.Kind != "add"
		}
	}
	if in.Dst != NoDst && !ok {
		t.rebound(in.Dst, now)
	}
	return v, known
}

// rebound forgets the fields of a variable that is bound anew.
func (t *fieldTable) rebound(base int32, now held) {
	for i, k := range t.of {
		if k.base == base && now[i] {
			now[i] = false
			t.rebound(t.vars[k], now)
		}
	}
}

// rewrite lets the block read the variables. Within the block a temporary that
// holds a field is the field's variable, so that a test of the one tells about
// the other.
func (t *fieldTable) rewrite(b *Block, now held) {
	temps := map[int32]field{}
	stands := map[int32]int32{} // for a temporary, while it is what the variable holds
	var out []*Instr
	for _, in := range b.Instrs {
		had := append(held(nil), now...)
		v, known := t.pass(in, now, temps)
		for k, a := range in.Args {
			if a.Kind == Local {
				if s, ok := stands[a.ID]; ok {
					in.Args[k].ID = s
				}
			}
		}
		if !known {
			if in.Dst != NoDst {
				delete(stands, in.Dst)
			}
			out = append(out, in)
			continue
		}
		if !had[t.index[v]] {
			for temp, s := range stands {
				if s == v {
					delete(stands, temp)
				}
			}
			out = append(out, &Instr{Op: Get, Dst: v, Kind: in.Kind, Args: in.Args, Span: in.Span})
		}
		out = append(out, &Instr{Op: Bind, Dst: in.Dst, Args: []Operand{{Local, v}}, Span: in.Span})
		stands[in.Dst] = v
	}
	b.Instrs = out
}

// harmless are calls of a language's own that change no object.
var harmless = map[string]bool{"len": true, "isinstance": true, "str": true, "int": true, "float": true, "bool": true, "abs": true,
	"min": true, "max": true, "round": true, "sum": true, "repr": true, "type": true, "hasattr": true, "issubclass": true, "range": true,
	"Number": true, "String": true, "Boolean": true, "parseInt": true, "parseFloat": true, "isNaN": true, "Array.isArray": true,
	"Math.min": true, "Math.max": true, "Math.abs": true, "Math.round": true, "cap": true, "string": true, "float64": true, "strings.TrimSpace": true,
	"strings.HasPrefix": true, "strings.Contains": true, "fmt.Sprintf": true, "print": true, "console.log": true}
