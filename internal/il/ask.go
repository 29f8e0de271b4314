package il

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Place is a span with its file, as people count: lines and columns from 1.
type Place struct {
	Path                       string
	Line, Col, EndLine, EndCol int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.Path, p.Line) }

// Place is where a span of the module lies.
func (m *Module) Place(s Span) Place {
	p := Place{Path: m.Path}
	p.Line, p.Col = m.at(s.From)
	p.EndLine, p.EndCol = m.at(s.To)
	return p
}

func (m *Module) at(offset uint32) (line, col int) {
	i, exact := slices.BinarySearch(m.Lines, offset)
	if !exact {
		i--
	}
	if i < 0 {
		return 1, int(offset) + 1
	}
	return i + 1, int(offset-m.Lines[i]) + 1
}

// Place is where a span of the function lies.
func (f *Function) Place(s Span) Place { return f.Module.Place(s) }

// Is tells whether the operand is the version id.
func (o Operand) Is(id int32) bool { return o.Kind == Local && o.ID == id }

// Const is the constant that an operand stands for.
func (f *Function) Const(o Operand) (c Const, ok bool) {
	if o.Kind != Constant {
		return Const{}, false
	}
	return f.Module.Consts[o.ID], true
}

// Str is the text of an operand that is a constant string.
func (f *Function) Str(o Operand) (text string, ok bool) {
	c, ok := f.Const(o)
	return c.Text, ok && c.Type == StrConst
}

// Word is the name of an operand that another scope binds, "" for others.
func (f *Function) Word(o Operand) string {
	if o.Kind != Free {
		return ""
	}
	return f.Module.Words[o.ID]
}

// Variable is the name of the variable that an operand is, of the function or of a scope
// around it; "" for constants and temporaries.
func (f *Function) Variable(o Operand) string {
	if o.Kind != Local {
		return f.Word(o)
	}
	if name := f.Versions[o.ID].Var; !strings.HasPrefix(name, "%") {
		return name
	}
	return ""
}

// Def is the instruction that bound an operand, nil where none did.
func (f *Function) Def(o Operand) *Instr {
	if o.Kind != Local {
		return nil
	}
	return f.Versions[o.ID].Def
}

// Root follows an operand through copies and assumptions to the version that
// held the same value first.
func (f *Function) Root(o Operand) Operand {
	if o.Kind != Local {
		return o
	}
	return f.Versions[o.ID].root
}

// Object follows an operand through copies, assumptions and changes of what lies in it to the
// version that held the same object first.
func (f *Function) Object(o Operand) Operand {
	if o.Kind != Local {
		return o
	}
	return Operand{Local, f.Versions[o.ID].object}
}

// maxAlternatives bounds the joins and values behind one join.
const maxAlternatives = 256

// Alternatives are the values, followed to their roots, of which an operand is one on each way: more than one where ways join.
// A join of too many is its own only one: nothing is known of it.
func (f *Function) Alternatives(o Operand) (out []Operand) {
	join := f.Root(o)
	if f.Def(join) == nil || f.Def(join).Op != Phi {
		return []Operand{join}
	}
	seen := map[Operand]bool{}
	for work := []Operand{join}; len(work) > 0; {
		o := f.Root(work[len(work)-1])
		work = work[:len(work)-1]
		if seen[o] {
			continue
		}
		if seen[o] = true; len(seen) > maxAlternatives {
			return []Operand{join}
		}
		if def := f.Def(o); def != nil && def.Op == Phi {
			work = append(work, def.Args...)
			continue
		}
		out = append(out, o)
	}
	return out
}

// Block is the block of an instruction, nil where it is not of the function.
func (f *Function) Block(in *Instr) *Block {
	if in.Dst != NoDst && int(in.Dst) < len(f.Versions) && f.Versions[in.Dst].Def == in {
		return f.Versions[in.Dst].Block
	}
	for _, b := range f.Blocks {
		if b.End() == in || !in.Op.Ends() && slices.Contains(b.Instrs, in) {
			return b
		}
	}
	return nil
}

// Loops are the blocks of each loop by its head: those from which a way leads back to it.
func (f *Function) Loops() map[*Block]map[*Block]bool {
	out := map[*Block]map[*Block]bool{}
	for _, b := range f.Blocks {
		for _, head := range b.Succs {
			if !head.Dominates(b) {
				continue
			}
			if out[head] == nil {
				out[head] = map[*Block]bool{head: true}
			}
			for work := []*Block{b}; len(work) > 0; {
				c := work[len(work)-1]
				if work = work[:len(work)-1]; !out[head][c] {
					out[head][c] = true
					work = append(work, c.Preds...)
				}
			}
		}
	}
	return out
}

// Instructions are the instructions with their blocks.
func (f *Function) Instructions() iter.Seq2[*Block, *Instr] {
	return func(yield func(*Block, *Instr) bool) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if !yield(b, in) {
					return
				}
			}
		}
	}
}

// Standing is an instruction that stands in the text, in its block.
type Standing struct {
	At    *Instr
	Block *Block
}

// Standing are the instructions that the text of the function writes, by where they begin.
func (f *Function) Standing() (out []Standing) {
	for b, in := range f.Instructions() {
		if in.Span.To > 0 && in.Op != Phi && in.Op != Assume {
			out = append(out, Standing{in, b})
		}
	}
	slices.SortStableFunc(out, func(x, y Standing) int { return cmp.Compare(x.At.Span.From, y.At.Span.From) })
	return out
}

// All are the functions of the module, its top level first.
func (m *Module) All() iter.Seq[*Function] {
	return func(yield func(*Function) bool) {
		if !yield(m.Top) {
			return
		}
		for _, f := range m.Functions {
			if !yield(f) {
				return
			}
		}
	}
}

// All are the functions of the program by module.
func (p *Program) All() iter.Seq[*Function] {
	return func(yield func(*Function) bool) {
		for _, m := range p.Modules {
			for f := range m.All() {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// Argument is the argument of a call under a name or at a position, -1 for none; false
// where it is not given in sight.
func (in *Instr) Argument(name string, position int) (Operand, bool) {
	spread := false
	for i, o := range in.Args[1:] {
		switch n := in.Names[i]; {
		case n == "*":
			spread = true
		case n != "" && n == name, n == "" && !spread && i == position:
			return o, true
		}
	}
	return Operand{}, false
}
