// Package web is the courtroom in a browser: pages, forms and an interface for programs over the docket of one cohort, on
// the operator's own machine. It reads the index and renders records with the report's own pages; it judges nothing
// itself, and nothing of a submission acts in a page.
package web
