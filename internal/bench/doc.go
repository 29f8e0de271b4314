// Package bench is the three judges. It turns the evidence on a criterion into
// belief, disbelief and doubt for each check, into three exact scores, and into
// three opinions that say no more than the evidence does.
//
// The judges share the facts and differ in their standard of proof and in who
// carries the doubt. All arithmetic is on whole numbers, so that the same
// evidence gives the same digits on every machine.
//
// A seat can be filled by a model under the same philosophy: a Counsel. It is
// shown the brief in words, with everything of the submission fenced off, and
// answers with claims and a score. A claim carries something only when its
// evidence lies in the brief and its quote stands there.
//
// The bench never reads a repository or a document: it sees evidence and
// nothing else. It does not decide; that is the chief justice's office.
package bench
