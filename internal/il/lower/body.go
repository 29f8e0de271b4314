package lower

import (
	"strconv"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// body lowers one function, class body or top level.
type body struct {
	*lowering
	f      *il.Function
	outer  *body
	now    *il.Block // where the next instruction goes
	scopes []scope   // the innermost last
	outers map[string]bool
	loops  []loop
	tries  []*try
	temps  int
	// results are the names that Go gives what the function returns.
	results []string

	collected []int32 // what the comprehensions around collect
}

// scope is the variables that a block, or a function, declares.
type scope map[string]int32

// loop is what break and continue lead out of: a loop or a switch.
type loop struct {
	on, after *il.Block // on is nil of a switch
	tries     int       // around it
	result    int32     // of a loop that has a value; il.NoDst
	next      *il.Block // of a switch, the body of the next case
}

// try is a try statement whose parts are being lowered.
type try struct {
	handler *il.Block // where an exception goes; nil within its handlers where it has no finally
	finally *il.Block
	exits   []exit // what goes on after finally
}

// exit is a way out of a try statement by its finally block.
type exit struct {
	op    il.Op // Return, Raise or Jump
	to    []*il.Block
	tries int // around the target
}

func (l *lowering) body(outer *body, name string, kind il.FunctionKind, n syntax.Node) *body {
	f := &il.Function{Name: name, Kind: kind, Module: l.m, Span: span(n)}
	b := &body{lowering: l, f: f, outer: outer, scopes: []scope{{}}, outers: map[string]bool{}}
	if outer != nil {
		f.Outer = outer.f
		l.m.Functions = append(l.m.Functions, f)
	}
	b.now = b.block()
	return b
}

// block makes a block that nothing leads to yet.
func (b *body) block() *il.Block {
	k := &il.Block{}
	b.f.Blocks = append(b.f.Blocks, k)
	return k
}

// emit appends an instruction.
func (b *body) emit(in *il.Instr) {
	if b.instrs++; b.instrs > maxInstrs && b.f.Lost == "" {
		b.f.Lost, b.m.Damaged = "the file has too much code", true
	}
	if b.f.Lost != "" && !in.Op.Ends() {
		return
	}
	b.now.Instrs = append(b.now.Instrs, in)
}

// do emits an instruction that binds nothing.
func (b *body) do(op il.Op, kind string, at il.Span, args ...il.Operand) {
	b.emit(&il.Instr{Op: op, Kind: kind, Dst: il.NoDst, Args: args, Span: at})
}

// value emits an instruction that binds a new temporary.
func (b *body) value(in *il.Instr) il.Operand {
	in.Dst = b.temp()
	b.emit(in)
	return local(in.Dst)
}

func local(v int32) il.Operand { return il.Operand{Kind: il.Local, ID: v} }

// end ends the current block; lowering goes on in next, or, where it is nil, in
// a block that nothing leads to.
func (b *body) end(in *il.Instr, next *il.Block, succs ...*il.Block) {
	in.Dst = il.NoDst
	b.emit(in)
	b.now.Succs = succs
	if next == nil {
		next = b.block()
	}
	b.now = next
}

// jump ends the block and goes on at to.
func (b *body) jump(at il.Span, next *il.Block, to ...*il.Block) {
	b.end(&il.Instr{Op: il.Jump, Span: at}, next, to...)
}

// branch ends the block with a test. One of a constant is none.
func (b *body) branch(kind string, at il.Span, yes, no *il.Block, args ...il.Operand) {
	if c, ok := b.constantOf(args[0]); ok && kind == "true" {
		to := no
		if c.Num != 0 || c.Type == il.StrConst && c.Text != "" {
			to = yes
		}
		b.jump(at, yes, to)
		return
	}
	b.end(&il.Instr{Op: il.Branch, Kind: kind, Args: args, Span: at}, yes, yes, no)
}

func (b *body) fresh(name string) int32 {
	b.f.Vars = append(b.f.Vars, name)
	return int32(len(b.f.Vars) - 1)
}

func (b *body) temp() int32 {
	b.temps++
	return b.fresh("%" + strconv.Itoa(b.temps))
}

// push opens a scope; what it gives closes it.
func (b *body) push() func() {
	b.scopes = append(b.scopes, scope{})
	return func() { b.scopes = b.scopes[:len(b.scopes)-1] }
}

// declare makes a variable in the innermost scope; in a language of whole
// functions, in the function.
func (b *body) declare(name string) int32 {
	if name == "" { // in broken text
		name = "%unnamed"
	}
	s := b.scopes[len(b.scopes)-1]
	if v, ok := s[name]; ok {
		return v
	}
	s[name] = b.fresh(name)
	return s[name]
}

// find is the variable of a name in this function.
func (b *body) find(name string) (int32, bool) {
	for i := len(b.scopes) - 1; i >= 0; i-- {
		if v, ok := b.scopes[i][name]; ok {
			return v, true
		}
	}
	return 0, false
}

// read is the operand of a name.
func (b *body) read(name string) il.Operand {
	if v, ok := b.find(name); ok && !b.outers[name] {
		return local(v)
	}
	return b.free(name)
}

// write binds a name to what it now stands for. A name that the function does not
// declare belongs to a scope around it.
func (b *body) write(name string, v il.Operand, at il.Span) {
	if name == "_" && !b.language.whole {
		return
	}
	if x, ok := b.find(name); ok && !b.outers[name] {
		b.emit(&il.Instr{Op: il.Bind, Dst: x, Args: []il.Operand{v}, Span: at})
		return
	}
	for o := b.outer; o != nil; o = o.outer {
		if _, ok := o.find(name); ok {
			o.share(name)
			b.do(il.Set, "outer", at, b.none(), b.text(name), v)
			return
		}
	}
	for o := b.outer; o != nil && (o.f.Kind == il.Plainly || o.f.Kind == il.Lambda); o = o.outer {
		o.share(name) // what a function that is known early binds may be declared behind it
	}
	b.do(il.Set, "outer", at, b.none(), b.text(name), v)
}

// share notes that a function inside binds a variable of this one.
func (b *body) share(name string) {
	for _, s := range b.f.Shared {
		if s == name {
			return
		}
	}
	b.f.Shared = append(b.f.Shared, name)
}

// unknown stands for a construct that is not lowered: all that lies in it is
// read.
func (b *body) unknown(n syntax.Node) il.Operand {
	var args []il.Operand
	for c := range n.Children() {
		args = append(args, b.expr(c))
	}
	kind := n.Detail()
	if kind == "" {
		kind = string(n.Kind())
	}
	return b.value(&il.Instr{Op: il.Unknown, Kind: kind, Args: args, Span: span(n)})
}

// handler is where an exception goes from here, nil: out of the function.
func (b *body) handler() *il.Block {
	for i := len(b.tries) - 1; i >= 0; i-- {
		if b.tries[i].handler != nil {
			return b.tries[i].handler
		}
	}
	return nil
}

// split starts a new block before a statement of a try block: what the statement
// binds is not bound when it raises.
func (b *body) split(at il.Span) {
	if h := b.handler(); h != nil {
		next := b.block()
		b.jump(at, next, next, h)
	}
}

// leave goes where an exit leads, by the finally blocks on the way.
func (b *body) leave(e exit, at il.Span) {
	for i := len(b.tries) - 1; i >= e.tries; i-- {
		if t := b.tries[i]; t.finally != nil {
			t.exits = append(t.exits, e)
			b.jump(at, nil, t.finally)
			return
		}
	}
	switch e.op {
	case il.Return:
		b.end(&il.Instr{Op: il.Return, Args: []il.Operand{b.read("%return")}, Span: at}, nil)
	case il.Raise:
		b.raise(il.Operand{}, at)
	default:
		b.jump(at, nil, e.to...)
	}
}

// leaveWith returns a value.
func (b *body) leaveWith(v il.Operand, at il.Span) {
	for _, t := range b.tries {
		if t.finally == nil {
			continue
		}
		if _, ok := b.scopes[0]["%return"]; !ok {
			b.scopes[0]["%return"] = b.fresh("%return")
		}
		b.emit(&il.Instr{Op: il.Bind, Dst: b.scopes[0]["%return"], Args: []il.Operand{v}, Span: at})
		b.leave(exit{op: il.Return}, at)
		return
	}
	b.end(&il.Instr{Op: il.Return, Args: []il.Operand{v}, Span: at}, nil)
}

// raise leaves by an exception.
func (b *body) raise(v il.Operand, at il.Span) {
	in := &il.Instr{Op: il.Raise, Args: []il.Operand{v}, Span: at}
	if h := b.handler(); h != nil {
		b.end(in, nil, h)
		return
	}
	b.end(in, nil)
}

// finish closes the function.
func (b *body) finish(n syntax.Node) *il.Function {
	at := il.Span{From: uint32(n.End()), To: uint32(n.End())}
	b.end(&il.Instr{Op: il.Return, Args: []il.Operand{b.none()}, Span: at}, nil)
	for _, k := range b.f.Blocks {
		if len(k.Instrs) == 0 || !k.Instrs[len(k.Instrs)-1].Op.Ends() {
			k.Instrs = append(k.Instrs, &il.Instr{Op: il.Jump, Dst: il.NoDst})
		}
	}
	return b.f
}
