package sandbox

import (
	"slices"
	"sync"
)

// ladder remembers for one run which step of the fall-back order works here.
type ladder struct {
	trying sync.Mutex // held by the child that tries the steps
	mu     sync.Mutex
	steps  []rung
	at     int
	proven bool
	why    map[string]string // layer → why the last step that had it failed
}

func newLadder(steps []rung) *ladder {
	return &ladder{steps: steps, why: map[string]string{}}
}

// turn waits until a step is known to work, or until this child is the one to try them: no child must start as one user while
// another's failure hands the directories to the next. done ends the turn.
func (l *ladder) turn() (done func()) {
	l.trying.Lock()
	if _, _, proven := l.current(); proven {
		l.trying.Unlock()
		return func() {}
	}
	return l.trying.Unlock
}

// current is the step to try, and whether it is known to work.
func (l *ladder) current() (step rung, at int, proven bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.steps[l.at], l.at, l.proven
}

func (l *ladder) worked() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.proven = true
}

// failed goes one step down; it reports whether there is a step left to try.
func (l *ladder) failed(reason string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at == len(l.steps)-1 {
		return false
	}
	for _, layer := range l.steps[l.at].names() {
		l.why[layer] = reason
	}
	l.at++
	return true
}

// last tells whether at is the last step.
func (l *ladder) last(at int) bool { return at == len(l.steps)-1 }

// missing are the layers of the first step that the current one is without.
func (l *ladder) missing() []Missing {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Missing
	have := l.steps[l.at].names()
	for _, layer := range l.steps[0].names() {
		if !slices.Contains(have, layer) {
			out = append(out, Missing{Layer: layer, Reason: l.why[layer]})
		}
	}
	return out
}

func (r rung) names() []string {
	var out []string
	for _, l := range []struct {
		on   bool
		name string
	}{{r.uid, "uid"}, {r.ns, "ns"}, {r.landlock, "landlock"}, {r.seccomp, "seccomp"}} {
		if l.on {
			out = append(out, l.name)
		}
	}
	return out
}
