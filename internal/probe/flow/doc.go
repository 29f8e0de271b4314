// Package flow holds the probes of a LangGraph program's state and graph.
//
// They report what package langgraph reads and add nothing to it: what could
// not be resolved there is unknown here, never missing.
package flow
