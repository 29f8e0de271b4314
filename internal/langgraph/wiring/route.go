package wiring

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// addRoutes reads a routing call for each of its sources. The router stands at position
// pos, the path map after it.
func (w *wirer) addRoutes(o *operation, sources []label, pos int) {
	path := o.given(pos, "path", "condition", "router", "fn", "func")
	pathMap := o.given(pos+1, "path_map", "mapping", "routes", "conditional_edge_mapping")
	if path == nil {
		w.unresolved(o, agentgraph.Unresolved{Route: true})
		return
	}
	for _, l := range sources {
		when := w.and(o.when, l.when)
		l = w.place(l, true)
		if when == never {
			continue
		}
		if !w.resolved(l) {
			w.unresolved(o, agentgraph.Unresolved{From: w.matching(l), Route: true})
			continue
		}
		r := agentgraph.Route{From: l.text, At: w.Place(o.at.f, o.at.in.Span)}
		w.fill(o, &r, path, pathMap)
		w.then(o, &r)
		w.addRoute(r, when)
	}
}

// addRoute adds a route once.
func (w *wirer) addRoute(r agentgraph.Route, when cond) {
	for i, old := range w.g.Routes {
		if old.From == r.From && old.At == r.At && old.Kind == r.Kind && slices.Equal(old.Targets, r.Targets) {
			w.routes[i] = w.or(w.routes[i], when)
			return
		}
	}
	w.routes[len(w.g.Routes)] = when
	w.g.Routes = append(w.g.Routes, r)
}

// fill fills a route from its router and path map.
func (w *wirer) fill(o *operation, r *agentgraph.Route, path, pathMap value) {
	var runs *il.Function
	returned := outcomes{}
	for _, a := range path {
		f, _ := w.callable(a.thing)
		if f == nil {
			continue
		}
		runs = f.fn
		r.Source, _, r.Router = w.Source(runs, nil)
		if s, ok := r.Source.(interface{ Router() any }); ok {
			r.Source = s.Router()
		}
		returned = w.outcomesOf(w.asked(a.thing))
		r.Compares = w.Tests(runs)
		break
	}
	if pathMap != nil && !pathMap.only().none() {
		w.byMap(o, r, runs, returned, pathMap)
		return
	}
	if a := w.annotated(runs, false); len(a.sets) > 0 && (!w.Camel || !returned.complete) {
		w.declared(r, a, returned)
		return
	}
	w.unmapped(o, r, returned)
}

// unmapped takes the destinations as they are.
func (w *wirer) unmapped(o *operation, r *agentgraph.Route, returned outcomes) {
	r.Complete = returned.complete
	for _, set := range returned.sets {
		var names []string
		for _, d := range set.dests {
			l := w.place(label{text: d.key, pattern: strings.Contains(d.key, "*")}, false)
			if !w.resolved(l) {
				w.unresolved(o, agentgraph.Unresolved{From: []string{r.From}, To: w.matching(l), Route: true})
				continue
			}
			names = append(names, w.target(r, l.text, d, false))
		}
		r.Decide(names)
	}
	if !r.Complete {
		w.unresolved(o, agentgraph.Unresolved{From: []string{r.From}, Route: true})
	}
	r.Sort()
}

// target adds a target to a route.
func (w *wirer) target(r *agentgraph.Route, name string, d dest, dead bool) string {
	t := agentgraph.Target{Name: name, Send: d.send, Many: d.many, Dead: dead}
	if d.many {
		t.Selects = d.selects
	}
	if !dead {
		t.At = d.at
	}
	return r.Lead(t)
}

