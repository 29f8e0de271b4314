package sandbox

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"
)

func script(s string) Command { return Command{Path: "/bin/bash", Args: []string{"-c", s}} }

func TestLimitsEndAChild(t *testing.T) {
	cases := map[string]struct {
		script string
		limits Limits
		code   string
	}{
		"wall":   {"sleep 60", Limits{Wall: 300 * time.Millisecond}, "limit_wall"},
		"cpu":    {"while :; do :; done", Limits{CPU: time.Second}, "limit_cpu"},
		"output": {"yes", Limits{Stdout: 1 << 20}, "limit_output"},
		"fsize":  {"head -c 3000000 /dev/zero > f", Limits{FileSize: 1 << 20}, "limit_fsize"},
		"disk":   {"for i in 1 2 3 4 5; do head -c 900000 /dev/zero > f$i; done; sleep 60", Limits{Disk: 2 << 20}, "limit_disk"},
		"files":  {"for i in {1..300}; do : > f$i; done; sleep 60", Limits{Files: 100}, "limit_files"},
		"memory": {`s=xxxxxxxxxxxxxxxx; while :; do s="$s$s"; done`, Limits{Memory: 200 << 20}, "limit_memory"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := open(t, Options{Limits: c.limits})
			_, err := b.Run(context.Background(), script(c.script))
			if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Code != c.code {
				t.Errorf("error is %v, want %s", err, c.code)
			}
		})
	}
}

func TestBrokenLimit(t *testing.T) {
	const limit = 6 * time.Second
	for _, c := range []struct {
		used   time.Duration
		signal syscall.Signal
		stderr string
		code   string
	}{
		{used: time.Second, signal: syscall.SIGKILL},
		{used: 4560 * time.Millisecond, signal: syscall.SIGKILL, code: "limit_cpu"},
		{used: time.Second, signal: syscall.SIGXCPU, code: "limit_cpu"},
		{used: 5 * time.Second, stderr: "fatal: " + unpackFailed, code: "limit_cpu"},
		{used: time.Second, stderr: "fatal: " + unpackFailed},
		{signal: syscall.SIGXFSZ, code: "limit_fsize"},
		{stderr: "fatal: Out of memory", code: "limit_memory"},
		{stderr: "fatal: not a repository"},
	} {
		if code := brokenLimit(c.used, c.signal, []byte(c.stderr), Limits{CPU: limit}); code != c.code {
			t.Errorf("after %v by %v, %q: %q, want %q", c.used, c.signal, c.stderr, code, c.code)
		}
	}
}

// A child that was refused memory before it did anything is started once more, and no more than once.
func TestStarvedChildGetsASecondTry(t *testing.T) {
	b := open(t, Options{})
	ctx := context.Background()
	const refused = "echo 'fatal: Out of memory, malloc failed' >&2; exit 128"
	res, err := b.Run(ctx, script("[ -e tried ] && echo done && exit; : > tried; "+refused))
	if err != nil || string(res.Stdout) != "done\n" {
		t.Errorf("%q, %v", res.Stdout, err)
	}
	_, err = b.Run(ctx, script("echo x >> tries; [ $(wc -l < tries) -gt 2 ] && exit; "+refused))
	if err == nil || !strings.Contains(err.Error(), `limit_memory: ended by its limit: "fatal: Out of memory`) {
		t.Errorf("refused each time: %v", err)
	}
	var said []byte
	_, err = b.Run(ctx, Command{Path: "/bin/bash", Args: []string{"-c", "echo x >> sinks; [ $(wc -l < sinks) -gt 1 ] && exit; " + refused}, Sink: func(r io.Reader) (err error) {
		said, err = io.ReadAll(r)
		return err
	}})
	if err == nil || len(said) > 0 {
		t.Errorf("what was read cannot be taken back: %q, %v", said, err)
	}
}

func TestRunTellsTheOutcome(t *testing.T) {
	b := open(t, Options{})
	ctx := context.Background()
	res, err := b.Run(ctx, Command{Path: "/bin/cat", Stdin: []byte("in\x00put")})
	if err != nil || string(res.Stdout) != "in\x00put" {
		t.Errorf("cat: %q, %v", res.Stdout, err)
	}
	res, err = b.Run(ctx, script("echo first >&2; printf 'last \\033[31m' >&2; exit 7"))
	if err == nil || res.Code != 7 || !strings.Contains(err.Error(), `exit code 7: last \u{1b}[31m`) {
		t.Errorf("exit 7: code %d, %v", res.Code, err)
	}
	res, err = b.Run(ctx, script("kill -SEGV $$; exit 3"))
	if err == nil || res.Signal == "" && res.Code != 3 { // PID 1 of a namespace does not get its own signal
		t.Errorf("signal: %+v, %v", res, err)
	}
	if _, err = b.Run(ctx, Command{Path: "/nonexistent/program"}); err == nil {
		t.Error("a missing program runs")
	}
	stop := errors.New("enough")
	_, err = b.Run(ctx, Command{Path: "/usr/bin/yes", Sink: func(r io.Reader) error {
		_, err := io.CopyN(io.Discard, r, 1000)
		return errors.Join(stop, err)
	}})
	if !errors.Is(err, stop) {
		t.Errorf("sink: %v", err)
	}
	gone, cancel := context.WithCancelCause(ctx)
	cause := errors.New("the user went away")
	cancel(cause)
	if _, err = b.Run(gone, script("sleep 60")); !errors.Is(err, cause) {
		t.Errorf("cancelled: %v", err)
	}
}

// A process that leaves the group and holds the output open must not hold us.
func TestStragglerIsNotWaitedFor(t *testing.T) {
	inEachMode(t, func(t *testing.T, r rung) {
		b := forced(t, Options{}, r)
		res, err := b.Run(context.Background(), script("(trap '' HUP; sleep 20) & echo done"))
		if err != nil || string(res.Stdout) != "done\n" {
			t.Errorf("%q, %v", res.Stdout, err)
		}
	})
}

func TestChildEnvironmentIsBuiltFromNothing(t *testing.T) {
	t.Setenv("GITHUB_TOKEN", "s3cr3t-token")
	t.Setenv("GIT_DIR", "/elsewhere")
	b := open(t, Options{})
	res, err := b.Run(context.Background(), Command{Path: "/usr/bin/env", Config: [][2]string{{"x.y", "z"}}})
	if err != nil {
		t.Fatal(err)
	}
	env := string(res.Stdout)
	for _, bad := range []string{"s3cr3t", "GIT_DIR="} {
		if strings.Contains(env, bad) {
			t.Errorf("%q is in the environment", bad)
		}
	}
	for _, good := range []string{"GIT_TERMINAL_PROMPT=0\n", "GIT_CONFIG_NOSYSTEM=1\n", "=core.hooksPath\n", "=x.y\n", "LC_ALL=C.UTF-8\n"} {
		if !strings.Contains(env, good) {
			t.Errorf("%q is not in the environment", good)
		}
	}
}
