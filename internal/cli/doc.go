// Package cli is the command line: one file per command, streams handed in,
// errors with hints, and one place that turns an error into an exit code.
//
// It decides nothing about a case; it reads what was asked for, hands it to the
// trial and shows what came of it.
package cli
