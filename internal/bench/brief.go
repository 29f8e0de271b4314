package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Brief is all that a judge gets to see: the criterion with its checks, and
// the evidence that stands. No judge is shown an opinion, a score, a ledger or a
// bound, so that none can lean on another. Make it with NewBrief.
type Brief struct {
	Criterion court.Criterion
	Round     int             // 1 or 2
	Exhibits  []court.Exhibit // in the order of the checks, then of ids
	// Testimony is the passages of the document that bear on the criterion. It
	// is what is said, not what is so: the embedded judges do not hear it.
	Testimony []court.Exhibit

	// What follows is for models only. Guidance, Anchors and Preamble are what the
	// rubric says to all its criteria.
	Guidance court.Guidance
	Anchors  map[int]string
	Preamble string
	// Shown is the content of evidence, by id, as models see it: bare of comments.
	// Evidence that is missing in it is shown with its own content.
	Shown map[string]string
	// Bared is the same with prose and the text of strings replaced by "…". When
	// there is one, each seat is asked with it, too, and a judge whom prose has
	// moved by more than a point is heard without it. Content that is missing in
	// it is shown as "…".
	Bared   map[string]string
	Samples int            // how many answers a seat gives; 0 is 1
	Given   *court.Opinion // this seat's own first answer, or the median of as many: it counts and is shown to nobody
}

// NewBrief lays the standing evidence on the criterion's checks before a judge.
// What was superseded or struck, or answers no check of the criterion, is left
// out.
func NewBrief(c court.Criterion, round int, exhibits []court.Exhibit) Brief {
	b := Brief{Criterion: c, Round: round}
	for _, p := range pose(c.Checks, exhibits) {
		for _, it := range p.items {
			b.Exhibits = append(b.Exhibits, it.Exhibit)
		}
	}
	for _, x := range exhibits {
		if x.Check == court.Testimony && x.Stands() {
			b.Testimony = append(b.Testimony, x)
		}
	}
	return b
}

// Blind tells whether no check could be made from the criterion's words, or
// none has anything to check.
func (b Brief) Blind() bool {
	return !slices.ContainsFunc(pose(b.Criterion.Checks, b.Exhibits), posed.applies)
}

// exhibit is the evidence of an id, if it is in the brief.
func (b Brief) exhibit(id string) (court.Exhibit, bool) {
	i := slices.IndexFunc(b.Exhibits, func(x court.Exhibit) bool { return x.ID == id })
	if i < 0 {
		return court.Exhibit{}, false
	}
	return b.Exhibits[i], true
}

// Judge fills one seat of the bench. An error means that the seat is lost; the
// opinion of the embedded judge then takes its place.
type Judge interface {
	Opine(ctx context.Context, b Brief) (court.Opinion, error)
}

// Embedded is the judge that speaks from the ledger alone, without a model.
func Embedded(p court.Persona) Judge { return embedded{p} }

type embedded struct{ persona court.Persona }

// Opine gives the exact score that follows from the evidence, and the reasons.
func (e embedded) Opine(ctx context.Context, b Brief) (court.Opinion, error) {
	if err := ctx.Err(); err != nil {
		return court.Opinion{}, fmt.Errorf("hearing %s on %s: %w", e.persona, b.Criterion.ID, err)
	}
	if _, ok := current().Judges[e.persona]; !ok {
		return court.Opinion{}, fmt.Errorf("hearing %q: no such seat", e.persona)
	}
	return speak(e.persona, b), nil
}
