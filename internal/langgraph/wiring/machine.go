package wiring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// Scope is what a file is for.
type Scope uint8

// The scopes: what runs, what only tries or shows it, and what is not to be read.
const (
	Production Scope = iota
	Aside
	Foreign
)

// Program is what is read, and what only its reader knows of the text.
type Program struct {
	*analyse.Analyses
	Idle      func(*il.Function) bool     // its body does nothing but log and hand on
	Tests     func(*il.Function) []string // keys of the state that it compares
	Words     *agentgraph.Profile
	Library   string // what the names of LangGraph begin with
	Camel     bool   // its methods are named so
	Scope     func(path string) Scope
	Place     func(f *il.Function, s il.Span) agentgraph.Place
	Text      func(f *il.Function, s il.Span) string
	Keys      func(f *il.Function, s il.Span) []il.Span                                      // of the entries of a table that a stretch of text writes
	Statement func(f *il.Function, s il.Span) string                                         // around a name that it binds
	Unknown   func(f *il.Function, s il.Span) string                                         // an expression that could not be read
	Node      func(f *il.Function, s il.Span) any                                            // of a call, as the reader knows it
	Source    func(inner, outer *il.Function) (source any, at agentgraph.Place, name string) // of what a node runs
}

// machine follows the building code of one program.
type machine struct {
	Program
	conditions
	sides   map[agentgraph.Place]cond // what one side of a statement means
	plans   map[*il.Function]*plan
	tops    map[*il.Function]*frame
	ran     map[*il.Function]bool
	last    map[*il.Function]*frame
	classes map[*il.Function]*thing
	defined map[*il.Function]*thing
	objects map[*il.Function][]*thing // by their classes
	selves  map[*il.Function]*thing   // an object for methods that nobody calls
	changed map[string]int
	lost    map[*il.Instr]place
	filled  map[string]bool
	stack   []*frame
	turns   []*turn
	built   []*built
	steps   int
	count   int
	spent   bool
	asking  bool // a router or node is run
	nested  int  // lists in each other, of which is said what they lead to
	fine    int  // nodes of conditions up to which all are kept
	wiring  map[*il.Function]bool
	limit   int
	answers map[*thing]value
	consts  map[*il.Const]value
}

// Qualified is the full name of a function or class.
func (p *Program) Qualified(f *il.Function) string {
	return strings.TrimPrefix(f.Module.Name+"."+f.Name, ".")
}

func (x *machine) key(f *il.Function, s il.Span) string {
	return fmt.Sprintf("%s:%d", f.Module.Path, s.From)
}

// follow runs the code that may build or run graphs: what belongs to production before
// tests and examples, and where something calls it, what calls it.
func follow(p Program) *machine {
	x := &machine{Program: p, conditions: newConditions(), sides: map[agentgraph.Place]cond{}, plans: map[*il.Function]*plan{}, tops: map[*il.Function]*frame{},
		ran: map[*il.Function]bool{}, last: map[*il.Function]*frame{}, classes: map[*il.Function]*thing{}, defined: map[*il.Function]*thing{},
		objects: map[*il.Function][]*thing{}, selves: map[*il.Function]*thing{}, changed: map[string]int{}, lost: map[*il.Instr]place{}, filled: map[string]bool{}, answers: map[*thing]value{}, consts: map[*il.Const]value{}, limit: maxSteps, fine: fineNodes, wiring: map[*il.Function]bool{}}
	var wanted, aside []*il.Function
	if !x.builds() {
		return x
	}
	for f := range p.Program.All() {
		if scope := x.Scope(f.Module.Path); scope == Foreign {
			continue
		}
		switch {
		case !x.mentions(f):
		case x.Scope(f.Module.Path) == Production:
			wanted = append(wanted, f)
		default:
			aside = append(aside, f)
		}
	}
	for _, f := range append(wanted, aside...) {
		x.start(f, 0)
	}
	return x
}

// builds tells a program that may make a builder: it names one.
func (x *machine) builds() bool {
	for f := range x.Program.Program.All() {
		if x.Scope(f.Module.Path) == Foreign {
			continue
		}
		for _, in := range f.Instructions() {
			switch {
			case in.Op == il.Import && slices.ContainsFunc(in.Names, func(n string) bool { return slices.Contains(builderNames, n) }),
				in.Op == il.Call && slices.Contains(builderNames, last(in.Kind)):
				return true
			case in.Op == il.Get:
				if name, ok := f.Str(in.Args[1]); ok && slices.Contains(builderNames, name) {
					return true
				}
			}
		}
	}
	return false
}

// mentions tells a function that may make a builder, and one that may wire or run one.
func (x *machine) mentions(f *il.Function) bool {
	for _, in := range f.Instructions() {
		switch in.Op {
		case il.Get:
			if name, ok := f.Str(in.Args[1]); ok && (slices.Contains(builderNames, name) || x.wires(name)) {
				return true
			}
		case il.Call:
			name := last(in.Kind)
			if slices.Contains(builderNames, name) || x.wires(name) || (name == "compile" || slices.Contains(runMethods, snake(name))) && x.mayRun(f, in) {
				return true
			}
			switch s := x.Names.Operand(f, in.Args[0]); {
			case s == nil:
			case strings.HasPrefix(s.Outside, x.Library) && slices.Contains(builderNames, last(s.Outside)),
				s.Function != nil && s.Function.Kind == il.ClassBody && x.derives(s.Function):
				return true
			}
		default:
		}
	}
	return false
}

