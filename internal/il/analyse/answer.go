// Package analyse answers questions about a program in the intermediate
// language. Each analysis says on which side it is sound: over-approximation for
// what never happens, under-approximation for what does. What is shown on neither
// side is Unknown, with its reason.
package analyse

import "github.com/automaton-auditor/automaton/internal/il"

// Tri is a three-valued truth.
type Tri int8

// The truth values.
const (
	Unknown Tri = iota
	No
	Yes
)

func (t Tri) String() string { return [...]string{"unknown", "no", "yes"}[t] }

// Answer is a truth with its reason and the places that show it, in the order in
// which a run comes by them.
type Answer struct {
	Is     Tri
	Why    string
	Places []il.Place
}
