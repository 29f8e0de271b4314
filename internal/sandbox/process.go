package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

const (
	// handshakeLimit: a child that has not answered by then has a layer that hangs.
	handshakeLimit = 10 * time.Second
	// lastHandshakeLimit is for a step that is known to work, or has none below it: then it is the machine that is slow.
	lastHandshakeLimit = time.Minute
	// drainLimit is how long a process that left the group may hold the output open after the child's end.
	drainLimit = 2 * time.Second
)

// process is a started child that has taken its layers on.
type process struct {
	cmd    *exec.Cmd
	stdout *os.File
	stderr *os.File
	proxy  net.Listener // where the proxy listens, nil: no network
	rung   rung
	reply  reply
	done   chan struct{} // closed after the child's end

	mu     sync.Mutex
	reaped bool // the pid may belong to somebody else by now
}

// attempt is what is needed to start a child in one step of the fall-back order.
type attempt struct {
	stdin   *os.File // the child's end; stays open
	network bool
	rung    rung
	uid     int
	limit   time.Duration
	spec    func(r rung, port int) spec
}

// insidePort is the proxy's port inside a network namespace.
const insidePort = 3128

// spawn starts a child and waits for its answer. A *spawnError means that the step failed, other errors that nothing would work.
func (a attempt) spawn(ctx context.Context) (p *process, err error) {
	p = &process{rung: a.rung, done: make(chan struct{})}
	port := 0
	if a.network {
		port = insidePort
		if !a.rung.ns {
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				return nil, fmt.Errorf("opening proxy: %w", err)
			}
			p.proxy = l
			port = l.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // a tcp4 listener
		}
	}
	conn, err := p.fork(a)
	if err != nil {
		return nil, errors.Join(err, p.release())
	}
	defer func() { _ = conn.Close() }() // closed already when time or ctx ended first
	stop := time.AfterFunc(a.limit, func() { _ = conn.Close() })
	defer stop.Stop()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if err := p.handshake(conn, a.spec(a.rung, port)); err != nil {
		p.kill()
		said := p.lastWords()
		<-p.done
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		} else {
			err = &spawnError{fmt.Errorf("%w%s", err, said)}
		}
		return nil, errors.Join(err, p.release())
	}
	return p, nil
}

// spawnError is the failure of a layer.
type spawnError struct{ error }

func (e *spawnError) Unwrap() error { return e.error }

// fork starts this binary as the child. The socket returned leads to it.
func (p *process) fork(a attempt) (conn *net.UnixConn, err error) {
	var open []*os.File
	defer func() {
		for _, f := range open {
			err = errors.Join(err, f.Close())
		}
	}()
	pipe := func() (ours *os.File, theirs *os.File, err error) {
		ours, theirs, err = os.Pipe()
		if err == nil {
			open = append(open, theirs)
		}
		return ours, theirs, err
	}
	if p.cmd, err = selfCommand(childArg); err != nil {
		return nil, err
	}
	if p.stdout, p.cmd.Stdout, err = wrap(pipe()); err != nil {
		return nil, err
	}
	if p.stderr, p.cmd.Stderr, err = wrap(pipe()); err != nil {
		return nil, err
	}
	self, err := openSelf()
	if err != nil {
		return nil, fmt.Errorf("opening own binary: %w", err)
	}
	open = append(open, self)
	conn, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	open = append(open, theirs)
	if a.stdin != nil {
		p.cmd.Stdin = a.stdin
	}
	p.cmd.ExtraFiles = []*os.File{theirs, self} // specFD, selfFD
	p.cmd.Env = []string{"GOMAXPROCS=2", "GOTRACEBACK=none"}
	p.cmd.SysProcAttr = attributes(a.rung, a.uid)
	if err := p.begin(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func wrap(ours, theirs *os.File, err error) (*os.File, io.Writer, error) { return ours, theirs, err }

// begin starts the child in a goroutine that keeps its thread until the child's end: the death signal belongs to it.
func (p *process) begin() error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.reap()
		}
		close(p.done)
	}()
	err := <-started
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return fmt.Errorf("starting child: %w", err) // no layer's fault
	}
	return &spawnError{err}
}

