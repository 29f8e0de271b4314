package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// hop is an arrow between two names.
type hop struct{ from, to string }

func (h hop) String() string { return court.Clean(shown(h.from)+" → "+shown(h.to), 80) }

// shown is a name as people read it.
func shown(name string) string {
	switch name {
	case agentgraph.START:
		return "START"
	case agentgraph.END:
		return "END"
	default:
		return strings.TrimPrefix(name, unknownBox)
	}
}

// unknownBox begins the names of boxes that the code's graph has no node for.
const unknownBox = "?"

// likeness is what a figure and the code's graph have of each other. Things that are left out are in no count.
type likeness struct {
	right     int      // of the figure's things: those that the code has
	found     int      // of the code's things: those that the figure shows
	drawnOnly []string // what the code lacks
	codeOnly  []string // what is not drawn
}

func (l likeness) drawn() int { return l.right + len(l.drawnOnly) }
func (l likeness) real() int  { return l.found + len(l.codeOnly) }

// f1 is the harmonic mean of precision and recall.
func (l likeness) f1() court.Fixed {
	if l.right == 0 || l.found == 0 {
		return 0
	}
	return probe.Ratio(2*l.right*l.found, l.right*l.real()+l.found*l.drawn())
}

// comparison lays a drawing beside the code's graph.
type comparison struct {
	names   map[string]string // of the boxes: what the code calls them, or unknownBox and their own
	drawn   []hop
	real    []hop
	inDrawn map[hop]bool
	inReal  map[hop]bool
	nodes   map[string]bool // of the code
	seen    map[string]bool // names of the boxes
}

func compare(d drawing, code *agentgraph.Graph) *comparison {
	c := &comparison{names: d.names(code), inDrawn: map[hop]bool{}, inReal: map[hop]bool{}, nodes: map[string]bool{agentgraph.START: true, agentgraph.END: true}, seen: map[string]bool{}}
	for _, n := range code.Nodes {
		c.nodes[n.Name] = true
	}
	c.ends(d)
	for _, name := range c.names {
		c.seen[name] = true
	}
	for _, e := range d.graph.Edges {
		c.drawn = put(c.drawn, c.inDrawn, hop{c.names[e.From], c.names[e.To]})
	}
	for _, e := range code.Edges {
		c.real = put(c.real, c.inReal, hop{e.From, e.To})
	}
	for _, r := range code.Routes {
		for _, t := range r.Targets {
			if !t.Dead {
				c.real = put(c.real, c.inReal, hop{r.From, t.Name})
			}
		}
	}
	return c
}

func put(list []hop, known map[hop]bool, h hop) []hop {
	if known[h] || h.from == h.to && strings.HasPrefix(h.from, unknownBox) {
		return list
	}
	known[h] = true
	return append(list, h)
}

// ends takes boxes that the code has no node for, and that nothing leads to or that lead to nothing, for the start and
// the end: a drawing shows there what goes in and what comes out.
func (c *comparison) ends(d drawing) {
	begun := false // a figure of a later layer begins with what an earlier one ends with
	for _, n := range d.graph.Nodes {
		begun = begun || d.parts > 0 && c.names[n.ID] == agentgraph.START
	}
	for _, n := range d.graph.Nodes {
		if !strings.HasPrefix(c.names[n.ID], unknownBox) || d.role[n.ID] != otherRole {
			continue
		}
		switch in, out := len(d.prev[n.ID]), len(d.next[n.ID]); {
		case in == 0 && out > 0 && !begun:
			c.names[n.ID] = agentgraph.START
		case in > 0 && out == 0:
			c.names[n.ID] = agentgraph.END
		}
	}
}

