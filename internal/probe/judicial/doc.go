// Package judicial holds the probes of a courtroom's judges and of its chief
// justice: how models are asked, what the prompts say, and by which rules the
// final scores come about.
//
// It reads code through the scene and never runs it. Only what the code does
// counts: comments, docstrings and messages of logs are not evidence. What two
// or more probes need is computed once per scene, in bench.
package judicial
