// Package graph describes and drives state graphs: a typed state whose fields
// declare how parallel writes unite, barriers, conditional routes, dynamic
// fan-out and bounded loops.
//
// A Graph is a value without clock, goroutine or I/O. Drive walks it and asks
// its caller to execute one superstep at a time, so the same graph runs inside
// one process (Local) or inside a durable workflow, unchanged. Only Do, which
// makes one attempt of one task, Local, which runs them all, and FileJournal,
// which remembers them, touch the world.
//
// The package knows nothing of what its nodes do: no courts, no models, no
// repositories.
package graph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// Start and End are the virtual first and last nodes of every graph. They are
// no valid names of real nodes.
const (
	Start = "__start__"
	End   = "__end__"
)

// Task is one unit of work of a superstep: a node, or one item of a Map.
type Task struct {
	Step  int             `json:"step"`           // superstep, from 0
	Node  string          `json:"node"`           // name of the node
	Index int             `json:"index"`          // position among the node's items
	Item  json.RawMessage `json:"item,omitempty"` // only in tasks of a Map
}

// ID names the task within its run, as in 000/RepoInvestigator or
// 002/Prosecutor/003-ab12cd34. It is the same across attempts, resumes and
// machines, and it changes with the item: the key of the task's outcome.
func (t Task) ID() string {
	id := fmt.Sprintf("%03d/%s", t.Step, t.Node)
	if t.Item == nil {
		return id
	}
	sum := sha256.Sum256(t.Item)
	return fmt.Sprintf("%s/%03d-%s", id, t.Index, hex.EncodeToString(sum[:4]))
}

// Step is all that an executor needs to run one superstep. The last step of a
// run has no tasks: it only reports the branches that ended it.
type Step[S any] struct {
	N     int
	State S        // before the step; its tasks share it and must not change it
	Taken []Choice // the branches that led here
	Tasks []Task   // nodes as declared, items in order
}

// Choice is one decision of a route.
type Choice struct {
	From  string `json:"from"`
	Label string `json:"label"`
}

// Outcome is what a task leaves behind: a patch to the state, or the text of
// the error that no further attempt may mend.
type Outcome[S any] struct {
	Patch   S      `json:"patch,omitzero"`
	Failure string `json:"failure,omitempty"`
	Redo    bool   `json:"redo,omitempty"` // it counts, but Rewind has it tried again
}

// Policy bounds the execution of one node, wherever it runs. Its zero value is
// one attempt without a time limit.
type Policy struct {
	Timeout  time.Duration // per attempt; 0: none
	Grace    time.Duration // how long a node may take to return after its context ended; 0: 5 s
	Attempts int           // in all; 0 means 1
	Backoff  time.Duration // before the second attempt; doubles with each further one, up to a minute
	Width    int           // most tasks of the node at work at once; 0: no limit
}

func (p Policy) negative() bool {
	return p.Timeout < 0 || p.Grace < 0 || p.Attempts < 0 || p.Backoff < 0 || p.Width < 0
}

// Branch is one way out of a route.
type Branch struct {
	Label string   // what the route's choice returns to take it
	To    []string // nodes that run next, or End alone
	Max   int      // most times one run may take it; 0: no limit, allowed outside loops only
}

// node is one declared node. A Map has a split, which lists its items.
type node[S any] struct {
	Policy
	split func(S) ([]json.RawMessage, error)
	run   func(context.Context, S, json.RawMessage) (S, error)
}

type route[S any] struct {
	choose   func(S) string
	branches []Branch
}

// Graph is an immutable description that Compile found sound. It is safe for
// concurrent use as far as the functions it was given are.
type Graph[S any] struct {
	name      string
	order     []string // names of the nodes as declared
	nodes     map[string]*node[S]
	edges     map[string][]string
	joins     map[string][]string
	routes    map[string]route[S]
	onFailure func(Task, string) S
	reduce    reducer[S]
}

// Policy returns the policy of a node, and the zero one for an unknown node.
func (g *Graph[S]) Policy(node string) Policy {
	if n := g.nodes[node]; n != nil {
		return n.Policy
	}
	return Policy{}
}
