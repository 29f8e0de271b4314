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
		return fmt.Sprintf("%s reads %s, which %s writes. Write it in a node of its own in front of the %ss, and give each of them its own edge from that in place of what leads to them at %s: %s.%s", court.Clean(reads, 60), court.Clean(key, 60), court.Clean(writes, 60), role,
			safetext.List(leads(g, append(slices.Clone(nodes), before(g, nodes)), nodes)), strings.Join(lines, ", "), kept(g, nodes))
	}
	return fmt.Sprintf("Give each %s its own edge from %s in the graph at %s, and remove the edges between them: %s.%s", role, quoted(from), at(g), strings.Join(lines, ", "), kept(g, nodes))
}

// kept asks for what lets nodes run at the same time that do not yet: that no two of them write
// what has no reducer.
func kept(g *agentgraph.Graph, nodes []string) string {
	var whole bool
	var fields []string
	if g.State == nil {
		return ""
	}
	for _, w := range g.Writes {
		f := g.State.Field(w.Key)
		if !slices.Contains(nodes, w.Node) {
			continue
		}
		again := slices.ContainsFunc(g.Writes, func(o agentgraph.Write) bool {
			return o.Key == w.Key && o.Node != w.Node && slices.Contains(nodes, o.Node)
		})
		if whole = whole || w.Whole; f != nil && again && f.Reducer.Kind == agentgraph.ReducerNone && !slices.Contains(fields, court.Clean(f.Name, 60)) {
			fields = append(fields, court.Clean(f.Name, 60))
		}
	}
	var out string
	if whole {
		out = " Let each of them return only the keys that it writes."
	}
	if len(fields) > 0 {
		out += fmt.Sprintf(" Give %s a reducer, as several of them write there.", safetext.List(fields))
	}
	return out
}

// leads are the places of the edges and routes from some nodes to others.
func leads(g *agentgraph.Graph, from, to []string) (out []string) {
	var places []court.Place
	for _, e := range g.Edges {
		if slices.Contains(from, e.From) && slices.Contains(to, e.To) {
			places = append(places, facts.At(e.At)...)
		}
	}
	for _, r := range g.Routes {
		if slices.Contains(from, r.From) && slices.ContainsFunc(r.Targets, func(t agentgraph.Target) bool { return slices.Contains(to, t.Name) }) {
			places = append(places, facts.At(r.At)...)
		}
	}
	for _, p := range facts.Sorted(places) {
		out = append(out, facts.Line(p))
	}
	return out
}

// needs is a key that one of several nodes reads and another one of them writes, beside what
// several write to; "": there is none.
func needs(g *agentgraph.Graph, nodes []string) (key, reads, writes string) {
	for _, a := range g.Reads {
		if st := g.State; !a.Known || st.Material != nil && st.Material.Name == a.Key || st.Reviews != nil && st.Reviews.Name == a.Key || !slices.Contains(nodes, a.Node) {
			continue
		}
		if slices.ContainsFunc(g.Writes, func(w agentgraph.Write) bool { return w.Key == a.Key && w.Node == a.Node && !w.Echoes }) {
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
	case f.Lists():
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
				return facts.ToWrite(g.State, r.Void[0])
			}
		}
		return ask(g, items)
	}
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

// quotedAll are nodes' names as Python has them.
func quotedAll(names []string) (out []string) {
	for _, n := range names {
		out = append(out, quoted(n))
	}
	return out
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