// byMap takes the destinations through the path map. Sends go past it.
func (w *wirer) byMap(o *operation, r *agentgraph.Route, runs *il.Function, returned outcomes, pathMap value) {
	keys, values, ok := w.pathMap(pathMap)
	if !ok {
		w.unresolved(o, agentgraph.Unresolved{From: []string{r.From}, Route: true})
		w.unmapped(o, r, returned)
		r.Complete = false
		return
	}
	if !returned.complete && w.single(runs, keys) {
		returned = outcomes{complete: true}
		for _, k := range keys {
			returned.sets = append(returned.sets, outcome{[]dest{{key: k}}, always})
		}
	}
	r.Mapped, r.Complete = true, returned.complete
	live := map[string]bool{}
	for _, set := range returned.sets {
		var names []string
		for _, d := range set.dests {
			name := d.key
			if i := slices.Index(keys, d.key); i >= 0 && !d.send {
				name = values[i]
			} else if !d.send {
				r.Complete = r.Complete && !strings.Contains(d.key, "*")
				continue // not in the map: the run would fail
			} else if w.g.Node(name) == nil {
				continue
			}
			live[name] = true
			names = append(names, w.target(r, name, d, false))
		}
		if len(names) > 0 || len(set.dests) == 0 {
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

// single reports whether a router that was not read can return only one key at a time: it
// is declared to return a text or truth value, or the keys are truth values.
func (w *wirer) single(f *il.Function, keys []string) bool {
	if !slices.ContainsFunc(keys, func(k string) bool { return k != "True" && k != "False" }) {
		return true
	}
	if f == nil || len(f.Results) == 0 {
		return false
	}
	t := strings.Trim(f.Results[0], `"' :`)
	if slices.Contains([]string{"str", "bool", "string", "boolean"}, t) {
		return true
	}
	c := w.Names.Type(f, t)
	return c != nil && w.enumeration(w.classOf(c))
}

// pathMap reads a path map: a table, or a list of names.
func (w *wirer) pathMap(v value) (keys, values []string, ok bool) {
	ok = true
	name := func(v value) string {
		l := w.place(v.only().label(), false)
		ok = ok && !l.pattern
		return l.text
	}
	t := v.only()
	switch {
	case t.is(table):
		for _, e := range t.obj.items {
			for _, a := range e.value {
				k := e.key.only()
				key := rendered(k)
				if n := k.terminal(); n != "" {
					key = n
				}
				ok = ok && (k.kind == constant || k.terminal() != "")
				keys, values = append(keys, key), append(values, name(one(a.thing)))
			}
		}
	case t.is(list):
		for _, i := range t.obj.items {
			text := name(i.value)
			keys, values = append(keys, text), append(values, text)
		}
	default:
		return nil, nil, false
	}
	return keys, values, ok && len(values) > 0 && !t.obj.open
}

// then reads "then=": what follows every target of a route.
func (w *wirer) then(o *operation, r *agentgraph.Route) {
	v := o.given(-1, "then")
	if v == nil {
		return
	}
	for _, l := range w.labels(v) {
		for _, t := range r.Targets {
			if t.Name != agentgraph.END {
				w.edge(o, label{text: t.Name, when: always}, l, agentgraph.Plain, nil)
			}
		}
	}
}

// declared takes the targets from what a router is declared to return; what it returns
// tells which of them go together.
func (w *wirer) declared(r *agentgraph.Route, annotation, returned outcomes) {
	known := map[string]bool{}
	for _, set := range annotation.sets {
		for _, d := range set.dests {
			l := w.place(label{text: d.key}, false)
			known[l.text] = true
			w.target(r, l.text, dest{}, false)
		}
	}
	source := returned
	if !returned.complete {
		source = annotation
		source.complete = true
	}
	r.Complete = source.complete
	for _, set := range source.sets {
		var names []string
		for _, d := range set.dests {
			l := w.place(label{text: d.key}, false)
			if known[l.text] || d.send && w.g.Node(l.text) != nil {
				names = append(names, w.target(r, l.text, d, false))
			}
		}
		r.Decide(names)
	}
	for _, set := range returned.sets { // Sends are not named in a type
		for _, d := range set.dests {
			if d.send && !known[d.key] && w.g.Node(d.key) != nil {
				w.target(r, d.key, d, false)
			}
		}
	}
	r.Sort()
}

// addCommands reads the routes that nodes take themselves, by returning a Command or by
// declaring that they do.
func (w *wirer) addCommands() {
	for _, n := range slices.Clone(w.g.Nodes) {
		t := w.runs[n.Name]
		if t == nil {
			continue
		}
		annotation := w.annotated(t.fn, true)
		var returned outcomes
		found := false
		if w.commands(t.fn, 0) {
			returned, found = w.gotos(w.asked(t))
		}
		if !found && len(annotation.sets) == 0 {
			continue
		}
		i := slices.IndexFunc(w.g.Routes, func(r agentgraph.Route) bool { return r.From == n.Name && r.Kind == agentgraph.Command })
		r := agentgraph.Route{From: n.Name, Kind: agentgraph.Command, Source: n.Source, Router: n.Called, At: n.Body, Compares: w.Tests(t.fn)}
		if s, ok := r.Source.(interface{ Router() any }); ok {
			r.Source = s.Router()
		}
		if i >= 0 {
			r = w.g.Routes[i]
		}
		if len(annotation.sets) > 0 {
			w.declared(&r, annotation, returned)
		} else {
			w.unmapped(&operation{name: "Command", at: place{t.fn, &il.Instr{Span: t.fn.Span}}}, &r, returned)
		}
		switch {
		case i >= 0:
			w.g.Routes[i] = r
		case len(r.Targets) > 0 || !r.Complete:
			w.addRoute(r, w.nodes[n.Name])
		}
	}
}

// commands tells a function that may return a command: it makes one, or what it calls does.
func (w *wirer) commands(f *il.Function, depth int) bool {
	for _, in := range f.Instructions() {
		if in.Op != il.Call {
			continue
		}
		name, own := w.Names.Called(f, in)
		if strings.HasPrefix(name, w.Library) && last(name) == "Command" {
			return true
		}
		if own != nil && own.Kind != il.ClassBody && depth < 4 && own != f && w.commands(own, depth+1) {
			return true
		}
	}
	return false
}

// gotos are the destinations of the commands among what a function returns; found is false
// where there is none.
func (w *wirer) gotos(v value) (out outcomes, found bool) {
	out.complete = true
	for _, a := range v {
		if !a.named(w.Library, "Command") {
			continue
		}
		found = true
		o := operation{args: a.args, names: a.names}
		to := o.given(3, "goto")
		if t := o.given(0); w.Camel && t != nil {
			to = nil
			for _, e := range t.only().entries() {
				if s, _ := e.key.only().str(); s == "goto" {
					to = e.value
				}
			}
			out.complete = out.complete && t.only().is(table)
		}
		if to == nil {
			out.join(outcomes{sets: []outcome{{when: a.when}}, complete: !slices.Contains(a.names, "**")})
			continue
		}
		out.join(w.outcomesOf(w.under(to, a.when)))
	}
	return out, found
}
