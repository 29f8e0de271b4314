package document

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/figure"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// role is the part that a box of a diagram plays, by its words.
type role string

const (
	detectiveRole  role = "detective"
	judgeRole      role = "judge"
	aggregatorRole role = "aggregator"
	chiefRole      role = "chief"
	startRole      role = "start"
	endRole        role = "end"
	handlerRole    role = "handler"
	otherRole      role = "other"
)

// roleWords are tried in this order: a join of the judges is not a judge, a chief
// justice no join.
var roleWords = []struct {
	role role
	re   *regexp.Regexp
}{
	{chiefRole, regexp.MustCompile(`(?i)chief|justice|supreme|synthes|verdict`)},
	{handlerRole, regexp.MustCompile(`(?i)error|handler|fallback|abort|fail|skip|degrad`)},
	{aggregatorRole, regexp.MustCompile(`(?i)aggregat|collect|merge|join|consolidat|sync|fan[\s_-]?in`)},
	{startRole, regexp.MustCompile(`(?i)^\W*(?:__start__|start|begin|entry)\W*$`)},
	{endRole, regexp.MustCompile(`(?i)^\W*(?:__end__|end|finish|stop)\W*$`)},
	{judgeRole, regexp.MustCompile(`(?i)prosecut|defen[sc]e|tech[\s_]?lead|judge|judicial`)},
	{detectiveRole, regexp.MustCompile(`(?i)investigat|detective|analyst|inspector|forensic|repo[\s_]?(?:node|agent)|vision|doc[\s_]?(?:node|agent)`)},
}

// weighing: what is said of the weight of a judge is not a judge.
var weighing = regexp.MustCompile(`(?i)(?:prosecutor|defen[sc]e|tech[\s_]?lead|judges?)['’s]*[\s_-]+weight`)

// roleOf is the role that a label names: anywhere in a short one, at the
// beginning of a long one, which may speak of others further on.
func roleOf(label string) role {
	const short, beginning = 6, 2 // words
	long := len(strings.Fields(label)) > short
	for _, w := range roleWords {
		at := w.re.FindStringIndex(label)
		if at == nil || long && len(strings.Fields(label[:at[0]])) > beginning || w.role == judgeRole && weighing.MatchString(label) {
			continue
		}
		return w.role
	}
	return otherRole
}

// diagram is a drawn graph with the roles of its boxes.
type diagram struct {
	graph *figure.Graph
	role  map[string]role
	next  map[string][]string
	prev  map[string][]string
	// reached keeps the answers of reach, which are asked for again and again.
	reached map[[2]string]map[string]bool
}

// What a person drew is far below: in larger graphs no layers are looked for.
const (
	mostBoxes  = 300
	mostArrows = 2_000
	mostInRole = 12
)

func newDiagram(g *figure.Graph) *diagram {
	d := &diagram{graph: g, role: map[string]role{}, next: map[string][]string{}, prev: map[string][]string{},
		reached: map[[2]string]map[string]bool{}}
	for _, n := range g.Nodes {
		r := roleOf(n.Label)
		if r == otherRole {
			r = roleOf(n.ID)
		}
		d.role[n.ID] = r
	}
	for _, e := range g.Edges {
		if !slices.Contains(d.next[e.From], e.To) {
			d.next[e.From] = append(d.next[e.From], e.To)
			d.prev[e.To] = append(d.prev[e.To], e.From)
		}
	}
	return d
}

// with lists the boxes of a role, in the order of the drawing.
func (d *diagram) with(r role) []string {
	var out []string
	for _, n := range d.graph.Nodes {
		if d.role[n.ID] == r {
			out = append(out, n.ID)
		}
	}
	return out
}

// reach is everything that arrows lead to from a box, on ways that do not go
// through another; "" stands for none.
func (d *diagram) reach(from, not string) map[string]bool {
	if seen, ok := d.reached[[2]string{from, not}]; ok {
		return seen
	}
	seen := map[string]bool{}
	d.reached[[2]string{from, not}] = seen
	todo := slices.Clone(d.next[from])
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[at] && at != not {
			seen[at] = true
			todo = append(todo, d.next[at]...)
		}
	}
	return seen
}

// layer is how the boxes of a role are drawn.
type layer string

const (
	drawnParallel  layer = "parallel"
	drawnInARow    layer = "in a row"
	drawnOtherwise layer = "otherwise"
	notDrawn       layer = "not drawn"
)

// drawn is a layer with the boxes that show it.
type drawn struct {
	is    layer
	boxes []string // labels
}

// parallel tells how a role's boxes are drawn: parallel when one box has
// arrows to two of them of which neither leads to the other; in a row when of
// each two one can only be come to through the other.
func (d *diagram) parallel(r role) drawn {
	boxes := d.with(r)
	if len(boxes) < 2 {
		return drawn{notDrawn, d.labels(boxes)}
	}
	if len(boxes) > mostInRole || len(d.graph.Nodes) > mostBoxes || len(d.graph.Edges) > mostArrows {
		return drawn{drawnOtherwise, nil}
	}
	behind := map[string]map[string]bool{}
	for _, b := range boxes {
		behind[b] = d.behind(b)
	}
	chained := 0
	var beside []string
	for i, u := range boxes {
		for _, v := range boxes[i+1:] {
			if d.forks(u, v) {
				beside = append(beside, u, v)
			}
			if behind[u][v] != behind[v][u] {
				chained++
			}
		}
	}
	if beside != nil {
		return drawn{drawnParallel, d.labels(beside)}
	}
	if chained == len(boxes)*(len(boxes)-1)/2 {
		return drawn{drawnInARow, d.labels(boxes)}
	}
	return drawn{drawnOtherwise, d.labels(boxes)}
}

