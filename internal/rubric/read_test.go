package rubric

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadFindsBuiltinFileAndInput(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mine.json"), "{}")
	write(t, filepath.Join(dir, "courtroom"), "[]")
	if err := os.Symlink("mine.json", filepath.Join(dir, "inside")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	tests := map[string]struct{ name, from, text string }{
		"file":                    {"mine.json", "file", "{}"},
		"absolute":                {filepath.Join(dir, "mine.json"), "file", "{}"},
		"link inside":             {"inside", "file", "{}"},
		"file called as built-in": {"./courtroom", "file", "[]"},
		"input":                   {"-", "stdin", "[1]"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := Read(tt.name, strings.NewReader("[1]"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(File{From: tt.from, Name: tt.name, Bytes: []byte(tt.text)}, f); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	f, err := Read("software", nil)
	if err != nil || f.From != "builtin" || !bytes.Contains(f.Bytes, []byte("any repository")) {
		t.Errorf("built-in: %v %v", f.From, err)
	}
}

func TestReadRefuses(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "secret.json"), "{}")
	write(t, filepath.Join(dir, "big.json"), strings.Repeat(" ", MaxBytes+1))
	if err := os.Symlink(filepath.Join(other, "secret.json"), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct{ name, want string }{
		"missing":         {filepath.Join(dir, "no.json"), "no such file or directory"},
		"missing folder":  {filepath.Join(dir, "no", "no.json"), "no such file or directory"},
		"folder":          {filepath.Join(dir, "folder"), "not a regular file"},
		"device":          {"/dev/null", "not a regular file"},
		"link outside":    {filepath.Join(dir, "out"), "path escapes from parent"},
		"too large":       {filepath.Join(dir, "big.json"), "1:1: the file is larger than 4 MiB"},
		"input too large": {"-", "1:1: the file is larger than 4 MiB"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Read(tt.name, io.LimitReader(zeros{}, 5<<20))
			if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("got %v, want …%s", err, tt.want)
			}
		})
	}
}

func TestTooLargeHasItsCode(t *testing.T) {
	_, err := Load("x.json", io.LimitReader(zeros{}, 100<<20), Catalogue{})
	e, ok := errors.AsType[Errors](err)
	if !ok || e[0].Code != "too-large" {
		t.Errorf("got %v", err)
	}
}

func TestLoadRecordsTheSource(t *testing.T) {
	r := mustLoad(t, `[{"id":"a","name":"A"}]`)
	if r.Source.From != "file" || r.Source.Name != "rubric.json" || r.Source.Digest != "d603fe7f8ecdaf4377e0cd3722fa72bd351f17332bbb9937dbd275e92488162b" {
		t.Errorf("source %+v", r.Source)
	}
	in, err := Load("-", strings.NewReader(`[{"id":"a","name":"A"}]`), catalogue(t))
	if err != nil || in.Source.From != "stdin" || in.Source.Digest != r.Source.Digest {
		t.Errorf("source %+v, %v", in.Source, err)
	}
}

// A plan asks only what the build can answer.
func TestPlanAsksWhatTheBuildAnswers(t *testing.T) {
	text := one(`"id":"a","name":"A","forensic_instruction":"There is a license, and a Dockerfile builds the container."`)
	checks := func(known Catalogue) (ids []string) {
		r, err := Load("r.json", strings.NewReader(text), known)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Criteria[0].Checks {
			ids = append(ids, c.Asks[0].Probe)
		}
		return ids
	}
	all := checks(catalogue(t))
	if !slices.Contains(all, "repo.license") || len(all) < 2 {
		t.Fatalf("the whole catalogue is asked %v", all)
	}
	if got := checks(Catalogue{Probes: []ProbeInfo{{ID: "repo.license", Version: "1"}}}); !slices.Equal(got, []string{"repo.license"}) {
		t.Errorf("a build with one probe is asked %v", got)
	}
	if got := checks(Catalogue{}); len(got) != 0 {
		t.Errorf("a build without probes is asked %v", got)
	}
}

func TestEmptyCatalogueRefusesAllChecks(t *testing.T) {
	for name, text := range map[string]string{
		"own":   one(`"id":"a","name":"A","checks":[{"probe":"git.count"}]`),
		"bound": one(`"id":"graph_orchestration","name":"Graph"`),
	} {
		_, err := Load("r.json", strings.NewReader(text), Catalogue{})
		e, ok := errors.AsType[Errors](err)
		if !ok || e[0].Code != "check-probe" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, name := range Builtins() {
		if _, err := Builtin(name, Catalogue{}); err == nil {
			t.Errorf("%s loads without probes", name)
		}
	}
	if _, err := Builtin("classroom", catalogue(t)); err == nil || !strings.Contains(err.Error(), "have courtroom, software, report") {
		t.Errorf("got %v", err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
