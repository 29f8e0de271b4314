package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// buildGraph is asked for whatever question about a graph there is no graph for.
const buildGraph = "Build the workflow with langgraph's StateGraph and compile it: graph = StateGraph(AgentState), graph.add_node(...), graph.add_edge(...), app = graph.compile()."

// quoted is a node's name as Python has it.
func quoted(name string) string {
	if label := agentgraph.Label(name); label != name {
		return label
	}
	return fmt.Sprintf("%q", court.Clean(name, 60))
}

// edgeLine is the line that leads from one node, or from all of several, to another.
func edgeLine(to string, from ...string) string {
	if len(from) == 1 {
		return fmt.Sprintf("add_edge(%s, %s)", quoted(from[0]), quoted(to))
	}
	names := make([]string, len(from))
	for i, n := range from {
		names[i] = quoted(n)
	}
	return fmt.Sprintf("add_edge([%s], %s)", strings.Join(names, ", "), quoted(to))
}

// mostNamed is how many nodes a remedy names.
const mostNamed = 6

// named are the nodes of a role, the first few of them, without those that are known by a
// pattern only.
func named(g *agentgraph.Graph, role agentgraph.Role) []string {
	var out []string
	for _, n := range g.ByRole(role) {
		if !n.Pattern && len(out) < mostNamed {
			out = append(out, n.Name)
		}
	}
	return out
}

// orName is the first node of a role, or a name for one that is to be written.
func orName(g *agentgraph.Graph, role agentgraph.Role, name string) string {
	if all := named(g, role); len(all) > 0 {
		return all[0]
	}
	return name
}

// behind is the node that decides the next layer begins: the chief justice behind the
// judges, an aggregator behind all others.
func behind(g *agentgraph.Graph, role agentgraph.Role) string {
	if role == facts.Judge {
		return orName(g, facts.Chief, "chief_justice")
	}
	return orName(g, agentgraph.RoleAggregator, "evidence_aggregator")
}

// at is where the graph is built.
func at(g *agentgraph.Graph) string {
	return facts.Line(court.Place{Path: g.Builder.Path, Line: g.Builder.Line})
}

// toJoin asks for a join of the nodes of a role.
func toJoin(g *agentgraph.Graph, role agentgraph.Role) string {
	from, to := named(g, role), behind(g, role)
	if len(from) < 2 {
		return fmt.Sprintf("Give the graph at %s several %s nodes, and join them in one node before the next layer: %s.", at(g), role, edgeLine(to, "first", "second"))
	}
	if g.Node(to) == nil {
		return fmt.Sprintf("Add a node %s to the graph at %s, and join the %ss in it: %s.", quoted(to), at(g), role, edgeLine(to, from...))
	}
	return fmt.Sprintf("Join the %ss in one edge of the graph at %s: %s.", role, at(g), edgeLine(to, from...))
}

// toSpread asks for an edge of its own to each node of a role.
func toSpread(g *agentgraph.Graph, role agentgraph.Role) string {
	nodes := named(g, role)
	if len(nodes) < 2 {
		return fmt.Sprintf("Give the graph at %s one node for each %s, and each node its own edge from one common node.", at(g), role)
	}
	from := before(g, nodes)
	key, reads, writes := needs(g, nodes)
	var lines []string
	if key != "" {
		lines, from = append(lines, edgeLine("prepare", from)), "prepare"
	}
	for _, n := range nodes {
		lines = append(lines, edgeLine(n, from))
	}
	if key != "" {
		return fmt.Sprintf("%s reads %s, which %s writes. Write it in a node of its own in front of the %ss, and give each of them its own edge from that: %s.", court.Clean(reads, 60), court.Clean(key, 60), court.Clean(writes, 60), role, strings.Join(lines, ", "))
	}
	return fmt.Sprintf("Give each %s its own edge from %s in the graph at %s, and remove the edges between them: %s.", role, quoted(from), at(g), strings.Join(lines, ", "))
}

