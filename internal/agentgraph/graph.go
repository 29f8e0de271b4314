package agentgraph

import (
	"fmt"
	"slices"
	"strings"
)

// Terminals of every graph, as LangGraph names them.
const (
	START = "__start__"
	END   = "__end__"
)

// Label writes a node's name for readers: "START" and "END" for the terminals,
// every other name as it is. A node that is itself named "START" therefore
// looks like the terminal; only the raw name tells them apart.
func Label(name string) string {
	switch name {
	case START:
		return "START"
	case END:
		return "END"
	default:
		return name
	}
}

// Provenance says whose StateGraph a builder is.
type Provenance string

// Provenances.
const (
	FromLangGraph     Provenance = "langgraph" // resolves to package langgraph
	FromHome          Provenance = "homemade"  // a first-party class with methods for nodes and edges
	FromFunctions     Provenance = "functions" // nobody's: functions that call one another are the graph
	ProvenanceUnknown Provenance = "unknown"
)

// Graph is one builder and everything wired into it. Graphs are never merged.
type Graph struct {
	Builder    Place      // the innermost constructor call
	Provenance Provenance // whose class it is
	Note       string     // stub class beside an import, method singular, and the like; "" mostly
	AtOnce     bool       // of a class of the project's own: its methods start things at the same time
	Production bool       // it is built in production code; tests and examples never count
	Name       string     // function or class that builds it, or the module
	Schema     string     // full name of what is passed as state
	State      *State     // the schema read; nil in graphs made by hand

	Nodes      []Node       // by name
	Edges      []Edge       // by From, To; each pair once, a barrier edge apart from a plain one
	Routes     []Route      // by From, place
	Unresolved []Unresolved // by place

	Compiles []Call // calls of compile on the builder, as they were met
	Invokes  []Call // calls of invoke, stream and the like on what compile returned
	Compiled bool   // Compiles is not empty, or a home-made graph is run
	Invoked  bool   // Invokes is not empty, or langgraph.json names it
	Live     bool   // the code that builds it is reachable from an entry point
	Run      bool   // a call of Invokes is reachable from an entry point, and not by way of a node
	Ops      Ops    // what is set for operation

	Writes []Write // what the nodes return, by node, key, place
	Waits  []Wait  // what in the code of the nodes makes them wait, by node
	Start  Start
	Reads  []Access // keys that nodes read, by node

	words *Profile // by which Settle cast the roles
}

// Call is a call on a graph.
type Call struct {
	At     Place
	Source any // as the reader knows it
}

// Ops are the places where a graph is made fit for operation.
type Ops struct {
	Checkpointer   []Place // compile(checkpointer=...)
	RetryPolicy    []Place // add_node(retry=..., retry_policy=...)
	RecursionLimit []Place // {"recursion_limit": n} in a configuration, with_config
	Timeout        []Place // step_timeout, wait_for around an invocation
}

// Node is one node of a graph.
type Node struct {
	Name     string   // as the graph knows it; "worker_*" for a pattern
	Pattern  bool     // the name is only partly known: any number of nodes
	Source   any      // the function that runs, as the reader knows it; nil when it is not first-party
	Body     Place    // the function's statement
	Called   string   // its name, of an instance its class's; "" without a Source
	Given    []string // constant texts that it is bound to
	Idle     bool     // its body does nothing but log and hand on
	Makes    []*Model // the models of the reading whose objects its code makes
	Role     Role
	Why      string // what decided the role
	Guarded  bool   // added under a condition
	Many     bool   // a pattern, or the target of many Sends: several runs at once
	Deferred bool   // defer=True: waits for all pending work
	Takes    bool   // a type of its own for what it is given, beside the state
	Retry    bool   // has a retry policy of its own
	Nested   *Graph // the graph that runs as this node, or that its function runs
	Within   *Graph // the nested graph that it comes from, when that has a state of its own
	Gate     bool   // what it runs is a nested graph, whose nodes come before it
	Opaque   bool   // what it returns could not be read in full
	Inner    []Inner
	At       Place // the add_node call
	Several  bool  // a pattern that is known to stand for two nodes or more

	Picks map[string][]string // constants that its code compares entries with, by the entry's key
}

// Inner says that a node runs the work of several nodes in its own body.
type Inner struct {
	Role       Role     // workers or reviewers; RoleUnknown: it was not followed
	Names      []string // what it runs, as called
	Concurrent bool     // by gather, a pool or threads; else one after the other
	At         Place    // the gather, pool or loop, or the first call
}

// EdgeKind is the kind of an Edge.
type EdgeKind uint8

// Kinds of edges.
const (
	Plain   EdgeKind = iota // add_edge from one node
	Barrier                 // add_edge from a list: fires when all of the list have run
	Entry                   // set_entry_point, start=True
	Finish                  // set_finish_point
)

// Edge is one unconditional edge.
type Edge struct {
	From, To string
	Kind     EdgeKind
	Sources  []string // Barrier only: all nodes that it waits for, sorted
	Guarded  bool     // added under a condition
	At       Place
	When     []Branch
}

