package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
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

// What is kept of a submission that comes over the network, in characters and submissions.
const (
	mostLabel  = 200
	mostListed = 100_000
)

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
	if n.let, err = docket.Hold(n.place()); err != nil {
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

// place is where the database is.
func (n *intake) place() string { return cmp.Or(n.s.class.cohort.Store, n.s.class.path) }

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
		if let, err = docket.Hold(n.place()); err != nil {
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
	if errors.Is(err, docket.ErrHeld) {
		return batch.Problems{"a submission that is to be replaced is being judged just now: send it again when that has ended"}
	}
	return err
}

// lineOf names a submission in a message.
func lineOf(e batch.Entry) string {
	name := fmt.Sprintf("%q", court.Clean(e.ID, mostLabel))
	if e.Line > 0 {
		name = fmt.Sprintf("line %d, %s", e.Line, name)
	}
	return name
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

// entry is a submission that was sent as the roster has it, and all that is wrong with it: it may name addresses, and nothing
// of this machine but its uploads.
func (n *intake) entry(x web.Sent) (e batch.Entry, wrong []string) {
	e = x.Entry
	e.Line = 0
	for what, text := range map[string]string{"id": e.ID, "name": e.Name, "email": e.Email, "commit": e.Commit, "pdf": e.PDF} {
		if n := utf8.RuneCountInString(text); n > mostLabel && what != "pdf" || text != court.Clean(text, 0) {
			wrong = append(wrong, "its "+what+" is too long, or has characters that are not shown")
		}
	}
	switch {
	case e.ID == "" || e.ID == "." || e.ID == "..":
		wrong = append(wrong, "the id is empty, or none")
	case e.Due != "" && batch.DueOf(e.Due).IsZero():
		wrong = append(wrong, "due is not a time like 2026-03-01 or 2026-03-01 18:00")
	}
	if e.Answers != "" {
		wrong = append(wrong, "answers are a file of the server, and cannot be sent")
	}
	if x.Document.Path != "" && e.PDF != "" {
		wrong = append(wrong, "a document is sent or has an address, not both")
	}
	if wrong = append(wrong, n.aims(&e, x)...); len(wrong) > 0 {
		slices.Sort(wrong)
		return e, wrong
	}
	if x.Document.Path != "" {
		e.PDF = x.Document.Path
	}
	at, _, err := n.s.jury.aim(e)
	if err == nil && at.local != "" && x.Archive.Path == "" {
		err = errors.New("the address names a folder of this machine")
	}
	if err != nil {
		return e, []string{wordsOnly(err)}
	}
	if _, err := n.s.app.documents([]string{n.s.class.kept(e.PDF)}); err != nil {
		return e, []string{wordsOnly(err)}
	}
	return e, nil
}

// aims says what is wrong with where a submission and its document are, and sets where the submission is.
func (n *intake) aims(e *batch.Entry, x web.Sent) (wrong []string) {
	switch {
	case x.Archive.Path != "" && e.Target != "":
		wrong = append(wrong, "files are sent or the repository has an address, not both")
	case x.Archive.Path != "":
		e.Target = x.Archive.Path
	case e.Target == "":
		wrong = append(wrong, "there is neither an address of a repository nor an archive")
	case !address(e.Target):
		wrong = append(wrong, "the repository is not an address like https://HOST/OWNER/NAME, without a password")
	}
	if e.PDF != "" && e.PDF != "auto" && e.PDF != "none" && !strings.HasPrefix(e.PDF, "tree:") && !address(e.PDF) {
		wrong = append(wrong, "the document is neither an https address without a password, tree:PATH, auto nor none")
	}
	return wrong
}

// address tells an https address from the names of files and from what carries a password.
func address(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && strings.HasPrefix(text, "https://")
}
