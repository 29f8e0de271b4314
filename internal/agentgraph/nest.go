package agentgraph

import (
	"fmt"
	"slices"
)

// Unnest puts the nodes of a graph that runs as a node in that node's place, so that
// what runs at the same time is seen across both. A nested graph whose place cannot be
// told that way is wiring that could not be read. The nested graphs stay as they are.
func (r *Reading) Unnest() {
	done := map[*Graph]bool{}
	for _, g := range r.Graphs {
		g.unnest(done)
	}
}

// unnest marks a graph as done before it looks inside, so that graphs that nest each
// other end.
func (g *Graph) unnest(done map[*Graph]bool) {
	if done[g] {
		return
	}
	done[g] = true
	for _, n := range slices.Clone(g.Nodes) {
		sub := n.Nested
		if sub == nil {
			continue
		}
		sub.unnest(done)
		if p := g.plug(n); p != nil {
			p.splice()
			continue
		}
		g.Unresolved = append(g.Unresolved, Unresolved{Expr: fmt.Sprintf("?%s@%s:%d", n.Name, n.At.Path, n.At.Line), Node: true, At: n.At})
	}
	g.Finish()
}

// plug is a nested graph on its way into the graph around it.
type plug struct {
	g, sub  *Graph
	node    Node
	names   map[string]string // of the nested graph's nodes, in the graph around it
	starts  []string          // where it begins
	ends    []string          // where it ends, by an edge or because nothing follows
	decided bool              // a decision may end it
	gate    bool              // the node stays, as the join at the end of what runs in it; so does a function that runs the graph
}

// plug tells how a nested graph stands in its node's place; nil where that cannot be
// told: it is sent to, is one of a pattern, begins with a decision, or never ends.
func (g *Graph) plug(n Node) *plug {
	sub := n.Nested
	p := &plug{g: g, sub: sub, node: n, names: map[string]string{END: n.Name}}
	sent := func(t Target) bool { return t.Name == n.Name && t.Send }
	if n.Pattern || n.Many || sub == g || len(g.Nodes)+len(sub.Nodes) > maxNodes ||
		slices.ContainsFunc(g.Routes, func(r Route) bool { return slices.ContainsFunc(r.Targets, sent) }) {
		return nil
	}
	for _, x := range sub.Nodes {
		p.names[x.Name] = x.Name
		if g.Node(x.Name) != nil {
			p.names[x.Name] = n.Name + ":" + x.Name
		}
	}
	follows := map[string]bool{}
	for _, e := range sub.Edges {
		follows[e.From] = true
		switch {
		case e.From == START && e.To == END:
			return nil
		case e.From == START:
			p.starts = append(p.starts, p.names[e.To])
		case e.To == END:
			p.ends = append(p.ends, p.names[e.From])
		}
	}
	for _, r := range sub.Routes {
		follows[r.From] = true
		p.decided = p.decided || slices.ContainsFunc(r.Targets, func(t Target) bool { return t.Name == END })
		if r.From == START {
			return nil
		}
	}
	for _, x := range sub.Nodes {
		if !follows[x.Name] {
			p.ends = append(p.ends, p.names[x.Name])
		}
	}
	p.starts, p.ends = sortedNames(p.starts), sortedNames(p.ends)
	p.gate = p.decided || n.Source != nil || len(p.ends) > 1 && slices.ContainsFunc(g.Routes, func(r Route) bool { return r.From == n.Name })
	if len(p.starts) == 0 || len(p.ends) == 0 && !p.gate {
		return nil
	}
	return p
}

func sortedNames(in []string) []string {
	slices.Sort(in)
	return slices.Compact(in)
}

// shares tells a nested graph that works on the state of the graph around it.
func (p *plug) shares() bool { return p.sub.Schema == p.g.Schema && p.node.Source == nil }

