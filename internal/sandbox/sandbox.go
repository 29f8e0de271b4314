// Package sandbox runs what must not be trusted: outside programs (git) on a stranger's bytes, and our own parsers of a
// stranger's files. Each runs as a child process with an environment built from nothing, resource limits, a process
// group, a deadline and, where the system grants them, a throw-away uid, namespaces, Landlock and seccomp. The only way
// out of a child is a proxy in this process that resolves, checks and dials itself.
//
// It must not know what it runs: no git object, no syntax tree, no page. It never runs what a submission contains. A
// layer that is not available is reported, never silently left out.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Box is one run's sandbox: a locked run directory, the children and workers started in it, and the proxy's log.
// It is safe for concurrent use.
type Box struct {
	options  Options
	limits   Limits
	dir      *runDir
	git      string      // absolute path, empty when there is none
	read     []string    // what every program may read: the system's and git's own files
	settings [][2]string // git's, in the global file
	record   *record
	ladder   *ladder // children that can take the throw-away uid
	private  *ladder // children that need our uid

	mu      sync.Mutex
	closed  bool
	workers map[*workerProcess]bool
	checked bool
	cached  *cacheState
}

// Open makes the run directory, removes those that dead runs left behind, and looks up git. It starts nothing, but with
// Options.Require, where it starts one child to see that every layer is in force.
//
// Errors: *Refusal with code layer_missing (Require), git_missing (Options.Git or Require), git_old (Require).
func Open(o Options) (_ *Box, err error) {
	if o.TempDir == "" {
		o.TempDir = os.TempDir()
	}
	if o.TempDir, err = filepath.Abs(o.TempDir); err != nil {
		return nil, fmt.Errorf("making run directory: %w", err)
	}
	dir, err := openRunDir(o.TempDir)
	if err != nil {
		return nil, err
	}
	b := &Box{
		options: o, limits: o.Limits.or(defaultLimits()), dir: dir, record: newRecord(),
		ladder: newLadder(rungs(dir.uid != 0)), private: newLadder(rungs(false)),
		workers: map[*workerProcess]bool{}, cached: &cacheState{},
	}
	if dir.noUID != "" {
		b.record.missing["uid"] = safetext.Text(dir.noUID, 200)
	}
	if err := b.setUp(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Box) setUp() error {
	if err := sweepBeside(b.options.TempDir, runPrefix, b.dir.path); err != nil {
		return fmt.Errorf("removing old run directories: %w", err)
	}
	if err := b.findGit(); err != nil {
		return err
	}
	ca, err := b.certificates()
	if err != nil {
		return err
	}
	b.settings = baseSettings(ca)
	mode := os.FileMode(0o600)
	if b.dir.uid != 0 {
		mode = 0o644
	}
	if err := os.WriteFile(b.dir.gitconfig(), settingsFile(b.settings), mode); err != nil {
		return fmt.Errorf("writing git settings: %w", err)
	}
	b.read = append(b.read, b.dir.gitconfig(), b.dir.own())
	if b.options.Require {
		return b.Check(context.Background())
	}
	return nil
}

// systemRead is what programs need to start and to check certificates.
var systemRead = []string{
	"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/ssl", "/etc/ca-certificates", "/etc/pki",
}

// lookUp finds a program in the operator's PATH; places that depend on the working directory do not count, which may be
// the submission's. "" when there is none.
func lookUp(name string) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found
		}
	}
	return ""
}

// findGit looks git up once, in the operator's PATH; children get its absolute path.
func (b *Box) findGit() error {
	b.read = slices.Clone(systemRead)
	b.git = b.options.Git
	if b.git == "" {
		if b.git = lookUp("git"); b.git == "" {
			return nil // a box may never need git; Run says git_missing
		}
	}
	path, err := filepath.Abs(b.git)
	if err != nil {
		return fmt.Errorf("looking up git: %w", err)
	}
	b.git = path
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return Refuse("git_missing", "no git program at %q", path)
	}
	// a git outside of /usr: its prefix, for its helpers and libraries
	for _, p := range []string{path, real} {
		if prefix := filepath.Dir(filepath.Dir(p)); prefix != "/" && prefix != "/usr" {
			b.read = append(b.read, prefix)
		}
		if strings.HasPrefix(p, "/nix/store/") {
			b.read = append(b.read, "/nix/store")
		}
	}
	return nil
}

