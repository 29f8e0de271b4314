package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/web"
)

// intake begins what is asked for from pages. It has the cohort to itself while something is judged, and leaves it to other
// processes in between.
type intake struct {
	s     *sitting
	files *uploads
	// reading is how rosters are read that are sent.
	reading batch.Reading
	more    chan struct{} // something may be open
	over    chan struct{} // closed when nothing is judged any more

	mu      sync.Mutex   // of the roster and what follows
	let     func() error // leaves the cohort, which nobody else works on now; nil: others may
	trouble string       // what made the last run stop
}

// mostListed is how many submissions a class has at most.
const mostListed = 100_000

// intake opens a class for submissions that come, and goes on with what is open in it. What was begun goes on until ctx ends;
// end waits for that.
func (a *app) intake(ctx context.Context, folder string, o serveFlags) (n *intake, err error) {
	reading, err := o.reading()
	if err != nil {
		return nil, err
	}
	h, err := a.earlier(folder)
	if err == nil && h == nil {
		h, err = a.emptyClass(folder)
	}
	if err != nil {
		return nil, err
	}
	if err := a.goOn(h, ""); err != nil {
		return nil, err
	}
	d, err := a.openDocket(ctx, h, false) // makes it, or brings it up to date
	if err == nil {
		err = d.Close()
	}
	if err != nil {
		return nil, err
	}
	if d, err = a.openDocket(ctx, h, true); err != nil {
		return nil, err
	}
	n = &intake{s: &sitting{app: a, class: h, docket: d, flags: o.classFlags}, more: make(chan struct{}, 1), over: make(chan struct{}), reading: reading}
	if err := n.begin(ctx, o.maxUpload); err != nil {
		return nil, errors.Join(err, n.leave(), d.Close())
	}
	n.wake()
	go n.run(ctx)
	return n, nil
}

// begin has the cohort alone, and prepares what it is judged with.
func (n *intake) begin(ctx context.Context, most int64) (err error) {
	if n.let, err = n.s.docket.Hold(); err != nil {
		return coded(exitUsage, fmt.Errorf("opening the store: %w", err), "wait until it ends, or stop it")
	}
	if err := n.s.begin(ctx); err != nil {
		return err
	}
	if err := n.s.enrol(ctx, ""); err != nil {
		n.s.end()
		return err
	}
	n.files = &uploads{class: n.s.class, shelf: n.s.shelf, most: most, held: map[string]int{}}
	n.files.abandoned()
	return nil
}

// leave leaves the cohort to others. The caller holds the lock.
func (n *intake) leave() error {
	if n.let == nil {
		return nil
	}
	let := n.let
	n.let = nil
	return let()
}

// emptyClass begins a cohort in a folder that is empty or not there.
func (a *app) emptyClass(folder string) (*class, error) {
	items, err := os.ReadDir(a.path(folder))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, coded(exitUsage, fmt.Errorf("reading the cohort %q: %w", folder, err))
	}
	if len(items) > 0 && !a.exists(filepath.Join(folder, docket.FileName)) { // with it, a class was to begin here and did not
		return nil, usage("give the folder that batch wrote, or a new one", "opening the cohort %q: the folder is not empty and holds no cohort", folder)
	}
	h, err := a.newClass(folder, "COHORT names another folder")
	if err == nil {
		h.roster = folder
	}
	return h, err
}

// end waits until what was at work is given back.
func (n *intake) end() error {
	<-n.over
	n.s.end()
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.leave()
}

// wake says that something may be open.
func (n *intake) wake() {
	n.s.local.Wake()
	select {
	case n.more <- struct{}{}:
	default: // it is known
	}
}

// run judges what comes until ctx ends.
func (n *intake) run(ctx context.Context) {
	defer close(n.over)
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.more:
		}
		if n.has() {
			n.rest(ctx, n.judge(ctx))
		}
	}
}

// judge judges what is open, if anything is.
func (n *intake) judge(ctx context.Context) error {
	_, open, err := n.s.docket.Opens(ctx, n.s.class.cohort.ID)
	if err != nil || open == 0 {
		return err
	}
	if err := n.s.judge(ctx, n.told); err != nil {
		return err
	}
	_, err = n.s.compared(ctx)
	return err
}

// has tells whether the cohort is held.
func (n *intake) has() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.let != nil
}

// told notes what ended.
func (n *intake) told(x batch.Step) {
	if x.Kind == batch.Ended && x.Row.State != docket.Pending {
		n.s.app.note("%s is %s", shown(x.Row.ID), shown(batch.StateWord(x.Row.State)+because(x.Row.Reason)))
	}
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + discreet(reason)
}

