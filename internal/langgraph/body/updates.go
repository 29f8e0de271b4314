package body

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

const (
	maxCalls  = 4    // functions that hand an update on
	maxValues = 4096 // values that are read for one node: lists in lists, and calls in calls, may branch each time
)

// State says what the objects of a state are; the zero value: anything.
type State struct {
	Kind  agentgraph.Kind
	Class *il.Function // its body; nil where there is none
}

// Write fills in what the nodes of a graph write; function is the one that is given the
// state. What a graph with another state hands out is for that graph to tell.
func (b Bodies) Write(g *agentgraph.Graph, of State, function func(*agentgraph.Node) *il.Function) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		f := function(n)
		if f == nil || n.Within != nil {
			n.Opaque = n.Nested == nil && !n.Gate
			continue
		}
		u := &updates{walk: b.walk(f), of: of, node: n.Name}
		b.walk(f).each(func(w *walk) {
			if w.of != f {
				u.also[w.of] = w.state
			}
		})
		u.function(nil, f)
		n.Opaque, n.Picks, g.Writes = u.opaque, b.Picks(f), append(g.Writes, u.writes...)
	}
	slices.SortStableFunc(g.Writes, func(a, b agentgraph.Write) int {
		return cmp.Or(strings.Compare(a.Node, b.Node), strings.Compare(a.Key, b.Key), a.At.Compare(b.At))
	})
}

// Given is what an operand that an instruction reads writes, as an update of any state, and
// whether it may write more.
func (b Bodies) Given(f *il.Function, o il.Operand, at *il.Instr) (writes []agentgraph.Write, opaque bool) {
	u := &updates{walk: &walk{Bodies: b}}
	u.value(nil, f, o, at)
	return u.writes, u.opaque
}

// updates reads what values are as updates of a state.
type updates struct {
	*walk
	of     State
	node   string
	writes []agentgraph.Write
	opaque bool                // more may be written
	only   [][]*analyse.Symbol // types that the value which is read is of: of each list one
	whole  bool                // the state as a whole is handed back
	back   *il.Instr           // what hands it back
	values int                 // that were read
}

// function reads what a function returns.
func (u *updates) function(way analyse.Way, f *il.Function) {
	if len(way) > maxCalls || len(f.Blocks) == 0 || slices.ContainsFunc(way, func(s analyse.Site) bool { return s.Function == f }) {
		u.opaque = true
		return
	}
	for b, in := range f.Instructions() {
		if in.Op == il.Return && !u.Values.Dead(f, b) {
			if len(way) == 0 {
				u.back = in
			}
			u.value(way, f, in.Args[0], in)
		}
	}
}

// value reads an operand where an instruction reads it.
func (u *updates) value(way analyse.Way, f *il.Function, o il.Operand, at *il.Instr) {
	if u.values++; u.values > maxValues {
		u.opaque = true
		return
	}
	kept := u.only
	u.only = append(slices.Clone(kept), u.tests(f, o, at)...)
	defer func() { u.only = kept }()
	for _, s := range u.Values.ShapesBy(way, f, o, at) {
		switch s.Kind {
		case analyse.Map:
			u.entries(way, f, s, at)
		case analyse.List: // several commands
			for _, p := range s.Parts {
				u.inside(along(way, f, p.In), p.In, p.Of, nil)
			}
		case analyse.Text:
			u.opaque = true
		default:
			for def := f.Def(f.Root(o)); def != nil && def.Op == il.Set && def.Kind == "attr" && !u.isState(f, o); def = f.Def(f.Root(def.Args[0])) {
				u.write(way, analyse.Part{In: f, Of: def.Args[2], At: def.Span, By: f, Key: text(f, def.Args[1])}, at)
			}
			u.object(way, f, s.Parts[0], nil)
		}
	}
}

// along is the way to a function that a way comes by.
func along(way analyse.Way, f, to *il.Function) analyse.Way {
	i := slices.IndexFunc(way, func(s analyse.Site) bool { return s.Function == to })
	if i < 0 && f != to {
		return nil
	}
	return way[i+1:]
}

// inside reads what another value holds: no test is about it.
func (u *updates) inside(way analyse.Way, f *il.Function, o il.Operand, at *il.Instr) {
	if f == nil {
		u.opaque = true
		return
	}
	u.untested(func() { u.value(way, f, o, at) })
}

// untested reads something that no test is about.
func (u *updates) untested(read func()) {
	kept := u.only
	u.only = nil
	read()
	u.only = kept
}

// entries reads a map.
func (u *updates) entries(way analyse.Way, f *il.Function, s analyse.Shape, at *il.Instr) {
	if !u.passes(nil) {
		return
	}
	var beside []string
	for _, p := range s.Parts {
		if p.Key != "" && !p.Maybe && !u.grows(p.In, p.Of, p.Key) {
			beside = append(beside, p.Key)
		}
	}
	whole := false
	for _, p := range s.Parts {
		switch {
		case p.Rest && p.In != nil:
			u.untested(func() { u.object(way, f, p, beside) })
			whole = whole || u.isState(p.In, p.Of)
		case p.Key == "":
			u.opaque = true
		case p.In == f:
			u.write(way, p, at)
		default:
			u.write(along(way, f, p.In), p, nil)
		}
	}
	u.opaque = u.opaque || s.Why != "" && !whole
}

