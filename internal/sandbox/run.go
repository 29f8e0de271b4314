package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Run runs one outside program to its end. A program that ends with another code than 0 is an error, with Result.Code
// set; a limit that ended it is a *Refusal whose code names the limit (limit_wall, limit_cpu, limit_memory, limit_fsize,
// limit_disk, limit_files, limit_output, limit_download). A cancelled ctx is its cause.
func (b *Box) Run(ctx context.Context, c Command) (Result, error) {
	name := "git"
	if c.Path != "" {
		name = filepath.Base(c.Path)
	} else if b.git == "" {
		return Result{}, Refuse("git_missing", "no git program on PATH")
	}
	res, err := b.run(ctx, c, name)
	if c.Sink == nil && starved(res, err) {
		res, err = b.run(ctx, c, name)
	}
	if err != nil {
		if c.Path == "" && len(c.Args) > 0 {
			name += " " + subcommand(c.Args)
		}
		return res, fmt.Errorf("running %s: %w", name, err)
	}
	return res, nil
}

// starved tells that a child was refused memory before it had done anything. Seen on a machine under heavy load, of a
// program that asks for little: it is started once more. A limit that is really met is met again.
func starved(res Result, err error) bool {
	refusal, ok := errors.AsType[*Refusal](err)
	return ok && refusal.Code == "limit_memory" && len(res.Stdout) == 0 && res.Used < 200*time.Millisecond
}

// subcommand is git's, for messages: the first argument that is not an option.
func subcommand(args []string) string {
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
		return safetext.Text(args[i], 40)
	}
	return ""
}

func (b *Box) run(ctx context.Context, c Command, name string) (Result, error) {
	limits := c.Limits.or(b.limits)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx, stop := context.WithTimeoutCause(ctx, limits.Wall, Refuse("limit_wall", "took longer than %s", limits.Wall))
	defer stop()

	gate, err := b.gate(c, limits, cancel)
	if err != nil {
		return Result{}, err
	}
	stdin, err := feed(c.Stdin)
	if err != nil {
		return Result{}, err
	}
	a := attempt{stdin: stdin, network: gate != nil, spec: func(r rung, port int) spec {
		return b.programSpec(c, limits, name, r, port, gate)
	}}
	as := program
	if c.Private {
		as = privateProgram
	}
	p, err := b.start(ctx, a, as)
	if stdin != nil {
		err = errors.Join(err, stdin.Close())
	}
	if err != nil {
		return Result{}, err
	}
	if gate != nil {
		go gate.serve(ctx, p.proxy)
	}
	return b.attend(ctx, cancel, c, limits, p, gate.veil(c.Auth))
}

// feed starts writing the child's input into a pipe of the system and returns the end to read from. The writer ends when
// all is written or the child is gone.
func feed(input []byte) (*os.File, error) {
	if input == nil {
		return nil, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("opening pipe: %w", err)
	}
	go func() {
		_, _ = w.Write(input) // a child that does not want more closes it
		_ = w.Close()
	}()
	return r, nil
}

func (b *Box) programSpec(c Command, limits Limits, name string, r rung, port int, gate *gate) spec {
	settings := slices.Concat(b.settings, c.Config)
	if gate != nil {
		settings = append(settings, gate.settings(port, c)...)
	}
	s := spec{
		Program: c.Path, Argv: append([]string{name}, c.Args...), Env: append(b.childEnv(settings), c.Env...), Dir: b.dir.work(),
		Read: slices.Concat(b.read, c.Read), Write: []string{b.dir.home(), b.dir.work()},
		Port: port, NS: r.ns, Landlock: r.landlock, Seccomp: r.seccomp,
		CPU: uint64(limits.CPU / time.Second), FileSize: limits.FileSize, Memory: limits.Memory,
		Processes: processLimit(r, b.dir.uid), OpenFiles: maxOpenFiles,
	}
	if s.Program == "" {
		s.Program = b.git
	}
	if !r.uid && b.dir.held() {
		s.Dir = b.dir.path
	}
	return s
}

