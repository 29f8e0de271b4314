package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Sizes in the drawing, in points. Fonts differ from machine to machine: a
// character is taken to be a little wider than it mostly is.
const (
	nameCell   = 8  // a character of a name
	smallCell  = 7  // of the other lines
	lineStep   = 15 // from one line to the next
	mostInName = 30 // characters
	mostInLine = 34
)

// roles are drawn with a shape each.
var roles = []struct {
	role  string
	shape shape
}{{"detective", hexagon}, {"aggregator", funnel}, {"judge", octagon}, {"chief", doubled}, {"handler", slanted}, {"other", straight}, {"unknown", straight}}

func shapeOf(role string) shape {
	for _, r := range roles {
		if r.role == role {
			return r.shape
		}
	}
	return straight
}

// draw lays the graph out and writes on it.
func (g *grapher) draw() *graphView {
	v := &graphView{}
	lines := make([][]graphLine, len(g.nodes))
	boxes, shapes, many := make([]box, len(g.nodes)), make([]shape, len(g.nodes)), make([]bool, len(g.nodes))
	for i, n := range g.nodes {
		lines[i] = g.lines(i)
		boxes[i], shapes[i], many[i] = boxFor(lines[i]), shapeOf(n.Role), n.Many
		if g.terminal(i) {
			shapes[i] = pill
			boxes[i].h -= 4
		}
	}
	s := drawRows(inRows(boxes, g.wires), shapes, many, g.wires)
	v.W, v.H = s.W, s.H
	for i, b := range s.Boxes {
		v.Nodes = append(v.Nodes, g.node(i, b, lines[i]))
		v.Doubted = v.Doubted || g.nodes[i].Doubt != ""
	}
	var taken []graphNote
	for k, w := range s.Wires {
		e := g.Edges[g.edges[k]]
		wire := graphWire{sketchWire: w, Class: wireClass(e), Title: g.wireTitle(g.edges[k]), Double: e.Kind == court.WireSend}
		v.Doubted, v.Sends = v.Doubted || e.Doubt != "", v.Sends || wire.Double
		wrong := g.wrong[g.edges[k]]
		if len(wrong) > 0 {
			wire.Class += " wrong"
		}
		v.Wires = append(v.Wires, wire)
		for _, word := range wireWords(e) {
			taken = append(taken, noteAt(graphNote{Text: word, W: smallCell*cells(word) + 6}, w.room, taken))
		}
		for _, n := range wrong[:min(2, len(wrong))] {
			taken = append(taken, noteAt(graphNote{Text: fmt.Sprint(n), W: 20, Badge: true}, w.room, taken))
		}
	}
	v.Notes, v.Legend = taken, g.legend()
	return v
}

// lines are what stands in a box, from the top.
func (g *grapher) lines(i int) (out []graphLine) {
	n := g.nodes[i]
	add := func(class, text string) {
		if text != "" {
			out = append(out, graphLine{Class: class, Text: text})
		}
	}
	add("nm", cut(g.label(n.Name), mostInName))
	if !g.terminal(i) {
		add("sm", g.part(i))
	}
	if len(n.Waits) > 0 {
		add("sm", fmt.Sprintf("waits for all %d", len(n.Waits)))
	}
	if by := g.deciders(n.Name); len(by) > 0 {
		add("sm", cut("\u25c7 "+strings.Join(by, ", "), mostInLine))
	}
	if n.Doubt != "" {
		add("sm", "? in doubt")
	}
	if g.stranger(i) {
		add("er", "\u2715 never added")
	}
	var said []string
	for _, k := range g.defects[i] {
		if g.terminal(i) {
			break // its number says it: there is no room for more
		}
		if what := line(g.Defects[k-1].What); len(said) < 3 && !slices.Contains(said, what) {
			said = append(said, what)
			add("er", cut("\u2715 "+what, mostInLine))
		}
	}
	return out
}

// part is the role of a node in words; "" where it has none.
func (g *grapher) part(i int) string {
	n := g.nodes[i]
	role := line(n.Role)
	switch n.Role {
	case "other", "":
		role = ""
	case "unknown":
		role = "role unclear"
	case "chief":
		role = "chief justice"
	}
	if n.Many {
		role = strings.TrimSpace(role + " \u00d7 n")
	}
	return cut(role, mostInLine)
}

// deciders are the functions that decide what follows a node.
func (g *grapher) deciders(name string) (out []string) {
	for _, e := range g.Edges {
		if by := line(e.By); e.From == name && by != "" && !slices.Contains(out, by) {
			out = append(out, by)
		}
	}
	return out
}

