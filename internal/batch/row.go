package batch

import (
	"context"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
)

// Ref names one submission of a cohort and says nothing of it: no name, no address, no id of a person.
type Ref struct {
	Cohort     string `json:"cohort"`
	Row        int64  `json:"row"`        // place in the roster
	Generation int64  `json:"generation"` // of what the cohort is judged with
}

// Outcome is where a submission stands.
type Outcome struct {
	State  docket.State `json:"state"`
	Record string       `json:"record,omitempty"` // digest of its record
	Again  time.Time    `json:"-"`                // of one that waits: when it may be tried again
}

// Examine takes one submission from where the docket has it to its end, or to where another attempt begins. It is safe to run
// twice, even at once. The error is of the docket or this machine, never of the submission.
type Examine func(ctx context.Context, at Ref, watch func(Step)) (Outcome, error)

// Examine is an Examine: it takes the submission at a place of the roster, when nobody else has it, and says where it stands then.
func (l *Local) Examine(ctx context.Context, at Ref, watch func(Step)) (Outcome, error) {
	l.Watch = watch
	if err := l.begin(); err != nil {
		return Outcome{}, err
	}
	s, ok, err := l.Docket.ClaimAt(ctx, at.Cohort, at.Row, l.holder, max(l.PerHost, 1))
	if err == nil && !ok { // it has ended, waits, or is held: by somebody who is gone, perhaps
		if err = l.Docket.Expire(ctx, at.Cohort); err == nil {
			s, ok, err = l.Docket.ClaimAt(ctx, at.Cohort, at.Row, l.holder, max(l.PerHost, 1))
		}
	}
	if err == nil && ok {
		err = l.examine(ctx, s)
	}
	if err != nil {
		return Outcome{}, err
	}
	s, record, err := l.Docket.At(context.WithoutCancel(ctx), at.Cohort, at.Row)
	if rested := l.Now().Add(hostRest); s.State == docket.Pending && !ok && rested.After(s.Again) { // it may wait for its host, too
		s.Again = rested
	}
	return Outcome{State: s.State, Record: record, Again: s.Again}, err
}

// hostRest is how long is waited at least for a host from which enough is being fetched.
const hostRest = 5 * time.Second
