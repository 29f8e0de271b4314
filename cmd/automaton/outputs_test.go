package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Two runs of one case and runs of other cases write into one output folder
// while others read from it: one run is told or waits, and no reader ever sees
// a folder, a report or a record that is not whole.
func TestD31Concurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	audit := func(target string, more ...string) []string {
		return append([]string{"audit", target, "--pdf", "none", "--out", "out", "--progress", "none"}, more...)
	}
	if a := l.run(t, audit("work")...); a.code() != 0 {
		t.Fatal(a)
	}
	_, want := l.record(t, "out")
	if out, err := exec.Command("cp", "-r", filepath.Join(l.dir, "work"), filepath.Join(l.dir, "other")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	runs := []*attempt{l.begin(t, audit("work", "--wait")...), l.begin(t, audit("work")...), l.begin(t, audit("other")...), l.begin(t, audit("work", "--wait")...)}
	var reading sync.WaitGroup
	reads := 0
	reading.Go(func() {
		for writing := true; writing; {
			writing = false
			for _, a := range runs {
				writing = writing || !a.over()
			}
			for _, command := range [][]string{{"verify"}, {"replay"}, {"report", "-f", "json"}} {
				c := exec.Command(l.program(), append(command, "--out", "out")...)
				c.Dir, c.Env = l.dir, l.env
				if out, err := c.CombinedOutput(); err != nil {
					t.Errorf("%v while audits write: %v: %.300s", command, err, out)
				}
				reads++
			}
			l.whole(t, "out")
		}
	})
	busy := 0
	for _, a := range runs {
		switch code := a.code(); {
		case code == 2 && strings.Contains(a.said(), "is writing here") && strings.Contains(a.said(), "hint: --wait waits for it"):
			busy++
		case code != 0:
			t.Error(a)
		}
	}
	reading.Wait()
	for _, a := range runs {
		a.clean(t)
	}
	if busy > 2 || reads == 0 {
		t.Errorf("%d of the runs were turned away, %d reads", busy, reads)
	}
	if _, got := l.record(t, "out"); got != want {
		t.Error("the record is another one than before")
	}
	if n := l.whole(t, "out"); n != 2 {
		t.Errorf("%d records", n)
	}
	l.tidy(t, "out")
}