func (p *process) handshake(conn *net.UnixConn, s spec) error {
	order, known, err := s.message()
	if err != nil {
		return err
	}
	if _, err := conn.Write(order); err != nil {
		return fmt.Errorf("sending to child: %w", slow(err))
	}
	buf, oob := make([]byte, 16<<10), make([]byte, 64)
	n, nOOB, _, _, err := conn.ReadMsgUnix(buf, oob)
	if err != nil {
		return fmt.Errorf("hearing from child: %w", slow(err))
	}
	p.reply = known
	if err := p.reply.hear(buf[:n]); err != nil {
		return fmt.Errorf("hearing from child: %w", err)
	}
	if p.reply.Err != "" {
		return errors.New(p.reply.Err)
	}
	if nOOB > 0 {
		p.proxy, err = listenerFrom(oob[:nOOB])
	}
	return err
}

var errSlow = errors.New("no answer in time")

// slow names the time limit, which shows as a closed socket.
func slow(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return errSlow
	}
	return err
}

// lastWords is what a child that failed left on its standard error.
func (p *process) lastWords() string {
	if err := p.stderr.SetReadDeadline(past); err != nil {
		return ""
	}
	buf := make([]byte, 300)
	if n, _ := p.stderr.Read(buf); n > 0 {
		return ": " + safetext.Text(string(buf[:n]), 200)
	}
	return ""
}

// past is a deadline that has passed.
var past = time.Unix(1, 0)

// reap waits for the child's end. What is left of its group is killed while the dead child still holds the number, so
// that no other group can have it.
func (p *process) reap() {
	if awaitEnd(p.cmd.Process.Pid) {
		p.kill()
		defer func() { _ = p.cmd.Wait() }() // its outcome is in ProcessState
	} else {
		_ = p.cmd.Wait() // here, too
	}
	p.mu.Lock()
	p.reaped = true
	p.mu.Unlock()
}

// kill ends the whole process group, and with PID 1 the namespace.
func (p *process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped && p.cmd.Process != nil {
		// ESRCH when it is gone already, which is what is wanted
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// used is the processor time that the process has spent so far.
func (p *process) used() (time.Duration, error) { return processorTime(p.cmd.Process.Pid) }

// release closes what the parent holds of the child.
func (p *process) release() error {
	var errs []error
	for _, f := range []*os.File{p.stdout, p.stderr} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	if p.proxy != nil {
		if err := p.proxy.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// readable tells whether there is something to read from a pipe, or its other end is closed.
func readable(f *os.File) bool {
	n := 0
	conn, err := f.SyscallConn()
	if err == nil {
		polled := error(unix.EINTR)
		err = conn.Control(func(fd uintptr) {
			for errors.Is(polled, unix.EINTR) { // the runtime interrupts its own threads
				n, polled = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
			}
		})
		err = errors.Join(err, polled)
	}
	return err != nil || n != 0
}

// socketPair makes a connected pair, our end as a connection, the child's as a file; both are closed on exec.
func socketPair() (*net.UnixConn, *os.File, error) {
	syscall.ForkLock.RLock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, fmt.Errorf("making socket pair: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "child"), os.NewFile(uintptr(fds[1]), "parent")
	defer func() { _ = ours.Close() }() // FileConn makes a duplicate
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("making socket pair: %w", err), theirs.Close())
	}
	return conn.(*net.UnixConn), theirs, nil //nolint:forcetypeassert // of AF_UNIX
}

// listenerFrom takes the listening socket out of a control message.
func listenerFrom(oob []byte) (net.Listener, error) {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil || len(messages) != 1 {
		return nil, errors.Join(errors.New("reading control message"), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, errors.Join(errors.New("reading control message"), err)
	}
	f := os.NewFile(uintptr(fds[0]), "proxy")
	defer func() { _ = f.Close() }() // FileListener makes a duplicate
	return net.FileListener(f)
}
