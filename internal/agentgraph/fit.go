package agentgraph

import (
	"fmt"
	"slices"
)

// Undeclared looks for keys that nodes write and the state type lacks, and for
// keys that they read although no type declares them, no node writes them and
// no run is given them.
func (g *Graph) Undeclared() Answer {
	s := g.State
	if s == nil {
		return Answer{Reason: "the state was not resolved"}
	}
	if s.Kind == KindDict || s.Kind == KindNone {
		return Answer{Value: No, Reason: "the state declares no keys"}
	}
	if s.Kind == KindUnknown || s.Open {
		return Answer{Reason: "the fields of the state were not all resolved"}
	}
	written := g.collect(len(g.Writes), func(i int) (Item, Truth, string) {
		wr := g.Writes[i]
		if i > 0 && g.Writes[i-1].Node == wr.Node && g.Writes[i-1].Key == wr.Key {
			return Item{}, No, ""
		}
		item := Item{Nodes: []string{wr.Node}, At: []Place{wr.At}, Reason: fmt.Sprintf("%s writes %s, which %s lacks", wr.Node, wr.Key, s.Name),
			Shared: []shared{{wr.Node + " writes ", ", which " + s.Name + " lacks", []string{wr.Key}}, {"", " write " + wr.Key + ", which " + s.Name + " lacks", []string{wr.Node}}}}
		return item, Decided(!wr.Whole && s.Field(wr.Key) == nil), ""
	})
	seen := map[[2]string]bool{}
	read := g.collect(len(g.Reads), func(i int) (Item, Truth, string) {
		a := g.Reads[i]
		id := [2]string{a.Who, a.Key}
		if a.Known || seen[id] {
			return Item{}, No, ""
		}
		seen[id] = true
		if a.Doubt {
			return Item{}, Unknown, fmt.Sprintf("%s reads %s, which %s lacks; whether something gives it could not be told", a.Who, a.Key, s.Name)
		}
		so := ", which " + s.Name + " lacks and nothing gives"
		if a.Given {
			so = ", which " + s.Name + " lacks: LangGraph drops what a run is given under that key"
		}
		return Item{Nodes: []string{a.Node}, At: []Place{a.At}, Reason: a.Who + " reads " + a.Key + so,
			Shared: []shared{{a.Who + " reads ", so, []string{a.Key}}, {"", " read " + a.Key + so, []string{a.Who}}}}, Yes, ""
	})
	return either(written, read)
}

// either unites two searches for flaws.
func either(a, b Answer) Answer {
	switch {
	case a.Value == Yes && b.Value == Yes:
		a.Items = append(a.Items, b.Items...)
		return a
	case b.Value == Yes, a.Value == No:
		return b
	default:
		return a
	}
}

// WholeState looks for nodes that return the whole state, or what a field has
// already, although the field adds up and something was written there before,
// so that its entries double. The item names the node, then the earlier one.
func (g *Graph) WholeState() Answer {
	if len(g.Nodes) > maxNodes {
		return Answer{Reason: fmt.Sprintf("more than %d nodes", maxNodes)}
	}
	if g.State == nil {
		return Answer{Reason: "the state was not resolved"}
	}
	seen := map[string]bool{}
	return g.collect(len(g.Writes), func(i int) (Item, Truth, string) {
		wr := g.Writes[i]
		if !wr.Whole && !wr.Held || seen[wr.Node] {
			return Item{}, No, ""
		}
		doubt := ""
		for _, f := range g.State.Fields {
			what := "the whole state"
			if !wr.Whole {
				what = "what " + f.Name + " has already"
			}
			if f.Reducer.Kind != ReducerAdd || !wr.Whole && wr.Key != f.Name || wr.Whole && slices.Contains(wr.Beside, f.Name) {
				continue
			}
			from, value, why := g.filled(f.Name, wr.Node)
			if value == Yes {
				seen[wr.Node] = true
				doubles := fmt.Sprintf(" %s, so that entries of %s double, such as those of %s", what, f.Name, Label(from))
				return Item{Nodes: []string{wr.Node, from}, At: []Place{wr.At}, Reason: wr.Node + " returns" + doubles,
					Shared: []shared{{"", " return" + doubles, []string{wr.Node}}}}, Yes, ""
			}
			if value == Unknown {
				doubt = fmt.Sprintf("%s returns %s; %s", wr.Node, what, why)
			}
		}
		if doubt != "" {
			return Item{}, Unknown, doubt
		}
		return Item{}, No, ""
	})
}

