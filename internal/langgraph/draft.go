package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// draft is a graph while its operations are collected.
type draft struct {
	ctor    code.Node
	chain   []code.Node // wrapper calls that make it a graph of its own
	ops     []operation
	touched []touch // uses of the builder that are no wiring
	compile []*code.Call
	invoke  []*code.Call
}

// draftList is all drafts of a program, in the order in which they were met.
type draftList []*draft

// of returns the draft of what was found, a new one the first time.
func (all *draftList) of(f found) *draft {
	for _, d := range *all {
		if d.ctor == f.ctor && slices.Equal(d.chain, f.chain) {
			return d
		}
	}
	d := &draft{ctor: f.ctor, chain: f.chain}
	*all = append(*all, d)
	return d
}

// touch is a change to a builder that goes past its methods.
type touch struct {
	n     code.Node
	names []string // nodes that are taken out; nil: anything may change
}

// runMethods run a compiled graph.
var runMethods = []string{"invoke", "ainvoke", "stream", "astream", "batch", "abatch", "astream_events", "astream_log", "run"}

// drafts collects what is done to each constructor's builder, apart for each
// chain of wrappers that returns it.
func (r *reader) drafts() []*draft {
	var all draftList
	var lost []*code.Call // wiring on something that was not traced
	r.eachCall(func(c *code.Call) {
		if r.p.Dead(c.Node) {
			return
		}
		if r.constructs(c.Node) != nil {
			all.of(found{ctor: c.Node})
		}
		name, receiver := c.Name, c.Receiver
		if !receiver.Valid() {
			if name, receiver = r.boundMethod(c.Node.Field("function")); name == "" {
				return
			}
		}
		switch {
		case slices.Contains(wiringMethods, name):
			if !r.wire(&all, c, name, receiver) && r.mayBuild(receiver) {
				lost = append(lost, c)
			}
		case c.Name == "compile":
			for _, f := range r.trace(c.Receiver, nil) {
				d := all.of(f)
				d.compile = append(d.compile, c)
			}
		case slices.Contains(runMethods, c.Name):
			for _, f := range r.trace(c.Receiver, nil) {
				d := all.of(f)
				d.invoke = append(d.invoke, c)
			}
		}
	})
	r.touches(all)
	for _, d := range all {
		for _, c := range lost {
			if c.Node.Module() == d.ctor.Module() {
				d.touched = append(d.touched, touch{n: c.Node})
			}
		}
	}
	return all
}

// wire adds a call of a wiring method to the builders that its receiver may be
// and reports whether there are any.
func (r *reader) wire(all *draftList, c *code.Call, name string, receiver code.Node) bool {
	traced := len(r.trace(receiver, nil)) > 0
	for _, o := range r.operations(c) {
		o.name = name
		for _, f := range r.trace(receiver, o.site.fr) {
			traced = true
			if !f.compiled {
				d := all.of(f)
				d.ops = append(d.ops, o)
			}
		}
	}
	return traced
}

// boundMethod returns the method and the object of "add = g.add_node" when
// the name is called.
func (r *reader) boundMethod(n code.Node) (name string, object code.Node) {
	if !n.Is("identifier") {
		return "", code.Node{}
	}
	for d := r.p.Enclosing(n); d != nil; d = d.Parent {
		for _, v := range assigned(d, n.Text(), n) {
			if method := v.Field("attribute").Text(); v.Is("attribute") && slices.Contains(wiringMethods, method) {
				return method, v.Field("object")
			}
		}
	}
	return "", code.Node{}
}

// mayBuild reports whether an object that is wired but was not traced may be a
// builder: nothing is known of it.
func (r *reader) mayBuild(receiver code.Node) bool {
	s := r.p.Resolve(receiver)
	return !s.Known() || langgraphBuilder(s)
}

// eachCall visits the calls outside vendored and generated code, by place.
func (r *reader) eachCall(visit func(*code.Call)) {
	for _, m := range r.p.Modules {
		if m.Shadowed || m.Scope == code.ScopeVendor || m.Scope == code.ScopeGenerated {
			continue
		}
		for _, c := range m.Calls() {
			visit(c)
		}
	}
}

// operations returns a wiring call at each site at which it runs.
func (r *reader) operations(c *code.Call) []operation {
	var out []operation
	for _, s := range r.sites(c.Node) {
		if cond := r.guards(c.Node, s); !cond.never {
			out = append(out, operation{call: c, site: s, cond: cond})
		}
	}
	return out
}