// needs is a key that one of several nodes reads and another one of them writes, beside the fields
// that they all write to; "": there is none.
func needs(g *agentgraph.Graph, nodes []string) (key, reads, writes string) {
	for _, a := range g.Reads {
		if st := g.State; !a.Known || st.Material != nil && st.Material.Name == a.Key || st.Reviews != nil && st.Reviews.Name == a.Key || !slices.Contains(nodes, a.Node) {
			continue
		}
		for _, w := range g.Writes {
			if w.Key == a.Key && w.Node != a.Node && slices.Contains(nodes, w.Node) && !w.Echoes {
				return a.Key, a.Node, w.Node
			}
		}
	}
	return "", "", ""
}

// before is the first node that leads to one of several and is none of them: START
// where there is none.
func before(g *agentgraph.Graph, nodes []string) string {
	for _, e := range g.Edges {
		if slices.Contains(nodes, e.To) && !slices.Contains(nodes, e.From) {
			return e.From
		}
	}
	for _, r := range g.Routes {
		if !slices.Contains(nodes, r.From) && slices.ContainsFunc(r.Targets, func(t agentgraph.Target) bool { return slices.Contains(nodes, t.Name) }) {
			return r.From
		}
	}
	return agentgraph.START
}

// toGuard asks for a route that leads away when something is missing or fails.
func toGuard(g *agentgraph.Graph, evidence, judging bool) string {
	var out []string
	if !evidence {
		out = append(out, guard(g, facts.Detective, orName(g, agentgraph.RoleAggregator, "evidence_aggregator"), "the detectives"))
	}
	if !judging {
		out = append(out, guard(g, facts.Judge, "judges_join", "the judges"))
	}
	if len(out) == 2 && strings.TrimPrefix(out[0], "a route behind the detectives") == strings.TrimPrefix(out[1], "a route behind the judges") { // they come together in one node
		out = []string{strings.Replace(out[0], "the detectives", "the detectives and the judges", 1)}
	}
	return fmt.Sprintf("Add to the graph at %s %s.", at(g), strings.Join(out, ", and "))
}

// guard asks for a route in place of the edges that lead on from where the nodes of a role
// come together: in a node of that name, where they do so in none. Routes behind each of them
// would run what follows once for each.
func guard(g *agentgraph.Graph, role agentgraph.Role, name, who string) string {
	nodes, lines := named(g, role), []string{}
	join := ""
	var onward []string
	if len(nodes) == 1 {
		join = nodes[0]
	}
	for i, n := range nodes {
		to := follows(g, n)
		if i > 0 {
			to = slices.DeleteFunc(to, func(n string) bool { return !slices.Contains(onward, n) })
		}
		onward = to
	}
	for _, n := range onward {
		if at := g.Node(n); len(nodes) > 1 && at != nil && at.Role != facts.Chief && at.Role != facts.Judge {
			join, onward = n, follows(g, n)
			break
		}
	}
	how := "in place of what leads on from " + quoted(join)
	if join == "" {
		if join = name; len(onward) == 0 {
			onward = []string{orName(g, facts.Judge, "judges")}
			if role == facts.Judge {
				onward = []string{orName(g, facts.Chief, "chief_justice")}
			}
		}
		how = "in a node " + quoted(join) + " that joins them in place of their edges to what follows"
		if len(nodes) > 0 {
			lines = append(lines, edgeLine(join, nodes...))
		}
	}
	to := make([]string, 0, len(onward)+1)
	for _, n := range append(onward, orName(g, agentgraph.RoleHandler, "error_handler")) {
		if !slices.Contains(to, quoted(n)) {
			to = append(to, quoted(n))
		}
	}
	lines = append(lines, fmt.Sprintf("add_conditional_edges(%s, route, [%s])", quoted(join), strings.Join(to, ", ")))
	return fmt.Sprintf("a route behind %s, %s: %s", who, how, strings.Join(lines, ", "))
}

