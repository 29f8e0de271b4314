package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// addRoutes reads a routing call for each of its sources. The router stands at
// position pos, the path map after it.
func (w *wirer) addRoutes(o operation, sources []label, pos int) {
	path := given(o.call, pos, "path", "condition", "router", "fn", "func")
	pathMap := given(o.call, pos+1, "path_map", "mapping", "routes", "conditional_edge_mapping")
	if !path.Valid() {
		w.unresolved(o, o.call.Node, agentgraph.Unresolved{Route: true})
		return
	}
	for _, l := range sources {
		l = w.place(l, true)
		if !w.resolved(l) {
			w.unresolved(o, o.call.Node, agentgraph.Unresolved{From: w.matching(l), Route: true})
			continue
		}
		r := agentgraph.Route{From: l.text, Guarded: o.cond.guarded, At: placeOf(o.call.Node), When: o.cond.when}
		w.decide(o, &r, path, pathMap)
		w.routeThen(o, &r)
		w.addRoute(r)
	}
}

// addRoute adds a route once.
func (w *wirer) addRoute(r agentgraph.Route) {
	for _, old := range w.g.Routes {
		if old.From == r.From && old.At == r.At && old.Kind == r.Kind && slices.Equal(old.Targets, r.Targets) {
			return
		}
	}
	w.g.Routes = append(w.g.Routes, r)
}

// decide fills a route from its router and path map.
func (w *wirer) decide(o operation, r *agentgraph.Route, path, pathMap code.Node) {
	runs := w.runs(path, o.site)
	d := callable(w.p, runs)
	returned := unread()
	if d != nil {
		r.Source, r.Router = d, d.Name
		read := &router{reader: w.reader, active: map[code.Node]bool{}}
		returned = read.outcomesOf(d, w.routerBinds(d, runs, o.site))
		r.Compares = w.bodies.Tests(w.lowered(d))
	}
	if pathMap.Valid() && !pathMap.Is("none") {
		w.mapped(o, r, returned, pathMap)
		return
	}
	if d != nil && d.Returns().Valid() {
		if a := w.annotated(d.Returns()); len(a.sets) > 0 {
			w.annotatedRoute(r, a, returned)
			return
		}
	}
	w.unmapped(o, r, returned)
}

// routerBinds is what partial fixed of the router's parameters.
func (w *wirer) routerBinds(d *code.Definition, runs code.Symbol, s site) []code.Binding {
	bind := code.Binding{}
	params := d.Params()
	if d.Kind == code.DefMethod && len(params) > 0 {
		params = params[1:]
	}
	for i, a := range runs.Bound {
		switch {
		case a.Name != "":
			bind[a.Name] = w.eval(a.Value, s)
		case i < len(params):
			bind[params[i].Name] = w.eval(a.Value, s)
		}
	}
	return append(slices.Clone(s.binds), bind)
}

// unmapped takes the destinations as they are.
func (w *wirer) unmapped(o operation, r *agentgraph.Route, returned outcomes) {
	r.Complete = returned.complete
	for _, set := range returned.sets {
		var names []string
		for _, d := range set {
			l := w.place(label{text: d.key, pattern: strings.Contains(d.key, "*")}, false)
			if !w.resolved(l) {
				w.unresolved(o, o.call.Node, agentgraph.Unresolved{From: []string{r.From}, To: w.matching(l), Route: true})
				continue
			}
			names = append(names, w.target(r, l.text, d, false))
		}
		r.Decide(names)
	}
	if !r.Complete {
		w.unresolved(o, o.call.Node, agentgraph.Unresolved{From: []string{r.From}, Route: true})
	}
	r.Sort()
}

// target adds a target to a route.
func (w *wirer) target(r *agentgraph.Route, name string, d dest, dead bool) string {
	t := agentgraph.Target{Name: name, Send: d.send, Many: d.many, Dead: dead, Selects: d.selects}
	if !dead {
		t.At = d.at
	}
	return r.Lead(t)
}

// mapped takes the destinations through the path map. Sends go past it.
func (w *wirer) mapped(o operation, r *agentgraph.Route, returned outcomes, pathMap code.Node) {
	keys, values, ok := w.pathMap(pathMap, o.site)
	if !ok {
		w.unresolved(o, pathMap, agentgraph.Unresolved{From: []string{r.From}, Route: true})
		w.unmapped(o, r, returned)
		r.Complete = false
		return
	}
	if !returned.complete && w.single(Def(r.Source), keys) {
		returned = outcomes{complete: true}
		for _, k := range keys {
			returned.sets = append(returned.sets, []dest{{key: k}})
		}
	}
	r.Mapped, r.Complete = true, returned.complete
	live := map[string]bool{}
	for _, set := range returned.sets {
		var names []string
		for _, d := range set {
			name := d.key
			if i := slices.Index(keys, d.key); i >= 0 && !d.send {
				name = values[i]
			} else if !d.send {
				if strings.Contains(d.key, "*") {
					r.Complete = false
				}
				continue // not in the map: the run would fail
			} else if w.g.Node(name) == nil {
				continue
			}
			live[name] = true
			names = append(names, w.target(r, name, d, false))
		}
		if len(names) > 0 || len(set) == 0 {
			r.Decide(names)
		}
	}
	r.Map = map[string]string{}
	for i, v := range values {
		w.target(r, v, dest{}, r.Complete && !live[v])
		r.Map[keys[i]] = v
	}
	r.Sort()
}

// single reports whether a router that was not read can return only one key at
// a time: it is annotated to return a string or truth value, or the keys are
// truth values.
func (w *wirer) single(d *code.Definition, keys []string) bool {
	if !slices.ContainsFunc(keys, func(k string) bool { return k != "True" && k != "False" }) {
		return true
	}
	if d == nil || !d.Returns().Valid() {
		return false
	}
	n := d.Returns()
	for n.Is("type") {
		n = n.Child(0)
	}
	s := w.p.Resolve(n)
	return s.Matches("builtins.str", "builtins.bool") || s.Def != nil && w.p.Inherits(s.Def, "enum.*")
}

// pathMap reads a path map: a dictionary, or a list of names.
func (w *wirer) pathMap(n code.Node, s site) (keys, values []string, ok bool) {
	v := w.eval(n, s)
	name := func(v code.Value, source code.Node) string {
		l := w.place(w.labelOf(v, source), false)
		if l.pattern {
			ok = false
		}
		return l.text
	}
	ok = true
	switch v.Kind {
	case code.ValueDict:
		for i, k := range v.Keys {
			for _, c := range v.Items[i].Choices() {
				keys, values = append(keys, w.key(k)), append(values, name(c, n))
			}
		}
	case code.ValueList, code.ValueTuple, code.ValueSet:
		for _, i := range v.Items {
			text := name(i, n)
			keys, values = append(keys, text), append(values, text)
		}
	default:
		return nil, nil, false
	}
	return keys, values, ok && len(values) > 0
}

// key renders the key of a path map the way destinations are.
func (w *wirer) key(v code.Value) string {
	if text, ok := v.Str(); ok {
		return text
	}
	if l := w.labelOf(v, v.Node); !l.pattern {
		return l.text
	}
	return v.String()
}

// routeThen reads "then=": what follows every target of a route.
func (w *wirer) routeThen(o operation, r *agentgraph.Route) {
	a := o.call.Arg("then", -1)
	if !a.Valid() || a.Is("none") {
		return
	}
	for _, l := range w.labels(a, o.site) {
		for _, t := range r.Targets {
			if t.Name != agentgraph.END {
				w.edge(o, label{text: t.Name}, l, agentgraph.Plain, nil)
			}
		}
	}
}