// certificates finds the operator's bundle and copies it where the throw-away uid can read it; empty: git's own default.
func (b *Box) certificates() (string, error) {
	if b.options.CAFile == "" {
		return "", nil
	}
	f, err := os.OpenFile(b.options.CAFile, os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a pipe does not wait for its other end
	if err != nil {
		return "", fmt.Errorf("reading certificates: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("reading certificates: %q is not a regular file; SSL_CERT_FILE names one", b.options.CAFile)
	}
	pem, err := io.ReadAll(io.LimitReader(f, 16<<20))
	if err != nil {
		return "", fmt.Errorf("reading certificates: %w", err)
	}
	path := filepath.Join(b.dir.own(), "ca.pem")
	if err := os.WriteFile(path, pem, 0o644); err != nil { // public by nature; the run directory is closed
		return "", fmt.Errorf("copying certificates: %w", err)
	}
	return path, nil
}

// MakeDir makes a fresh directory that lives as long as the box. Children can write to it when writable, and only read
// it when not.
func (b *Box) MakeDir(writable bool) (string, error) {
	path, err := b.dir.fresh(writable)
	if err != nil {
		return "", fmt.Errorf("making directory for child: %w", err)
	}
	return path, nil
}

// Close ends every worker and removes the run directory. It may be called more than once. Children still running under
// Run end with their context, which the caller cancels first.
func (b *Box) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	running := make([]*workerProcess, 0, len(b.workers))
	for w := range b.workers {
		running = append(running, w)
	}
	b.mu.Unlock()
	var errs []error
	for _, w := range running {
		errs = append(errs, w.end())
	}
	return errors.Join(append(errs, b.dir.remove())...)
}

var errClosed = errors.New("the sandbox is closed")

// role is what a child is for.
type role int

const (
	program        role = iota
	privateProgram      // reads what only our own uid can
	worker
	primer // fills the cache with our uid; no untrusted byte comes near it
)

// start starts a child in the best step of the fall-back order that works here, and remembers it.
func (b *Box) start(ctx context.Context, a attempt, as role) (*process, error) {
	steps, uid := b.ladder, b.dir.uid
	if as == privateProgram || as == primer {
		steps, uid = b.private, 0
	}
	defer steps.turn()()
	for {
		b.mu.Lock()
		closed := b.closed
		b.mu.Unlock()
		if closed {
			return nil, errClosed
		}
		step, at, proven := steps.current()
		a.rung, a.uid, a.limit = step, uid, handshakeLimit
		if proven || steps.last(at) {
			a.limit = lastHandshakeLimit
		}
		p, err := a.spawn(ctx)
		if err == nil {
			steps.worked()
			return p, b.admit(p, steps, as)
		}
		failure, isLayer := errors.AsType[*spawnError](err)
		if !isLayer {
			return nil, err
		}
		if b.options.Require {
			return nil, Refuse("layer_missing", "starting a child with all layers: %v", failure)
		}
		if proven || !steps.failed(failure.Error()) {
			return nil, fmt.Errorf("starting child: %w", err)
		}
		if err := b.rehouse(steps); err != nil {
			return nil, err
		}
	}
}

// rehouse gives the children's directories to the user of the step that is tried next.
func (b *Box) rehouse(steps *ladder) error {
	if b.dir.uid == 0 || steps == b.private {
		return nil
	}
	if step, _, _ := steps.current(); step.uid {
		return b.dir.give(b.dir.uid)
	}
	return b.dir.give(0)
}

// admit notes the layers of a started child, and ends it when one is missing that must not be.
func (b *Box) admit(p *process, steps *ladder, as role) error {
	if as == primer {
		return nil
	}
	missing := steps.missing()
	if as == privateProgram && b.dir.uid != 0 {
		missing = append(missing, Missing{"uid", "the source can be read by our user only"})
	}
	b.record.start(p.rung, p.reply, missing, as == worker)
	if !b.options.Require {
		return nil
	}
	gaps := b.Report().Missing
	if len(gaps) == 0 {
		return nil
	}
	p.kill()
	<-p.done
	return errors.Join(Refuse("layer_missing", "%s: %s", gaps[0].Layer, gaps[0].Reason), p.release())
}
