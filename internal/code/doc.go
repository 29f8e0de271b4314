// Package code reads source text and answers structural questions about it:
// what is defined, imported and called, what a name stands for,
// what an expression is worth, and where a value comes from. Python is read in
// full; other languages are named and counted.
//
// It works on bytes that were handed to it. It must not open files, must not
// run what it reads, and must not judge it: it has no notion of a rubric. Text
// is parsed by a worker (Service) because the parser is C and the text is
// hostile; everything else happens here, in pure Go, on the worker's answer.
//
// What cannot be resolved is named, never dropped: an unresolved name or value
// renders as "?expr@path:line".
//
// # Conventions
//
// Lines are counted from 1 and always mean the original file. Byte offsets
// mean the decoded text, in which every line end is one "\n". Paths are
// slash-separated and relative to the repository. Answers that hold several
// items are in source order: by path, then by position.
//
// A qualified name is a dotted name from the outermost module inward:
// "subprocess.run", "langgraph.graph.StateGraph", "builtins.eval", or for
// first-party code "src.tools.git.clone". A method of an object is named
// through its class ("src.agent.Agent.run", "langgraph.graph.StateGraph.add_node"),
// and what a function returns is written with parentheses
// ("subprocess.run().stdout").
package code
