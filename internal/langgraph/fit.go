package langgraph

import "fmt"

// Undeclared looks for keys that nodes write and the state type lacks.
func (g *Graph) Undeclared() Answer {
	s := g.State
	if s == nil || s.Kind == KindDict || s.Kind == KindNone {
		return Answer{Value: No, Reason: "the state declares no keys"}
	}
	if s.Kind == KindUnknown || s.Open {
		return Answer{Reason: "the fields of the state were not all resolved"}
	}
	return g.collect(len(g.Writes), func(i int) (Item, Truth, string) {
		wr := g.Writes[i]
		if i > 0 && g.Writes[i-1].Node == wr.Node && g.Writes[i-1].Key == wr.Key {
			return Item{}, No, ""
		}
		item := Item{Nodes: []string{wr.Node}, At: []Place{wr.At}, Reason: fmt.Sprintf("%s writes %s, which %s lacks", wr.Node, wr.Key, s.Name)}
		return item, truth(!wr.Whole && s.Field(wr.Key) == nil), ""
	})
}

// WholeState looks for nodes that return the whole state although a field of
// it adds up, so that its entries double.
func (g *Graph) WholeState() Answer {
	adds := false
	if g.State != nil {
		for _, f := range g.State.Fields {
			adds = adds || f.Reducer.Kind == ReducerAdd
		}
	}
	return g.collect(len(g.Writes), func(i int) (Item, Truth, string) {
		wr := g.Writes[i]
		if i > 0 && g.Writes[i-1].Node == wr.Node && g.Writes[i-1].Whole == wr.Whole {
			return Item{}, No, ""
		}
		item := Item{Nodes: []string{wr.Node}, At: []Place{wr.At}, Reason: wr.Node + " returns the whole state, so that lists which add up double"}
		return item, truth(wr.Whole && adds), ""
	})
}

// LostUpdates looks for keys without a reducer that two parallel nodes write.
// The item names the two nodes.
func (g *Graph) LostUpdates() Answer {
	s := g.State
	if s == nil {
		return Answer{Reason: "the state was not resolved"}
	}
	type clash struct{ a, b Write }
	var clashes []clash
	for i, a := range g.Writes {
		for _, b := range g.Writes[i+1:] {
			f := s.Field(a.Key)
			if a.Node != b.Node && a.Key == b.Key && f != nil && f.Reducer.Kind == ReducerNone {
				clashes = append(clashes, clash{a, b})
			}
		}
	}
	seen := map[[3]string]bool{}
	return g.collect(len(clashes), func(i int) (Item, Truth, string) {
		c := clashes[i]
		item := Item{Nodes: []string{c.a.Node, c.b.Node}, At: places(c.a.At, c.b.At),
			Reason: fmt.Sprintf("%s and %s write %s at the same time and it has no reducer", c.a.Node, c.b.Node, c.a.Key)}
		id := [3]string{c.a.Node, c.b.Node, c.a.Key}
		if seen[id] {
			return item, No, ""
		}
		seen[id] = true
		p := g.Parallel(c.a.Node, c.b.Node)
		return item, p.Value, p.Reason
	})
}
