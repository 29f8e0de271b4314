package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Reach says which functions a run may come to from its entries.
//
// It over-approximates: a function that is mentioned may be called, and a method may
// be called wherever its name is asked of an object whose class is not known. So it
// is sound for "is not reached", which is said only where no name is computed on the
// way. "Is reached" means that a chain of calls and mentions leads there, not that a
// run takes it.
type Reach struct {
	names *Names
	run   func(*il.Function, *il.Block) []*il.Instr // what of a block is run
	from  map[*il.Function]arrival
	more  func(*il.Function) []*il.Function // see Leads
	also  map[*il.Function]bool             // see Hear; nil before it
	lost  []il.Place                        // where a name is computed
}

// arrival is how a run comes to a function.
type arrival struct {
	by *il.Function // nil for an entry
	at il.Place
}

// ReachFrom follows a program from its entries: functions, or the top levels of
// modules. dead excludes blocks that no run enters; nil: none.
func ReachFrom(names *Names, dead func(*il.Function, *il.Block) bool, entries ...*il.Function) *Reach {
	return reach(names, func(f *il.Function, b *il.Block) (out []*il.Instr) {
		if dead == nil || !dead(f, b) {
			out = b.Instrs
		}
		return out
	}, nil, entries)
}

// Leads is ReachFrom with what more a function is known to lead to in the place of methods
// of the name that is asked of an object whose class is not known: what is reached is led to,
// and that something is not says less.
func (n *Names) Leads(dead func(*il.Function, *il.Block) bool, more func(*il.Function) []*il.Function, entries ...*il.Function) *Reach {
	return reach(n, func(f *il.Function, b *il.Block) (out []*il.Instr) {
		if !dead(f, b) {
			out = b.Instrs
		}
		return out
	}, more, entries)
}

// reach follows the instructions of each block that are run.
func reach(names *Names, run func(*il.Function, *il.Block) []*il.Instr, more func(*il.Function) []*il.Function, entries []*il.Function) *Reach {
	r := &Reach{names: names, run: run, more: more, from: map[*il.Function]arrival{}}
	var work []*il.Function
	add := func(f, by *il.Function, at il.Place) {
		if _, seen := r.from[f]; f != nil && !seen {
			r.from[f] = arrival{by, at}
			work = append(work, f)
		}
	}
	for _, f := range entries {
		add(f, nil, f.Place(f.Span))
	}
	for ; len(work) > 0; work = work[1:] {
		f := work[0]
		for _, top := range r.names.before(f.Module) {
			add(top, f, f.Place(f.Span))
		}
		if more != nil {
			for _, g := range more(f) {
				add(g, f, f.Place(f.Span))
			}
		}
		for _, b := range f.Blocks {
			for _, in := range run(f, b) {
				r.instruction(f, in, func(g *il.Function) { add(g, f, f.Place(in.Span)) })
			}
		}
	}
	return r
}

// instruction hands out the functions that an instruction may lead to.
func (r *Reach) instruction(f *il.Function, in *il.Instr, add func(*il.Function)) {
	switch in.Op {
	case il.Define:
		// The body of a class runs where it stands, and a decorator may hand a
		// function to who calls it; a function without a name is there to be called.
		if in.Ref.Kind == il.ClassBody || in.Ref.Kind == il.Lambda || len(in.Ref.Decorators) > 0 && f.Module.Language != "python" {
			add(in.Ref)
		}
		if in.Ref.Kind == il.ClassBody && r.names.framed(in.Ref, visited{}) {
			for _, m := range r.names.siblings(in.Ref) {
				add(m)
			}
		}
		for _, p := range in.Ref.Params {
			for _, g := range r.names.InType(f, p.Type) {
				add(g)
			}
		}
		for i, o := range in.Args {
			if strings.HasPrefix(in.Names[i], "=") { // the default of a parameter
				r.mention(f, o, add)
			}
		}
		return
	case il.Import:
		for _, m := range r.names.loads(f.Module, in) {
			add(m.Top)
		}
		return
	case il.Bind:
		if def := f.Def(in.Args[0]); def != nil && (def.Op == il.Define || def.Op == il.Import) {
			return // a definition is no mention
		}
		for _, t := range in.Names {
			for _, g := range r.names.InType(f, t) {
				add(g)
			}
		}
	case il.Get:
		key, known := f.Str(in.Args[1])
		r.mention(f, local(in.Dst), add)
		if s := r.names.Operand(f, local(in.Dst)); (s == nil || s.Function == nil) && known && in.Kind == "attr" && r.more == nil {
			for _, m := range r.names.methods[key] { // of whatever class the object is
				add(m)
			}
		}
	case il.Call:
		r.computed(f, in)
	default:
	}
	for i, o := range in.Args {
		if i > 0 && in.Op == il.Call && in.Mode == il.Decorate && r.names.Keeps(f, in) {
			break
		}
		r.mention(f, o, add)
	}
}

