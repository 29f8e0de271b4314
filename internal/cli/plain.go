package cli

import (
	"io"
	"slices"
	"sync"
	"time"
)

// silence is after how long without a line the user is told that work goes on.
const silence = 30 * time.Second

// plainView shows a run as a line per finished step, in UTC, nothing redrawn.
type plainView struct {
	w     io.Writer
	about string // the case, in front of every line

	mu      sync.Mutex // the timer comes from another goroutine
	over    bool
	idle    *time.Timer
	quiet   time.Duration // since the last line
	running []string      // steps in the order in which they began
}

func newPlainView(w io.Writer, about string) *plainView {
	v := &plainView{w: w}
	if about != "" {
		v.about = about + " "
	}
	v.mu.Lock() // the timer reads what is set here
	defer v.mu.Unlock()
	v.idle = time.AfterFunc(silence, v.still)
	return v
}

func (v *plainView) stop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.over = true
	v.idle.Stop()
}

// still says that the oldest step is not done yet.
func (v *plainView) still() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.over || len(v.running) == 0 {
		return
	}
	v.quiet += silence
	l := &lines{w: v.w}
	l.f("%sstill working: %s, %d s\n", v.about, v.running[0], int(v.quiet.Seconds()))
	v.idle.Reset(silence)
}

func (v *plainView) tell(n news) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	l := &lines{w: v.w}
	at := n.at.UTC().Format("15:04:05Z")
	switch n.what {
	case begun:
		v.running = append(v.running, n.step)
		return nil
	case moved:
		return nil
	case ended:
		v.running = slices.DeleteFunc(v.running, func(r string) bool { return r == n.step })
		l.f("%s %s%-19s %-58s %5.1fs\n", at, v.about, n.step, n.text, n.took.Seconds())
	case sighted, failed, noted:
		l.f("%s %s%-19s %s\n", at, v.about, n.step, n.text)
	}
	v.quiet = 0
	v.idle.Reset(silence)
	return l.err
}
