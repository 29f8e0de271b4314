package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// Proof is one thing that a locked process tried and must not be able to do.
type Proof struct {
	Who    string // worker, or child: an outside program such as git
	What   string // e.g. "reads a file outside"
	Held   bool   // it could not
	Detail string // how it was stopped, or what came through; clean
}

// ProofKind is the kind of worker that Prove asks: Main must have ProofService under this name.
const ProofKind = "proof"

// ProofService stands for a parser that was taken over: it tries what it is told.
func ProofService() Service { return Service{Handle: tryOut} }

func tryOut(request []byte) ([]byte, error) {
	word, rest, _ := strings.Cut(string(request), " ")
	switch word {
	case "read":
		_, err := os.ReadFile(rest)
		return nil, err
	case "write":
		return nil, os.WriteFile(rest, []byte("x"), 0o600)
	case "dial":
		c, err := net.Dial("tcp", rest)
		if err == nil {
			err = c.Close()
		}
		return nil, err
	case "exec":
		p, err := os.StartProcess(rest, []string{rest}, &os.ProcAttr{})
		if err == nil {
			_, err = p.Wait()
		}
		return nil, err
	case "spin":
		for n := uint(0); ; n++ {
		}
	case "hoard":
		for kept := [][]byte{}; ; {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			kept = append(kept, b)
		}
	}
	return nil, fmt.Errorf("unknown trial %q", word)
}

// Prove has a worker and a child try what the layers are there to stop, on a file and a port that it makes for this. The
// error says that the trial could not be made.
func (b *Box) Prove(ctx context.Context) ([]Proof, error) {
	p, err := b.openProving()
	if err != nil {
		return nil, fmt.Errorf("trying the sandbox out: %w", err)
	}
	out, err := p.workers(ctx)
	if err == nil {
		var more []Proof
		more, err = p.children(ctx)
		out = append(out, more...)
	}
	if err := errors.Join(err, p.close()); err != nil {
		return nil, fmt.Errorf("trying the sandbox out: %w", err)
	}
	return out, nil
}

// proving is what the trials aim at: a file that everybody may read, a folder, and a port on this machine.
type proving struct {
	box      *Box
	dir      string
	listener net.Listener
	calls    atomic.Int64 // connections to the port
}

func (b *Box) openProving() (*proving, error) {
	dir, err := os.MkdirTemp(b.options.TempDir, "automaton-proof-")
	if err != nil {
		return nil, err
	}
	p := &proving{box: b, dir: dir}
	err = errors.Join(os.WriteFile(p.file(), []byte("secret"), 0o644), os.Chmod(p.file(), 0o644), os.Chmod(dir, 0o755))
	if err == nil {
		p.listener, err = net.Listen("tcp4", "127.0.0.1:0")
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	go func() {
		for {
			c, err := p.listener.Accept()
			if err != nil {
				return
			}
			p.calls.Add(1)
			_ = c.Close() // nothing was said on it
		}
	}()
	return p, nil
}

func (p *proving) file() string { return filepath.Join(p.dir, "file") }

func (p *proving) close() error { return errors.Join(p.listener.Close(), os.RemoveAll(p.dir)) }

func (p *proving) workers(ctx context.Context) ([]Proof, error) {
	w := p.box.Worker(ProofKind, WorkerOptions{Deadline: 500 * time.Millisecond, Memory: 512 << 20})
	var out []Proof
	for _, t := range []struct {
		what, request string
		end           Reason
	}{
		{"reads a file outside", "read " + p.file(), Failed},
		{"writes a file", "write " + filepath.Join(p.dir, "new"), Failed},
		{"connects to a port of this machine", "dial " + p.listener.Addr().String(), Failed},
		{"starts a program", "exec /bin/sh", Failed},
		{"takes more memory than its limit", "hoard", Crashed},
		{"works without end", "spin", TimedOut},
	} {
		_, err := w.Do(ctx, []byte(t.request))
		failure, ok := errors.AsType[*WorkerError](err)
		switch {
		case err != nil && (!ok || failure.Reason == NoStart):
			return nil, err
		case err == nil:
			out = append(out, Proof{"worker", t.what, false, "it could"})
		default:
			// what kills a memory hog differs: its own limit, or the time that a crowded machine leaves it
			held := failure.Reason == t.end || t.end == Crashed && failure.Reason == TimedOut
			out = append(out, Proof{"worker", t.what, held, failure.Error()})
		}
	}
	return out, nil
}

func (p *proving) children(ctx context.Context) ([]Proof, error) {
	shell := lookUp("sh")
	if shell == "" {
		return nil, errors.New("no sh on PATH")
	}
	sh := func(script string) Command { return Command{Path: shell, Args: []string{"-c", script, "sh", p.dir}} }
	var out []Proof
	for _, t := range []struct {
		what, code string
		command    Command
	}{
		{"reads a file outside", "", sh(`cat "$1"/file`)},
		{"writes a file outside", "", sh(`: > "$1"/new`)},
		{"writes more than its limit", "limit_output", Command{Path: shell, Args: []string{"-c", "while echo x; do :; done"}, Limits: Limits{Stdout: 1 << 10}}},
	} {
		res, err := p.box.Run(ctx, t.command)
		refusal, refused := errors.AsType[*Refusal](err)
		switch {
		case refused && refusal.Code != t.code, err != nil && !refused && res.Code <= 0, ctx.Err() != nil:
			return nil, err
		case err == nil:
			out = append(out, Proof{"child", t.what, false, "it could"})
		default:
			out = append(out, Proof{"child", t.what, refused == (t.code != ""), err.Error()})
		}
	}
	if _, err := os.Lstat(filepath.Join(p.dir, "new")); !errors.Is(err, fs.ErrNotExist) {
		out[1].Held, out[1].Detail = false, "the file is there"
	}
	// git complains in any case: what counts is whether somebody called
	_, _ = p.box.Run(ctx, Command{Args: []string{"-c", "protocol.http.allow=always", "-c", "http.proxy=", "ls-remote", "http://" + p.listener.Addr().String() + "/x"}})
	net := Proof{"child", "connects to a port of this machine", p.calls.Load() == 0, "nobody called"}
	if !net.Held {
		net.Detail = "somebody called"
	}
	return append(out, net), ctx.Err()
}
