// Package fleet judges the submissions of a cohort on many machines: workflows and workers of Temporal hand out what
// batch examines. What happened stands in the docket. Temporal knows ids, places in rosters, states and digests, and nothing
// else; all of it may be lost, and the cohort goes on. It is the only room with Temporal's SDK.
package fleet
