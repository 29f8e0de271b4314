package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// limited is "automaton audit" under a limit of file sizes, in KiB: what a full
// disk does to a write, without a disk to be filled.
func (d *desk) limited(t *testing.T, kib int, out string) (code int, said string) {
	t.Helper()
	script := fmt.Sprintf(`ulimit -f %d && exec automaton audit work --pdf none --progress none --out %s`, kib, out)
	c := exec.Command("bash", "-c", script)                                                // bash counts in KiB
	c.Dir, c.Env = d.dir, append(d.env, "SSL_CERT_FILE="+filepath.Join(d.dir, "none.pem")) // the system's is larger than the limit
	var stderr strings.Builder
	c.Stderr = &stderr
	err := c.Run()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), stderr.String()
}

// A write that fails names its path and its cause, exits with 3, and leaves the
// report of an earlier run as it was; with room again the same command works.
func TestDiskFull(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	d := newDesk(t)
	if err := os.WriteFile(filepath.Join(d.dir, "none.pem"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	undisturbed(t, d)
	_, want := d.record(t, "whole")
	before := tree(t, filepath.Join(d.dir, "whole"))
	failed := 0
	for _, kib := range []int{8, 64} {
		t.Run(fmt.Sprintf("%d KiB a file", kib), func(t *testing.T) {
			for _, out := range []string{"whole", fmt.Sprintf("new%d", kib)} {
				code, said := d.limited(t, kib, out)
				if code == 0 {
					return
				}
				failed++
				if code != 3 || !strings.Contains(said, "file too large") || !strings.Contains(said, "work-") || strings.Contains(said, "goroutine") {
					t.Errorf("%s: exit %d, said %q", out, code, said)
				}
			}
			if after := tree(t, filepath.Join(d.dir, "whole")); after != before {
				t.Errorf("what the earlier run left is changed: %s, was %s", after, before)
			}
			out := fmt.Sprintf("new%d", kib)
			if p := d.start(t, out); p.end() != 0 {
				t.Fatal(p)
			}
			if _, got := d.record(t, out); got != want {
				t.Error("another record than without the full disk")
			}
		})
	}
	if failed == 0 {
		t.Error("no limit was hit")
	}
}

// tree lists the case folders below dir with the bytes of their files.
func tree(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "work-*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %d bytes\n%s\n", filepath.Base(f), len(raw), raw)
	}
	return b.String()
}

// A disk with too little room is refused before anything is fetched.
func TestDiskTooSmall(t *testing.T) {
	d := newDesk(t)
	small := filepath.Join(d.dir, "small")
	if err := os.Mkdir(small, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("mounting a small file system: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(small, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	p := d.start(t, "small")
	code, said := p.end(), strings.Join(p.said, "\n")
	if code != 2 || !strings.Contains(said, "too little space") || !strings.Contains(said, "hint: ") || p.stdout.Len() > 0 {
		t.Errorf("%s, printed %q", p, p.stdout.String())
	}
}

// An output folder that cannot be made or written is refused before anything is
// fetched.
func TestOutputFolderNotWritable(t *testing.T) {
	d := newDesk(t)
	shut := filepath.Join(d.dir, "shut")
	if err := os.Mkdir(shut, 0o500); err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{"below a file": "work/README.md/out", "no such place": "/proc/out", "not ours": shut} {
		t.Run(name, func(t *testing.T) {
			if out == shut && os.Geteuid() == 0 {
				t.Skip("root may write anywhere")
			}
			p := d.start(t, out)
			code, said := p.end(), strings.Join(p.said, "\n")
			if code != 2 || !strings.Contains(said, fmt.Sprintf("%q", filepath.Base(out))) && !strings.Contains(said, filepath.Base(out)) || !strings.Contains(said, "hint: --out DIR names another folder") {
				t.Error(p)
			}
		})
	}
}
