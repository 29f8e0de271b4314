package wiring

import (
	"slices"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// builderNames are the names of LangGraph's builders.
var builderNames = []string{"StateGraph", "MessageGraph", "Graph"}

// wiringMethods return their builder, so that calls can be chained.
var wiringMethods = []string{
	"add_node", "add_edge", "add_edges", "add_conditional_edges", "add_conditional_edge", "add_sequence",
	"set_entry_point", "set_finish_point", "set_conditional_entry_point", "add_nodes",
}

// runMethods run a compiled graph.
var runMethods = []string{"invoke", "ainvoke", "stream", "astream", "batch", "abatch", "astream_events", "astream_log", "run", "stream_events"}

// Runs tells a method that runs a compiled graph.
func Runs(name string) bool { return slices.Contains(runMethods, name) }

// maxOps bounds the calls that wire one builder.
const maxOps = 1024

// snake writes a name as Python's library has it.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (x *machine) wires(name string) bool {
	return slices.Contains(wiringMethods, name) || x.Camel && slices.Contains(wiringMethods, snake(name))
}

// built is one builder that a run made.
type built struct {
	at       place
	from     origin
	args     []value
	names    []string
	frame    *frame // around the call
	when     cond   // under which it is made
	stack    []*frame
	ops      []*operation
	touched  []touched
	compiles []*operation
	invokes  []*operation
	others   []*built // that are the same graph
	apart    bool     // what wires it elsewhere makes others of the same call
}

// origin is whose builder it is.
type origin struct {
	provenance agentgraph.Provenance
	note       string
	class      *thing
}

// operation is a call on a builder.
type operation struct {
	name  string
	at    place
	args  []value
	names []string
	when  cond
	stack []*frame
	of    *built // where others are the same graph
	turn  string // which turns of the loops around it
}

// touched is a change to a builder that goes past its methods.
type touched struct {
	at   place
	keys value // of the nodes that are taken out
}

// builderOf says what builder a call of something makes; nil when none.
func (x *machine) builderOf(callee value) *origin {
	var out *origin
	var stub string
	for _, a := range callee {
		switch a.kind {
		case class:
			switch p := x.builderClass(a.thing); {
			case p == "":
			case out == nil || p == agentgraph.FromLangGraph || out.provenance == agentgraph.ProvenanceUnknown:
				out = &origin{provenance: p, class: a.thing}
			}
			if x.builderClass(a.thing) != agentgraph.FromLangGraph {
				stub = x.Qualified(a.fn)
			}
		case outside:
			switch {
			case a.named(x.Library, builderNames...):
				out = &origin{provenance: agentgraph.FromLangGraph}
			case last(a.name) == "StateGraph" && !x.Camel && (out == nil):
				out = &origin{provenance: agentgraph.ProvenanceUnknown}
			}
		default:
		}
	}
	if out != nil && out.provenance != agentgraph.FromHome && stub != "" {
		out.note = "a class of the repository stands in when the import fails: " + stub
	}
	return out
}

// builderClass says whether a class of the program is a builder: one below LangGraph's, or a
// home-made class called StateGraph with methods for nodes and edges. "" for every other.
func (x *machine) builderClass(t *thing) agentgraph.Provenance {
	for _, above := range x.Names.Above(t.fn) {
		if strings.HasPrefix(above, x.Library) && slices.Contains(builderNames, last(above)) {
			return agentgraph.FromLangGraph
		}
	}
	name := last(t.fn.Name)
	home := name == "StateGraph" || name == "MessageGraph" || slices.ContainsFunc(x.bases(t), func(b *thing) bool { return last(b.fn.Name) == "StateGraph" })
	if !home || x.Camel || x.Names.Method(t.fn, "add_node") == nil {
		return ""
	}
	for _, edge := range []string{"add_edge", "add_edges", "add_conditional_edge", "add_conditional_edges"} {
		if x.Names.Method(t.fn, edge) != nil {
			return agentgraph.FromHome
		}
	}
	return ""
}

// construct makes a builder.
func (x *machine) construct(fr *frame, in *il.Instr, from *origin, args []value, names []string) value {
	b := &built{at: place{fr.f, in}, from: *from, args: args, names: names, frame: fr, when: fr.now, stack: slices.Clone(x.stack)}
	x.built = append(x.built, b)
	o := &thing{kind: object, obj: &record{form: graph, built: b, class: from.class, fields: map[string]value{}, depth: len(x.turns)}, at: b.at}
	if from.class != nil && from.provenance != agentgraph.FromHome {
		x.initialise(fr, o, args, names, in)
	}
	return one(o)
}

// operation notes a call with its arguments, those of a record at the end under their names.
func (x *machine) operation(fr *frame, in *il.Instr, name string, args []value, names []string) *operation {
	o := &operation{name: name, at: place{fr.f, in}, args: slices.Clone(args), names: slices.Clone(names), when: x.here(fr, in), stack: slices.Clone(x.stack), turn: x.where()}
	if n := len(args); x.Camel && n > 0 && args[n-1].only().is(table) && !(n == 1 && strings.HasPrefix(name, "add_node") || name == "add_sequence" || name == "add_conditional_edges" && n == 3) {
		for _, e := range args[n-1].only().obj.items {
			if s, ok := e.key.only().str(); ok {
				o.args, o.names = append(o.args, e.value), append(o.names, snake(s))
			}
		}
		if n == 1 {
			o.args, o.names = o.args[1:], o.names[1:]
		}
	}
	return o
}

// onBuilder calls a method of a builder.
func (x *machine) onBuilder(fr *frame, in *il.Instr, t *thing, args []value, names []string) value {
	b, name := t.self.obj.built, t.name
	if x.Camel {
		name = snake(name)
	}
	switch {
	case slices.Contains(wiringMethods, name) && len(b.ops) >= maxOps:
		x.spent = true
		return one(t.self)
	case slices.Contains(wiringMethods, name):
		b.ops = append(b.ops, x.operation(fr, in, name, args, names))
		return one(t.self)
	case name == "compile":
		b.compiles = append(b.compiles, x.operation(fr, in, name, args, names))
		return one(&thing{kind: object, obj: &record{form: compiled, built: b, fields: map[string]value{}}})
	case slices.Contains([]string{"with_config", "validate", "copy"}, name):
		return one(t.self)
	case slices.Contains(runMethods, name):
		b.invokes = append(b.invokes, x.operation(fr, in, name, args, names))
	}
	return one(unknownOf(""))
}

// onGraph calls a method of a compiled graph.
func (x *machine) onGraph(fr *frame, in *il.Instr, t *thing, args []value, names []string) value {
	name := t.name
	if x.Camel {
		name = snake(name)
	}
	switch {
	case name == "with_config":
		t.self.obj.built.invokes = append(t.self.obj.built.invokes, x.operation(fr, in, name, args, names))
		return one(t.self)
	case slices.Contains(runMethods, name):
		t.self.obj.built.invokes = append(t.self.obj.built.invokes, x.operation(fr, in, name, args, names))
	}
	return one(unknownOf(""))
}

// touch notes a change past the methods of a builder.
func (x *machine) touch(fr *frame, t *thing, in *il.Instr, keys value) {
	t.obj.built.touched = append(t.obj.built.touched, touched{place{fr.f, in}, keys})
}

// lose notes wiring of something that is not known.
func (x *machine) lose(fr *frame, in *il.Instr) { x.lost[in] = place{fr.f, in} }
