package main

import (
	"strings"
	"testing"
)

// On a machine that is too small, or set up for something else, the program
// says in one line what is missing, before it begins anything.
func TestSmallMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	t.Parallel()
	l := newLab(t)
	for name, c := range map[string]struct{ shell, said, hint string }{
		"no files":       {"ulimit -n 8", "automaton: starting: the limit on open files is 8, and 32 are needed", "hint: ulimit -n 1024 raises it"},
		"few files":      {"ulimit -n 16", "automaton: starting: the limit on open files is 16, and 32 are needed", "hint: ulimit -n 1024 raises it"},
		"too few files":  {"ulimit -n 32", "automaton: work: preparing the sandbox: only 32 files may be open at once, and ", "hint: ulimit -n 1024 raises it"},
		"no room":        {"ulimit -v 400000", "automaton: starting: the limit on address space is 390 MiB, and 2560 MiB are needed", "hint: ulimit -v 2621440 raises it"},
		"little room":    {"ulimit -v 1000000", "automaton: starting: the limit on address space is 976 MiB, and 2560 MiB are needed", "hint: ulimit -v 2621440 raises it"},
		"less than git":  {"ulimit -v 2000000", "automaton: starting: the limit on address space is 1953 MiB, and 2560 MiB are needed", "hint: ulimit -v 2621440 raises it"},
		"little data":    {"ulimit -d 100000", "automaton: starting: the limit on data is 97 MiB, and 512 MiB are needed", "hint: ulimit -d 524288 raises it"},
		"a goal of junk": {"export GOMEMLIMIT=junk", "automaton: starting: GOMEMLIMIT is not a number of bytes", "hint: unset it"},
		"too large goal": {"export GOMEMLIMIT=99999999999TiB", "automaton: starting: GOMEMLIMIT is not a number of bytes", "hint: unset it"},
	} {
		t.Run(name, func(t *testing.T) {
			a := l.runAs(t, c.shell, "audit", "work", "--pdf", "none", "--out", "out", "--jobs", "1")
			a.clean(t)
			lines := strings.Split(strings.TrimSpace(a.said()), "\n")
			if a.code() != 2 || len(lines) != 2 || !strings.HasPrefix(lines[0], c.said) || !strings.HasPrefix(lines[1], c.hint) || a.stdout.Len() > 0 {
				t.Errorf("%s, printed %q", a, a.stdout.String())
			}
		})
	}
	for _, shell := range []string{"export GOMEMLIMIT=1GiB", "export GOMEMLIMIT=off", "export GOMEMLIMIT=", "ulimit -n 72"} {
		if a := l.runAs(t, shell, "audit", "work", "--pdf", "none", "--out", "out", "--jobs", "1", "--progress", "none"); a.code() != 0 {
			t.Errorf("%s: %s", shell, a)
		}
	}
}

// Files that may not grow end a case; the reason is said once, and the next run
// goes on.
func TestSmallFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	t.Parallel()
	l := newLab(t)
	for _, blocks := range []string{"8", "64", "512"} {
		a := l.runAs(t, "unset SSL_CERT_FILE; ulimit -f "+blocks, "audit", "work", "--pdf", "none", "--out", "out", "--progress", "none")
		a.clean(t)
		if said := a.said(); a.code() != 3 || strings.Count("\n"+said, "\nautomaton: work: writing ") != 1 || strings.Count(said, "file too large") != 1 || strings.Contains(said, "graph") {
			t.Error(a)
		}
	}
	if a := l.run(t, "audit", "work", "--pdf", "none", "--out", "out", "--progress", "none"); a.code() != 0 || l.whole(t, "out") != 1 {
		t.Error(a)
	}
	l.tidy(t, "out")
}

// Where the limits that are asked for at the start are just met, an audit with a
// document comes to its end.
func TestSmallestMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector wants more memory than that")
	}
	t.Parallel()
	l := newLab(t)
	a := l.runAs(t, "ulimit -v 2621440; ulimit -d 524288; ulimit -n 80", "audit", "work", "--pdf", "report.pdf", "--out", "out", "--jobs", "2", "--progress", "none")
	a.clean(t)
	if a.code() != 0 || l.whole(t, "out") != 1 {
		t.Error(a)
	}
}
