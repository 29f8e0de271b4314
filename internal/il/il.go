// Package il is a small intermediate language for the analysis of programs:
// what every source language is lowered to, so that each analysis is written
// once.
//
// A program is modules; a module has functions, and its own top level is one of
// them; a function has blocks; a block has instructions, of which the last says
// where a run goes on. A lowering writes variables. Finish turns them into
// versions that are bound once (SSA), so that "which binding does this use see"
// is a field and not a search. Nothing of a framework is in here, and no
// function of this package does I/O.
package il

import "strings"

// Op says what an instruction does.
type Op uint8

// The instructions; a block ends with one of those from Jump on.
const (
	Unknown Op = iota // a construct Kind that was not lowered; Args: what it reads, Dst: what it makes
	Bind              // Dst = Args[0], or the operator Kind applied to Args
	Call              // Dst = Args[0](Args[1:]...); Names: the keyword, "*" or "**" of each argument
	Get               // Dst = Args[0] at the key Args[1]; Kind: attr, item, each (an element of a loop), key (what a loop counts by: a key or index, of a channel the element); Names: of the rest of a list, how many elements are before it
	Set               // Dst = Args[0] with the key Args[1] set to Args[2]; Kind: attr, item, add, outer (a name of a scope around), export
	Make              // Dst = a new list, map or text of Args; Names: constant keys
	Import            // Dst = the module Kind, or its name Names[1]; Names[0]: the name here
	Define            // Dst = the function or class Ref; Args: what it captures under Names, and defaults under "=" and the parameter
	Delete            // the variable Dst is bound no more
	Catch             // Dst = the exception that a handler gets; Args: the types that it catches, none: all
	Yield             // hands Args[0] out and goes on; Dst: what comes back
	Phi               // Dst = Args[i] when the block was entered from Preds[i]
	Assume            // Dst = Args[0], of which the condition Cond is known to be Truth
	Jump              // goes on at any of Succs, for a reason that is no value
	Branch            // goes on at Succs[0] where "Args[0] Kind Args[1]" holds, else at Succs[1]
	Loop              // goes on at Succs[0] for each element of Args[0], then at Succs[1]
	Return            // leaves with Args[0]
	Raise             // leaves with Args[0], or goes on at the handlers Succs
	Exit              // ends the program
	opCount
)

var opNames = [opCount]string{"unknown", "bind", "call", "get", "set", "make", "import", "define", "delete", "catch", "yield",
	"phi", "assume", "jump", "branch", "loop", "return", "raise", "exit"}

func (o Op) String() string { return opNames[o] }

// Ends tells whether the instruction is the last of its block.
func (o Op) Ends() bool { return o >= Jump }

// Mode says how a call is made.
type Mode uint8

// The modes of a call. Others are plain.
const (
	Plain    Mode = iota
	Awaited       // its result is waited for
	Spawned       // it runs beside the function
	Deferred      // it runs when the function leaves
	New           // it makes a value of a type
	Decorate      // a decorator is applied to what Args[1] defines
	modeCount
)

// Span is a stretch of a file's text in bytes.
type Span struct{ From, To uint32 }

// ConstType is the type of a constant.
type ConstType uint8

// The types of constants.
const (
	NoneConst ConstType = iota
	BoolConst
	IntConst
	FloatConst
	StrConst
	constCount
)

// Const is a constant. Num holds numbers, and truth as 0 or 1; Text holds a
// string's value, and a number as it is written.
type Const struct {
	Type ConstType
	Num  float64
	Text string
}

// OperandKind says what an operand stands for.
type OperandKind uint32

// The kinds of operands.
const (
	Opaque   OperandKind = iota // a value that was not lowered
	Constant                    // ID: of the module's constants
	Local                       // ID: of a variable of the function; after Finish, of a version
	Free                        // ID: of the module's words: a name that another scope binds
	Undef                       // ID: of a variable that is bound on no way to here
	operandCount
)

// Operand is what an instruction reads. Operands are comparable: two constants of
// a module are equal when their operands are.
type Operand struct {
	Kind OperandKind
	ID   int32
}

// NoDst is the Dst of an instruction that binds nothing.
const NoDst int32 = -1

