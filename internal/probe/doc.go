// Package probe is the detectives' craft: what a probe is, the scene it works
// on, how findings become evidence, and the fact sheet.
//
// A probe answers one question about one artifact from bytes at one commit. It
// never runs the submission, never opens the network and never scores; the
// package reaches neither judges nor models. The probes themselves stand in the
// groups below this folder, one file each.
package probe
