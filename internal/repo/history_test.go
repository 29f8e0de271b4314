package repo

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ids(h *History) []string {
	out := []string{}
	for _, c := range h.Commits {
		out = append(out, c.ID)
	}
	return out
}

func TestHistoryTellsWhatChanged(t *testing.T) {
	m := makeEmpty(t)
	var lines strings.Builder
	for i := range 20 {
		fmt.Fprintf(&lines, "line %d\n", i)
	}
	long := lines.String()
	m.commit("setup\n\nwith a body\n", map[string]string{"main.py": long, "bin": "a\x00b"})
	m.commit("rename, copy, edit", map[string]string{"main.py": "", "src/app.py": long + "more\n", "src/copy.py": long + "other\n", "bin": "a\x00c"})
	m.git("checkout", "-q", "-b", "side", "HEAD~1")
	m.commit("side", map[string]string{"side.md": "x\ny\n"})
	m.git("checkout", "-q", "main")
	m.at += 3600
	m.git("merge", "-q", "--no-edit", "side")
	m.commit("delete", map[string]string{"side.md": ""})
	r := mustOpen(t, m.dir, Options{})
	h := mustHistory(t, r)
	if diff := cmp.Diff(strings.Fields(m.git("rev-list", "--reverse", "--date-order", "HEAD")), ids(h)); diff != "" {
		t.Fatalf("order (-git +got):\n%s", diff)
	}
	type brief struct {
		Status     Status
		Path, From string
		Added, Del int
		Binary     bool
	}
	var got [][]brief
	var subjects []string
	for _, c := range h.Commits {
		var changes []brief
		for _, ch := range c.Changes {
			if ch.Counted == ch.Binary {
				t.Errorf("%s: counted %v, binary %v", ch.Path, ch.Counted, ch.Binary)
			}
			changes = append(changes, brief{ch.Status, ch.Path, ch.From, ch.Added, ch.Deleted, ch.Binary})
		}
		got = append(got, changes)
		subjects = append(subjects, c.Subject)
	}
	want := [][]brief{
		{{Added, "bin", "", 0, 0, true}, {Added, "main.py", "", 20, 0, false}},
		{{Modified, "bin", "", 0, 0, true}, {Renamed, "src/app.py", "main.py", 1, 0, false}, {Copied, "src/copy.py", "main.py", 1, 0, false}},
		{{Added, "side.md", "", 2, 0, false}},
		nil,
		{{Deleted, "side.md", "", 0, 2, false}},
	}
	if got[1][1].Status == Copied { // git is free to say which of two is the copy
		got[1][1].Status, got[1][2].Status = got[1][2].Status, got[1][1].Status
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if !slices.Equal(subjects, []string{"setup", "rename, copy, edit", "side", "Merge branch 'side'", "delete"}) {
		t.Errorf("subjects %q", subjects)
	}
	first := h.Commits[0]
	if first.Body != "with a body" || first.Author != (Signature{"Ada", "ada@example.org", 1700003600, "+0100"}) || first.Author != first.Committer {
		t.Errorf("first commit %+v", first)
	}
	if !h.Commits[3].Merge() || !h.Complete() || len(h.Roots) != 1 || !h.Ever("side.md") || !h.Ever("main.py") || h.Ever("none") {
		t.Errorf("merge %v, complete %v, roots %v", h.Commits[3].Merge(), h.Complete(), h.Roots)
	}
	if again := mustHistory(t, r); again != h {
		t.Error("read twice")
	}
}

func TestSignaturesAsWritten(t *testing.T) {
	cases := map[string]Signature{
		"Ada <a@x> 1700000000 +0100":         {"Ada", "a@x", 1700000000, "+0100"},
		"Ada <a@x> 1700000000 +518:00":       {"Ada", "a@x", 1700000000, "+518:00"},
		"Ada <a@x> 1313584730 +051800":       {"Ada", "a@x", 1313584730, "+051800"},
		"Ada <a@x> 0 +0000":                  {"Ada", "a@x", 0, "+0000"},
		"Ada <a@x> -1 -0000":                 {"Ada", "a@x", 0, ""},
		"Ada <a@x> 99999999999999999999 +99": {"Ada", "a@x", 0, ""},
		"Ada <a@x>":                          {"Ada", "a@x", 0, ""},
		"noemail 1 +0":                       {"noemail 1 +0", "", 0, ""},
		"<a@x> 5 +0000":                      {"", "a@x", 5, "+0000"},
		"A <b <c>> 5 +0000":                  {"A", "b <c", 5, "+0000"},
		"A <b> <c> 5 +0000":                  {"A", "b", 5, "+0000"},
		"Gr\xfc\xdfe <a@x> 5 +0000":          {`Gr\xfc\xdfe`, "a@x", 5, "+0000"},
	}
	for line, want := range cases {
		if diff := cmp.Diff(want, parseSignature([]byte(line), "")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
	if got := parseSignature([]byte("Gr\xfc\xdfe <a@x> 5 +0000"), "iso-8859-1").Name; got != "Grüße" {
		t.Errorf("latin 1: %q", got)
	}
}

func TestHugeCommits(t *testing.T) {
	m := makeEmpty(t)
	tree := m.tree([3]string{"100644", "a", m.object("blob", "x\n")})
	first := m.commitObject(tree, strings.Repeat("X", 1<<20)+" <a@x> 1700000000 +0000", "long name\n")
	second := m.commitObject(tree, ada, strings.Repeat("s", 3<<20), first)
	third := m.commitObject(tree, ada, "subject\n\n"+strings.Repeat("line\n", 200_000), second)
	r := mustOpen(t, m.dir, Options{})
	h := mustHistory(t, r)
	if !slices.Equal(ids(h), []string{first, second, third}) || !h.Complete() {
		t.Fatalf("history %v, missing %v", ids(h), h.Missing)
	}
	if s := h.Commits[1].Subject; len(s) != maxSubject+len("…") || !strings.HasSuffix(s, "s…") {
		t.Errorf("subject of %d bytes", len(s))
	}
	if c := h.Commits[2]; c.Subject != "subject" || len([]rune(c.Body)) != maxBody+1 || c.Author.Name != "Ada" {
		t.Errorf("subject %q, body of %d bytes", c.Subject, len(c.Body))
	}
}

func TestShallowCopyIsTold(t *testing.T) {
	m := make1(t, map[string]string{"a": "1\n"})
	m.commit("two", map[string]string{"a": "1\n2\n"})
	cutAt := m.commit("three", map[string]string{"a": "1\n2\n3\n"})
	last := m.commit("four", map[string]string{"a": "1\n2\n3\n4\n"})
	copied := &maker{t: t, dir: shared(t)}
	copied.git("clone", "-q", "--depth=2", "file://"+m.dir, ".")
	h := mustHistory(t, mustOpen(t, copied.dir, Options{}))
	if !h.Shallow || h.Complete() || !slices.Equal(ids(h), []string{cutAt, last}) || len(h.Roots) != 0 {
		t.Errorf("shallow %v, commits %v, roots %v", h.Shallow, ids(h), h.Roots)
	}
	if c := h.Commits[0]; len(c.Changes) != 0 || !c.Partial || len(c.Parents) != 1 {
		t.Errorf("where it was cut: %+v", c)
	}
	if c := h.Commits[1]; len(c.Changes) != 1 || c.Partial || c.Changes[0].Added != 1 {
		t.Errorf("last: %+v", c)
	}
}

func TestMissingCommitIsTold(t *testing.T) {
	for name, harm := range map[string]func(m *maker, id string){
		"gone":    func(m *maker, id string) { m.check(os.Remove(m.path(m.loose(id)))) },
		"garbage": func(m *maker, id string) { m.check(os.Chmod(m.path(m.loose(id)), 0o644)); m.write(m.loose(id), "x") },
	} {
		t.Run(name, func(t *testing.T) {
			m := make1(t, map[string]string{"a": "1\n"})
			m.t = t
			gone := m.commit("two", map[string]string{"a": "1\n2\n"})
			third := m.commit("three", map[string]string{"a": "1\n2\n3\n"})
			last := m.commit("four", map[string]string{"a": "1\n2\n3\n4\n"})
			harm(m, gone)
			r := mustOpen(t, m.dir, Options{})
			h := mustHistory(t, r)
			if h.Complete() || !slices.Equal(ids(h), []string{third, last}) || !slices.Equal(h.Missing, []string{gone}) {
				t.Errorf("commits %v, missing %v", ids(h), h.Missing)
			}
			if c := h.Commits[0]; !c.Partial || len(c.Changes) != 0 {
				t.Errorf("its child: %+v", c)
			}
			if !hasNote(r, "missing_commit", gone) {
				t.Errorf("notes %v", r.Notes())
			}
		})
	}
}

func TestHistoryLimit(t *testing.T) {
	m := makeEmpty(t)
	for i := range 6 {
		m.commit(fmt.Sprint(i), map[string]string{"a": fmt.Sprintln(i)})
	}
	r := mustOpen(t, m.dir, Options{MaxCommits: 4})
	h := mustHistory(t, r)
	if !h.Truncated || h.Complete() || len(h.Commits) != 4 || h.Commits[3].Subject != "5" || !hasNote(r, "limit_log", "") {
		t.Errorf("truncated %v, %d commits, notes %v", h.Truncated, len(h.Commits), r.Notes())
	}
	if h := mustHistory(t, mustOpen(t, m.dir, Options{MaxCommits: 6})); h.Truncated || len(h.Commits) != 6 {
		t.Errorf("exactly at the limit: truncated %v, %d commits", h.Truncated, len(h.Commits))
	}
}

func TestOctopusAndTwoRoots(t *testing.T) {
	m := makeEmpty(t)
	tree := m.tree([3]string{"100644", "a", m.object("blob", "x\n")})
	var parents []string
	for i := range 200 {
		parents = append(parents, m.commitObject(tree, ada, fmt.Sprint(i)))
	}
	m.commitObject(tree, ada, "octopus", parents...)
	h := mustHistory(t, mustOpen(t, m.dir, Options{}))
	if len(h.Commits) != 201 || len(h.Roots) != 200 || len(h.Commits[200].Parents) != 200 || h.Commits[200].Changes != nil {
		t.Errorf("%d commits, %d roots", len(h.Commits), len(h.Roots))
	}
}