// splice moves the nested graph in.
func (p *plug) splice() {
	g, at := p.g, p.node.Name
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n Node) bool { return n.Name == at })
	if p.gate {
		end := p.node
		end.Nested, end.Gate, end.Idle = nil, true, true
		g.Nodes = append(g.Nodes, end)
	}
	for _, n := range p.sub.Nodes {
		n.Name, n.Guarded = p.names[n.Name], n.Guarded || p.node.Guarded
		if !p.shares() && n.Within == nil {
			n.Within = p.sub
		}
		g.Nodes = append(g.Nodes, n)
	}
	p.around()
	p.within()
	g.Ops.RetryPolicy = Places(append(g.Ops.RetryPolicy, p.sub.Ops.RetryPolicy...)...)
	for _, w := range p.sub.Waits {
		w.Node = p.names[w.Node]
		g.Waits = append(g.Waits, w)
	}
	if !p.shares() {
		return
	}
	for _, w := range p.sub.Writes {
		w.Node = p.names[w.Node]
		g.Writes = append(g.Writes, w)
	}
	for _, a := range p.sub.Reads {
		a.Node = p.names[a.Node]
		g.Reads = append(g.Reads, a)
	}
}

// around leads what led to the node to where the nested graph begins, and what followed
// it from where that ends.
func (p *plug) around() {
	at := p.node.Name
	ends := p.ends
	if p.gate {
		ends = []string{at}
	}
	swap := func(names, by []string) []string {
		i := slices.Index(names, at)
		if i < 0 {
			return names
		}
		return sortedNames(slices.Concat(names[:i], by, names[i+1:]))
	}
	var edges []Edge
	for _, e := range p.g.Edges {
		if e.Sources = swap(slices.Clone(e.Sources), ends); e.From == at && len(ends) > 1 {
			e.Kind = Barrier
			if e.Sources == nil {
				e.Sources = ends
			}
		}
		for _, from := range swap([]string{e.From}, ends) {
			for _, to := range swap([]string{e.To}, p.starts) {
				e.From, e.To = from, to
				edges = append(edges, e)
			}
		}
	}
	p.g.Edges = edges
	for i := range p.g.Routes {
		r := &p.g.Routes[i]
		r.From = swap([]string{r.From}, ends)[0]
		var targets []Target
		for _, t := range r.Targets {
			for _, to := range swap([]string{t.Name}, p.starts) {
				t.Name = to
				targets = append(targets, t)
			}
		}
		r.Targets = targets
		for k, o := range r.Outcomes {
			r.Outcomes[k] = swap(o, p.starts)
		}
	}
	for i := range p.g.Unresolved {
		u := &p.g.Unresolved[i]
		u.From, u.To = swap(u.From, ends), swap(u.To, p.starts)
	}
}

// within takes over the wiring of the nested graph itself.
func (p *plug) within() {
	rename := func(names []string) (out []string) {
		for _, n := range names {
			out = append(out, p.names[n])
		}
		return out
	}
	for _, e := range p.sub.Edges {
		if e.From == START || e.To == END {
			continue
		}
		e.From, e.To, e.Sources = p.names[e.From], p.names[e.To], rename(e.Sources)
		p.g.Edges = append(p.g.Edges, e)
	}
	for _, n := range p.ends {
		e := Edge{From: n, To: p.node.Name, At: p.node.At}
		if len(p.ends) > 1 && !p.decided {
			e.Kind, e.Sources = Barrier, p.ends
		}
		if p.gate {
			p.g.Edges = append(p.g.Edges, e)
		}
	}
	for _, r := range p.sub.Routes {
		r.From, r.Targets, r.Outcomes = p.names[r.From], slices.Clone(r.Targets), slices.Clone(r.Outcomes)
		for i := range r.Targets {
			r.Targets[i].Name = p.names[r.Targets[i].Name]
		}
		for i, o := range r.Outcomes {
			r.Outcomes[i] = sortedNames(rename(o))
		}
		p.g.Routes = append(p.g.Routes, r)
	}
	for _, u := range p.sub.Unresolved {
		if !u.Node {
			u.From, u.To = rename(orAll(u.From, p.own())), rename(orAll(u.To, p.own()))
		}
		p.g.Unresolved = append(p.g.Unresolved, u)
	}
}

// own are the nodes of the nested graph, as it names them.
func (p *plug) own() (out []string) {
	for _, n := range p.sub.Nodes {
		out = append(out, n.Name)
	}
	return out
}
