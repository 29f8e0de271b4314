package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rewind is a decision to try failed tasks again, as the journal keeps it.
// Nothing is erased: outcomes of tasks that it concerns count under the name of
// a later generation, so that neither the failure nor a process which still
// builds on it can be first.
type rewind struct {
	Step  int      `json:"step"`  // the first with a failure; all later ones run again
	Tasks []string `json:"tasks"` // those of that step which failed
}

const rewindTask = "rewind/"

// Rewind makes an explicit resume possible: it appends to a journal that the
// next run shall try failed tasks again, and with them all that was built on
// the failures. Every outcome before the first step with a failure, and the
// successes of that step, still count. It returns how many outcomes no longer
// do, failures and what followed; with 0 it changed nothing.
func Rewind(ctx context.Context, j Journal) (dropped int, err error) {
	recs, err := j.Load(ctx)
	if err != nil {
		return 0, fmt.Errorf("rewinding the journal: %w", err)
	}
	h, err := historyOf(recs)
	if err != nil {
		return 0, fmt.Errorf("rewinding the journal: %w", err)
	}
	next, dropped, err := h.rewind()
	if err != nil {
		return 0, fmt.Errorf("rewinding the journal: %w", err)
	}
	if dropped == 0 {
		return 0, nil
	}
	raw, err := json.Marshal(next)
	if err != nil {
		return 0, fmt.Errorf("rewinding the journal: %w", err)
	}
	if _, err := j.Append(ctx, Record{Task: rewindTask + strconv.Itoa(len(h.rewinds)+1), Outcome: raw}); err != nil {
		return 0, fmt.Errorf("rewinding the journal: %w", err)
	}
	return dropped, nil
}

// history is what a journal holds.
type history struct {
	outcomes map[string]json.RawMessage // by key
	rewinds  []rewind                   // first to last
}

func historyOf(recs []Record) (*history, error) {
	h := &history{outcomes: map[string]json.RawMessage{}}
	for _, r := range recs {
		if _, dup := h.outcomes[r.Task]; !dup {
			h.outcomes[r.Task] = r.Outcome
		}
	}
	delete(h.outcomes, headTask)
	for n := 1; ; n++ {
		name := rewindTask + strconv.Itoa(n)
		raw, ok := h.outcomes[name]
		if !ok {
			return h, nil
		}
		var r rewind
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, fmt.Errorf("reading %s: %w: %w", name, ErrNotJournal, err)
		}
		h.rewinds = append(h.rewinds, r)
		delete(h.outcomes, name)
	}
}

// key is the name under which the outcome of a task counts now.
func (h *history) key(step int, id string) string {
	for n, r := range slices.Backward(h.rewinds) {
		if step > r.Step || step == r.Step && slices.Contains(r.Tasks, id) {
			return id + "~" + strconv.Itoa(n+1)
		}
	}
	return id
}

// rewind finds the first step with failures that count, and how many outcomes
// going back to it drops.
func (h *history) rewind() (next rewind, dropped int, err error) {
	next.Step = -1
	steps := map[string]int{} // of the tasks whose outcomes count
	for key, outcome := range h.outcomes {
		id, _, _ := strings.Cut(key, "~")
		step, err := stepOf(id)
		if err != nil {
			return next, 0, err
		}
		if h.key(step, id) != key {
			continue
		}
		bad, err := failed(outcome)
		if err != nil {
			return next, 0, fmt.Errorf("reading the outcome of %s: %w: %w", key, ErrNotJournal, err)
		}
		steps[id] = step
		switch {
		case !bad || next.Step >= 0 && step > next.Step:
		case step == next.Step:
			next.Tasks = append(next.Tasks, id)
		default:
			next = rewind{Step: step, Tasks: []string{id}}
		}
	}
	slices.Sort(next.Tasks)
	if next.Step < 0 {
		return next, 0, nil
	}
	dropped = len(next.Tasks)
	for _, step := range steps {
		if step > next.Step {
			dropped++
		}
	}
	return next, dropped, nil
}

// stepOf reads the superstep from the ID of a task.
func stepOf(id string) (int, error) {
	digits, _, found := strings.Cut(id, "/")
	step, err := strconv.Atoi(digits)
	if !found || err != nil || step < 0 {
		return 0, fmt.Errorf("%w: %q is the name of no task", ErrNotJournal, id)
	}
	return step, nil
}
