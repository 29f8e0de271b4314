package il

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Bounds on what a module may hold. A lowering keeps within them; what passes
// them was not made by one.
const (
	MaxInstrs    = 1 << 20
	maxFunctions = 1 << 16
	maxText      = 8 << 10 // bytes of one string
)

var errModule = errors.New("malformed module")

// Decode reads what a worker answered about a text of size bytes. The answer is
// not trusted: every number is checked against what it counts or names, and every
// instruction against what it must hold.
func Decode(answer []byte, size int) (*Module, error) {
	if len(answer) == 0 || answer[0] != format {
		return nil, fmt.Errorf("reading module: %w", errModule)
	}
	d := &decoder{rest: answer[1:], size: size}
	d.table()
	m := d.module()
	if d.failed || len(d.rest) > 0 {
		return nil, fmt.Errorf("reading module: %w", errModule)
	}
	return m, nil
}

type decoder struct {
	rest    []byte
	size    int
	strings []string
	m       *Module
	all     []*Function // the top level, then the others
	instrs  int
	failed  bool
}

// next reads a number in 0..limit.
func (d *decoder) next(limit int) int {
	v, n := binary.Uvarint(d.rest)
	if d.failed || n <= 0 || limit < 0 || v > uint64(limit) {
		d.failed = true
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}

// count reads how many things follow, each of at least one byte.
func (d *decoder) count() int { return d.next(len(d.rest)) }

func (d *decoder) table() {
	sizes := make([]int, d.count())
	for i := range sizes {
		sizes[i] = d.next(maxText)
	}
	d.strings = make([]string, 0, len(sizes))
	for _, n := range sizes {
		if n > len(d.rest) {
			d.failed = true
			return
		}
		d.strings = append(d.strings, string(d.rest[:n]))
		d.rest = d.rest[n:]
	}
}

func (d *decoder) flag() bool { return d.next(1) == 1 }

func (d *decoder) text() string {
	i := d.next(len(d.strings) - 1)
	if d.failed {
		return ""
	}
	return d.strings[i]
}

func (d *decoder) texts() []string {
	n := d.count()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = d.text()
	}
	return out
}

func (d *decoder) span() Span {
	from := d.next(d.size)
	return Span{uint32(from), uint32(from + d.next(d.size-from))}
}

func (d *decoder) module() *Module {
	m := &Module{Damaged: d.flag(), Words: d.texts()}
	d.m = m
	m.Consts = make([]Const, d.count())
	for i := range m.Consts {
		t := ConstType(d.next(int(constCount) - 1))
		if len(d.rest) < 8 {
			d.failed = true
			return nil
		}
		num := math.Float64frombits(binary.LittleEndian.Uint64(d.rest))
		d.rest = d.rest[8:]
		m.Consts[i] = Const{t, num, d.text()}
	}
	n := d.next(min(maxFunctions, len(d.rest)))
	for range n + 1 {
		d.all = append(d.all, &Function{Module: m})
	}
	for i, f := range d.all {
		if d.function(f, i); d.failed {
			return nil
		}
	}
	m.Top, m.Functions = d.all[0], d.all[1:]
	m.Classes = make([]*Class, d.count())
	for i := range m.Classes {
		m.Classes[i] = &Class{Name: d.text(), Kind: d.text(), Bases: d.texts(), Body: d.ref(), Span: d.span()}
	}
	return m
}

// ref is a function that is named by number, nil for none.
func (d *decoder) ref() *Function {
	if i := d.next(len(d.all)); i > 0 {
		return d.all[i-1]
	}
	return nil
}