// Target is one target of a route.
type Target struct {
	Name string
	Send bool // reached by a Send
	Many bool // by one Send for each of several items
	Dead bool // in the path map, but never returned by the router
	// Selects: the argument of the Sends chooses whom the node plays: Yes, No,
	// or Unknown. Only for Many.
	Selects Truth
	At      Place // the Send or the constant; zero for a map or an annotation
}

// RouteKind is the kind of a Route.
type RouteKind uint8

// Kinds of routes.
const (
	Conditional RouteKind = iota // add_conditional_edges
	Command                      // the node itself returns Command(goto=...)
)

// Route is one decision taken at run time.
type Route struct {
	From     string
	Kind     RouteKind
	Source   any               // the deciding function as the reader knows it, the node's own for a Command; nil when it is not first-party
	Router   string            // its name, "" without a Source
	Targets  []Target          // by name, dead ones included
	Outcomes [][]string        // what one decision may return: targets that fire together, each sorted; dead ones left out
	Complete bool              // Outcomes are all that there are
	Lacks    []string          // keys that its router asks for before it returns a dead target, and that the state lacks
	Void     []string          // such keys in which no run has anything
	Mapped   bool              // has a path map
	Map      map[string]string // the path map as far as it was read: what the router returns, and its target
	Guarded  bool              // added under a condition
	Counted  bool              // it ends a loop over given items
	Compares []string          // state keys that the router compares with a constant
	At       Place             // the call; for a Command the function
	When     []Branch
}

// Lead adds a target, or merges it with one of its name that is there: dead is only
// what is always dead. It gives the name back.
func (r *Route) Lead(to Target) string {
	for i := range r.Targets {
		if t := &r.Targets[i]; t.Name == to.Name {
			t.Send, t.Many, t.Dead = t.Send || to.Send, t.Many || to.Many, t.Dead && to.Dead
			t.Selects = max(t.Selects, to.Selects)
			return to.Name
		}
	}
	r.Targets = append(r.Targets, to)
	return to.Name
}

// Decide adds an outcome, once.
func (r *Route) Decide(names []string) {
	slices.Sort(names)
	names = append([]string{}, slices.Compact(names)...)
	if !slices.ContainsFunc(r.Outcomes, func(o []string) bool { return slices.Equal(o, names) }) {
		r.Outcomes = append(r.Outcomes, names)
	}
}

// Sort puts the targets and outcomes in order.
func (r *Route) Sort() {
	slices.SortFunc(r.Targets, func(a, b Target) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Outcomes, slices.Compare)
}

// Exclusive reports whether every outcome of the route is one single target:
// alternatives that never run together. It is Unknown when the router could
// not be read and has more than one target.
func (r *Route) Exclusive() Truth {
	for _, o := range r.Outcomes {
		if len(o) > 1 {
			return No
		}
	}
	for _, t := range r.Targets {
		if t.Many && !t.Dead {
			return No
		}
	}
	if !r.Complete && len(r.Targets) != 1 {
		return Unknown
	}
	return Yes
}

// Unresolved is wiring that could not be read.
type Unresolved struct {
	Expr  string   // the expression, as "?expr@path:line"
	From  []string // nodes it may start from; nil: any
	To    []string // nodes it may lead to; nil: any
	Node  bool     // it may add or remove nodes, not only edges
	Route bool     // it belongs to a route
	At    Place
}

// Text is the expression as it is written.
func (u Unresolved) Text() string {
	return strings.TrimSuffix(strings.TrimPrefix(u.Expr, "?"), fmt.Sprintf("@%s:%d", u.At.Path, u.At.Line))
}

// why says why what hangs on it is not known.
func (u Unresolved) why() string {
	return fmt.Sprintf("the wiring %q at %s:%d could not be read", u.Text(), u.At.Path, u.At.Line)
}

// Branch is a condition of the program text under which wiring is added: two
// edges on different sides of the same one are never in one graph.
type Branch struct {
	At      Place // the condition
	Negated bool
	Value   Truth // of the condition with the defaults and what callers pass
}

// Wait is a reason, found in the code of a node, why it does not run at the
// same time as others although the wiring allows it.
type Wait struct {
	Node   string
	Key    string // nodes with the same key wait for each other; "" concerns the node alone
	Alone  bool   // it hides a sequence even if no other node is parallel
	Reason string
	At     Place
}

// Access is a state key that a node, or its router, reads by name.
type Access struct {
	Node, Key string
	Who       string // the node, or its router
	Known     bool   // a state type declares it, or a node writes it
	Doubt     bool   // something else than the graph may give it
	Given     bool   // a run is given it, but LangGraph drops what is not declared
	At        Place
}

// Start is what the runs of a graph begin with, as far as it was read.
type Start struct {
	Keys []Write
	Open bool // something that a run is given was not read
}

// Node returns the node with a name, or nil.
func (g *Graph) Node(name string) *Node {
	for i := range g.Nodes {
		if g.Nodes[i].Name == name {
			return &g.Nodes[i]
		}
	}
	return nil
}

// ByRole returns the nodes with a role, by name.
func (g *Graph) ByRole(role Role) []*Node {
	var out []*Node
	for i := range g.Nodes {
		if g.Nodes[i].Role == role {
			out = append(out, &g.Nodes[i])
		}
	}
	return out
}
