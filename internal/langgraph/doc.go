// Package langgraph reads LangGraph programs in Python into an
// agentgraph.Reading, without running them: the graphs that the code builds,
// the state they run over and its reducers, and what the nodes write.
//
// It stands on package code, on package body for what functions do with the state, and
// on package wiring for how graphs are built. It must not run anything,
// open files, know of rubrics or give marks. Def and Expr give the code behind
// a part of a graph that it read.
package langgraph
