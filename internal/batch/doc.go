// Package batch judges the submissions of a cohort, in this process: it reads rosters, takes submissions from the docket
// one by one, opens and judges each in a sandbox of its own, and writes down how it ended. One bad submission never
// stops another, and whatever kills the process loses at most the work of the steps that were running.
package batch