// filled says whether a field may hold something when a node runs, and which
// node wrote it.
func (g *Graph) filled(field, node string) (from string, value Truth, why string) {
	value = No
	doubt := func(reason string) { value, why = Unknown, reason }
	if g.Start.Open {
		doubt("what its runs begin with was not read")
	}
	for _, s := range g.Start.Keys {
		switch {
		case s.Key != field || s.Empty:
		case s.List:
			return START, Yes, ""
		default:
			doubt("what its runs begin with was not read")
		}
	}
	for _, n := range g.Nodes {
		if n.Opaque && g.before(n.Name, node) != No {
			doubt("what " + n.Name + " returns was not resolved")
		}
	}
	for _, w := range g.Writes {
		if w.Key != field || w.Echoes || !w.Grows && w.Empty {
			continue
		}
		if w.Grows && w.Node == node {
			return node, Yes, ""
		}
		switch g.before(w.Node, node) {
		case Yes:
			return w.Node, Yes, ""
		case Unknown:
			doubt("whether " + w.Node + " runs before is not known")
		case No:
		}
	}
	return "", value, why
}

// before says whether one node leads to another.
func (g *Graph) before(from, to string) Truth {
	value, _ := g.settle("", func(w *wiring) Truth {
		for _, a := range w.find(from) {
			if slices.ContainsFunc(w.find(to), func(b int) bool { return w.reach[a][b] }) {
				return Yes
			}
		}
		return No
	})
	return value
}

// LostUpdates looks for keys without a reducer that two parallel nodes write.
// The item names the two nodes.
func (g *Graph) LostUpdates() Answer {
	s := g.State
	if s == nil {
		return Answer{Reason: "the state was not resolved"}
	}
	type clash struct {
		a, b Write
		key  string
	}
	var clashes []clash
	for i, a := range g.Writes {
		for _, b := range g.Writes[i+1:] {
			if a.Node != b.Node && (a.Key == b.Key || a.Whole || b.Whole) {
				for _, key := range g.both(a, b) {
					clashes = append(clashes, clash{a, b, key})
				}
			}
		}
	}
	seen := map[[3]string]bool{}
	return g.collect(len(clashes), func(i int) (Item, Truth, string) {
		c := clashes[i]
		item := Item{Nodes: []string{c.a.Node, c.b.Node}, At: Places(c.a.At, c.b.At),
			Reason: fmt.Sprintf("%s and %s write %s at the same time and it has no reducer", c.a.Node, c.b.Node, c.key)}
		if c.a.Whole && c.b.Whole {
			so := " return the whole state at the same time, and " + c.key + " has no reducer"
			item.Reason, item.Shared = c.a.Node+" and "+c.b.Node+so, []shared{{"", so, item.Nodes}}
		}
		id := [3]string{c.a.Node, c.b.Node, c.key}
		if seen[id] {
			return item, No, ""
		}
		seen[id] = true
		p := g.Parallel(c.a.Node, c.b.Node)
		if p.Value == Yes && g.apart(c.a.Node, c.b.Node) {
			return item, No, "" // the later one overwrites the earlier one, as written
		}
		return item, p.Value, p.Reason
	})
}

// both are the keys without a reducer that two writes write. Of the whole state those that runs
// begin with: where that is all that both write, one is enough. A handler runs in place of others.
func (g *Graph) both(a, b Write) (keys []string) {
	handles := func(w Write) bool { n := g.Node(w.Node); return n != nil && n.Role == RoleHandler }
	writes := func(w Write, key string) bool {
		return w.Key == key || w.Whole && g.Provenance == FromLangGraph && g.State.Kind == KindTypedDict && !handles(a) && !handles(b) &&
			slices.ContainsFunc(g.Start.Keys, func(s Write) bool { return s.Key == key })
	}
	for _, f := range g.State.Fields {
		if f.Reducer.Kind == ReducerNone && writes(a, f.Name) && writes(b, f.Name) {
			if keys = append(keys, f.Name); a.Whole && b.Whole {
				break
			}
		}
	}
	return keys
}
