package il

import (
	"encoding/binary"
	"math"
)

// format is the first byte of an encoded module. What a module of another format
// holds is not read: a worker is never older than who asks it.
const format = 4

// Encode writes a module that was lowered and not finished, as Decode reads it:
// tables of words, constants and strings, then the functions, whose instructions
// name what they read by number.
func (m *Module) Encode() []byte {
	e := &encoder{index: map[string]int{}, functions: map[*Function]int{}}
	for i, f := range m.Functions {
		e.functions[f] = i + 2
	}
	e.functions[m.Top] = 1
	e.body(m)
	out := binary.AppendUvarint([]byte{format}, uint64(len(e.strings)))
	for _, s := range e.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
	}
	for _, s := range e.strings {
		out = append(out, s...)
	}
	return append(out, e.out...)
}

type encoder struct {
	out       []byte
	strings   []string
	index     map[string]int
	functions map[*Function]int // number of a function plus one; 0: none
}

func (e *encoder) body(m *Module) {
	e.flag(m.Damaged)
	e.texts(m.Words)
	e.put(len(m.Consts))
	for _, c := range m.Consts {
		e.put(int(c.Type))
		e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(c.Num))
		e.text(c.Text)
	}
	e.put(len(m.Functions))
	e.function(m.Top)
	for _, f := range m.Functions {
		e.function(f)
	}
	e.put(len(m.Classes))
	for _, c := range m.Classes {
		e.text(c.Name)
		e.text(c.Kind)
		e.texts(c.Bases)
		e.put(e.functions[c.Body])
		e.span(c.Span)
	}
}

func (e *encoder) put(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }

func (e *encoder) flag(b bool) {
	n := 0
	if b {
		n = 1
	}
	e.put(n)
}

func (e *encoder) text(s string) {
	i, ok := e.index[s]
	if !ok {
		i = len(e.strings)
		e.index[s], e.strings = i, append(e.strings, s)
	}
	e.put(i)
}

func (e *encoder) texts(list []string) {
	e.put(len(list))
	for _, s := range list {
		e.text(s)
	}
}

func (e *encoder) span(s Span) {
	e.put(int(s.From))
	e.put(int(s.To - s.From))
}

func (e *encoder) operand(o Operand) {
	e.put(int(o.Kind))
	if o.Kind != Opaque {
		e.put(int(o.ID))
	}
}

func (e *encoder) function(f *Function) {
	e.text(f.Name)
	e.text(f.Class)
	e.put(int(f.Kind))
	e.flag(f.Async)
	e.put(e.functions[f.Outer])
	e.texts(f.Results)
	e.texts(f.Decorators)
	e.texts(f.Shared)
	e.text(f.Lost)
	e.span(f.Span)
	e.texts(f.Vars)
	e.put(len(f.Params))
	for _, p := range f.Params {
		e.text(p.Name)
		e.text(p.Type)
		e.text(p.Spread)
		e.put(int(p.Var))
		e.operand(p.Default)
		e.flag(p.Filled)
		e.texts(p.Decorators)
	}
	e.put(len(f.Blocks))
	for i, b := range f.Blocks {
		b.ID = i
	}
	for _, b := range f.Blocks {
		e.put(len(b.Succs))
		for _, s := range b.Succs {
			e.put(s.ID)
		}
		e.put(len(b.Instrs))
		for _, in := range b.Instrs {
			e.instr(in)
		}
	}
}

func (e *encoder) instr(in *Instr) {
	e.put(int(in.Op))
	e.put(int(in.Mode))
	e.put(int(in.Dst + 1))
	e.span(in.Span)
	e.text(in.Kind)
	e.put(len(in.Args))
	for _, a := range in.Args {
		e.operand(a)
	}
	e.texts(in.Names)
	e.put(e.functions[in.Ref])
}
