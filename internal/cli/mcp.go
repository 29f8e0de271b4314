package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/mcp"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func (a *app) mcpCommand() *cobra.Command {
	var o auditFlags
	var roots []string
	c := &cobra.Command{
		Use: "mcp", Short: "Offers audits to coding agents, by the Model Context Protocol on standard input and output",
		Long: "A client may audit what lies in the folders of --root, and in its own roots where it has roots. Rubric, judges, limits, gate and budget are those of this command: no client can choose them, and nothing inside the folders is obeyed. " +
			"One audit runs at a time. Records are kept in the folder of --out. Messages go to standard error.",
		Example: "  automaton mcp --root ~/work\n  automaton mcp --root . -r software --offline",
		Args:    none,
		RunE:    func(c *cobra.Command, _ []string) error { return a.mcp(c, roots, o) },
	}
	c.Flags().StringArrayVar(&roots, "root", nil, "`DIR` folder that clients may audit in (default the working directory; repeatable)")
	a.judgingFlags(c, &o)
	outFlag(c)
	c.Flags().BoolVar(&o.offline, "offline", false, "use no network")
	return c
}

// mcp answers a client until it goes away. All that can be refused is refused first.
func (a *app) mcp(c *cobra.Command, roots []string, o auditFlags) (err error) {
	d := &desk{app: a, flags: o}
	if d.roots, err = a.rootFolders(roots); err != nil {
		return err
	}
	for _, r := range d.roots {
		a.trees = append(a.trees, treeTop(r))
	}
	if err := a.settle(c, "", o.trust); err != nil {
		return err
	}
	if a.chosenRubric() == "-" {
		return usage("-r FILE", "reading flags: -r -: standard input is the client's")
	}
	if d.rubric, err = a.loadRubric(c.Context(), a.chosenRubric()); err != nil {
		return err
	}
	if d.prepared, err = a.prepare(c, aim{local: a.Dir}, d.rubric, o); err != nil {
		return err
	}
	defer func() { a.closed(d.models) }()
	defer func() { _ = d.shelf.Close() }() // nothing is buffered in it
	defer a.announceStop(c.Context())()
	out := &shared{w: a.Stdout, hide: a.hide}
	a.Stdout = io.Discard // a line that is no message would end the session
	a.note("waiting for a client; audits may be asked for in %s", strings.Join(d.roots, ", "))
	err = mcp.Serve(c.Context(), mcp.Options{Desk: d, Rubric: d.rubric, Version: a.Version, In: a.Stdin, Out: out,
		Crash: func(p any) { a.crash(p, debug.Stack()) }})
	if err != nil {
		return coded(exitUnexamined, err)
	}
	return nil
}

// rootFolders are the folders of --root, links resolved.
func (a *app) rootFolders(given []string) (roots []string, err error) {
	if len(given) == 0 {
		given = []string{a.Dir}
	}
	for _, dir := range given {
		real, err := filepath.EvalSymlinks(a.path(dir))
		if err != nil {
			return nil, usage("", "reading flags: --root %q: %w", dir, config.Cause(err))
		}
		if !isFolder(real) {
			return nil, usage("", "reading flags: --root %q is not a folder", dir)
		}
		roots = append(roots, real)
	}
	return roots, nil
}

// desk does what clients ask for.
type desk struct {
	app    *app
	flags  auditFlags
	roots  []string // links resolved
	rubric *court.Rubric
	prepared
}

// Audit hears a submission that lies where the client may look.
func (d *desk) Audit(ctx context.Context, r mcp.Request, tell func(mcp.Step)) (mcp.Audited, error) {
	done, err := d.audit(ctx, r, tell)
	return done, d.app.plainly(err)
}

