// Package facts holds what is so about a submission, each thing told once: typed
// values with their places, a three-valued answer and a reason. Probes, the fact
// sheet, the ledger of the document's claims and self-consistency are views of
// them and derive nothing by themselves, so that no two of them differ.
//
// It stands on instruments. It must not know rubrics, criteria, judges or scores,
// and it reads nothing that it was not given.
package facts
