// Package agentgraph holds graphs of agents, whatever framework and language
// they are written for: nodes, edges, routes, groups that join, the state they
// run over and its reducers. It answers questions about the wiring, such as
// which nodes may run at the same time, what joins, what is never reached, and
// which updates are lost.
//
// It knows no framework, no language and no rubric: readers fill a Reading and
// call Finish, and Settle with the Profile that says what the programs call the
// parts of their graphs. A Source is what a reader keeps of the code behind a
// part of the graph; nothing here looks into it. What a reader could not
// follow is kept as an Unresolved and makes the answers that it could change
// Unknown; it is never taken for something missing.
//
// # Terminals
//
// START and END have the names "__start__" and "__end__", so that a node which
// somebody called "START" stays apart. Label writes a name the way a reader
// expects it.
//
// # Order
//
// All lists are sorted, by name or by place, and do not depend on map order.
package agentgraph
