package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/trace"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// hearing is what is known of a hearing from its events.
type hearing struct {
	Lanes  []*lane
	Asked  []*heard
	Found  []sight // the newest first
	Checks int     // questions that were answered
	Faults []sight
	Again  bool   // criteria are heard for a second time
	Status string // of the record; empty: it goes on
	Total  string
	Millis int64
	plan   *plan
	name   func(criterion string) string
	seq    int64 // of the newest row that is known
}

// lane is a node of the audit's graph.
type lane struct {
	Name     string
	State    string // waits, works, done
	Done, Of int
	Text     string
	Millis   int64
	X, Y     int
}

// Words says how it is with the node.
func (l *lane) Words() string {
	switch {
	case l.State == "works" && l.Of > 0:
		return fmt.Sprintf("at work, %d of %d", l.Done, l.Of)
	case l.State == "works":
		return "at work"
	case l.State == "done" && l.Millis > 0:
		return "done in " + report.Duration(l.Millis)
	case l.State == "done":
		return "done"
	}
	return "waits"
}

// Percent is how far the node is.
func (l *lane) Percent() int {
	switch {
	case l.State == "done":
		return 100
	case l.Of == 0:
		return 0
	}
	return min(100, 100*l.Done/l.Of)
}

// heard is a criterion before the judges.
type heard struct {
	id, Name string
	Scores   [3]int // by judge, in the order of their lanes; 0: none yet
	After    string // as the chief justice left it
	Fired    []string
}

// sight is something that was told on the way.
type sight struct {
	At, Node, Text string
	Grave          bool
}

// mostSights is how many of them a page shows.
const mostSights = 14

var judges = [3]string{string(court.Prosecutor), string(court.Defense), string(court.TechLead)}

func (s *Server) newHearing(t *table) *hearing {
	h := &hearing{plan: s.plan, name: t.name}
	h.reset()
	return h
}

// reset forgets what an attempt told that did not come to its end.
func (h *hearing) reset() {
	*h = hearing{plan: h.plan, name: h.name, seq: h.seq}
	for _, n := range h.plan.Nodes {
		h.Lanes = append(h.Lanes, &lane{Name: n.Name, State: "waits", X: n.X, Y: n.Y})
	}
}

// Edges are the lines of the drawing.
func (h *hearing) Edges() []edge { return h.plan.Edges }

// Ends are where the drawing begins and ends.
func (h *hearing) Ends() []spot { return h.plan.Ends }

// Height is that of the drawing.
func (h *hearing) Height() int { return h.plan.Height }

// Said is the drawing in words.
func (h *hearing) Said() string {
	var at []string
	for _, l := range h.Lanes {
		if l.State == "works" {
			at = append(at, l.Name)
		}
	}
	switch {
	case h.Status != "":
		return "The graph of the audit. It has ended."
	case len(at) == 0:
		return "The graph of the audit. Nobody is at work."
	}
	return "The graph of the audit. At work: " + strings.Join(at, ", ") + "."
}

// Doing is what is being done; empty: nothing that is known.
func (h *hearing) Doing() string {
	for _, l := range h.Lanes {
		if l.State == "works" {
			return l.Name + ": " + l.Words()
		}
	}
	return ""
}

// fold takes more lines in. What is no event, and kinds that are not known, are passed over.
func (h *hearing) fold(lines string) {
	for l := range strings.Lines(lines) {
		var e trace.Event
		if json.Unmarshal([]byte(l), &e) == nil {
			h.take(e)
		}
	}
}

