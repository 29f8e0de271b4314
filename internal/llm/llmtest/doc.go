// Package llmtest is a model server for tests, on this machine. It speaks chat
// completions and messages as their providers document them, holds requests to
// what those accept, answers what a script says, and can fail in every way that
// a server, or something between, can fail.
//
// It knows the wire and nothing of ours: what a client of ours does wrong must
// not be mirrored here.
package llmtest