// attend reads what the child writes, watches its limits, and sees it to its end.
func (b *Box) attend(ctx context.Context, cancel context.CancelCauseFunc, c Command, limits Limits, p *process, veil *safetext.Veil) (Result, error) {
	var res Result
	var sinkErr error
	outputs := make(chan struct{}, 2)
	go func() {
		res.Stdout, sinkErr = drain(p.stdout, limits.Stdout, c.Sink, cancel)
		outputs <- struct{}{}
	}()
	go func() {
		res.Stderr, _ = io.ReadAll(io.LimitReader(p.stderr, limits.Stderr)) // a broken pipe ends it, like the child
		_, _ = io.Copy(io.Discard, p.stderr)
		outputs <- struct{}{}
	}()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		watchDisk(ctx, p.done, b.dir.work(), limits, cancel)
	}()
	select {
	case <-p.done:
	case <-ctx.Done():
	}
	p.kill() // the child, or what is left of its group
	<-p.done
	cause := context.Cause(ctx)
	late := time.AfterFunc(drainLimit, func() { // a grandchild outside of the group may hold the pipes
		_ = p.stdout.SetReadDeadline(past) // fails only when it is closed, which ends the reading, too
		_ = p.stderr.SetReadDeadline(past)
	})
	<-outputs
	<-outputs
	late.Stop()
	<-watched
	res.Stderr = []byte(veil.Hide(string(res.Stderr)))
	if err := p.release(); err != nil {
		return res, err
	}
	return res, p.verdict(&res, limits, cmpCause(cause, sinkErr))
}

// cmpCause: what made us stop the child comes before what the reader made of its sudden end.
func cmpCause(cause, sinkErr error) error {
	if cause != nil {
		return cause
	}
	return sinkErr
}

// drain reads output up to the limit, into memory or through the sink, and drops the rest.
func drain(r io.Reader, limit int64, sink func(io.Reader) error, cancel context.CancelCauseFunc) (out []byte, err error) {
	lr := &io.LimitedReader{R: r, N: limit}
	if sink != nil {
		err = sink(bufio.NewReaderSize(lr, 64<<10))
	} else {
		out, _ = io.ReadAll(lr) // a broken pipe ends it, like the child
	}
	if lr.N <= 0 {
		if n, _ := io.CopyN(io.Discard, r, 1); n > 0 {
			cancel(Refuse("limit_output", "more than %d bytes of output", limit))
		}
	}
	if err != nil {
		cancel(err)
	}
	_, _ = io.Copy(io.Discard, r)
	return out, err
}

// verdict tells how the child ended.
func (p *process) verdict(res *Result, limits Limits, cause error) error {
	state := p.cmd.ProcessState
	if state == nil {
		return errors.New("the child's end was not seen")
	}
	res.Code, res.Used = state.ExitCode(), state.UserTime()+state.SystemTime()
	signal := endSignal(state)
	if signal != 0 {
		res.Signal = signal.String()
	}
	if cause != nil {
		return cause
	}
	if state.Success() {
		return nil
	}
	if code := brokenLimit(res.Used, signal, res.Stderr, limits); code != "" {
		if said := lastLine(res.Stderr); said != "" {
			return Refuse(code, "ended by its limit: %q", said)
		}
		return Refuse(code, "ended by its limit")
	}
	if signal != 0 {
		return fmt.Errorf("ended by signal: %s", res.Signal)
	}
	if res.Code == exitExec && len(res.Stderr) == 0 {
		return errors.New("the program cannot be executed")
	}
	if said := lastLine(res.Stderr); said != "" {
		return fmt.Errorf("exit code %d: %s", res.Code, said)
	}
	return fmt.Errorf("exit code %d", res.Code)
}

// unpackFailed is what git says last when the helper that unpacks what it fetched has failed or was ended.
const unpackFailed = "invalid index-pack output"

// lastLine is the last line with text of a program's complaint, cleaned; when git only says there that its helper failed,
// what the helper itself said first.
func lastLine(stderr []byte) string {
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	last := lines[len(lines)-1]
	said := func(line string) bool {
		return strings.HasPrefix(line, "error: ") || strings.HasPrefix(line, "fatal: ")
	}
	if first := slices.IndexFunc(lines, said); first >= 0 && strings.Contains(last, unpackFailed) {
		last = lines[first]
	}
	return safetext.Text(last, 300)
}
