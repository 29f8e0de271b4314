// Package court is the vocabulary of the house: the case, the rubric, evidence,
// opinions, hearings, rulings, the verdict and the record that holds them all.
//
// Everything here is plain data that survives JSON unchanged, with the rules
// that say when it is well formed. The package does no I/O, knows no clock and
// imports the standard library only, so that every other room can speak it.
package court
