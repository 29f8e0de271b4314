package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// forced makes a box whose fall-back order begins at the step.
func forced(t *testing.T, o Options, r rung) *Box {
	t.Helper()
	b := open(t, o)
	if !r.uid {
		if err := b.dir.give(0); err != nil {
			t.Fatal(err)
		}
		b.dir.uid = 0
	}
	b.ladder, b.private = newLadder([]rung{r}), newLadder([]rung{r})
	return b
}

// modes are the steps of the fall-back order by name.
func modes(t *testing.T) map[string]rung {
	t.Helper()
	out := map[string]rung{}
	for _, r := range rungs(open(t, Options{}).dir.uid != 0) {
		name := strings.Join(r.names(), "+")
		if name == "" {
			name = "flags"
		}
		out[name] = r
	}
	return out
}

// inEachMode runs a test in each step that this machine allows; the others are skipped with the reason.
func inEachMode(t *testing.T, test func(t *testing.T, r rung)) {
	for name, r := range modes(t) {
		t.Run(name, func(t *testing.T) {
			b := forced(t, Options{}, r)
			if _, err := b.Run(context.Background(), Command{Path: "/bin/sh", Args: []string{"-c", ":"}}); err != nil {
				t.Skipf("not available here: %v", err)
			}
			for _, m := range b.Report().Missing {
				if m.Layer != "uid" { // which the mode then has not, either
					t.Skipf("not available here: %s: %s", m.Layer, m.Reason)
				}
			}
			test(t, r)
		})
	}
}

// outside makes a directory that every uid can reach, outside of all run directories.
func outside(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "outside-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for name, mode := range map[string]fs.FileMode{"open": 0o644, "closed": 0o600} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("SECRET"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// listener is a service of this machine that a child must not reach.
func listener(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	return l.Addr().String()
}

func TestWorkerIsLocked(t *testing.T) {
	inEachMode(t, func(t *testing.T, r rung) {
		dir, service := outside(t), listener(t)
		locked := r.landlock || r.seccomp
		probes := map[string]struct {
			request string
			refused bool
		}{
			"readable file": {"read " + filepath.Join(dir, "open"), r.landlock},
			"own file":      {"read " + filepath.Join(dir, "closed"), r.landlock || r.uid},
			"passwd":        {"read /etc/passwd", r.landlock},
			"new file":      {"write " + filepath.Join(dir, "new"), r.landlock || r.uid},
			"tcp":           {"dial " + service, locked || r.ns},
			"udp":           {"udp " + service, r.seccomp},
			"program":       {"exec /bin/true", locked},
		}
		w := forced(t, Options{}, r).Worker("probe", WorkerOptions{})
		for name, p := range probes {
			_, err := w.Do(context.Background(), []byte(p.request))
			if failure, ok := errors.AsType[*WorkerError](err); err != nil && (!ok || failure.Reason != Failed) {
				t.Errorf("%s: %v", name, err)
			}
			if refused := err != nil; refused != p.refused {
				t.Errorf("%s: refused is %v, want %v (%v)", name, refused, p.refused, err)
			}
		}
	})
}

func TestChildIsLocked(t *testing.T) {
	inEachMode(t, func(t *testing.T, r rung) {
		dir, service := outside(t), listener(t)
		host, port, err := net.SplitHostPort(service)
		if err != nil {
			t.Fatal(err)
		}
		probes := map[string]struct {
			script  string
			refused bool
		}{
			"readable file": {"cat " + filepath.Join(dir, "open"), r.landlock},
			"own file":      {"cat " + filepath.Join(dir, "closed"), r.landlock || r.uid},
			"proc":          {"ls /proc", r.landlock},
			"write outside": {"echo x > " + filepath.Join(dir, "new"), r.landlock || r.uid},
			"write inside":  {"echo x > inside && echo y > $HOME/inside", false},
			"tcp":           {"exec 3<>/dev/tcp/" + host + "/" + port, r.landlock || r.seccomp || r.ns},
			"environment":   {`test "$(env | grep -c CANARY)" != 0`, true},
			"new session":   {"setsid -w true", r.seccomp},
		}
		t.Setenv("CANARY", "SECRET")
		for name, p := range probes {
			b := forced(t, Options{}, r)
			_, err := b.Run(context.Background(), Command{Path: "/bin/bash", Args: []string{"-c", p.script}})
			if refused := err != nil; refused != p.refused {
				t.Errorf("%s: refused is %v, want %v (%v)", name, refused, p.refused, err)
			}
		}
	})
}

func TestReportSaysWhatIsMissing(t *testing.T) {
	b := open(t, Options{})
	if got := b.Report(); got.Layers != nil {
		t.Errorf("layers before anything ran: %v", got.Layers)
	}
	steps := rungs(b.dir.uid != 0)
	b.ladder = newLadder([]rung{{ns: true, landlock: true, seccomp: true}, {seccomp: steps[0].seccomp}})
	b.ladder.failed("clone: not permitted")
	if _, err := b.Run(context.Background(), Command{Path: "/bin/sh", Args: []string{"-c", ":"}}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range b.Report().Missing {
		names = append(names, m.Layer)
		if m.Reason == "" {
			t.Errorf("%s is missing without a reason", m.Layer)
		}
	}
	for _, layer := range []string{"ns", "landlock"} {
		if !slices.Contains(names, layer) {
			t.Errorf("%s is not reported as missing: %v", layer, names)
		}
	}
}

func TestRequireRefusesWithoutLayers(t *testing.T) {
	b := open(t, Options{})
	b.options.Require = true
	b.ladder = newLadder([]rung{{ns: true, landlock: true, seccomp: true}, {}})
	b.ladder.failed("clone: not permitted")
	_, err := b.Run(context.Background(), Command{Path: "/bin/sh", Args: []string{"-c", ":"}})
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok || refusal.Code != "layer_missing" {
		t.Errorf("error is %v, want layer_missing", err)
	}
}

// When the throw-away uid turns out not to work, what was made for it must serve without.
func TestFallBackKeepsDirectories(t *testing.T) {
	b := open(t, Options{})
	dir, err := b.MakeDir(true)
	if err != nil {
		t.Fatal(err)
	}
	steps := rungs(b.dir.uid != 0)
	steps[0].ns = false
	b.ladder = newLadder([]rung{steps[0], {}})
	b.ladder.failed("setuid: not permitted")
	if err := b.rehouse(b.ladder); err != nil {
		t.Fatal(err)
	}
	later, err := b.MakeDir(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{dir, later, "."} {
		if _, err := b.Run(context.Background(), script("touch "+d+"/f && touch $HOME/f")); err != nil {
			t.Errorf("%s: %v", d, err)
		}
	}
}

func TestClosedTempDirectory(t *testing.T) {
	base := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(base, 0o700); err != nil {
		t.Fatal(err)
	}
	b := open(t, Options{TempDir: base})
	if _, err := b.Run(context.Background(), script("touch f")); err != nil {
		t.Error(err)
	}
	root := os.Geteuid() == 0
	if told := slices.ContainsFunc(b.Report().Missing, func(m Missing) bool { return m.Layer == "uid" }); told != root {
		t.Errorf("uid told as missing: %v, want %v", told, root)
	}
}
