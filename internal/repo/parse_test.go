package repo

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

const (
	id1 = "1111111111111111111111111111111111111111"
	id2 = "2222222222222222222222222222222222222222"
	id0 = "0000000000000000000000000000000000000000"
)

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 blob " + id1 + "       6\ta.py\x00120000 blob " + id2 + "     BAD\tl\x00160000 commit " + id1 + "       -\tsub\x00"))
	f.Add([]byte("100644 blob " + id1 + " 99999999999999999999\t\n\xff\x00"))
	f.Add([]byte("040000 tree " + id1 + " -\tx"))
	f.Fuzz(func(t *testing.T, in []byte) {
		entries, err := parseTree(bytes.NewReader(in), 3)
		if len(entries) > 3 {
			t.Fatalf("%d entries", len(entries))
		}
		if refusal, ok := errors.AsType[*sandbox.Refusal](err); ok && refusal.Code == "limit_tree" && len(entries) != 3 {
			t.Fatalf("cut at %d", len(entries))
		}
		for _, e := range entries {
			if e.Size < -1 || !fullID.MatchString(e.OID) || e.Kind == "" || strings.Contains(e.Path, "\x00") {
				t.Fatalf("entry %+v", e)
			}
		}
	})
}

func FuzzParseBatch(f *testing.F) {
	raw := "blob 3\x00abc"
	sum := sha1.Sum([]byte(raw))
	good := hex.EncodeToString(sum[:])
	f.Add([]byte(good+" blob 3\nabc\n"+id2+" missing\n"), good)
	f.Add([]byte(good+" blob 3\nabX\n"+id2+" blob 0\n\n"), good)
	f.Add([]byte(good+" blob 9223372036854775807\nabc"), good)
	f.Add([]byte(good+" blob -1\nabc\n"), good)
	f.Fuzz(func(t *testing.T, in []byte, id string) {
		n, err := parseBatch(bufio.NewReader(bytes.NewReader(in)), []string{id, id2}, 2, func(o object) {
			if int64(len(o.content)) > 2 || o.size < 0 {
				t.Fatalf("object %+v", o)
			}
			if o.intact && o.size <= 2 {
				sum := sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", o.kind, o.size, o.content))
				if len(o.id) != 64 && hex.EncodeToString(sum[:]) != o.id {
					t.Fatalf("object %+v is not intact", o)
				}
			}
		})
		if (err == nil) != (n == 2) {
			t.Fatalf("%d of 2, %v", n, err)
		}
	})
}

