package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// workerProcess is one warm worker.
type workerProcess struct {
	box      *Box
	child    *process
	in       *os.File
	out      *bufio.Reader
	stderr   chan []byte // what it said, once, after its end
	reusable bool        // it answered and lives
	ended    sync.Once
	endErr   error
}

// loaderRead is what the dynamic loader of a cgo binary reads.
var loaderRead = []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"}

// startWorker starts a worker, has it warm up, and waits until its locks are closed.
func (b *Box) startWorker(ctx context.Context, kind string, o WorkerOptions) (*workerProcess, error) {
	cache, err := b.workerCache(ctx, kind, o)
	if err != nil {
		return nil, err
	}
	order := workerOrder{Kind: kind, Memory: o.Memory}
	p, err := b.launchWorker(ctx, order, o, cache)
	if err == nil || cache == "" || ctx.Err() != nil {
		return p, err
	}
	p, again := b.launchWorker(ctx, order, o, "")
	if again == nil {
		b.spoiled(err)
	}
	return p, again
}

// launchWorker starts the process; with order.Prime it may write to the cache directory, has our uid and ends by itself.
func (b *Box) launchWorker(ctx context.Context, order workerOrder, o WorkerOptions, cache string) (*workerProcess, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("opening pipe: %w", err)
	}
	var argsErr error
	a := attempt{stdin: stdin, spec: func(r rung, _ int) spec {
		var s spec
		s, argsErr = b.workerSpec(order, r, cache)
		return s
	}}
	as := worker
	if order.Prime {
		as = primer
	}
	child, err := b.start(ctx, a, as)
	err = errors.Join(err, argsErr, stdin.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	p := &workerProcess{box: b, child: child, in: in, out: bufio.NewReaderSize(child.stdout, 64<<10), stderr: make(chan []byte, 1)}
	go func() {
		said, _ := io.ReadAll(io.LimitReader(child.stderr, 8<<10)) // ends with the process
		_, _ = io.Copy(io.Discard, child.stderr)
		p.stderr <- said
	}()
	b.keep(p)
	frame, err := p.exchange(ctx, nil, nil, within(o.WarmUp))
	if err == nil && (len(frame) == 0 || frame[0] != frameReady) {
		err = errors.New(safetext.Text(string(frame[min(1, len(frame)):]), 200))
	}
	if err != nil {
		return nil, errors.Join(err, p.end())
	}
	return p, nil
}

func (b *Box) workerSpec(order workerOrder, r rung, cache string) (spec, error) {
	order.Seccomp = r.seccomp
	args, err := order.args()
	s := spec{
		Argv: args, Env: []string{"GOTRACEBACK=none", "GOMAXPROCS=" + strconv.Itoa(workerThreads), "LC_ALL=C.UTF-8", "TZ=UTC"}, Dir: "/",
		Read: slices.Clone(loaderRead), NS: r.ns, Landlock: r.landlock, Seccomp: r.seccomp, Worker: true,
		Stack: workerStack, FileSize: 1, Processes: processLimit(r, b.dir.uid), OpenFiles: maxOpenFiles,
	}
	if cache == "" {
		return s, err
	}
	s.Env = append(s.Env, CacheEnv+"="+cache)
	if order.Prime {
		s.Write, s.FileSize = []string{cache}, maxCache
	} else {
		s.Read = append(s.Read, cache)
	}
	return s, err
}

func (b *Box) keep(p *workerProcess) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.workers[p] = true
}

func (p *workerProcess) alive() bool {
	select {
	case <-p.child.done:
		return false
	default:
		return true
	}
}

// ask hands over one document. reusable says afterwards whether the process can take another.
func (p *workerProcess) ask(ctx context.Context, request []byte, limit deadline) ([]byte, error) {
	p.reusable = false
	ticket := make([]byte, ticketSize)
	if _, err := rand.Read(ticket); err != nil {
		return nil, errors.Join(fmt.Errorf("making ticket: %w", err), p.end())
	}
	frame, err := p.exchange(ctx, ticket, request, limit)
	if err != nil {
		return nil, errors.Join(err, p.end())
	}
	kind, body := frame[0], frame[1:]
	body, ours := bytes.CutPrefix(body, ticket)
	if !ours || kind != frameAnswer && kind != frameError {
		return nil, errors.Join(&WorkerError{Reason: Crashed, Detail: "what it said is not an answer to this document"}, p.end())
	}
	p.reusable = true
	if kind == frameError {
		return nil, &WorkerError{Reason: Failed, Detail: safetext.Text(string(body), 300)}
	}
	return body, nil
}

// quiet tells whether a worker has said nothing since its last answer: one that speaks unasked is not asked again.
func (p *workerProcess) quiet() bool { return p.out.Buffered() == 0 && !readable(p.child.stdout) }

// exchange writes a request with its ticket, if there is one, and reads a frame. When it fails, the process is dead.
func (p *workerProcess) exchange(ctx context.Context, ticket, request []byte, limit deadline) ([]byte, error) {
	watching, answered := context.WithCancel(ctx)
	defer answered()
	late := make(chan string, 1)
	go func() {
		why := limit.passed(watching, p.child.used)
		if why != "" {
			p.child.kill()
		}
		late <- why
	}()
	stop := context.AfterFunc(ctx, p.child.kill)
	var err error
	if ticket != nil {
		err = writeFrame(p.in, ticket, request)
	}
	var frame []byte
	if err == nil {
		frame, err = readFrame(p.out, maxWorkerFrame)
	}
	if err == nil && len(frame) == 0 {
		err = io.ErrUnexpectedEOF
	}
	answered()
	why := <-late
	if intact := stop() && why == ""; err == nil && intact {
		return frame, nil
	}
	p.child.kill()
	<-p.child.done
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case why != "":
		return nil, &WorkerError{Reason: TimedOut, Detail: why}
	}
	return nil, &WorkerError{Reason: Crashed, Detail: p.causeOfDeath(err)}
}

// causeOfDeath reads the process's last words: Go's fatal errors and panics, else the signal or exit code.
func (p *workerProcess) causeOfDeath(err error) string {
	said := <-p.stderr
	p.stderr <- nil
	for line := range strings.Lines(string(said)) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"fatal error: ", "panic: ", "runtime: out of memory"} {
			if strings.HasPrefix(line, mark) {
				return safetext.Text(strings.TrimPrefix(line, "fatal error: "), 120)
			}
		}
	}
	if errors.Is(err, errFrame) {
		return "answer over the limit"
	}
	state := p.child.cmd.ProcessState
	if sig := endSignal(state); sig != 0 && sig != syscall.SIGKILL {
		return sig.String()
	}
	return state.String()
}

// end kills the process and gives back what the parent holds of it.
func (p *workerProcess) end() error {
	p.ended.Do(func() {
		p.child.kill()
		<-p.child.done
		p.box.mu.Lock()
		delete(p.box.workers, p)
		p.box.mu.Unlock()
		p.endErr = errors.Join(p.in.Close(), p.child.release())
	})
	return p.endErr
}
