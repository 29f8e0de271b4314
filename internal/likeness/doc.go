// Package likeness tells which of many works have long passages in common. A work is a sequence of tokens, which may be
// nodes of a syntax tree or words of a text; fingerprints of it are kept by winnowing (Schleimer, Wilkerson and Aiken,
// "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003), the method of MOSS.
//
// It knows no submissions and judges nobody: what is alike may have a good reason. Everything is computed from what it
// is given, in integers, and does not depend on the order in which works are given.
package likeness