// before are what runs before a function of a file can: the top level of the file, and of the
// packages that it lies in.
func (n *Names) before(m *il.Module) []*il.Function {
	out := []*il.Function{m.Top}
	for i, c := range m.Path {
		if c == '/' && m.Language == "python" {
			out = append(out, n.Top(m.Path[:i]+"/__init__.py"))
		}
	}
	return out
}

// keeping are decorators that hand a function to nobody who calls it by themselves.
var keeping = []string{"builtins.", "functools.", "dataclasses.", "abc.", "typing.", "contextlib.", "tenacity.", "pydantic.dataclasses.", "enum.", "pytest.mark."}

// Keeps tells that a decorator is applied which hands its function to nobody who calls it by
// himself.
func (n *Names) Keeps(f *il.Function, in *il.Instr) bool {
	s := n.Operand(f, in.Args[0])
	if def := f.Def(f.Root(in.Args[0])); s == nil && def != nil && def.Op == il.Call {
		s = n.Operand(f, def.Args[0])
	}
	return s != nil && slices.ContainsFunc(keeping, func(p string) bool { return strings.HasPrefix(s.Outside, p) })
}

// mention hands out what an operand stands for: of a class, what makes its objects, and the
// methods that the language calls by itself.
func (r *Reach) mention(f *il.Function, o il.Operand, add func(*il.Function)) {
	if o.Kind == il.Constant {
		return
	}
	alternatives := r.names.alternatives(f, o)
	for _, one := range alternatives {
		if s := r.names.Operand(f, one); s != nil {
			for _, m := range s.Modules {
				add(m.Top)
			}
		}
	}
	for _, g := range r.names.standFor(f, alternatives) {
		add(g)
		if g.Kind != il.ClassBody {
			continue
		}
		for _, m := range r.names.inside[g] {
			if strings.HasPrefix(lastName(m.Name), "__") {
				add(m)
			}
		}
		for _, name := range []string{"__init__", "__new__", "__call__", "__post_init__", "__enter__", "__exit__", "__aenter__", "__aexit__", "__iter__", "__next__", "__str__", "__repr__", "constructor", lastName(g.Name)} {
			add(r.names.Method(g, name))
		}
	}
}

// InType are the functions that a type of Python names: what a framework does with a field.
func (n *Names) InType(f *il.Function, written string) (out []*il.Function) {
	if f.Module.Language != "python" || !strings.Contains(written, "[") {
		return nil
	}
	for name := range names(written, false) {
		if s := n.Seen(f, name); s != nil && s.Function != nil && s.Function.Kind == il.Plainly {
			out = append(out, s.Function)
		}
	}
	return out
}

// text is the only text that an operand can be, where nothing else is known to be.
func (r *Reach) text(f *il.Function, o il.Operand) (string, bool) {
	if text, ok := f.Str(f.Root(o)); ok {
		return text, true
	}
	if s := r.names.Operand(f, o); s != nil && s.Const != nil && s.Const.Type == il.StrConst {
		return s.Const.Text, true
	}
	return "", false
}

// outside tells an operand that is something outside of the program.
func (r *Reach) outside(f *il.Function, o il.Operand, name string) bool {
	s := r.names.Operand(f, o)
	return s != nil && s.Outside == name
}

// computed notes calls whose target only a run knows.
func (r *Reach) computed(f *il.Function, in *il.Instr) {
	s := r.names.Operand(f, in.Args[0])
	if s == nil {
		return
	}
	switch s.Outside {
	case "builtins.getattr":
		if len(in.Args) > 2 {
			if _, ok := f.Str(f.Root(in.Args[2])); ok {
				return
			}
		}
	case "builtins.globals", "builtins.locals", "builtins.vars", "builtins.eval", "builtins.exec", "builtins.__import__", "importlib.import_module", "eval", "Function", "java.lang.Class.forName", "Class.forName":
	default:
		return
	}
	r.lost = append(r.lost, f.Place(in.Span))
}

// comes tells whether a run may come to f.
func (r *Reach) comes(f *il.Function) bool {
	_, found := r.from[f]
	return found || r.also[f]
}

// Of answers whether a run may come to f, with the places on the way from an entry.
func (r *Reach) Of(f *il.Function) Answer {
	way, found := r.from[f]
	if found {
		places := []il.Place{f.Place(f.Span)}
		for ; way.by != nil && len(places) < maxPlaces; way = r.from[way.by] {
			places = append(places, way.at)
		}
		places = append(places, way.at)
		slices.Reverse(places)
		return Answer{Yes, "a chain of calls and mentions leads there", places}
	}
	switch {
	case r.also[f]:
		return Answer{Unknown, "it is only named: by a text, or where a name is computed", nil}
	case len(r.lost) > 0:
		return Answer{Unknown, "a name is computed", r.lost[:min(len(r.lost), maxPlaces)]}
	case r.also == nil && f.Class != "" && len(lastName(f.Name)) > 1 && lastName(f.Name)[:2] == "__":
		return Answer{Unknown, "the language may call it by itself", nil}
	}
	return Answer{No, "nothing that is reached mentions it", nil}
}