// Standard output, the further outputs and the folders of a run may be full,
// missing, closed or something else: one line says so, with the exit code that
// belongs to it, and what was there stays.
func TestD32Outputs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	path := func(name string) string { return filepath.Join(l.dir, name) }
	base := []string{"audit", "work", "--pdf", "none", "--out", "out", "--progress", "none"}
	if a := l.run(t, base...); a.code() != 0 {
		t.Fatal(a)
	}
	before := tree(t, path("out"))
	if err := errors.Join(os.WriteFile(path("file"), []byte("mine"), 0o600), os.Symlink("/dev/stdout", path("link")), os.Symlink(path("file"), path("soft")), os.Symlink(path("out"), path("to-out")),
		syscall.Mkfifo(path("pipe"), 0o600), os.Mkdir(path("dir"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		shell string // "$@" is the command; without: the command itself
		args  []string
		env   string
		code  int
		want  string // said
	}{
		"full":                {shell: `"$@" >/dev/full`, args: base, code: 3, want: "writing the result: "},
		"full, help":          {shell: `"$@" >/dev/full`, args: []string{"audit", "--help"}, code: 3, want: "writing the result: "},
		"full, completion":    {shell: `"$@" >/dev/full`, args: []string{"completion", "bash"}, code: 3, want: "writing the result: "},
		"full, report":        {shell: `"$@" >/dev/full`, args: []string{"report", "--out", "out"}, code: 3, want: "writing the result: "},
		"closed":              {shell: `"$@" >&-`, args: []string{"report", "--out", "out"}, code: 0},
		"all closed":          {shell: `"$@" <&- >&- 2>&-`, args: []string{"verify", "--out", "out"}, code: 0},
		"nobody reads":        {shell: `"$@" | true; exit ${PIPESTATUS[0]}`, args: []string{"report", "--out", "out", "-f", "html"}, code: 0},
		"full, errors":        {shell: `"$@" 2>/dev/full`, args: []string{"report", "nowhere"}, code: 2},
		"-o is a folder":      {args: []string{"report", "--out", "out", "-o", "json=dir"}, code: 3, want: "writing " + path("dir") + ": it is there and not a regular file"},
		"-o is a pipe":        {args: []string{"report", "--out", "out", "-o", "json=pipe"}, code: 3, want: "not a regular file"},
		"-o leads to stdout":  {args: []string{"report", "--out", "out", "-o", "json=link"}, code: 3, want: "not a regular file"},
		"-o is full":          {args: []string{"report", "--out", "out", "-o", "json=/dev/full"}, code: 3, want: "not a regular file"},
		"-o below a file":     {args: []string{"report", "--out", "out", "-o", "json=file/x.json"}, code: 3, want: "not a directory"},
		"--out is a file":     {args: []string{"audit", "work", "--out", "file"}, code: 2, want: "it is not a folder"},
		"--out is a link":     {args: []string{"audit", "work", "--out", "to-out"}, code: 2, want: "it is a link"},
		"TMPDIR is not there": {args: base, env: "TMPDIR=" + path("nowhere"), code: 2, want: "making run directory"},
		"TMPDIR is a file":    {args: base, env: "TMPDIR=" + path("file"), code: 2, want: "making run directory"},
		"time is junk":        {args: base, env: "SOURCE_DATE_EPOCH=yesterday", code: 2, want: "SOURCE_DATE_EPOCH"},
		"time is negative":    {args: base, env: "SOURCE_DATE_EPOCH=-1", code: 2, want: "SOURCE_DATE_EPOCH"},
		"time is huge":        {args: base, env: "SOURCE_DATE_EPOCH=99999999999999999999", code: 2, want: "SOURCE_DATE_EPOCH"},
	} {
		t.Run(name, func(t *testing.T) {
			env := l.env
			defer func() { l.env = env }()
			if tc.env != "" {
				l.env = append(l.env[:len(l.env):len(l.env)], tc.env)
			}
			a := l.through(t, tc.shell, tc.args...)
			a.clean(t)
			said := strings.Count(a.said(), "automaton: ") - strings.Count(a.said(), "holds the result of an earlier run") // which is no part of what went wrong
			if a.code() != tc.code || !strings.Contains(a.said(), tc.want) || tc.code != 0 && said != min(1, len(a.said())) {
				t.Errorf("want exit %d and %q: %s", tc.code, tc.want, a)
			}
			if name == "full" { // only its result was lost
				l.whole(t, "out")
				before = tree(t, path("out"))
			}
			if tree(t, path("out")) != before {
				t.Error("the earlier report is not as it was")
			}
		})
	}
	raw, err := os.ReadFile(path("file"))
	link, lerr := os.Readlink(path("link"))
	if err != nil || string(raw) != "mine" || lerr != nil || link != "/dev/stdout" {
		t.Errorf("what was there: %q, %v; %q, %v", raw, err, link, lerr)
	}
	if a := l.run(t, "report", "--out", "out", "-o", "json=soft"); a.code() != 0 {
		t.Error(a)
	}
	if raw, err := os.ReadFile(path("file")); err != nil || string(raw) != "mine" {
		t.Errorf("written through a link: %q, %v", raw, err)
	}
}

// through runs the program in a shell that does something to its streams.
func (l *lab) through(t *testing.T, shell string, args ...string) *attempt {
	t.Helper()
	if shell == "" {
		return l.run(t, args...)
	}
	script := filepath.Join(l.dir, "through.sh")
	if err := os.WriteFile(script, []byte(shell+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := &attempt{lab: l, cmd: exec.Command("bash", append([]string{script, l.program()}, args...)...), ended: make(chan struct{})}
	a.cmd.Dir, a.cmd.Env, a.cmd.Stdout = l.dir, l.env, &a.stdout
	f, err := os.CreateTemp(l.dir, "stderr-*")
	if err != nil {
		t.Fatal(err)
	}
	a.stderr, a.cmd.Stderr = f.Name(), f
	_ = a.cmd.Run() // how it ended is in ProcessState
	close(a.ended)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return a
}

// The cache and the home may be unwritable, damaged, missing or somebody
// else's: that costs time, is said, and changes nothing about the record.
func TestD32Cache(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the PDF reader several times")
	}
	t.Parallel()
	l := newLab(t)
	base := func(out string) []string {
		return []string{"audit", "work", "--pdf", "report.pdf", "--out", out, "--progress", "none"}
	}
	if a := l.run(t, base("whole")...); a.code() != 0 || a.said() != "" {
		t.Fatal(a)
	}
	_, want := l.record(t, "whole")
	cache := filepath.Join(l.dir, "cache", "workers")
	for i, tc := range []struct {
		name, env string
		spoil     func() error
		said      bool
	}{
		{"every file damaged", "", func() error { return damage(cache) }, true},
		{"filled anew", "", func() error { return nil }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			env := l.env
			defer func() { l.env = env }()
			l.env = l.env[:len(l.env):len(l.env)]
			if err := tc.spoil(); err != nil {
				t.Fatal(err)
			}
			if tc.env != "" {
				l.env = append(l.env, tc.env)
			}
			out := fmt.Sprintf("out%d", i)
			a := l.run(t, base(out)...)
			a.clean(t)
			if _, got := l.record(t, out); a.code() != 0 || got != want || strings.Contains(a.said(), "working without a cache") != tc.said {
				t.Errorf("%s; the same record: %t", a, got == want)
			}
		})
	}
}

// damage flips bytes all over the files of a cache; their names stay.
func damage(dir string) error {
	return filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		for i := 0; i < len(raw); i += 97 {
			raw[i] ^= 0x5a
		}
		return os.WriteFile(p, raw, 0o600)
	})
}