// boxes compares the boxes with the nodes. Start and end, decisions and what handles errors are not asked for.
func (c *comparison) boxes(d drawing) likeness {
	var l likeness
	counted := map[string]bool{}
	for _, n := range d.graph.Nodes {
		name := c.names[n.ID]
		if counted[name] || name == agentgraph.START || name == agentgraph.END {
			continue
		}
		counted[name] = true
		switch {
		case c.nodes[name]:
			l.right++
		case strings.HasSuffix(n.Label, "?"):
		default:
			l.drawnOnly = append(l.drawnOnly, court.Clean(n.Label, 40))
		}
	}
	for name := range c.nodes {
		switch {
		case name == agentgraph.START || name == agentgraph.END:
		case c.seen[name]:
			l.found++
		case roleOf(name) == handlerRole:
		default:
			l.codeOnly = append(l.codeOnly, court.Clean(name, 40))
		}
	}
	slices.Sort(l.codeOnly)
	return l
}

// arrows compares the arrows with the edges.
func (c *comparison) arrows() likeness {
	var l likeness
	for _, h := range c.drawn {
		switch {
		case h.from == h.to, h.from == agentgraph.END, h.to == agentgraph.START:
		case c.has(h):
			l.right++
		default:
			l.drawnOnly = append(l.drawnOnly, h.String())
		}
	}
	for _, h := range c.real {
		switch {
		case c.shows(h):
			l.found++
		case h.from == agentgraph.START, h.to == agentgraph.END, roleOf(h.from) == handlerRole, roleOf(h.to) == handlerRole:
		default:
			l.codeOnly = append(l.codeOnly, h.String())
		}
	}
	return l
}

// has tells whether the code has an arrow of the figure: as an edge, through one node that the figure leaves out, or
// as half of an edge that the figure draws through a box of its own.
func (c *comparison) has(h hop) bool {
	if c.inReal[h] {
		return true
	}
	for name := range c.nodes {
		if !c.seen[name] && c.inReal[hop{h.from, name}] && c.inReal[hop{name, h.to}] {
			return true
		}
	}
	return slices.ContainsFunc(c.drawn, func(o hop) bool {
		return o.from == h.to && !c.nodes[h.to] && c.inReal[hop{h.from, o.to}] || o.to == h.from && !c.nodes[h.from] && c.inReal[hop{o.from, h.to}]
	})
}

// shows tells whether the figure shows an edge of the code, in the same ways.
func (c *comparison) shows(h hop) bool {
	if c.inDrawn[h] {
		return true
	}
	for name := range c.seen {
		if !c.nodes[name] && c.inDrawn[hop{h.from, name}] && c.inDrawn[hop{name, h.to}] {
			return true
		}
	}
	return slices.ContainsFunc(c.real, func(o hop) bool {
		return o.from == h.to && !c.seen[h.to] && c.inDrawn[hop{h.from, o.to}] || o.to == h.from && !c.seen[h.from] && c.inDrawn[hop{o.from, h.to}]
	})
}

// maxListed bounds what a finding lists of either side.
const maxListed = 6

// told is the comparison in words.
func (l likeness) told(of string) string {
	percent := func(n, d int) int64 { return int64(probe.Ratio(n, d)) * 100 / int64(court.One) }
	text := fmt.Sprintf("The code has %[3]d of the figure's %[1]d %[2]s, and the figure shows %[5]d of the code's %[4]d: precision %[6]d %%, recall %[7]d %%, F1 %[8]d %%.",
		l.drawn(), of, l.right, l.real(), l.found, percent(l.right, l.drawn()), percent(l.found, l.real()), int64(l.f1())*100/int64(court.One))
	if len(l.drawnOnly) > 0 {
		text += " Only the figure has: " + listing(l.drawnOnly) + "."
	}
	if len(l.codeOnly) > 0 {
		text += " Only the code has: " + listing(l.codeOnly) + "."
	}
	return text
}

// asks is what would make the figure agree with the code.
func (l likeness) asks() string {
	text := "Correct the figure."
	if len(l.codeOnly) > 0 {
		text += " Add what only the code has: " + listing(l.codeOnly) + "."
	}
	if len(l.drawnOnly) > 0 {
		text += " Remove what only the figure has: " + listing(l.drawnOnly) + "."
	}
	return text
}

func listing(list []string) string {
	if extra := len(list) - maxListed; extra > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:maxListed], ", "), extra)
	}
	return strings.Join(list, ", ")
}