func boxFor(lines []graphLine) box {
	b := box{96, 16 + lineStep*len(lines)}
	for _, l := range lines {
		cell := smallCell
		if l.Class == "nm" {
			cell = nameCell
		}
		b.w = max(b.w, cell*cells(l.Text)+36)
	}
	b.w += b.w % 2
	return b
}

func (g *grapher) node(i int, b sketchBox, lines []graphLine) graphNode {
	n := g.nodes[i]
	v := graphNode{sketchBox: b, Class: "gn", Title: g.title(i), Lines: lines}
	if g.terminal(i) {
		v.Class = "gn end"
	} else if p := n.At; p.String() != "" {
		v.Link = linkTo(g.app, g.c, p)
	}
	if n.Role == "chief" {
		v.Class += " chief"
	}
	if n.Doubt != "" || g.stranger(i) {
		v.Class += " doubt"
	}
	if len(g.defects[i]) > 0 || g.stranger(i) {
		v.Class += " wrong"
	}
	for k := range v.Lines {
		v.Lines[k].Y = b.Y + (b.H-lineStep*len(lines))/2 + lineStep*k + 11
	}
	list := g.defects[i]
	for k, d := range list[:min(4, len(list))] {
		v.Badges = append(v.Badges, graphNote{X: b.X + b.W - 4 - 20*k, Y: b.Y, Text: fmt.Sprint(d), Badge: true})
	}
	return v
}

// title is what a node says when it is pointed at: all that is cut elsewhere.
func (g *grapher) title(i int) string {
	n := g.nodes[i]
	parts := []string{g.label(n.Name)}
	for _, p := range []string{g.part(i), line(n.At.String()), line(n.Doubt)} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	for _, k := range g.defects[i] {
		parts = append(parts, fmt.Sprintf("%d: %s", k, line(g.Defects[k-1].Text)))
	}
	return strings.Join(parts, "; ")
}

func wireClass(e court.WiredEdge) string {
	class := "gw"
	switch e.Kind {
	case court.WireAlways:
	case court.WireSend:
		class += " send"
	case court.WireNever:
		class += " never"
	default:
		class += " route"
	}
	return class
}

// wireWords stand beside an edge.
func wireWords(e court.WiredEdge) (out []string) {
	switch e.Kind {
	case court.WireSend:
		out = append(out, "send")
	case court.WireNever:
		out = append(out, "never")
	default: // the line says it, and the box that decides
	}
	if e.Doubt != "" {
		out = append(out, "?")
	}
	return out
}

func (g *grapher) wireTitle(i int) string {
	e := g.Edges[i]
	way := line(string(e.Kind))
	if by := line(e.By); by != "" {
		way += " by " + by
	}
	parts := []string{fmt.Sprintf("%s to %s: %s", g.label(e.From), g.label(e.To), way), line(e.Doubt), numbers(g.wrong[i])}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// noteAt puts a note where the wire has room and nothing else stands, from its
// middle outwards.
func noteAt(n graphNote, room []point, taken []graphNote) graphNote {
	free := func(p point) bool {
		return !slices.ContainsFunc(taken, func(o graphNote) bool {
			dx, dy := p.x-o.X, p.y-o.Y
			return max(dx, -dx) < (n.W+o.W)/2+2 && max(dy, -dy) < 20
		})
	}
	n.X, n.Y = room[len(room)/2].x, room[len(room)/2].y
	for from := 0; from+6 < len(room); from += 7 {
		for _, k := range []int{3, 4, 2, 5, 1} {
			for _, aside := range []int{0, n.W/2 + 18, -n.W/2 - 18} {
				if p := (point{room[from+k].x + aside, room[from+k].y}); free(p) {
					n.X, n.Y = p.x, p.y
					return n
				}
			}
		}
	}
	return n
}

// legend explains the shapes that are drawn.
func (g *grapher) legend() (out []graphSign) {
	names := map[string]string{"detective": "detective", "aggregator": "aggregator", "judge": "judge", "chief": "chief justice", "handler": "error handler", "other": "any other node"}
	for _, r := range roles {
		if slices.ContainsFunc(g.nodes[:g.added], func(n court.WiredNode) bool { return n.Role == r.role }) && names[r.role] != "" {
			out = append(out, graphSign{Outline: outline(r.shape, 1, 1, 40, 22), Text: names[r.role]})
		}
	}
	return out
}