// behind is what can only be come to through a box, from those that no arrow
// leads to. In a turn that nothing leads into, that is all of it.
func (d *diagram) behind(box string) map[string]bool {
	found := maps.Clone(d.reach(box, ""))
	delete(found, box)
	for _, n := range d.graph.Nodes {
		if len(d.prev[n.ID]) == 0 && n.ID != box {
			delete(found, n.ID)
			for reached := range d.reach(n.ID, box) {
				delete(found, reached)
			}
		}
	}
	return found
}

// forks tells whether some box leads to both by different arrows, and neither of
// the two to the other. An arrow back to that box begins the next turn: then the
// two must meet before it, else they are the spokes of a wheel.
func (d *diagram) forks(u, v string) bool {
	turns := d.reach(u, "")[v] || d.reach(v, "")[u]
	for _, n := range d.graph.Nodes {
		if n.ID == u || n.ID == v {
			continue
		}
		afterU, afterV := d.reach(u, n.ID), d.reach(v, n.ID)
		if afterU[v] || afterV[u] || turns && !meet(afterU, afterV) {
			continue
		}
		var first, second []string
		for _, t := range d.next[n.ID] {
			r := d.reach(t, n.ID)
			if t == u || r[u] {
				first = append(first, t)
			}
			if t == v || r[v] {
				second = append(second, t)
			}
		}
		if differ(first, second) {
			return true
		}
	}
	return false
}

func meet(a, b map[string]bool) bool {
	for x := range a {
		if b[x] {
			return true
		}
	}
	return false
}

// differ: one of the first and another of the second, of which not both are in
// both.
func differ(first, second []string) bool {
	for _, a := range first {
		for _, b := range second {
			if a != b && (!slices.Contains(second, a) || !slices.Contains(first, b)) {
				return true
			}
		}
	}
	return false
}

// hides tells whether boxes of a fork or join have names that tell no role: nobody can say that a layer is not drawn.
func (d *diagram) hides() bool {
	for _, n := range d.graph.Nodes {
		for _, ends := range [][]string{d.next[n.ID], d.prev[n.ID]} {
			if len(ends) > 1 && slices.ContainsFunc(ends, func(id string) bool { return d.role[id] == otherRole }) {
				return true
			}
		}
	}
	return false
}

func (d *diagram) labels(ids []string) []string {
	var out []string
	for _, n := range d.graph.Nodes {
		if slices.Contains(ids, n.ID) {
			out = append(out, n.Label)
		}
	}
	return out
}

// names maps boxes to what the code calls them: the node with the same letters,
// else that of the same role, else unknownBox and the label.
func (d *diagram) names(g *agentgraph.Graph) map[string]string {
	known := map[string]string{}
	for _, n := range g.Nodes {
		known[fold(n.Name)] = n.Name
	}
	out := map[string]string{}
	for _, n := range d.graph.Nodes {
		for _, text := range []string{n.Label, n.ID} {
			if name, ok := match(fold(letters(text)), known); ok {
				out[n.ID] = name
				break
			}
		}
		switch d.role[n.ID] {
		case startRole:
			out[n.ID] = agentgraph.START
		case endRole:
			out[n.ID] = agentgraph.END
		default: // no edge of the graph's own
		}
	}
	d.byRole(out, g)
	for _, n := range d.graph.Nodes {
		if out[n.ID] == "" {
			out[n.ID] = unknownBox + n.Label
		}
	}
	return out
}

// byRole names a box by its role, when one box without a name and one node without a box are left of that role.
func (d *diagram) byRole(names map[string]string, g *agentgraph.Graph) {
	taken := map[string]bool{}
	for _, name := range names {
		taken[name] = true
	}
	for _, r := range []role{detectiveRole, judgeRole, aggregatorRole, chiefRole} {
		var boxes, nodes []string
		for _, id := range d.with(r) {
			if names[id] == "" {
				boxes = append(boxes, id)
			}
		}
		for _, n := range g.Nodes {
			if !taken[n.Name] && roleOf(n.Name) == r {
				nodes = append(nodes, n.Name)
			}
		}
		if len(boxes) == 1 && len(nodes) == 1 {
			names[boxes[0]] = nodes[0]
		}
	}
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, s)
}

// match finds the node whose name a label is, begins with or is part of.
func match(label string, known map[string]string) (string, bool) {
	if name, ok := known[label]; ok {
		return name, true
	}
	var fits []string
	for k := range known {
		if len(k) > 3 && len(label) > 3 && (strings.Contains(label, k) || strings.Contains(k, label)) {
			fits = append(fits, k)
		}
	}
	if len(fits) == 0 {
		return "", false
	}
	slices.SortFunc(fits, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return known[fits[0]], true
}
