// Package decision is what people decide about cases: an entry each, chained by hashes, in the order in which they
// were made. It says which of them are in force and puts them into a copy of a record, for the chief justice to rule
// again. It reads and writes nothing, and never changes a record.
package decision
