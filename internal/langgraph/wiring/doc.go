// Package wiring reads how programs build graphs of agents: it follows what the
// building code would do when it runs, over the intermediate language and so once for
// every language, and notes what is called on each builder and under which conditions.
//
// Values that are not known stay symbols; a branch that hangs on one is taken on both
// sides. It must not run anything, open files, know of rubrics or give marks. What it
// cannot follow is an Unresolved, never something missing.
package wiring