// Instr is one instruction. What its fields hold is said at each Op.
type Instr struct {
	Op    Op
	Mode  Mode // of a Call
	Truth bool // of an Assume
	Dst   int32
	Span  Span
	Kind  string // of a Call: its callee as it is written
	Args  []Operand
	Names []string // beside Args, after the callee of a Call; "" where an argument has none
	Ref   *Function
	Cond  *Instr // of an Assume: the Branch
}

// Block is a run of instructions that is entered at its top only.
type Block struct {
	ID     int
	Instrs []*Instr
	Succs  []*Block
	Preds  []*Block

	idom        *Block
	first, last int // numbers of a walk of the dominator tree
}

// End is the instruction that ends the block.
func (b *Block) End() *Instr { return b.Instrs[len(b.Instrs)-1] }

// Dominates tells whether every way to c passes b.
func (b *Block) Dominates(c *Block) bool { return b.first <= c.first && c.last <= b.last }

// Dominator is the closest block that every way to b passes, nil at the entry.
func (b *Block) Dominator() *Block { return b.idom }

// Param is a parameter.
type Param struct {
	Name       string // "" for a pattern, which the function's first instructions take apart
	Type       string // as declared
	Spread     string // "*" or "**"
	Var        int32
	Default    Operand
	Filled     bool // it has a default; one that is no constant is an argument of its Define
	Decorators []string
}

// Version is a variable between one binding and the next.
type Version struct {
	Var   string // "%n" for a temporary, "a.b" for a read of a field
	Def   *Instr // nil for a parameter
	Block *Block
	Param int // index, -1 for none
	Uses  []*Instr

	root   Operand // see Root
	object int32   // see Object
}

// Function is a body of code: a function, a method, a lambda, the body of a
// class, or the top level of a module.
type Function struct {
	Name       string // qualified in its module; "" for the top level
	Class      string // of a method, or of the body of a class
	Kind       FunctionKind
	Async      bool
	Module     *Module
	Outer      *Function
	Params     []Param
	Results    []string // the types that it declares
	Decorators []string
	Blocks     []*Block // the first is the entry; where Lost says why, none, or one in which nothing is known
	Vars       []string
	Versions   []Version // after Finish
	Shared     []string  // variables that functions inside bind: a version says nothing of their value
	Dropped    []Span    // code that no way of the function's own leads to
	Lost       string    // why its body is not known; "" where it is
	Span       Span
}

// FunctionKind says what a body of code belongs to.
type FunctionKind uint8

// The kinds of functions.
const (
	Plainly   FunctionKind = iota // a function or method
	Top                           // the top level of a module
	ClassBody                     // runs where the class stands
	Lambda
	Declared // without a body, on purpose
	functionCount
)

// Class is a class of a module.
type Class struct {
	Name  string
	Kind  string   // class, struct, interface, enum, trait, impl ...
	Bases []string // as they are written
	Body  *Function
	Span  Span
}

// Module is a file.
type Module struct {
	Path      string
	Language  string
	Name      string // as others import it; "" where nobody can tell
	Top       *Function
	Functions []*Function // all but Top, in the order of the text
	Classes   []*Class
	Consts    []Const
	Words     []string
	Lines     []uint32 // where lines start
	Damaged   bool     // parts of it could not be parsed
	Package   string   // of the modules that see each other's names without an import; "" where it is alone
	Partial   bool     // files of its package were left out
	Links     map[string]Link
}

// Link is what an import means, by the name that it is written with.
type Link struct {
	Own     bool      // it means something of the program, there or not
	Modules []*Module // what was read of it
	Name    string    // what others call it; a name with a dot behind it is a part
	Brings  []string  // some names that it has, where it is known though it was not read
	Given   bool      // a file of the language has its names without an import
}

// Program is what was lowered together. Its modules are sorted by path.
type Program struct {
	Modules []*Module
	Hidden  map[string]bool // full names of Python's modules that are there and were not read; ".name" in any package
}

// Hides tells a module of Python that is there and was not read.
func (p *Program) Hides(full string) bool {
	return p.Hidden[full] || p.Hidden[full[max(0, strings.LastIndexByte(full, '.')):]]
}