// rest leaves the cohort to others, unless something came meanwhile.
func (n *intake) rest(ctx context.Context, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	open := 0
	if n.trouble = ""; err == nil {
		_, open, err = n.s.docket.Opens(ctx, n.s.class.cohort.ID)
	}
	if err == nil && open > 0 {
		n.wake()
		return
	}
	if err = errors.Join(err, n.leave()); err != nil {
		n.trouble = said(err)
		n.s.app.warn("judging the class stopped: %s", shown(n.trouble))
	}
}

// errTerms says that the cohort is not any more what the server was started with.
var errTerms = batch.Problems{"another process judged the class by other terms since this server was started, so it has to be started again"}

// take has the cohort for this process alone, as it is now. The caller holds the lock.
func (n *intake) take(ctx context.Context) error {
	d, c := n.s.docket, n.s.class.cohort
	if n.let != nil && c.Store == "" { // on a server others may be at work as well
		return nil
	}
	let := n.let
	var err error
	if let == nil {
		if let, err = n.s.docket.Hold(); err != nil {
			return err
		}
	}
	now, err := batch.ReadCohort(n.s.class.path)
	if err == nil && (now.ID != c.ID || now.Tool != c.Tool || !reflect.DeepEqual(now.Shared, c.Shared)) {
		err = errTerms
	}
	if err == nil && c.Store == "" {
		err = d.Orphan(ctx, c.ID)
	}
	if err != nil {
		if n.let == nil {
			err = errors.Join(err, let())
		}
		return err
	}
	c.Enlist(now.Roster)
	n.let = let
	return nil
}

// Working tells whether something is judged here.
func (n *intake) Working() (now bool, trouble string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.let != nil, n.trouble
}

// Keep takes an upload in.
func (n *intake) Keep(name string, document bool, from io.Reader) (web.Upload, error) {
	return n.files.keep(name, document, from)
}

// Again has a submission judged again.
func (n *intake) Again(ctx context.Context, id string, newest bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.take(ctx); err != nil {
		return err
	}
	defer n.wake()
	return n.s.docket.Again(ctx, n.s.class.cohort.ID, newest, id)
}

// Add puts submissions on the roster and has them judged: all of them, or none where anything is wrong with any.
func (n *intake) Add(ctx context.Context, list []web.Sent, replace bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.take(ctx); err != nil {
		return err
	}
	defer n.wake() // it is given back when nothing is open
	c := n.s.class.cohort
	before, roster := c.Roster, slices.Clone(c.Roster)
	at := map[string]int{}
	for i, e := range roster {
		at[e.ID] = i
	}
	var bad batch.Problems
	var there []string
	places := make([]int, len(list))
	for i, x := range list {
		e, wrong := n.entry(x)
		place, known := at[e.ID]
		switch {
		case known && !replace:
			wrong = append(wrong, "it is in the class already; with replace, this one takes its place")
		case known:
			there = append(there, e.ID)
			roster[place] = e
		default:
			place = len(roster)
			roster, at[e.ID] = append(roster, e), place
		}
		places[i] = place
		for _, w := range wrong {
			bad = append(bad, lineOf(x.Entry)+": "+w)
		}
	}
	if len(roster) > mostListed {
		bad = append(bad, fmt.Sprintf("a class has at most %d submissions", mostListed))
	}
	if len(bad) > 0 {
		return bad
	}
	c.Enlist(roster)
	err := c.Write(n.s.class.path)
	if err == nil {
		err = n.admit(ctx, places, there)
	}
	if err != nil {
		c.Enlist(before)
		err = errors.Join(err, c.Write(n.s.class.path))
	}
	if errors.Is(err, docket.ErrConflict) {
		return batch.Problems{"a submission that is to be replaced is being judged just now: send it again when that has ended"}
	}
	return err
}

// admit writes the submissions of some places down. Of those that were there before, the commit is taken that they have now.
func (n *intake) admit(ctx context.Context, places []int, there []string) error {
	c, d := n.s.class.cohort, n.s.docket
	folders := batch.Folders(c.Roster)
	rows := make([]docket.Submission, len(places))
	for i, p := range places {
		rows[i] = n.s.jury.row(c.Roster[p], p, folders[p])
	}
	if err := d.Admit(ctx, c.ID, rows...); err != nil {
		return err
	}
	return d.Again(ctx, c.ID, true, there...)
}
