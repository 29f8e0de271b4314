// Package history holds the probes of the commits: how many, how large, when,
// by whom, with which messages, and what they once brought. It reads commits
// and older blobs, never the work of a day as a character: a trace that has
// harmless explanations is stated with its numbers and accuses nobody.
package history
