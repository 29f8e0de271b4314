package sandbox

import (
	"context"
	"time"
)

// deadline is the fence around the work on one document, which a worker bounds by counts of its own: processor time, and
// the clock on the wall for what sleeps or starves. Whether a document meets it depends on the machine.
type deadline struct {
	cpu  time.Duration
	wall time.Duration
}

// patience is how many times as long as its processor time a document may take: a design choice, for a machine with
// three times as much to do as it can.
const patience = 3

func within(cpu time.Duration) deadline { return deadline{cpu: cpu, wall: patience * cpu} }

const (
	// workerThreads is GOMAXPROCS of a worker: in a second it spends no more than so many of processor time.
	workerThreads = 2
	// shortestLook is how often a worker is looked at when its time is nearly spent.
	shortestLook = 10 * time.Millisecond
)

// passed waits until the deadline has passed and says which; "" when ctx ends first. used tells what the process has
// spent so far; where that cannot be told, the wall alone counts.
func (d deadline) passed(ctx context.Context, used func() (time.Duration, error)) string {
	wall := time.NewTimer(d.wall)
	defer wall.Stop()
	before, err := used()
	now := before
	for {
		var look <-chan time.Time
		if err == nil {
			look = time.After(max((d.cpu-(now-before))/workerThreads, shortestLook))
		}
		select {
		case <-ctx.Done():
			return ""
		case <-wall.C:
			return "no answer in " + d.wall.String()
		case <-look:
		}
		if now, err = used(); err == nil && now-before >= d.cpu {
			return "no answer in " + d.cpu.String() + " of processor time"
		}
	}
}