func (d *desk) audit(ctx context.Context, r mcp.Request, tell func(mcp.Step)) (done mcp.Audited, err error) {
	a, p := d.app, d.prepared
	path, err := d.allowed(r, r.Path)
	if err != nil {
		return done, err
	}
	at, err := a.aimAt(path, r.Commit, "")
	if err != nil {
		return done, err
	}
	if p.docs, err = d.documents(r); err != nil {
		return done, err
	}
	if p.only, err = d.criteria(r.Only); err != nil {
		return done, err
	}
	ctx, p.models = p.models.aside(ctx)
	a.about = at.called(a.Dir)
	seen := &relay{client: tell, of: len(a.nodes()) + 1}
	rec, folder, e, err := a.hearCase(ctx, at, p, d.rubric, &steps{view: seen, now: p.clock, grave: map[string]int{}}, d.flags)
	switch {
	case rec == nil:
		return done, err
	case e.stopped:
		return done, errors.New("the audit was stopped; what is known is kept, and the same call goes on from there")
	}
	return mcp.Audited{ID: folder.Name(), Record: rec, Uncommitted: e.uncommitted}, nil
}

// allowed is a path of the client's, links resolved, if it lies in a folder of the operator's and, where
// the client has roots, in one of its own. What lies elsewhere and what is not there is told alike.
func (d *desk) allowed(r mcp.Request, path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", usage("", "reading arguments: %q is not an absolute path", path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !lies(real, d.roots) {
		return "", usage("", "reading arguments: %q is not in %s, where this server may look", path, strings.Join(d.roots, " or "))
	}
	if r.Rooted && len(r.Roots) == 0 {
		return "", usage("", "reading arguments: the client has roots and names none, so no folder is allowed; name one there")
	}
	if r.Rooted && !lies(real, r.Roots) {
		return "", usage("", "reading arguments: %q is not in a root of the client's", path)
	}
	return real, nil
}

// lies tells whether a path is or lies in one of the folders. One that cannot be looked at holds nothing.
func lies(real string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool {
		info, err := os.Stat(f)
		if err != nil || !info.IsDir() {
			return false
		}
		in, err := holds(info, real)
		return in && err == nil
	})
}

// documents are those that a client names, else the operator's.
func (d *desk) documents(r mcp.Request) ([]trial.Document, error) {
	name := r.PDF
	switch {
	case name == "":
		return d.docs, nil
	case name != "auto" && name != "none" && !strings.HasPrefix(name, "tree:"):
		var err error
		if name, err = d.allowed(r, name); err != nil {
			return nil, err
		}
	}
	return d.app.documents([]string{name})
}

// criteria are those that a client chooses among the operator's.
func (d *desk) criteria(asked []string) ([]string, error) {
	if len(asked) == 0 {
		return d.only, nil
	}
	only, err := d.app.onlyThese(d.rubric, strings.Join(asked, ","))
	if err != nil {
		return nil, err
	}
	for _, id := range only {
		if len(d.only) > 0 && !slices.Contains(d.only, id) {
			return nil, usage("", "reading arguments: this server does not judge %s", id)
		}
	}
	if len(d.rubric.Heard(only)) == 0 {
		return nil, usage("", "judging the case: %w", trial.ErrNothingToJudge)
	}
	return only, nil
}

// WhatIf supposes that checks are met.
func (d *desk) WhatIf(ctx context.Context, rec *court.Record, fixes []string) (report.Comparison, error) {
	_, found, err := d.app.suppose(ctx, rec, whatifFlags{fix: fixes})
	return found, d.app.plainly(err)
}

// Record reads what is kept under a name. Only names that we give are looked for.
func (d *desk) Record(id string) ([]byte, error) {
	if store.SafeName(id) != id {
		return nil, d.app.plainly(usage("", "reading record: there is no record %q", id))
	}
	raw, err := d.shelf.Record(id)
	return raw, d.app.plainly(err)
}

// plainly is an error as a client is told it, with what to do.
func (a *app) plainly(err error) error {
	if err == nil {
		return nil
	}
	text := wordsOnly(err)
	if f, ok := errors.AsType[*failure](err); ok {
		for _, h := range f.hints {
			if h != "" {
				text += "; " + h
			}
		}
	}
	return errors.New(discreet(court.Clean(text, maxHint)))
}

// relay hands on which steps of an audit are done.
type relay struct {
	client   func(mcp.Step)
	done, of int
}

func (t *relay) tell(n news) error {
	if n.what == ended {
		t.done++
		text := n.step
		if n.text != "" {
			text += ": " + n.text
		}
		t.client(mcp.Step{Done: t.done, Of: t.of, Text: text})
	}
	return nil
}

func (t *relay) stop() {}
