package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// classView shows how a class is judged: a row for the whole and one for each case at work, a line for each that ended, or
// events as JSON.
type classView struct {
	app  *app
	how  string // live, plain, json or none
	live *liveView

	mu    sync.Mutex
	began time.Time
	of    int             // cases in all
	over  int             // that have ended, those of earlier runs too
	done  int             // that ended in this run
	bad   int             // of those, failed
	at    map[string]*row // rows of cases at work, by id
	free  []*row
}

func (a *app) classView(ctx context.Context, of int, before map[docket.State]int, width int) *classView {
	v := &classView{app: a, how: a.shows(), began: a.Now(), of: of, over: kept(before) + before[docket.Failed], at: map[string]*row{}}
	if v.how == "live" {
		v.live = a.liveRows(ctx, make([]string, width+1))
		v.live.mu.Lock()
		defer v.live.mu.Unlock()
		whole := v.live.rows[0]
		whole.name, whole.waiting, whole.state, whole.began, whole.of = "class", false, begun, a.Now(), of
		v.free = v.live.rows[1:]
	}
	return v
}

func (v *classView) stop() {
	if v.live != nil {
		v.live.stop()
	}
}

// ended is how many cases ended in this run.
func (v *classView) ended() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.done
}

// step shows one thing that happened to a case.
func (v *classView) step(s batch.Step) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch s.Kind {
	case batch.Begun:
		v.takeRow(s.Row)
	case batch.Worked:
		v.work(s.Row, s.Event)
	case batch.Ended:
		v.end(s.Row)
	}
}

func (v *classView) takeRow(s docket.Submission) {
	if v.live == nil || len(v.free) == 0 {
		return
	}
	v.live.mu.Lock()
	defer v.live.mu.Unlock()
	r := v.free[0]
	v.free = v.free[1:]
	*r = row{name: court.Clean(s.ID, nameWidth), state: begun, began: v.app.Now(), text: fetch}
	v.at[s.ID] = r
}

func (v *classView) work(s docket.Submission, e trace.Event) {
	if v.how == "json" {
		_ = trace.Lines(v.app.Stderr)(e) // a line of progress that is lost is no loss
		return
	}
	if r := v.at[s.ID]; r != nil && e.Kind == trace.NodeStart {
		v.live.mu.Lock()
		r.text = e.Node
		v.live.mu.Unlock()
	}
}

// end shows that a case is out of hands: it has ended, or waits for another attempt.
func (v *classView) end(s docket.Submission) {
	open := s.State == docket.Pending
	if !open {
		v.over, v.done = v.over+1, v.done+1
	}
	if s.State == docket.Failed {
		v.bad++
	}
	state := batch.StateWord(s.State)
	words := state
	if s.Reason != "" {
		words += ": " + s.Reason
	}
	if open && s.Reason != "" {
		words = "waits until " + s.Again.UTC().Format("15:04:05Z") + " for another attempt: " + s.Reason
	}
	words = court.Clean(discreet(words), 200)
	switch v.how {
	case "json":
		raw, err := json.Marshal(map[string]any{"kind": "case.state", "case": s.ID, "state": state, "text": s.Reason, "done": v.over, "of": v.of})
		if err == nil {
			_, _ = v.app.Stderr.Write(append(safetext.JSON(raw), '\n'))
		}
	case "plain":
		_, _ = fmt.Fprintf(v.app.Stderr, "%s %-28s %s  (%d of %d%s)\n", v.app.Now().UTC().Format("15:04:05Z"), court.Clean(s.ID, 60), words, v.over, v.of, v.left())
	case "live":
		v.redraw(s, words, open)
	}
}

func (v *classView) redraw(s docket.Submission, words string, open bool) {
	v.live.mu.Lock()
	defer v.live.mu.Unlock()
	if r := v.at[s.ID]; r != nil {
		*r = row{waiting: true}
		delete(v.at, s.ID)
		v.free = append(v.free, r)
	}
	whole := v.live.rows[0]
	text := []string{fmt.Sprintf("%d of %d", v.over, v.of)}
	if v.bad > 0 {
		text = append(text, fmt.Sprintf("%d failed", v.bad))
	}
	whole.done, whole.of, whole.text = v.over, v.of, strings.Join(text, ", ")+v.left()
	if s.State == docket.Failed || open && s.Reason != "" {
		v.live.above = append(v.live.above, v.live.look.fault(court.Clean(s.ID, 60), words))
	}
}

// left says how long the rest takes at the pace so far, in words; nothing while that cannot be told.
func (v *classView) left() string {
	const enough = 3 // cases, for a pace
	rest := v.of - v.over
	spent := v.app.Now().Sub(v.began)
	if v.done < enough || rest <= 0 || spent <= 0 {
		return ""
	}
	return ", about " + report.Duration((spent * time.Duration(rest) / time.Duration(v.done)).Milliseconds()) + " left"
}