// mayRun tells a call of a method that may be a graph's: nothing else is known of what it
// is called on.
func (x *machine) mayRun(f *il.Function, in *il.Instr) bool {
	get := f.Def(f.Root(in.Args[0]))
	if get == nil || get.Op != il.Get {
		return false
	}
	if s := x.Names.Operand(f, in.Args[0]); s != nil && s.Outside != "" && !strings.HasPrefix(s.Outside, x.Library) {
		return false
	}
	o := x.Names.Instance(f, get.Args[0])
	return o.Outside == "" || strings.HasPrefix(o.Outside, x.Library)
}

func (x *machine) derives(body *il.Function) bool {
	if last(body.Name) == "StateGraph" {
		return true
	}
	return slices.ContainsFunc(x.Names.Above(body), func(s string) bool { return strings.HasPrefix(s, x.Library) && slices.Contains(builderNames, last(s)) })
}

// start runs a function, from what calls it where anything of its kind does.
func (x *machine) start(f *il.Function, depth int) {
	if x.ran[f] {
		return
	}
	production := x.Scope(f.Module.Path) == Production
	if depth < 5 && f.Kind != il.Top {
		asked := f
		if f.Kind != il.ClassBody && f.Outer != nil && f.Outer.Kind == il.ClassBody && (last(f.Name) == "__init__" || last(f.Name) == "constructor") {
			asked = f.Outer
		}
		sites := x.Names.Sites(asked)
		some := false
		for _, aside := range []bool{false, true} {
			for _, s := range sites {
				if is := x.Scope(s.Function.Module.Path) == Production; s.Function != f && s.Call && is != aside && (!aside || !some) && (is || !production || !some) {
					some = some || is
					x.start(s.Function, depth+1)
				}
			}
			if x.ran[f] {
				return
			}
		}
	}
	if f.Outer != nil && f.Outer.Kind != il.Top && f.Outer.Kind != il.ClassBody {
		x.start(f.Outer, depth+1)
	}
	if x.ran[f] {
		return
	}
	x.alone(f)
}

// alone runs a function that nothing calls: of a method, for each object of its class.
func (x *machine) alone(f *il.Function) {
	switch {
	case f.Kind == il.Top:
		x.top(f)
		return
	case f.Kind == il.ClassBody:
		x.classOf(f)
		return
	}
	up := x.aroundOf(f)
	t := x.defined[f]
	if t == nil {
		t = &thing{kind: function, fn: f, up: up}
	}
	if f.Outer == nil || f.Outer.Kind != il.ClassBody || f.Kind == il.Lambda || slices.Contains(f.Decorators, "staticmethod") {
		x.enter(t, nil, nil, nil, always)
		return
	}
	class := x.classOf(f.Outer)
	if slices.Contains(f.Decorators, "classmethod") {
		x.enter(t, []value{one(class)}, []string{""}, nil, always)
		return
	}
	objects := x.objects[f.Outer]
	if len(objects) > 4 {
		objects = objects[:4]
	}
	if len(objects) == 0 {
		objects = []*thing{x.self(class)}
	}
	for _, o := range objects {
		x.enter(t, []value{one(o)}, []string{""}, nil, always)
	}
}

// self is an object of a class that nothing makes.
func (x *machine) self(class *thing) *thing {
	if o := x.selves[class.fn]; o != nil {
		return o
	}
	o := &thing{kind: object, obj: &record{form: instance, class: class, fields: map[string]value{}}}
	if p := x.builderClass(class); p != "" {
		o.obj.form = graph
		o.obj.built = &built{from: origin{provenance: p, class: class}}
	}
	x.selves[class.fn] = o
	for _, name := range []string{"__init__", "constructor"} {
		if v := x.member(class, name); v != nil && v.only().kind == function {
			x.enter(v.only(), []value{one(o)}, []string{""}, nil, always)
			break
		}
	}
	return o
}

// filledLater reports whether any code sets an attribute of this name, or adds to it in place.
func (x *machine) filledLater(name string) bool {
	out, ok := x.filled[name]
	if ok {
		return out
	}
	for f := range x.Program.Program.All() {
		if x.Scope(f.Module.Path) != Production {
			continue
		}
		for _, in := range f.Instructions() {
			switch in.Op {
			case il.Set:
				key, ok := f.Str(in.Args[1])
				out = out || in.Kind == "attr" && ok && key == name && f.Kind != il.ClassBody
			case il.Call:
				out = out || slices.Contains([]string{"setattr", "__setattr__"}, last(in.Kind)) ||
					slices.ContainsFunc([]string{"append", "extend", "insert", "add", "update", "setdefault"}, func(m string) bool { return strings.HasSuffix(in.Kind, "."+name+"."+m) })
			default:
			}
		}
	}
	x.filled[name] = out
	return out
}
