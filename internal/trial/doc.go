// Package trial hears one case: it opens the submission, runs the audit graph
// over it and makes the record.
//
// It declares the graph and fills its nodes with the probes, the bench and the
// chief justice. It decides nothing itself.
package trial
