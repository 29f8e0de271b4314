// Package project holds the probes that need no particular language or
// framework: what a repository has beside its code (tests, CI, licence, lock
// file, settings), what it publishes, and the generic probes that answer single
// names of a rubric. It reads files at the commit and runs none of them.
package project
