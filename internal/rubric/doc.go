// Package rubric reads rubric files of every dialect into court.Rubric, and
// holds the built-in rubrics with their compiled checks.
//
// A rubric is data written by anybody: it is bounded in size and depth, every
// default that the loader fills in leaves a note, and every error names its
// line and column. The package attaches checks to each criterion, but it never
// answers one: it does not know the probes, only the catalogue that the caller
// hands in. It reads no text of a rule as a number and judges nothing.
package rubric