// object reads what was not made as a map where it is seen.
func (u *updates) object(way analyse.Way, f *il.Function, p analyse.Part, beside []string) {
	if p.In == nil {
		u.opaque = true
		return
	}
	way = along(way, f, p.In)
	f, o := u.root(p.In, p.Of)
	c, constant := f.Const(o)
	switch in := f.Def(o); {
	case u.isState(f, o):
		u.all(p, beside)
	case constant && c.Type == il.NoneConst:
	case in != nil && in.Op == il.Call:
		u.call(way, f, in, beside)
	case in != nil && in.Op == il.Yield && in.Kind == "await":
		u.value(way, f, in.Args[0], in)
	default:
		u.opaque = true
	}
}

// copying are the methods of a state that give what it has, and functions that do.
var (
	copying = []string{"model_copy", "copy", "model_dump", "dict"}
	copiers = []string{"copy.copy", "copy.deepcopy", "dataclasses.replace", "dataclasses.asdict", "builtins.vars"}
)

// call reads what a call gives: a command, an object, a copy of the state, or what a
// function of the program hands back.
func (u *updates) call(way analyse.Way, f *il.Function, in *il.Instr, beside []string) {
	name, own := u.Names.Called(f, in)
	get := f.Def(f.Root(in.Args[0]))
	if own == nil && name == "" { // of a function that another one makes
		for _, s := range u.Values.ShapesBy(way, f, in.Args[0], in) {
			if s.Kind == analyse.Single && s.Parts[0].In != nil && own == nil {
				_, own = u.Names.Operand(s.Parts[0].In, s.Parts[0].Of).Full()
			}
		}
	}
	switch {
	case own == nil && strings.HasSuffix(name, ".Command") && strings.Contains(name, "langgraph"):
		u.command(way, f, in)
	case own == nil && slices.Contains(copiers, name) && len(in.Args) > 1 && u.isState(f, in.Args[1]):
		u.all(analyse.Part{Rest: true, At: in.Span, By: f}, beside)
		u.keywords(way, f, in, 1)
	case get != nil && get.Op == il.Get && get.Kind == "attr" && u.isState(f, get.Args[0]) && slices.Contains(copying, text(f, get.Args[1])):
		u.all(analyse.Part{Rest: true, At: in.Span, By: f}, beside)
		if o, ok := in.Argument("update", -1); ok {
			u.inside(way, f, o, in)
		}
	case own == nil:
		u.opaque = true
	case own.Kind != il.ClassBody:
		u.function(append(analyse.Way{u.Names.Calling(f, in, own)}, way...), own)
	case !u.passes(own):
	case u.updating(own):
		u.keywords(way, f, in, 0)
	default:
		u.opaque = true
	}
}

func text(f *il.Function, o il.Operand) string {
	s, _ := f.Str(o)
	return s
}

// command reads the update of a command: an argument of its name, or in the record that
// it is made of.
func (u *updates) command(way analyse.Way, f *il.Function, in *il.Instr) {
	if f.Module.Language == "python" {
		if o, ok := in.Argument("update", 1); ok {
			u.inside(way, f, o, in)
		}
		return
	}
	for _, s := range u.Values.ShapesBy(way, f, in.Args[len(in.Args)-1], in) {
		u.opaque = u.opaque || s.Kind != analyse.Map || s.Why != ""
		for _, p := range s.Parts {
			if p.Key == "update" {
				u.inside(along(way, f, p.In), p.In, p.Of, nil)
			}
		}
	}
}

// keywords reads the arguments of a call, but for the first ones, as entries.
func (u *updates) keywords(way analyse.Way, f *il.Function, in *il.Instr, but int) {
	for i, name := range in.Names[min(but, len(in.Names)):] {
		switch o := in.Args[1+but+i]; name {
		case "**":
			u.inside(way, f, o, in)
		case "", "*":
			u.opaque = true
		default:
			u.write(way, analyse.Part{In: f, Of: o, At: in.Span, By: f, Key: name}, in)
		}
	}
}

// note keeps a write once.
func (u *updates) note(w agentgraph.Write, f *il.Function, at il.Span, key string) {
	p := f.Place(at)
	w.Node, w.At = u.node, agentgraph.Place{Path: p.Path, Line: p.Line, End: p.EndLine}
	if u.Entry != nil {
		if entry := u.Entry(p.Path, at, key); entry.Path != "" {
			w.At = entry
		}
	}
	if !slices.ContainsFunc(u.writes, func(o agentgraph.Write) bool {
		return o.Key == w.Key && o.At == w.At && o.Grows == w.Grows && slices.Equal(o.Keys, w.Keys)
	}) {
		u.writes = append(u.writes, w)
	}
}

