// Package document holds the probes of the submission's document and of its
// figures: whether it can be read, whose it is, what it explains, and whether
// what it says about the code is true.
//
// What the document says is collected once, in one ledger of claims: files,
// symbols, counts and capabilities, each with its modality, its place and its
// fate. The probes only read it. Nothing here judges style, and a sentence
// that the ledger does not understand is left out of it: a document is never
// accused of what was not understood.
package document
