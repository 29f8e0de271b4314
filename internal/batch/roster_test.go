package batch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

func wide(text string) []byte {
	out := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

func TestRoster(t *testing.T) {
	const own = "id,name,email,repo_url,commit,pdf\n17,Мария,m@example.org,https://github.com/o/a,v1,a.pdf\n\n18,\"Li, Wei\",,https://github.com/o/b,,\n"
	want := []Entry{
		{Line: 2, ID: "17", Name: "Мария", Email: "m@example.org", Target: "https://github.com/o/a", Commit: "v1", PDF: "a.pdf"},
		{Line: 4, ID: "18", Name: "Li, Wei", Target: "https://github.com/o/b"},
	}
	semicolons := strings.NewReplacer(",", ";", "\"Li; Wei\"", "").Replace(own)
	tests := map[string]struct {
		raw  []byte
		r    Reading
		want []Entry
	}{
		"own":         {raw: []byte(own), want: want},
		"mark, CRLF":  {raw: []byte("\ufeff" + strings.ReplaceAll(own, "\n", "\r\n")), want: want},
		"wide":        {raw: wide(own), want: want},
		"semicolons":  {raw: []byte(strings.ReplaceAll(semicolons, "\"Li; Wei\"", "\"Li, Wei\"")), want: want},
		"other names": {raw: []byte("Student,Repo\nx,/r\n"), r: Reading{Map: map[string]string{"id": "Student", "repo_url": "Repo"}}, want: []Entry{{Line: 2, ID: "x", Target: "/r"}}},
		"addresses": {raw: []byte("# first round\nhttps://github.com/o/a.git\n/srv/class/ada/ # late\n"),
			want: []Entry{{Line: 2, ID: "o__a", Target: "https://github.com/o/a.git"}, {Line: 3, ID: "ada", Target: "/srv/class/ada/"}}},
		"Classroom": {raw: []byte("assignment_name,assignment_url,starter_code_url,github_username,roster_identifier,student_repository_name,student_repository_url,submission_timestamp,points_awarded,points_available\n" +
			"w2,u,s,octo,s-01,w2-octo,https://github.com/c/w2-octo,2026-01-01,,\n"),
			want: []Entry{{Line: 2, ID: "s-01", Name: "octo", Target: "https://github.com/c/w2-octo"}}},
		"template": {raw: []byte("username,first_name,last_name,email,section,github_id\nocto,O,C,o@example.org,1,5\n"), r: Reading{Template: "https://github.com/c/w2-{username}"},
			want: []Entry{{Line: 2, ID: "octo", Name: "C", Email: "o@example.org", Target: "https://github.com/c/w2-octo"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Roster(test.raw, test.r)
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
		})
	}
}

// All that is wrong is told at once, by line, and what is right is given all the same.
func TestRosterProblems(t *testing.T) {
	got, err := Roster([]byte("id,repo_url\na,/a\n,/b\nc,\na,/d\ne,/e\n"), Reading{})
	var bad Problems
	if !errors.As(err, &bad) {
		t.Fatal(err)
	}
	want := Problems{"3: the id is empty", "4: c has no repository", `5: the id "a" is on line 2, too`}
	if diff := cmp.Diff(want, bad); diff != "" {
		t.Error(diff)
	}
	if len(got) != 2 || got[0].ID != "a" || got[1].ID != "e" {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{
		"":                         "no submission",
		"name,email\nx,y\n":        "no column holds the id",
		"id,name\nx,y\n":           "no column holds the address",
		"id,repo_url\n\x00,x\n":    "not text",
		"id,repo_url\n\"x,y\n":     "2:",
		"id,repo_url\nx,y\"z\"w\n": "2:",
	} {
		_, err := Roster([]byte(text), Reading{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b/x.py", "a.zip", "b.pdf", "c.bundle", "notes.txt", ".git/HEAD", "d.tar.gz"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Folder(dir)
	want := []Entry{{ID: "a", Target: dir + "/a.zip"}, {ID: "b", Target: dir + "/b", PDF: dir + "/b.pdf"}, {ID: "c", Target: dir + "/c.bundle"}, {ID: "d", Target: dir + "/d.tar.gz"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// Names of folders differ even where case does not count, and ids of any script are told apart.
func TestFolders(t *testing.T) {
	var roster []Entry
	for _, id := range []string{"Ann", "ann", "a/b", "a_b", "Мария", "李雷"} {
		roster = append(roster, Entry{ID: id})
	}
	seen := map[string]bool{}
	for i, name := range Folders(roster) {
		if key := strings.ToLower(name); seen[key] || strings.ContainsAny(name, "/ ") || name == "" {
			t.Errorf("%q becomes %q", roster[i].ID, name)
		} else {
			seen[key] = true
		}
	}
}

func FuzzRoster(f *testing.F) {
	f.Add([]byte("id,repo_url\na,b\n"))
	f.Add([]byte("https://github.com/o/a\n"))
	f.Add(wide("id;repo_url\nx;y\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, err := Roster(raw, Reading{})
		seen := map[string]bool{}
		for _, e := range list {
			if e.ID == "" || e.Target == "" || seen[e.ID] {
				t.Fatalf("%+v of %q: %v", e, raw, err)
			}
			seen[e.ID] = true
		}
	})
}

func TestDueOf(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-01":                "2026-03-01T23:59:59Z",
		"2026-03-01 18:00":          "2026-03-01T18:00:00Z",
		"2026-03-01T18:00:00+01:00": "2026-03-01T17:00:00Z",
		"2026-03-01T18:00":          "2026-03-01T18:00:00Z",
	} {
		if got := DueOf(text).UTC().Format(time.RFC3339); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "tomorrow", "1.3.2026", "2026-13-01"} {
		if !DueOf(text).IsZero() {
			t.Errorf("%q is a time", text)
		}
	}
	_, err := Roster([]byte("id,repo_url,due\na,https://github.com/o/n,soon\n"), Reading{})
	if err == nil || !strings.Contains(err.Error(), `2: a: "soon" is not a time`) {
		t.Error(err)
	}
}
