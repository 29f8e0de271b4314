package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Drawing is the outline of a graph: plain data for JSON, Mermaid and DOT. Its
// names may come from anywhere; the renderers quote them.
type Drawing struct {
	Name  string      `json:"name"`
	Nodes []DrawnNode `json:"nodes"` // without Start and End
	Edges []DrawnEdge `json:"edges"`
}

// DrawnNode is a node of a Drawing.
type DrawnNode struct {
	Name  string   `json:"name"`
	Map   bool     `json:"map,omitzero"`   // runs once per item
	Waits []string `json:"waits,omitzero"` // a join: the nodes it waits for
}

// DrawnEdge is an edge of a Drawing, or a target of a branch.
type DrawnEdge struct {
	From   string `json:"from"`            // Start or a node
	To     string `json:"to"`              // a node or End
	Branch string `json:"branch,omitzero"` // label of the branch; empty: always taken
	Max    int    `json:"max,omitzero"`    // most times a run may take the branch; 0: no limit
}

// Draw outlines the graph: nodes as declared, edges in the order of theirs.
func (g *Graph[S]) Draw() Drawing {
	d := Drawing{Name: g.name}
	for _, n := range g.order {
		d.Nodes = append(d.Nodes, DrawnNode{Name: n, Map: g.nodes[n].split != nil, Waits: slices.Clone(g.joins[n])})
	}
	for _, from := range append([]string{Start}, g.order...) {
		for _, to := range g.edges[from] {
			d.Edges = append(d.Edges, DrawnEdge{From: from, To: to})
		}
		for _, br := range g.routes[from].branches {
			for _, to := range br.To {
				d.Edges = append(d.Edges, DrawnEdge{From: from, To: to, Branch: br.Label, Max: br.Max})
			}
		}
	}
	return d
}

// Topology is a digest of the graph's outline and of the fields of its state:
// a journal written under another one must not be resumed. It does not see what
// the nodes do; the caller's Head must.
func (g *Graph[S]) Topology() string {
	h := sha256.New()
	fmt.Fprintf(h, "%#v\n", g.Draw())
	for _, f := range g.reduce.fields {
		fmt.Fprintf(h, "%q\n", f.text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// label is the text of an edge: that of its branch and its bound.
func (e DrawnEdge) label() string {
	if e.Max > 0 {
		return fmt.Sprintf("%s, at most %d", e.Branch, e.Max)
	}
	return e.Branch
}
