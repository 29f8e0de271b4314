package figure

import (
	"errors"
	"html"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Bounds of one diagram source. A diagram that a person drew is far below them.
const (
	maxSource = 256 << 10 // bytes
	maxNodes  = 2_000
	maxEdges  = 10_000
	maxDepth  = 32 // groups inside groups
)

var (
	errTooLarge = errors.New("more than a diagram can have")
	errSource   = errors.New("no diagram in this notation")
	errPartly   = errors.New("not every arrow was understood")
	errNotRead  = errors.New("this kind of diagram is not read")
)

// build collects nodes and edges.
type build struct {
	graph  Graph
	index  map[string]int
	groups []string // titles of the open groups
	full   bool     // a bound was reached
	unread bool     // a statement with an arrow was not understood to its end
}

func newBuild(kind GraphKind) *build {
	return &build{graph: Graph{Kind: kind}, index: map[string]int{}}
}

// node notes a node. A label given later wins over none, as all these notations allow.
func (b *build) node(id, label string) {
	if id == "" {
		return
	}
	i, known := b.index[id]
	if !known {
		if len(b.graph.Nodes) >= maxNodes {
			b.full = true
			return
		}
		i = len(b.graph.Nodes)
		b.index[id] = i
		b.graph.Nodes = append(b.graph.Nodes, Node{ID: id, Label: id})
	}
	n := &b.graph.Nodes[i]
	if label != "" {
		n.Label = label
	}
	if n.Group == "" && len(b.groups) > 0 {
		n.Group = b.groups[len(b.groups)-1]
	}
}

// edges ties every one of the first nodes to every one of the second. An end without a name is not understood.
func (b *build) edges(from, to []string, label string) {
	from, to = b.known(from), b.known(to)
	for _, f := range from {
		for _, t := range to {
			if len(b.graph.Edges) >= maxEdges {
				b.full = true
				return
			}
			b.graph.Edges = append(b.graph.Edges, Edge{From: f, To: t, Label: label})
		}
	}
}

func (b *build) known(ids []string) []string {
	kept := make([]string, 0, len(ids))
	for _, id := range ids {
		if _, ok := b.index[id]; ok {
			kept = append(kept, id)
		} else {
			b.unread = true
		}
	}
	return kept
}

func (b *build) open(title string) {
	if len(b.groups) >= maxDepth {
		b.full = true
		return
	}
	b.groups = append(b.groups, title)
}

func (b *build) close() {
	if n := len(b.groups); n > 0 {
		b.groups = b.groups[:n-1]
	}
}

func (b *build) result() (*Graph, error) {
	if b.full {
		return &Graph{Kind: b.graph.Kind}, errTooLarge
	}
	if b.unread {
		return &b.graph, errPartly
	}
	return &b.graph, nil
}

var tag = regexp.MustCompile(`<[^<>]{0,200}>`)

// label cleans the text of a node or arrow: quotes, markup and line breaks go.
func label(text string) string {
	text = strings.Trim(strings.TrimSpace(text), "\"`")
	text = strings.NewReplacer(`\n`, " ", `\l`, " ", `\r`, " ", `\"`, `"`, "#quot;", `"`, "#40;", "(", "#41;", ")").Replace(text)
	text = tag.ReplaceAllString(text, " ")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}
