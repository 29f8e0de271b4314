package script

import (
	"regexp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// dest is one destination that a router may choose.
type dest struct {
	key        string
	send, many bool
}

// outcomes are the sets of destinations that a router may return.
type outcomes struct {
	sets     [][]dest
	complete bool
}

func unread() outcomes { return outcomes{} }

func (o outcomes) join(p outcomes) outcomes {
	return outcomes{append(slices.Clone(o.sets), p.sets...), o.complete && p.complete}
}

// addRoute reads addConditionalEdges(source, path, pathMap) and the same as one
// object.
func (w *wirer) addRoute(c syntax.Node) {
	source, path, pathMap := c.Nth("arg", 0), c.Nth("arg", 1), c.Nth("arg", 2)
	if source.Is("record") {
		source, path, pathMap = entry(source, "source"), entry(source, "path"), entry(source, "pathMap")
	}
	from := w.name(source)
	if from == "" || inLoop(c, w.ctor) {
		w.unresolved(c, agentgraph.Unresolved{Route: true})
		return
	}
	r := agentgraph.Route{From: from, At: placeOf(c)}
	r.Guarded, r.When = w.conditions(c)
	got := unread()
	if f := w.function(path, 0); f.Valid() {
		r.Source, r.Router = f, f.Name()
		r.Compares = w.bodies.Tests(w.lowered(f))
		got = w.outcomesOf(f, 0)
		if typed := w.typed(f); !got.complete && typed.complete {
			got = typed
		}
	}
	if pathMap.Valid() {
		w.mapped(c, &r, got, pathMap)
	} else {
		w.direct(c, &r, got)
	}
	w.g.Routes = append(w.g.Routes, r)
}

// into adds the destinations to a route, as the names of nodes.
func (o outcomes) into(r *agentgraph.Route) {
	r.Complete = o.complete
	for _, set := range o.sets {
		var names []string
		for _, d := range set {
			names = append(names, r.Lead(agentgraph.Target{Name: d.key, Send: d.send, Many: d.many}))
		}
		r.Decide(names)
	}
}

// direct takes the destinations as the names of nodes.
func (w *wirer) direct(c syntax.Node, r *agentgraph.Route, got outcomes) {
	got.into(r)
	if !got.complete {
		w.unresolved(c, agentgraph.Unresolved{From: []string{r.From}, Route: true})
	}
	r.Sort()
}

// mapped takes the destinations through a path map: a list of names, or a
// literal from what is returned to names.
func (w *wirer) mapped(c syntax.Node, r *agentgraph.Route, got outcomes, pathMap syntax.Node) {
	if v := w.values(pathMap); len(v) == 1 {
		pathMap = v[0]
	}
	to := map[string]string{}
	ok := pathMap.Is("list", "record")
	if pathMap.Is("record") {
		for e := range pathMap.Children() {
			key, name := e.Name(), w.name(e.Child("value"))
			if k := e.Child("key"); k.Valid() && key == "" {
				key = w.name(k)
			}
			to[key], ok = name, ok && key != "" && name != ""
		}
	} else if names, _, all := w.names(pathMap); all {
		for _, n := range names {
			to[n] = n
		}
	} else {
		ok = false
	}
	if !ok {
		w.direct(c, r, got)
		if r.Complete {
			w.unresolved(c, agentgraph.Unresolved{From: []string{r.From}, Route: true})
		}
		r.Complete = false
		return
	}
	r.Mapped, r.Complete = true, got.complete
	live := map[string]bool{}
	for _, set := range got.sets {
		var names []string
		for _, d := range set {
			name := to[d.key]
			if d.send {
				name = d.key
			}
			if name != "" { // else it is not in the map: the run would fail
				live[name] = true
				names = append(names, r.Lead(agentgraph.Target{Name: name, Send: d.send, Many: d.many}))
			}
		}
		if len(names) > 0 || len(set) == 0 {
			r.Decide(names)
		}
	}
	for _, name := range to {
		if !live[name] {
			r.Lead(agentgraph.Target{Name: name, Dead: r.Complete})
		}
	}
	r.Sort()
}

// outcomesOf reads what a function returns.
func (w *wirer) outcomesOf(f syntax.Node, depth int) outcomes {
	values := returned(f)
	if depth > maxSteps || len(values) == 0 {
		return unread()
	}
	out := outcomes{complete: true}
	for _, v := range values {
		out = out.join(w.value(v, depth+1))
	}
	return out
}

// value reads one value that a router returns.
func (w *wirer) value(n syntax.Node, depth int) outcomes {
	if name := w.name(n); name != "" {
		return outcomes{[][]dest{{{key: name}}}, true}
	}
	switch {
	case depth > maxSteps || !n.Valid():
		return unread()
	case n.Is("cast"), n.Is("unary") && n.Detail() == "await":
		return w.value(n.Child("value"), depth+1)
	case n.Is("ternary"):
		return w.value(n.Child("then"), depth+1).join(w.value(n.Child("else"), depth+1))
	case n.Is("bool"):
		return outcomes{[][]dest{{{key: n.Name()}}}, true}
	case n.Is("list"):
		return w.together(n, depth)
	case n.Is("name"):
		values := w.values(n)
		if len(values) != 1 { // several assignments: an array that is filled, most often
			return unread()
		}
		return w.value(values[0], depth+1)
	case n.Is("call"):
		return w.call(n, depth)
	default:
		return unread()
	}
}

// together reads a list: all of it at once.
func (w *wirer) together(n syntax.Node, depth int) outcomes {
	out := outcomes{[][]dest{{}}, true}
	for e := range n.Children() {
		more := w.value(e, depth+1)
		var sets [][]dest
		for _, a := range out.sets {
			for _, b := range more.sets {
				sets = append(sets, append(slices.Clone(a), b...))
			}
		}
		out = outcomes{sets, out.complete && more.complete && len(sets) < 64}
	}
	return out
}

// call reads new Send("a", state), items.map(x => new Send(...)), and functions
// of the program.
func (w *wirer) call(n syntax.Node, depth int) outcomes {
	callee := n.Child("callee")
	switch {
	case w.is(n, "Send"):
		out := w.value(n.Nth("arg", 0), depth+1)
		for _, set := range out.sets {
			for i := range set {
				set[i].send = true
			}
		}
		return out
	case callee.Is("member") && (callee.Name() == "map" || callee.Name() == "flatMap") && n.Nth("arg", 0).Is("func"):
		each := w.outcomesOf(n.Nth("arg", 0), depth+1)
		set := []dest{}
		for _, s := range each.sets {
			for _, d := range s {
				d.many = d.send
				set = append(set, d)
			}
		}
		return outcomes{[][]dest{set}, each.complete && len(set) > 0}
	}
	return w.outcomesOf(w.target(n), depth+1)
}

// is tells a call of a class of LangGraph.
func (w *wirer) is(call syntax.Node, name string) bool {
	full := w.called(call)
	return strings.HasPrefix(full, library) && strings.HasSuffix(full, "."+name)
}

var (
	single  = regexp.MustCompile(`^(Promise<)?\s*\|?\s*(("[^"]*"|'[^']*'|typeof (END|START))\s*\|?\s*)+>?$`)
	literal = regexp.MustCompile(`"([^"]*)"|'([^']*)'|typeof (END|START)`)
)

// typed reads the destinations from a result type of literals: one of them.
func (w *wirer) typed(f syntax.Node) outcomes {
	text := f.Child("result").Name()
	if !single.MatchString(text) {
		return unread()
	}
	out := outcomes{complete: true}
	for _, m := range literal.FindAllStringSubmatch(text, -1) {
		key := m[1] + m[2]
		switch m[3] {
		case "END":
			key = agentgraph.END
		case "START":
			key = agentgraph.START
		}
		out.sets = append(out.sets, []dest{{key: key}})
	}
	return out
}

// commands adds the routes of nodes that return new Command({goto}) themselves.
func (w *wirer) commands() {
	for _, n := range slices.Clone(w.g.Nodes) {
		f, _ := n.Source.(syntax.Node)
		out, found := outcomes{complete: true}, false
		for _, v := range returned(f) {
			if !v.Is("call") || !w.is(v, "Command") {
				continue
			}
			record := v.Nth("arg", 0)
			if to := entry(record, "goto"); to.Valid() {
				found, out = true, out.join(w.value(to, 0))
			} else if !record.Is("record") {
				found, out.complete = true, false
			}
		}
		if !found {
			continue
		}
		i := slices.IndexFunc(w.g.Routes, func(r agentgraph.Route) bool { return r.From == n.Name && r.Kind == agentgraph.Command })
		if i < 0 {
			w.g.Routes = append(w.g.Routes, agentgraph.Route{From: n.Name, Kind: agentgraph.Command, At: n.Body, Guarded: n.Guarded, Source: n.Source, Router: n.Called, Compares: w.bodies.Tests(w.lowered(f))})
			i = len(w.g.Routes) - 1
			if !out.complete {
				w.unresolved(w.ctor, agentgraph.Unresolved{From: []string{n.Name}, Route: true})
			}
		}
		r := &w.g.Routes[i]
		out.into(r)
		r.Sort()
	}
}
