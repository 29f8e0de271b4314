// Package query finds places in code by tree-sitter queries that a rubric's
// author wrote. Both the query and the code are strangers': they meet in a
// worker process, with bounds on size, time and matches. The package knows
// nothing of checks and faults; it tells where a pattern fits.
package query