// touches looks for changes that go past the builder's methods: its tables of
// nodes and edges, and functions that were not resolved.
func (r *reader) touches(drafts []*draft) {
	note := func(receiver, n code.Node, names []string) {
		for _, f := range r.trace(receiver, nil) {
			for _, d := range drafts {
				if d.ctor == f.ctor && !f.compiled {
					d.touched = append(d.touched, touch{n: n, names: names})
				}
			}
		}
	}
	r.eachCall(func(c *code.Call) {
		if object, ok := tableOf(c.Receiver); ok && slices.Contains([]string{"pop", "clear", "update", "add", "discard", "remove"}, c.Name) {
			var names []string
			if c.Name == "pop" {
				names = r.constantName(c.Arg("", 0))
			}
			note(object, c.Node, names)
		}
		if r.mayWire(c) {
			for _, a := range c.Args {
				if a.Value.Is("identifier", "attribute") {
					note(a.Value, c.Node, nil)
				}
			}
		}
	})
	var seen []*code.Module
	for _, d := range drafts {
		if m := d.ctor.Module(); !slices.Contains(seen, m) {
			seen = append(seen, m)
			r.touchesIn(m, note, func(b code.Node) {
				for _, d := range drafts {
					if d.ctor.Module() == m {
						d.touched = append(d.touched, touch{n: b})
					}
				}
			})
		}
	}
}

// harmless are packages whose functions do not wire what they are given.
var harmless = []string{
	"builtins.*", "typing.*", "langgraph*", "langchain*", "langsmith*", "logging.*", "json.*", "pprint.*", "inspect.*", "functools.*",
	"contextlib.*", "copy.*", "weakref.*", "asyncio.*", "unittest.*", "pytest.*", "rich.*", "IPython.*", "streamlit.*", "fastapi.*", "pickle.*", "time.*",
}

// mayWire reports whether a call may wire a builder that it is given: its
// function is not first-party and not known to leave it alone. First-party
// functions are followed.
func (r *reader) mayWire(c *code.Call) bool {
	switch {
	case slices.Contains(wiringMethods, c.Name) || slices.Contains([]string{"append", "add", "set", "put", "info", "debug"}, c.Name):
		return false
	case !c.Callee.Known():
		return !c.Receiver.Valid() || !r.p.Resolve(c.Receiver).Known() && c.Name != "update"
	default:
		return c.Callee.External && !c.Callee.Matches(harmless...)
	}
}

// builderTables are the attributes of a builder that hold its wiring.
var builderTables = []string{"nodes", "edges", "branches"}

// tableOf returns the builder of "builder.nodes".
func tableOf(n code.Node) (code.Node, bool) {
	return n.Field("object"), n.Is("attribute") && slices.Contains(builderTables, n.Field("attribute").Text())
}

// touchesIn looks through a file for wiring that could not be parsed, wiring
// methods that are handed on, and deletions from a builder's tables.
func (r *reader) touchesIn(m *code.Module, note func(receiver, n code.Node, names []string), broken func(code.Node)) {
	for _, b := range m.Broken() {
		if slices.ContainsFunc(wiringMethods, func(name string) bool { return strings.Contains(b.Text(), name+"(") }) {
			broken(b)
		}
	}
	for n := range m.Root().Walk() {
		if n.Is("attribute") && r.passedMethod(n) {
			note(n.Field("object"), n, nil)
		}
		if !n.Is("delete_statement") {
			continue
		}
		for s := range n.Walk() {
			if object, ok := tableOf(s.Field("value")); ok && s.Is("subscript") {
				note(object, n, r.constantName(s.Field("subscript")))
			}
		}
	}
}

// constantName returns the name that an expression is, as a list; nil when it
// is not known.
func (r *reader) constantName(n code.Node) []string {
	if name, ok := r.p.Eval(n).Str(); ok {
		return []string{name}
	}
	return nil
}

// passedMethod reports whether a wiring method is neither called nor bound to
// a name: it is handed to code that may call it.
func (r *reader) passedMethod(n code.Node) bool {
	return slices.Contains(wiringMethods, n.Field("attribute").Text()) &&
		n.FieldName() != "function" && !(n.FieldName() == "right" && n.Parent().Is("assignment"))
}