// follows are the nodes that edges and routes lead to from a node, by name, once.
func follows(g *agentgraph.Graph, from string) []string {
	var out []string
	for _, r := range g.Routes {
		for _, t := range r.Targets {
			if r.From == from && !t.Dead {
				out = append(out, t.Name)
			}
		}
	}
	for _, e := range g.Edges {
		if e.From == from || slices.Contains(e.Sources, from) {
			out = append(out, e.To)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// annotated is the line of a state's field with a reducer.
func annotated(f *agentgraph.Field, reducer string) string {
	kind := strings.TrimSpace(f.Type)
	if kind == "" {
		kind = "list"
	}
	return court.Clean(fmt.Sprintf("%s: Annotated[%s, %s]", f.Name, kind, reducer), 160)
}

// toReduce asks for a reducer that fits what the field holds.
func toReduce(f *agentgraph.Field) string {
	switch {
	case dictOfLists(f.Type):
		return fmt.Sprintf("Write a function merge_lists(a, b) that joins the lists of each key, and annotate the field with it: %s.", annotated(f, "merge_lists"))
	case strings.HasPrefix(strings.ToLower(strings.TrimPrefix(strings.TrimSpace(f.Type), "typing.")), "dict"):
		return fmt.Sprintf("Annotate the field with a reducer: %s.", annotated(f, "operator.ior"))
	}
	return fmt.Sprintf("Annotate the field with a reducer: %s.", annotated(f, "operator.add"))
}

// advise is what would put the flaws right that an analysis found.
type advise func(*agentgraph.Graph, []agentgraph.Item) string

// doing is an advice that names what was found.
func doing(what string) advise {
	return func(_ *agentgraph.Graph, items []agentgraph.Item) string {
		return what + ": " + strings.TrimSuffix(reasons(items), ".") + "."
	}
}

// filling is an advice for what is so because a router asks for a field in which nothing ever
// is: to write that. For all else it is another one.
func filling(ask advise) advise {
	return func(g *agentgraph.Graph, items []agentgraph.Item) string {
		for _, r := range g.Routes {
			concerned := func(n string) bool {
				return n == r.From || slices.ContainsFunc(r.Targets, func(t agentgraph.Target) bool { return t.Dead && t.Name == n })
			}
			if len(r.Void) > 0 && slices.ContainsFunc(items, func(i agentgraph.Item) bool { return slices.ContainsFunc(i.Nodes, concerned) }) {
				return toWrite(g, r.Void[0])
			}
		}
		return ask(g, items)
	}
}

// toWrite asks for what nobody writes into a field of the state.
func toWrite(g *agentgraph.Graph, field string) string {
	who := "the node that knows it"
	if m := g.State.Material; m != nil && m.Name == field {
		who = "each detective"
	}
	return facts.ToWrite(who, field)
}

// toReach asks for an edge to each node that none leads to.
func toReach(g *agentgraph.Graph, items []agentgraph.Item) string {
	var out []string
	for _, it := range items[:min(len(items), 3)] {
		out = append(out, quoted(it.Nodes[0]))
	}
	return fmt.Sprintf("Lead an edge of the graph at %s to %s, or remove the node.", at(g), strings.Join(out, ", "))
}

// toBound asks for an end of a loop: for a change of what its router compares, where it does.
func toBound(g *agentgraph.Graph, items []agentgraph.Item) string {
	for _, r := range g.Routes {
		if slices.Contains(items[0].Nodes, r.From) && len(r.Compares) > 0 {
			return fmt.Sprintf("Let a node of the loop return a new value of what the router at %s compares, and no node does: %s.", facts.Line(facts.At(r.At)[0]), court.Clean(strings.Join(r.Compares, " or "), 160))
		}
	}
	return doing("Count the turns in the state and let the router end the loop at a limit")(g, items)
}

// toMeet asks for one join of the ways that come to a node apart. Ways of which a run may take
// one and not the other no edge can wait for.
func toMeet(g *agentgraph.Graph, items []agentgraph.Item) string {
	to := items[0].Nodes[0]
	var from []string
	trial := *g
	trial.Edges = nil
	for _, e := range g.Edges {
		if e.To != to {
			trial.Edges = append(trial.Edges, e)
		} else if !slices.Contains(from, e.From) && len(from) < mostNamed {
			from = append(from, e.From)
		}
	}
	if len(from) < 2 {
		return doing("Let every source of the join run in every case")(g, items)
	}
	for _, n := range from {
		trial.Edges = append(trial.Edges, agentgraph.Edge{From: n, To: to, Kind: agentgraph.Barrier, Sources: from})
	}
	if starved := trial.StarvedJoin(); slices.ContainsFunc(yes(starved), func(i agentgraph.Item) bool { return i.Nodes[0] == to }) {
		return fmt.Sprintf("Let %s wait for all that still runs: add_node(%s, ..., defer=True). An edge that waits for %s would wait forever where a run skips one of them.", quoted(to), quoted(to), safetext.List(quotedAll(from)))
	}
	return fmt.Sprintf("Replace the edges into %s by one that waits for all of its sources: %s.", quoted(to), edgeLine(to, from...))
}

// quotedAll are nodes' names as Python has them.
func quotedAll(names []string) (out []string) {
	for _, n := range names {
		out = append(out, quoted(n))
	}
	return out
}

// toDecide asks that error routes alone decide what follows: without the edges beside them, or,
// where nothing else leads to what those lead to, with that among their targets.
func toDecide(g *agentgraph.Graph, routes []agentgraph.ErrorRoute) string {
	var items []agentgraph.Item
	for _, r := range routes {
		trial, left := *g, r.Escape
		trial.Edges = slices.DeleteFunc(slices.Clone(g.Edges), func(e agentgraph.Edge) bool {
			return slices.ContainsFunc(r.Bypass, func(i agentgraph.Item) bool { return e.From == i.Nodes[0] && e.To == i.Nodes[1] })
		})
		lost := func(n string) bool {
			return g.Reachable(n).Value == agentgraph.Yes && trial.Reachable(n).Value == agentgraph.No
		}
		if !slices.ContainsFunc(r.Bypass, func(i agentgraph.Item) bool { return lost(i.Nodes[1]) }) {
			items = append(items, r.Bypass...)
			continue
		}
		var on []string
		for _, t := range r.Route.Targets {
			if !t.Dead && !slices.Contains(left, t.Name) {
				on = append(on, t.Name)
			}
		}
		for _, i := range r.Bypass {
			on = append(on, i.Nodes[1])
		}
		on = slices.Compact(slices.Sorted(slices.Values(on)))
		return fmt.Sprintf("Let the router at %s return the names of all nodes that are to follow, [%s], and remove the edges from %s to them, which run on the error path, too.",
			facts.Line(facts.At(r.Route.At)[0]), strings.Join(quotedAll(on), ", "), quoted(r.Route.From))
	}
	return doing("Remove the edge beside the route")(g, items)
}

// lacks asks for what an operated graph lacks.
func lacks(g *agentgraph.Graph, names []string) string {
	run := "invoke"
	if len(g.Invokes) > 0 {
		if name := langgraph.Expr(g.Invokes[0].Source).Field("function").Field("attribute").Text(); name != "" {
			run = court.Clean(name, 40)
		}
	}
	lines := map[string]string{"checkpointer": "compile(checkpointer=InMemorySaver()) and a thread for each run, " + run + "(state, {\"configurable\": {\"thread_id\": \"1\"}})", "retry policy": "add_node(..., retry_policy=RetryPolicy())",
		"recursion limit": run + "(state, {\"recursion_limit\": 50})", "time limit": "graph.step_timeout = 300"}
	if len(names) == 0 {
		return ""
	}
	var out []string
	for _, n := range names {
		out = append(out, n+" with "+lines[n])
	}
	return "Set what the graph lacks: " + strings.Join(out, ", ") + "."
}

// toWire asks for the function that plays a role as a node.
func toWire(names []string, role string) string {
	to := map[string]string{"judges": "\"chief_justice\"", "chief": "END"}[role]
	name := court.Clean(names[0], 60)
	return fmt.Sprintf("Add %s to the graph as a node, with edges in and out: add_node(%q, %s), add_edge(%q, %s).", strings.Join(names, ", "), name, name, name, to)
}
