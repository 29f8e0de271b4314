// Package langgraph reads LangGraph programs without running them: it finds
// the graphs that the code builds (nodes, edges, routes), the state they run
// over and its reducers, and answers questions about the wiring, such as which
// nodes may run at the same time.
//
// It stands on package code and sees syntax only. It must not run anything,
// open files, know of rubrics or give marks. What cannot be resolved is kept
// as an Unresolved and makes the answers that it could change Unknown; it is
// never taken for something missing.
//
// # Terminals
//
// START and END have the names that LangGraph gives them, "__start__" and
// "__end__", so that a node which somebody called "START" stays apart. Label
// writes a name the way a reader expects it.
//
// # Order
//
// All lists are sorted, by name or by place, and do not depend on map order.
package langgraph
