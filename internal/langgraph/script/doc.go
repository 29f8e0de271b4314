// Package script reads LangGraph programs in TypeScript and JavaScript
// into an agentgraph.Reading, without running them: what the code adds to a
// StateGraph, the state that it runs over, and what its nodes return.
//
// It stands on the trees of package code/syntax for what is written, on the intermediate
// language for what names stand for, and on package body for what functions do with
// the state. It must not run anything, open files, know of rubrics or give marks. What it cannot follow
// is an Unresolved, never something missing.
package script
