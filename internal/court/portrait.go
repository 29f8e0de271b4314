package court

// Portrait shows the submission itself, for readers. No check, rule, opinion or
// citation rests on it.
type Portrait struct {
	Graph   *Wiring `json:"graph,omitempty"`
	History *Past   `json:"history,omitempty"`
	Chain   []Arrow `json:"chain,omitempty"` // in the order in which a case goes through them
}

// Arrow is one step of the way that a case takes through a courtroom: whether what its
// one end gives comes to the other.
type Arrow struct {
	From   string   `json:"from"` // clone, document, evidence, answer, opinions, rule, score
	To     string   `json:"to"`   // evidence, message, opinion, verdict, score, report
	State  string   `json:"state"`
	Why    string   `json:"why,omitempty"`    // of all but whole
	Source []Quoted `json:"source,omitempty"` // the ends as the code has them
	Target []Quoted `json:"target,omitempty"`
	Way    []Place  `json:"way,omitempty"` // of a whole one: what it goes through
}

// The states of an Arrow.
const (
	ArrowWhole   = "whole"        // something of the one end is in what the other is made of
	ArrowBroken  = "broken"       // it is shown that nothing is
	ArrowLost    = "not_followed" // nobody could tell
	ArrowMissing = "not_there"    // one of the ends was not found
)

// Quoted is a place with the first line that stands there.
type Quoted struct {
	At   Place  `json:"at"`
	Text string `json:"text"`
}

// Wiring is the state graph of a program as its code was read.
type Wiring struct {
	At      Place       `json:"at,omitzero"`       // where it is built
	Lacking string      `json:"lacking,omitempty"` // nothing was found: what was looked for; the lists are empty then
	Nodes   []WiredNode `json:"nodes"`             // by name, without the terminals
	Edges   []WiredEdge `json:"edges"`             // plain ones, then routes
	Defects []Mark      `json:"defects"`           // what is wrong with it
	Unread  []Mark      `json:"unread"`            // wiring that could not be resolved

	MoreNodes int `json:"more_nodes,omitempty"` // beyond those listed
	MoreEdges int `json:"more_edges,omitempty"`
	MoreMarks int `json:"more_marks,omitempty"`
}

// The terminals of a Wiring.
const (
	WireStart = "__start__"
	WireEnd   = "__end__"
)

// WiredNode is a node of a Wiring.
type WiredNode struct {
	Name  string   `json:"name"`
	Role  string   `json:"role"` // detective, aggregator, judge, chief, handler, other; unknown: a tie
	At    Place    `json:"at,omitzero"`
	Many  bool     `json:"many,omitempty"`  // runs once for each of several items
	Waits []string `json:"waits,omitempty"` // a join: the nodes that it waits for
	Doubt string   `json:"doubt,omitempty"` // why it may be otherwise
}

// WireKind says when a run takes an edge.
type WireKind string

// The kinds of edges.
const (
	WireAlways WireKind = "always"
	WireRoute  WireKind = "route" // decided at run time
	WireSend   WireKind = "send"  // decided at run time, with a task of its own
	WireNever  WireKind = "never" // named as a target, never taken
)

// WiredEdge is an edge of a Wiring, or one target of a route.
type WiredEdge struct {
	From  string   `json:"from"` // a node or WireStart
	To    string   `json:"to"`   // a node or WireEnd
	Kind  WireKind `json:"kind"`
	By    string   `json:"by,omitempty"` // the function that decides
	At    Place    `json:"at,omitzero"`
	Doubt string   `json:"doubt,omitempty"`
}

// Mark is a remark on parts of a Wiring.
type Mark struct {
	What  string   `json:"what"` // the kind of remark, the same words in every case
	Text  string   `json:"text"`
	Nodes []string `json:"nodes,omitempty"`
	Edges []int    `json:"edges,omitempty"` // positions in the edges
	At    []Place  `json:"at,omitempty"`
}

// Past is a history: its commits one by one, or counted by spans of time. It
// names no author.
type Past struct {
	Total   int          `json:"total"` // commits
	Merges  int          `json:"merges"`
	Commits []PastCommit `json:"commits"`          // oldest first; of a counted history those that evidence names
	Unit    string       `json:"unit,omitempty"`   // of a counted history: day, week, month, year
	Spans   []PastSpan   `json:"spans,omitempty"`  // those with commits
	Undated int          `json:"undated,omitzero"` // of a counted history: commits in no span
	Cut     string       `json:"cut,omitempty"`    // why this is not the whole history
}

// PastCommit is one commit.
type PastCommit struct {
	ID      string `json:"id"`           // the first twelve digits
	At      string `json:"at,omitempty"` // when it was authored, RFC 3339 in UTC; empty: not readable
	Subject string `json:"subject"`
	Merge   bool   `json:"merge,omitempty"` // its changes are those of its parents
	Files   int    `json:"files"`
	Added   int    `json:"added"` // lines
	Deleted int    `json:"deleted"`
	Partial bool   `json:"partial,omitempty"` // not all changes are known
}

// PastSpan counts the commits of one unit of time.
type PastSpan struct {
	From    string `json:"from"` // its first day, in UTC
	Commits int    `json:"commits"`
	Merges  int    `json:"merges"`
	Added   int    `json:"added"`
	Deleted int    `json:"deleted"`
}
