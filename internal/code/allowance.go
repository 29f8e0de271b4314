package code

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// What the files of one case may cost that end without a tree; those after it,
// by path, are not tried. A design choice, in shares of what one file may cost.
const (
	wholeFile   = 20
	wasteBudget = 6 * wholeFile
)

var errSpent = errors.New("not tried: too much work went into files before it that could not be parsed")

// cost is what a failure is reckoned at. It depends on the text and the reason
// alone, not on the machine, so that the same files are given up everywhere.
func cost(err error, size int) int {
	if w, ok := errors.AsType[*sandbox.WorkerError](err); ok && w.Reason != sandbox.Failed {
		if w.Reason == sandbox.TimedOut || w.Reason == sandbox.Crashed {
			return wholeFile
		}
		return 0 // nobody looked at it
	}
	switch {
	case size > maxSource:
		return 0
	case strings.Contains(err.Error(), errTooMuch.Error()):
		return wholeFile
	}
	return 1 + size/(64<<10)
}

// Allowance is the waste budget while texts are parsed in their order, several
// at a time: which of them are tried does not depend on which is done first.
type Allowance struct {
	budget int
	mu     sync.Mutex
	waste  []waste
}

// waste is what the text at a position of the queue was reckoned at.
type waste struct {
	at   int
	cost int
}

// NewAllowance is the whole budget of a case.
func NewAllowance() *Allowance { return &Allowance{budget: wasteBudget} }

// Charge reckons the failure of the text at a position.
func (a *Allowance) Charge(at int, err error, size int) {
	cost := cost(err, size)
	a.mu.Lock()
	defer a.mu.Unlock()
	if cost > 0 {
		a.waste = append(a.waste, waste{at, cost})
	}
}

// Spent is why the text at this position is not tried: those before it have
// used the budget up. What it says of a position stays true.
func (a *Allowance) Spent(at int) error {
	if a.before(at) >= a.budget {
		return errSpent
	}
	return nil
}

// Each does something with every text of a queue of n, several at a time, and
// returns why each failed. Where the budget ends, so do the texts; it returns
// early only where the context ends.
func (a *Allowance) Each(ctx context.Context, n int, do func(at int) (size int, err error)) []error {
	errs := make([]error, n)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(maxParallel, runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for ctx.Err() == nil {
				at := int(next.Add(1)) - 1
				if at >= n {
					return
				}
				if a.Spent(at) != nil {
					continue
				}
				size, err := do(at)
				if errs[at] = err; err != nil {
					a.Charge(at, err, size)
				}
			}
		})
	}
	group.Wait()
	for at := range errs {
		if err := a.Spent(at); err != nil {
			errs[at] = err
		}
	}
	return errs
}

func (a *Allowance) before(at int) (sum int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, w := range a.waste {
		if w.at < at {
			sum += w.cost
		}
	}
	return sum
}

// failures are the texts of a case that gave no tree, and what is left of the
// waste budget after them.
type failures struct {
	mu      sync.Mutex
	reasons map[string]string // by text
	left    int
}

// of returns why a module's text is known to give no tree; "" when that is not
// known.
func (f *failures) of(m *Module) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reasons[m.text]
}

func (f *failures) keep(m *Module, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.reasons == nil {
		f.reasons = map[string]string{}
	}
	f.reasons[m.text] = why.Error()
}

func (f *failures) allowance() *Allowance {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &Allowance{budget: f.left}
}

func (f *failures) spend(cost int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left -= cost
}