func TestParseBatchHashes(t *testing.T) {
	sum := sha1.Sum([]byte("blob 3\x00abc"))
	good := hex.EncodeToString(sum[:])
	var got []bool
	_, err := parseBatch(bufio.NewReader(strings.NewReader(good+" blob 3\nabc\n"+id2+" blob 3\nabc\n")), []string{good, id2}, 10, func(o object) { got = append(got, o.intact) })
	if diff := cmp.Diff([]bool{true, false}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func FuzzParseChanges(f *testing.F) {
	raw := func(status string) string { return ":100644 100644 " + id1 + " " + id2 + " " + status + "\x00" }
	f.Add([]byte(id1 + "\x00" + raw("M") + "a\x00" + raw("R100") + "b\x00c\x00" + "1\t2\ta\x00" + "-\t-\t\x00b\x00c\x00" + id2 + "\x00"))
	f.Add([]byte(id1 + "\x00:000000 100644 " + id0 + " " + id1 + " A\x00x\ty\x003\t0\tx\ty\x00"))
	f.Add([]byte(id2 + "\x00" + id1 + "\x00"))
	f.Add([]byte(id1 + "\x00" + raw("M") + id2 + "\x001\t1\t" + id2 + "\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var got []string
		p := changeReader{ids: []string{id1, id2}, keep: func(id string, changes []Change) {
			got = append(got, id)
			for _, c := range changes {
				if c.Counted && (c.Added < 0 || c.Deleted < 0 || c.Binary) || c.OID == id0 || (c.From != "") && c.Status != Renamed && c.Status != Copied {
					t.Fatalf("change %+v", c)
				}
			}
		}}
		if p.read(bufio.NewReader(bytes.NewReader(in))) == nil {
			p.done()
			if diff := cmp.Diff([]string{id1, id2}, got); diff != "" {
				t.Fatalf("commits (-want +got):\n%s", diff)
			}
		}
	})
}

// A file may have a commit's id for its name, and a name that looks like a record.
func TestParseChangesIsNotConfused(t *testing.T) {
	odd := []string{id2, "1\t2\tx", ":100644 100644 " + id1 + " " + id2 + " M", "a\nb"}
	var in strings.Builder
	in.WriteString(id1 + "\x00")
	for _, path := range odd {
		in.WriteString(":100644 100644 " + id1 + " " + id2 + " M\x00" + path + "\x00")
	}
	for i, path := range odd {
		fmt.Fprintf(&in, "%d\t0\t%s\x00", i, path)
	}
	found := map[string][]Change{}
	p := changeReader{ids: []string{id1, id2}, keep: func(id string, changes []Change) { found[id] = changes }}
	if err := p.read(bufio.NewReader(strings.NewReader(in.String()))); err != nil {
		t.Fatal(err)
	}
	p.done()
	if len(found[id1]) != len(odd) || len(found[id2]) != 0 {
		t.Fatalf("found %+v", found)
	}
	for i, c := range found[id1] {
		if c.Path != odd[i] || c.Added != i || !c.Counted {
			t.Errorf("%d: %+v", i, c)
		}
	}
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree " + id1 + "\nparent " + id2 + "\nauthor A <a@x> 1 +0000\ncommitter B <b@x> 2 +518:00\nencoding latin1\n\nsubject\nline two\n\nbody\n"))
	f.Add([]byte("author A\n\n\n  \n\nlate subject"))
	f.Add([]byte("gpgsig -----BEGIN\n parent " + id1 + "\n author X <x> 1 +0\n\nx\xff"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := parseCommit(id1, raw)
		for _, s := range []string{c.Subject, c.Body, c.Author.Name, c.Author.Email, c.Author.Zone, c.Committer.Name} {
			if !utf8.ValidString(s) {
				t.Fatalf("%q is no UTF-8", s)
			}
		}
		if strings.Contains(c.Subject, "\n") || c.Author.Time < 0 || len(c.Author.Name) > 4*maxName+8 || len(c.Body) > 4*maxBody+8 {
			t.Fatalf("commit %+v", c)
		}
	})
}

func TestParseCommitMessage(t *testing.T) {
	cases := map[string][2]string{
		"subject\n":                         {"subject", ""},
		"\n\nsubject\nsecond\n\n\nbody\nb2": {"subject second", "body\nb2"},
		"  led by blanks \n \nbody\n":       {"  led by blanks", "body"},
		"":                                  {"", ""},
		"\n \n":                             {"", ""},
		"s\r\n\r\nb\r\n":                    {"s", "b"},
	}
	for message, want := range cases {
		c := parseCommit(id1, []byte("tree "+id2+"\n\n"+message))
		if got := [2]string{c.Subject, c.Body}; got != want || c.Tree != id2 {
			t.Errorf("%q: %q, want %q; tree %q", message, got, want, c.Tree)
		}
	}
}

func FuzzParseWalk(f *testing.F) {
	f.Add([]byte(id1 + " " + id2 + "\n" + id2 + "\n"))
	f.Add([]byte(id1 + "\n" + id2 + "\n" + id1 + "\n"))
	f.Add([]byte("-" + id1 + "\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		parents := map[string][]string{}
		ids, err := parseWalk(bufio.NewReader(bytes.NewReader(in)), id1, 2, parents)
		if len(ids) > 2 || len(ids) != len(parents) || len(ids) > 0 && ids[0] != id1 || len(ids) == 0 && err == nil {
			t.Fatalf("%d ids, %v", len(ids), err)
		}
		for _, id := range ids {
			if !fullID.MatchString(id) {
				t.Fatalf("id %q", id)
			}
		}
	})
}

func TestParseOrigin(t *testing.T) {
	cases := map[string]origin{
		"https://github.com/own/er.git":                         {"own/er", "https://github.com/own/er"},
		"https://me:t0ken@github.com/own/er/":                   {"own/er", "https://github.com/own/er"},
		"git@github.com:own/er.git":                             {"own/er", "https://github.com/own/er"},
		"ssh://git@GitHub.com:22/own/er":                        {"own/er", "https://github.com/own/er"},
		"https://gitlab.com/a/b/c.git":                          {"a/b/c", "https://gitlab.com/a/b/c"},
		"github.com:own/er":                                     {"own/er", "https://github.com/own/er"},
		"git://git.example.org/own/er?x=1":                      {"own/er", "https://git.example.org/own/er"},
		"/home/ada/repo":                                        {},
		"../repo":                                               {},
		"file:///home/ada/repo":                                 {},
		"ext::sh -c x":                                          {},
		"https://127.0.0.1/own/er":                              {},
		"https://localhost/own/er":                              {},
		"https://github.com/../er":                              {},
		"https://github.com/own":                                {},
		"https://github.com/own/er\x1b[31m":                     {},
		"javascript:alert(1)":                                   {},
		"https://github.com/own/<script>":                       {},
		"git@github.com:own/er.git\n[core]":                     {},
		"C:\\Users\\ada\\repo":                                  {},
		"https://github.com/" + strings.Repeat("a/", 200) + "b": {},
	}
	for raw, want := range cases {
		got, ok := parseOrigin(raw)
		if got != want || ok != (want != origin{}) {
			t.Errorf("%q: %+v, %v", raw, got, ok)
		}
	}
}

func TestOriginURL(t *testing.T) {
	config := "[core]\n\turl = no\n[remote \"other\"]\n\turl = no\n; [remote \"origin\"]\n[Remote \"origin\"] ; comment\n\tfetch = x\n\tURL = \"https://github.com/a/b\"\n[branch \"origin\"]\n\turl = no\n"
	if got := originURL(config); got != "https://github.com/a/b" {
		t.Errorf("got %q", got)
	}
	if got := originURL("[remote \"Origin\"]\nurl=x\n[remote origin]\nurl=y\n"); got != "" {
		t.Errorf("got %q", got)
	}
}
