package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// graphView is the submission's graph on the page: drawn, and in words that say
// the same.
type graphView struct {
	Lead, Lacking  string
	W, H           int
	Nodes          []graphNode
	Wires          []graphWire
	Notes          []graphNote
	Legend         []graphSign
	Defects, Rest  []markView // those beyond the first are folded
	Unread         []markView
	List           []graphWords
	RestFrom       int
	Doubted, Sends bool // some part is in doubt; something is sent
	Wide           bool // shrunk to the page, nobody could read it
	Small          bool // shrunk to a phone, it can still be read
}

// graphNode is a node in the drawing.
type graphNode struct {
	sketchBox
	Class, Title, Link string
	Lines              []graphLine
	Badges             []graphNote
}

type graphLine struct {
	Y           int
	Class, Text string
}

// graphWire is an edge in the drawing.
type graphWire struct {
	sketchWire
	Class, Title string
	Double       bool
}

// graphNote is a word or the number of a defect beside a wire or on a box.
type graphNote struct {
	X, Y, W int
	Text    string
	Badge   bool
}

// graphSign explains a shape.
type graphSign struct{ Outline, Class, Text string }

// markView is a remark on the graph, in words.
type markView struct {
	What, Text string
	Places     []pair
}

// What a page draws at most, whatever a record holds.
const (
	mostDrawnNodes = 60
	mostStrangers  = 20 // that edges name and nobody added
	mostDrawnEdges = 200
	mostDrawnMarks = 50
	mostUnfolded   = 12   // of the marks
	widest         = 1400 // points that are shrunk to the width of the page
	smallest       = 640  // points that are shrunk to the width of a phone
)

// grapher turns a wiring into a view.
type grapher struct {
	*court.Wiring
	c       court.Case
	app     string            // as in a docket
	nodes   []court.WiredNode // START first, strangers and END last
	added   int               // of them that the graph has itself
	at      map[string]int
	edges   []int // positions in the wiring of those that are drawn
	wires   []strand
	defects map[int][]int // numbers of defects by node
	wrong   map[int][]int // by edge
}

// graph is the section of the submission's graph; nil: there is nothing to say.
func (m *pageMaker) graph() *graphView {
	if m.rec.Portrait == nil || m.rec.Portrait.Graph == nil {
		return nil
	}
	g := newGrapher(m.rec.Portrait.Graph, m.rec.Case)
	g.app = m.app
	if len(g.Nodes) == 0 {
		return &graphView{Lacking: line(g.lacking())}
	}
	v := g.draw()
	v.Lead = g.lead()
	for i := range g.nodes {
		if w := g.words(i); len(w.Says) > 0 || w.Role != "" {
			v.List = append(v.List, w)
		}
	}
	v.Defects, v.Unread = g.marks(g.Defects), g.marks(g.Unread)
	if len(v.Defects) > mostUnfolded {
		v.Defects, v.Rest = v.Defects[:mostUnfolded], v.Defects[mostUnfolded:]
	}
	v.RestFrom, v.Wide, v.Small = len(v.Defects)+1, v.W > widest, v.W <= smallest
	return v
}

func newGrapher(w *court.Wiring, c court.Case) *grapher {
	g := &grapher{Wiring: w, c: c, at: map[string]int{}, defects: map[int][]int{}, wrong: map[int][]int{}}
	g.gather()
	return g
}

// lacking says why there is nothing to draw.
func (g *grapher) lacking() string { return sentence(cmp.Or(g.Lacking, "it has no nodes")) }

// gather numbers what is drawn.
func (g *grapher) gather() {
	add := func(n court.WiredNode) int {
		if at, known := g.at[n.Name]; known {
			return at
		}
		g.at[n.Name] = len(g.nodes)
		g.nodes = append(g.nodes, n)
		return g.at[n.Name]
	}
	add(court.WiredNode{Name: court.WireStart})
	for _, n := range g.Nodes[:min(len(g.Nodes), mostDrawnNodes)] {
		add(n)
	}
	g.added = len(g.nodes)
	find := func(name string) (int, bool) {
		at, known := g.at[name]
		if !known && (name == court.WireEnd || len(g.nodes) < g.added+mostStrangers) {
			return add(court.WiredNode{Name: name}), true
		}
		return at, known
	}
	for i, e := range g.Edges[:min(len(g.Edges), mostDrawnEdges)] {
		from, ok := find(e.From)
		to, too := find(e.To)
		if ok && too {
			g.edges, g.wires = append(g.edges, i), append(g.wires, strand{from, to})
		}
	}
	for k, d := range g.Defects[:min(len(g.Defects), mostDrawnMarks)] {
		for _, name := range d.Nodes {
			if at, known := g.at[name]; known && !slices.Contains(g.defects[at], k+1) {
				g.defects[at] = append(g.defects[at], k+1)
			}
		}
		for _, e := range d.Edges {
			g.wrong[e] = append(g.wrong[e], k+1)
		}
	}
}

// label is a node's name for readers.
func (g *grapher) label(name string) string {
	switch name {
	case court.WireStart:
		return "START"
	case court.WireEnd:
		return "END"
	default:
		return line(name)
	}
}

// stranger tells a node that only edges name.
func (g *grapher) stranger(i int) bool { return i >= g.added && g.nodes[i].Name != court.WireEnd }

func (g *grapher) terminal(i int) bool {
	return g.nodes[i].Name == court.WireStart || g.nodes[i].Name == court.WireEnd
}

// lead is the drawing in two sentences.
func (g *grapher) lead() string {
	edges := plural(len(g.Edges)+g.MoreEdges, "edge")
	if len(g.Edges)+g.MoreEdges == 0 && len(g.Unread) > 0 {
		edges = "no edge that could be read"
	}
	s := plural(len(g.Nodes)+g.MoreNodes, "node") + " and " + edges
	if p := g.At.String(); p != "" {
		s += ", built at " + p
	}
	s += "; read from the code, which was not run."
	if n := len(g.Defects); n > 0 {
		s += fmt.Sprintf(" %s %s marked, and said in words below.", plural(n, "defect"), verb(n))
	}
	if n := len(g.Unread); n > 0 {
		s += fmt.Sprintf(" %s of its wiring could not be resolved.", plural(n, "place"))
	}
	if g.MoreMarks > 0 {
		s += fmt.Sprintf(" %s on it %s left out here.", plural(g.MoreMarks, "more remark"), verb(g.MoreMarks))
	}
	if g.MoreNodes+g.MoreEdges > 0 {
		left := plural(g.MoreEdges, "edge")
		if g.MoreNodes > 0 {
			left = plural(g.MoreNodes, "node") + " farthest from START and " + left
		}
		s += " It is too large for one picture, which leaves out " + left + "."
	}
	return line(s)
}

func verb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// marks are remarks in words, with links to their places.
func (g *grapher) marks(list []court.Mark) (out []markView) {
	for _, d := range list[:min(len(list), mostDrawnMarks)] {
		v := markView{What: line(d.What), Text: line(d.Text)}
		for _, p := range d.At[:min(len(d.At), 6)] {
			v.Places = append(v.Places, pair{Text: line(p.String()), Link: linkTo(g.app, g.c, p)})
		}
		out = append(out, v)
	}
	return out
}

// numbers are those of defects, as text.
func numbers(list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ", ")
}