// function reads a function; its outer one stands before it, and only the top
// level has none.
func (d *decoder) function(f *Function, number int) {
	f.Name, f.Class = d.text(), d.text()
	f.Kind, f.Async = FunctionKind(d.next(int(functionCount)-1)), d.flag()
	outer := d.next(number)
	if (outer == 0) != (number == 0) || (f.Kind == Top) != (number == 0) {
		d.failed = true
		return
	}
	if outer > 0 {
		f.Outer = d.all[outer-1]
	}
	f.Results, f.Decorators, f.Shared, f.Lost = d.texts(), d.texts(), d.texts(), d.text()
	f.Span, f.Vars = d.span(), d.texts()
	for _, v := range f.Vars {
		d.failed = d.failed || v == ""
	}
	f.Params = make([]Param, d.count())
	for i := range f.Params {
		f.Params[i] = Param{Name: d.text(), Type: d.text(), Spread: d.text(), Var: int32(d.next(len(f.Vars) - 1)), Default: d.operand(nil), Filled: d.flag(), Decorators: d.texts()}
	}
	f.Blocks = make([]*Block, d.count())
	for i := range f.Blocks {
		f.Blocks[i] = &Block{ID: i}
	}
	for _, b := range f.Blocks {
		if d.block(f, b); d.failed {
			return
		}
	}
	if d.failed = d.failed || len(f.Blocks) == 0 && f.Lost == "" && f.Kind != Declared; !d.failed {
		f.Finish()
	}
}

func (d *decoder) block(f *Function, b *Block) {
	for range d.count() {
		b.Succs = append(b.Succs, f.Blocks[d.next(len(f.Blocks)-1)])
	}
	n := d.count()
	if d.instrs += n; n == 0 || d.instrs > MaxInstrs {
		d.failed = true
		return
	}
	for i := range n {
		in := d.instr(f)
		b.Instrs = append(b.Instrs, in)
		if d.failed = d.failed || in.Op.Ends() != (i == n-1) || !in.wellFormed(b); d.failed {
			return
		}
	}
}

func (d *decoder) operand(f *Function) Operand {
	o := Operand{Kind: OperandKind(d.next(int(operandCount) - 1))}
	limit := 0
	switch o.Kind {
	case Opaque:
		return o
	case Constant:
		limit = len(d.m.Consts)
	case Free:
		limit = len(d.m.Words)
	default:
		if f == nil { // a default is what the function around it computes
			d.failed = true
			return o
		}
		limit = len(f.Vars)
	}
	o.ID = int32(d.next(limit - 1))
	return o
}

func (d *decoder) instr(f *Function) *Instr {
	in := &Instr{Op: Op(d.next(int(opCount) - 1)), Mode: Mode(d.next(int(modeCount) - 1)), Dst: int32(d.next(len(f.Vars))) - 1,
		Span: d.span(), Kind: d.text()}
	in.Args = make([]Operand, d.count())
	for i := range in.Args {
		in.Args[i] = d.operand(f)
	}
	in.Names, in.Ref = d.texts(), d.ref()
	return in
}

// wellFormed tells whether an instruction of a lowering holds what its Op says.
func (in *Instr) wellFormed(b *Block) bool {
	n, binds := len(in.Args), in.Dst != NoDst
	switch in.Op {
	case Unknown, Make:
		return binds && len(in.Names) <= n
	case Bind:
		return binds && n >= 1 && (in.Kind != "" || n == 1)
	case Call:
		return binds && n >= 1 && len(in.Names) == n-1
	case Get:
		return binds && n == 2
	case Set:
		return n == 3
	case Import:
		return binds && n == 0 && (len(in.Names) == 1 || len(in.Names) == 2)
	case Define:
		return binds && in.Ref != nil && len(in.Names) == n
	case Delete:
		return binds && n == 0
	case Catch:
		return binds
	case Yield:
		return binds && n == 1
	case Jump:
		return !binds && n == 0
	case Branch:
		return !binds && len(b.Succs) == 2 && (n == 2 || n == 1 && in.Kind == "true")
	case Loop:
		return !binds && n == 1 && len(b.Succs) == 2
	case Return:
		return !binds && n == 1 && len(b.Succs) == 0
	case Raise:
		return !binds && n == 1
	case Exit:
		return !binds && len(b.Succs) == 0
	default:
		return false // Phi and Assume are made by Finish
	}
}