// sets tells what was put in by setting it on the state itself.
func (u *updates) sets(p analyse.Part) bool {
	return slices.ContainsFunc(u.Written(p.By.Module.Path, int(p.At.From), int(p.At.To)), func(s analyse.Site) bool {
		return s.At.Op == il.Set && u.isState(s.Function, s.At.Args[0])
	})
}

// all notes that the state as a whole is handed back, and what it was changed by.
func (u *updates) all(p analyse.Part, beside []string) {
	class := u.of.Class
	if u.of.Kind == agentgraph.KindTypedDict || u.of.Kind == agentgraph.KindDict {
		class = nil
	} else if class == nil || u.of.Kind != agentgraph.KindBaseModel && u.of.Kind != agentgraph.KindDataclass {
		u.only = nil
	}
	if !u.passes(class) {
		return
	}
	f, at := u.walk.of, u.back.Span
	if p.Rest && p.By != nil && !u.sets(p) && slices.ContainsFunc(u.Written(p.By.Module.Path, int(p.At.From), int(p.At.To)), func(s analyse.Site) bool {
		return s.At.Op == il.Make || s.At.Op == il.Call || s.At.Op == il.Bind
	}) {
		f, at = p.By, p.At
	}
	u.note(agentgraph.Write{Whole: true, Beside: beside}, f, at, "**")
	if u.whole {
		return
	}
	u.whole = true
	u.each(func(w *walk) {
		for b, in := range w.of.Instructions() {
			if w.Values.Dead(w.of, b) {
				continue
			}
			back := u.back
			if w.of != u.walk.of {
				back = nil
			} else if made := w.of.Def(lastOf(in)); made != nil && made.Op == il.Make && len(made.Args) == 0 && len(w.of.Versions[made.Dst].Uses) == 1 {
				back = in // nothing else has it
			}
			u.opaque = u.opaque || w.asksAnother(w.of, in)
			if key, value, ok := w.grown(w.of, in); ok {
				u.note(agentgraph.Write{Key: key, Grows: true, Empty: !slices.ContainsFunc(u.Values.Shapes(w.of, value, in), filled)}, w.of, in.Span, key)
			} else if in.Op == il.Set && (in.Kind == "attr" || in.Kind == "item") && w.isState(w.of, in.Args[0]) {
				key, known := w.of.Str(in.Args[1])
				u.opaque = u.opaque || !known
				if known && !w.grows(w.of, in.Args[2], key) {
					u.write(nil, analyse.Part{In: w.of, Of: in.Args[2], At: in.Span, By: w.of, Key: key}, back)
				}
			}
		}
	})
}

// lastOf is the last operand of an instruction.
func lastOf(in *il.Instr) il.Operand {
	if len(in.Args) == 0 {
		return il.Operand{}
	}
	return in.Args[len(in.Args)-1]
}

// write notes an entry, and what the analyses ask about its value.
func (u *updates) write(way analyse.Way, p analyse.Part, at *il.Instr) {
	if p.In == nil || p.Maybe && p.Of.Kind == il.Opaque || u.grows(p.In, p.Of, p.Key) && u.sets(p) { // it is taken out, or was noted
		return
	}
	w := agentgraph.Write{Key: p.Key, List: true, Echoes: true, Keyed: true}
	shapes := u.Values.ShapesBy(way, p.In, p.Of, at)
	w.Empty = !slices.ContainsFunc(shapes, filled)
	for _, s := range shapes {
		w.List = w.List && s.Kind == analyse.List && slices.ContainsFunc(s.Parts, func(p analyse.Part) bool { return !p.Maybe && !p.Many && !p.Rest })
		w.Keyed = w.Keyed && s.Kind == analyse.Map && s.Why == ""
		for _, e := range s.Parts {
			w.Keyed = w.Keyed && e.Key != ""
			w.Keys = append(w.Keys, e.Key)
			some, every := false, false
			if (e.Rest || s.Kind == analyse.Single) && e.In != nil {
				some, every = u.has(e.In, e.Of, p.Key, 0)
			}
			w.Held, w.Echoes = w.Held || some, w.Echoes && (every || !filled(s))
		}
	}
	if w.Echoes = w.Held && w.Echoes; !w.Keyed {
		w.Keys = nil
	}
	u.note(w, p.By, p.At, p.Key)
}

// filled tells a value that is something, with something in it.
func filled(s analyse.Shape) bool {
	if t, ok := s.Constant(); ok {
		return t != ""
	}
	if s.Kind == analyse.Single && s.Parts[0].In != nil {
		c, ok := s.Parts[0].In.Const(s.Parts[0].Of)
		return !ok || c.Type != il.NoneConst
	}
	return s.Kind == analyse.Single || s.Why != "" || len(s.Parts) > 0
}
