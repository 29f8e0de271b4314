package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Record is one entry of a journal, mostly the outcome of one finished task.
type Record struct {
	Task    string          // the task's ID, or one of the names that the package uses itself
	Outcome json.RawMessage // what the task left behind
	At      time.Time       // when; zero without a clock. For people, never read by a run
}

// headTask is the name of the record that says what a run depends on. No task
// ID looks like it.
const headTask = "head"

// Journal keeps what happened in one run. The first record of a task wins:
// Append returns the one that is kept, once it would survive a crash. So two
// processes that run the same thing by accident reach the same result. Load
// returns all records, in any order. Both are safe for concurrent use.
type Journal interface {
	Load(ctx context.Context) ([]Record, error)
	Append(ctx context.Context, r Record) (kept Record, err error)
}

// MismatchError says that a journal is of a run with another input, another
// graph or another head. It must not be resumed; the caller may set it aside
// and start anew.
type MismatchError struct {
	Was, Now map[string]string // only what differs; a key that one side lacks is absent there
}

// Error names each difference, by key.
func (e *MismatchError) Error() string {
	keys := slices.Collect(maps.Keys(e.Was))
	keys = slices.AppendSeq(keys, maps.Keys(e.Now))
	slices.Sort(keys)
	var diffs []string
	for _, k := range slices.Compact(keys) {
		diffs = append(diffs, fmt.Sprintf("%s was %s, is %s", k, quoted(e.Was, k), quoted(e.Now, k)))
	}
	return "the journal is of another run: " + strings.Join(diffs, "; ")
}

func quoted(m map[string]string, key string) string {
	if v, ok := m[key]; ok {
		return fmt.Sprintf("%q", v)
	}
	return "absent"
}

// headOf encodes what a run depends on; maps are encoded in the order of keys.
func headOf(given map[string]string, topology, input string) (map[string]string, error) {
	now := map[string]string{"graph": topology, "input": input}
	for k, v := range given {
		if _, own := now[k]; own || k == "" {
			return nil, fmt.Errorf("checking the head: %q is not for callers to set", k)
		}
		now[k] = v
	}
	return now, nil
}

// checkHead compares the head of a journal with what the run depends on now.
func checkHead(kept json.RawMessage, now map[string]string) error {
	var was map[string]string
	if err := json.Unmarshal(kept, &was); err != nil {
		return fmt.Errorf("reading the head: %w: %w", ErrNotJournal, err)
	}
	if was == nil {
		return fmt.Errorf("reading the head: %w: it is empty", ErrNotJournal)
	}
	e := &MismatchError{map[string]string{}, map[string]string{}}
	note := func(into, a, b map[string]string) {
		for k, v := range a {
			if other, ok := b[k]; !ok || other != v {
				into[k] = v
			}
		}
	}
	note(e.Was, was, now)
	note(e.Now, now, was)
	if len(e.Was)+len(e.Now) == 0 {
		return nil
	}
	return e
}

// failed says whether an outcome is a failure, or fell short.
func failed(outcome json.RawMessage) (bool, error) {
	var o struct {
		Failure string `json:"failure"`
		Redo    bool   `json:"redo"`
	}
	err := json.Unmarshal(outcome, &o)
	return o.Failure != "" || o.Redo, err
}
