package trial

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
)

// Spoken is what the embedded judge of a seat says on a criterion: his opinion
// follows from the evidence that stands, and from nothing else.
func Spoken(c court.Criterion, round int, seat court.Persona, exhibits []court.Exhibit) (court.Opinion, error) {
	return bench.Embedded(seat).Opine(context.Background(), bench.NewBrief(c, round, exhibits))
}
