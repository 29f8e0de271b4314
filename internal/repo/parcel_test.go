package repo

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// A repository that went to another machine is read as it is here, and its login stays here.
func TestParcelOfARepository(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	m.commit("two", map[string]string{"b.py": "y = 2\n"})
	m.git("remote", "add", "origin", "https://me:s3cr3t@github.com/own/er.git")
	m.git("tag", "v1")
	m.check(os.Symlink("/etc", filepath.Join(m.dir, ".git", "elsewhere")))
	m.check(os.WriteFile(filepath.Join(m.dir, ".git", "hooks", "post-checkout"), []byte("#!/bin/sh\n"), 0o700))
	m.check(os.WriteFile(filepath.Join(m.dir, "draft"), []byte("s3cr3t"), 0o600))
	raw, err := Pack(m.dir, 1<<20)
	m.check(err)
	again, err := Pack(m.dir, 1<<20)
	if m.check(err); !bytes.Equal(raw, again) {
		t.Error("two parcels of one repository differ")
	}
	for _, no := range []string{"s3cr3t", "hooks", "draft"} {
		if strings.Contains(string(raw), no) {
			t.Errorf("%q is in the parcel", no)
		}
	}
	there, err := Unpack(raw, shared(t))
	if m.check(err); filepath.Base(there) != filepath.Base(m.dir) {
		t.Errorf("it is called %s", there)
	}
	here, got := mustOpen(t, m.dir, Options{Revision: "v1"}), mustOpen(t, there, Options{Revision: "v1"})
	if got.Commit() != here.Commit() || got.URL() != here.URL() || got.Slug() != here.Slug() {
		t.Errorf("%s %s %s", got.Commit(), got.URL(), got.Slug())
	}
	if diff := cmp.Diff(here.Tree(), got.Tree()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(here.Notes(), got.Notes()); diff != "" {
		t.Error(diff)
	}
}

// Files and plain folders keep their names.
func TestParcelOfFiles(t *testing.T) {
	dir := shared(t)
	file := filepath.Join(dir, "work", "src", "a.py")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("x = 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, filepath.Join(dir, "work")} {
		raw, err := Pack(name, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		there, err := Unpack(raw, t.TempDir())
		if err != nil || filepath.Base(there) != filepath.Base(name) {
			t.Fatal(there, err)
		}
	}
	if _, err := Pack(file, 3); err == nil || !strings.Contains(err.Error(), "more than 3 bytes") {
		t.Error(err)
	}
	if _, err := Pack(filepath.Join(dir, "nothing"), 3); err == nil {
		t.Error("what is not there was packed")
	}
}

// A folder inside of a repository is refused here as it is where it is judged.
func TestParcelInside(t *testing.T) {
	m := make1(t, map[string]string{"sub/a.py": "x = 1\n"})
	_, err := Pack(filepath.Join(m.dir, "sub"), 1<<20)
	if r, ok := errors.AsType[*sandbox.Refusal](err); !ok || r.Code != "local_inside" {
		t.Error(err)
	}
}

// What was not packed here writes nothing outside of its folder.
func TestHostileParcel(t *testing.T) {
	for name, list := range map[string][]*tar.Header{
		"above":   {{Typeflag: tar.TypeReg, Name: "../x", Mode: 0o600}},
		"root":    {{Typeflag: tar.TypeReg, Name: "/x", Mode: 0o600}},
		"two":     {{Typeflag: tar.TypeReg, Name: "a", Mode: 0o600}, {Typeflag: tar.TypeReg, Name: "b", Mode: 0o600}},
		"through": {{Typeflag: tar.TypeSymlink, Name: "a/l", Linkname: ".."}, {Typeflag: tar.TypeReg, Name: "a/l/../../x", Mode: 0o600}},
		"link":    {{Typeflag: tar.TypeSymlink, Name: "a/l", Linkname: "/tmp"}, {Typeflag: tar.TypeReg, Name: "a/l/parcel-x", Mode: 0o600}},
		"device":  {{Typeflag: tar.TypeChar, Name: "a"}},
		"nothing": nil,
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range list {
			if err := w.WriteHeader(h); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if at, err := Unpack(b.Bytes(), t.TempDir()); err == nil {
			t.Errorf("%s: unpacked to %s", name, at)
		}
	}
	if _, err := os.Lstat("/tmp/parcel-x"); err == nil {
		t.Error("it wrote through a link")
	}
}
