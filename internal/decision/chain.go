package decision

import (
	"fmt"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Chain puts an entry behind the one with the hash prev.
func Chain(prev string, e Entry) Entry {
	e.Prev = prev
	e.At = e.At.UTC().Truncate(time.Second)
	e.Evidence = append([]string{}, e.Evidence...)
	e.Hash = e.sum()
	return e
}

// sum is the digest of the canonical entry without its hash.
func (e Entry) sum() string {
	e.Hash = ""
	return court.Digest(e)
}

// BreakError says where a chain does not hold.
type BreakError struct {
	Seq int64 // of the first entry that does not fit
	Why string
}

func (e *BreakError) Error() string { return fmt.Sprintf("decision %d %s", e.Seq, e.Why) }

// Verify walks a chain from its first entry; the error is a *BreakError at the first that does not fit.
func Verify(list []Entry) error {
	prev := ""
	for i, e := range list {
		switch {
		case e.Seq != int64(i+1):
			return &BreakError{e.Seq, fmt.Sprintf("stands in place %d", i+1)}
		case e.Prev != prev:
			return &BreakError{e.Seq, "does not follow from the one before it"}
		case e.Hash != e.sum():
			return &BreakError{e.Seq, "was changed: its content does not give its hash"}
		}
		prev = e.Hash
	}
	return nil
}

// held are the decisions that nobody took back, in their order. The taking back, which itself may have been taken back, is left out.
func held(list []Entry) (out []Entry) {
	off := map[int64]bool{}
	for _, e := range slices.Backward(list) {
		switch {
		case off[e.Seq]:
		case e.Kind == Undo:
			off[e.Undoes] = true
		default:
			out = append(out, e)
		}
	}
	slices.Reverse(out)
	return out
}

// InForce are the decisions that count, in their order: those that were taken back are left out. Of several scores on one
// criterion, of several acceptances and of several publications of a case only the newest counts.
func InForce(list []Entry) (out []Entry) {
	type subject struct {
		kind             Kind
		submission, what string
	}
	newest := map[subject]bool{}
	for _, e := range slices.Backward(held(list)) {
		if slices.Contains([]Kind{Score, Answer, Accept, Publish}, e.Kind) {
			about := subject{e.Kind, e.Submission, e.Criterion}
			if newest[about] {
				continue
			}
			newest[about] = true
		}
		out = append(out, e)
	}
	slices.Reverse(out)
	return out
}

// Appeals are the appeals that nobody has answered. An answer stays one when a newer score takes the place of the one that it gave.
func Appeals(list []Entry) (open []Entry) {
	for _, e := range held(list) {
		open = slices.DeleteFunc(open, e.answers)
		if e.Kind == Appeal {
			open = append(open, e)
		}
	}
	return open
}
