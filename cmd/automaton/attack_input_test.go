package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever is given in place of a file that the operator names: it is refused
// with one line, and not waited for.
func TestD28Inputs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	at := func(name string) string { return filepath.Join(l.dir, name) }
	socket, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := syscall.Mkfifo(at("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at("folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"link-to-fifo": "fifo", "link-to-zero": "/dev/zero", "link-to-itself": "link-to-itself", "link-to-nothing": "nothing"} {
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	places := []string{"fifo", "/dev/zero", "/dev/random", "folder", "socket", "link-to-fifo", "link-to-zero", "link-to-itself", "link-to-nothing", "/proc/self/mem", "/dev/full"}
	for _, what := range places {
		for name, args := range map[string][]string{
			"pdf":      {"audit", "work", "--pdf", what},
			"rubric":   {"audit", "work", "--pdf", "none", "-r", "./" + what},
			"config":   {"audit", "work", "--pdf", "none", "--config", what},
			"env-file": {"audit", "work", "--pdf", "none", "--env-file", what},
			"lint":     {"rubric", "lint", "./" + what},
			"facts":    {"facts", "work", "--pdf", what},
			"record":   {"report", what},
			"bundle":   {"audit", "./" + what, "--pdf", "none"},
		} {
			if strings.HasPrefix(what, "/") {
				for i, a := range args {
					args[i] = strings.Replace(a, ".//", "/", 1)
				}
			}
			t.Run(name+" "+strings.ReplaceAll(what, "/", "_"), func(t *testing.T) {
				l.refuses(t, args...)
			})
		}
	}
	// the files that are read without being named
	for _, name := range []string{".env", "automaton.yaml"} {
		for _, what := range []string{"fifo", "/dev/zero", "folder", "socket"} {
			t.Run(name+" "+strings.ReplaceAll(what, "/", "_"), func(t *testing.T) {
				if !filepath.IsAbs(what) {
					what = at(what)
				}
				if err := os.Symlink(what, at(name)); err != nil {
					t.Fatal(err)
				}
				l.refuses(t, "audit", "work", "--pdf", "none")
				if err := os.Remove(at(name)); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	// certificates of the operator's that are none
	for _, what := range []string{at("fifo"), "/dev/zero", at("folder"), at("nothing")} {
		t.Run("certificates "+filepath.Base(what), func(t *testing.T) {
			before := l.env
			defer func() { l.env = before }()
			l.env = append(l.env, "SSL_CERT_FILE="+what)
			l.refuses(t, "audit", "work", "--pdf", "none")
		})
	}
}

// refuses runs a command that must end with code 2 and one line.
func (l *lab) refuses(t *testing.T, args ...string) {
	t.Helper()
	a := l.run(t, append(args, "--progress", "none")...)
	a.clean(t)
	if a.code() != 2 || strings.Count("\n"+a.said(), "\nautomaton: ") != 1 || a.stdout.Len() > 0 {
		t.Errorf("%s, printed %.200q", a, a.stdout.String())
	}
	if spent := a.cmd.ProcessState.UserTime() + a.cmd.ProcessState.SystemTime(); spent > cheap {
		t.Errorf("%s of processor time: %s", spent, a)
	}
	if _, err := os.Lstat(filepath.Join(l.dir, "automaton-out", "latest")); err == nil {
		t.Errorf("something was heard: %s", a)
	}
}

// cheap is the most processor time that a refusal may take on any machine: less
// than what it refuses would cost.
const cheap = time.Minute