func (h *hearing) take(e trace.Event) {
	switch e.Kind {
	case trace.CaseStart:
		h.reset()
	case trace.NodeStart:
		if l := h.lane(e.Node); l != nil {
			l.State, l.Done, l.Of, l.Text = "works", 0, 0, ""
		}
	case trace.Progress:
		if l := h.lane(e.Node); l != nil && l.State == "works" {
			l.Done, l.Of, l.Text = e.Done, e.Of, e.Text
		}
	case trace.NodeEnd, trace.Replayed:
		if l := h.lane(e.Node); l != nil {
			l.State, l.Text, l.Millis = "done", e.Text, l.Millis+e.Ms
		}
	case trace.Probed:
		h.Checks++
		for _, item := range strings.Split(e.Item, ",") {
			criterion, check, _ := strings.Cut(item, "/")
			h.see(e, fmt.Sprintf("%s, %s: %s", h.name(criterion), check, pieces(e.Found)))
		}
	case trace.Evidence:
		if e.Grave {
			h.see(e, e.Text)
		}
	case trace.Fault:
		h.Faults = append(h.Faults, sight{At: clockOf(e), Node: e.Node, Text: e.Text})
	case trace.Opinion:
		if n := slices.Index(judges[:], e.Node); n >= 0 {
			h.criterion(e.Item).Scores[n] = e.Score
		}
	case trace.Holding:
		if e.Rule != nil {
			c := h.criterion(e.Item)
			if f, err := court.ParseFixed(e.Rule.After); err == nil {
				c.After = f.Shown()
			}
			if e.Rule.Outcome == "fired" {
				c.Fired = append(c.Fired, e.Rule.ID)
			}
		}
	case trace.Route:
		h.Again = h.Again || e.Text == "re-evaluate" || e.Text == "ask again"
	case trace.CaseEnd:
		h.Status, h.Total, h.Millis = e.Text, e.Total, e.Ms
	case trace.ModelCall: // it is in the record
	}
}

func pieces(n int) string {
	if n == 0 {
		return "nothing found"
	}
	return court.Count(n, "piece") + " of evidence"
}

// clockOf is the time of day of an event.
func clockOf(e trace.Event) string {
	at, err := time.Parse(time.RFC3339, e.At)
	if err != nil {
		return ""
	}
	return at.UTC().Format("15:04:05")
}

func (h *hearing) see(e trace.Event, text string) {
	h.Found = slices.Insert(h.Found, 0, sight{At: clockOf(e), Node: e.Node, Text: text, Grave: e.Grave})
	h.Found = h.Found[:min(len(h.Found), mostSights)]
}

func (h *hearing) lane(node string) *lane {
	if i := slices.IndexFunc(h.Lanes, func(l *lane) bool { return l.Name == node }); i >= 0 {
		return h.Lanes[i]
	}
	return nil
}

func (h *hearing) criterion(id string) *heard {
	if i := slices.IndexFunc(h.Asked, func(c *heard) bool { return c.id == id }); i >= 0 {
		return h.Asked[i]
	}
	c := &heard{id: id, Name: h.name(id)}
	h.Asked = append(h.Asked, c)
	return c
}

// plan is where the nodes of the audit's graph are drawn, from the top down.
type plan struct {
	Nodes, Ends []spot
	Edges       []edge
	Height      int
}

type spot struct {
	Name string
	X, Y int
}

type edge struct{ X1, Y1, X2, Y2 int }

// Sizes of the drawing, in its own units.
const (
	planWide = 420
	planStep = 62
	planTop  = 18
	halfNode = 17
)

// auditPlan lays the audit's own graph out: each node below all that it follows on. What leads back is left out, and so is
// who has work only when nobody else has any.
func auditPlan() (*plan, error) {
	g, err := trial.Graph()
	if err != nil {
		return nil, fmt.Errorf("drawing the audit's graph: %w", err)
	}
	d := g.Draw()
	level := map[string]int{graph.Start: 0}
	var edges []graph.DrawnEdge
	for _, e := range d.Edges {
		if e.Max == 0 && e.To != trial.ErrorHandler && e.From != trial.ErrorHandler {
			edges = append(edges, e)
		}
	}
	for range edges { // as often as the longest way can be long
		for _, e := range edges {
			level[e.To] = max(level[e.To], level[e.From]+1)
		}
	}
	rows := make([][]string, level[graph.End]+1)
	rows[0], rows[level[graph.End]] = []string{graph.Start}, []string{graph.End}
	for _, n := range d.Nodes {
		if n.Name != trial.ErrorHandler {
			rows[level[n.Name]] = append(rows[level[n.Name]], n.Name)
		}
	}
	p, at := &plan{Height: planTop*2 + planStep*(len(rows)-1)}, map[string]spot{}
	for y, row := range rows {
		for i, name := range row {
			s := spot{name, planWide * (2*i + 1) / (2 * len(row)), planTop + planStep*y}
			at[name] = s
			switch name {
			case graph.Start, graph.End:
				s.Name = map[string]string{graph.Start: "START", graph.End: "END"}[name]
				p.Ends = append(p.Ends, s)
			default:
				p.Nodes = append(p.Nodes, s)
			}
		}
	}
	for _, e := range edges {
		p.Edges = append(p.Edges, edge{at[e.From].X, at[e.From].Y + halfNode, at[e.To].X, at[e.To].Y - halfNode})
	}
	return p, nil
}
