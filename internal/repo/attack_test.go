package repo

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/attack"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// fate is what must come of a hostile repository.
type fate struct {
	local   string // code of the refusal in place; "": it is read
	fetched string // the same when it is fetched; "error": refused by git
	limits  sandbox.Limits
	check   func(t *testing.T, r *Repo) // of what was read; nil: a.py and one commit are there
}

const byGit = "error"

// endure builds the repositories of a case and reads them in place and fetched. Each must have a fate.
func endure(t *testing.T, id string, fates map[string]fate) {
	t.Helper()
	met := 0
	for _, a := range attack.Repositories() {
		if a.ID != id {
			continue
		}
		f, ok := fates[a.Name]
		if !ok {
			t.Errorf("nothing is said about %s", a.Name)
			continue
		}
		met++
		t.Run(a.Name, func(t *testing.T) {
			if a.Heavy && (testing.Short() || len(withoutLayers()) > 0) {
				t.Skip("takes long under the race detector, and is the same in each mode")
			}
			dir := filepath.Join(shared(t), "target")
			canary := canaryAt(t)
			if err := cmp.Or(os.Mkdir(dir, 0o755), a.Build(dir, canary)); err != nil {
				t.Fatal(err)
			}
			t.Run("in place", func(t *testing.T) {
				box := boxFor(t, f.limits)
				var r *Repo
				before := allocated()
				target, err := ParseTarget(dir, TargetOptions{})
				if err == nil {
					r, err = Open(t.Context(), box, target, Options{})
				}
				if took := allocated() - before; took > 256<<20 {
					t.Errorf("opening took %d bytes of memory", took)
				}
				f.meet(t, r, err, f.local)
				if err == nil || f.local == byGit {
					layersMissing(t, box)
				}
			})
			if a.Local {
				return
			}
			t.Run("fetched", func(t *testing.T) {
				h := serveTo(t, nil, sandbox.Options{TempDir: runDirs(t), Limits: f.limits})
				offer(t, h, dir)
				r, err := h.open(t, "/git/r.git", Options{})
				if err == nil {
					noWorkTree(t, filepath.Dir(r.source.gitDir))
				}
				f.meet(t, r, err, f.fetched)
				layersMissing(t, h.box)
			})
		})
	}
	if met != len(fates) {
		t.Errorf("%d of %d repositories are built", met, len(fates))
	}
}

// allocated is all the memory that this process has asked for so far, in bytes.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// noWorkTree fails when a checkout has happened: nothing of the files may lie beside the git directory, nor an index in it.
func noWorkTree(t *testing.T, dir string) {
	t.Helper()
	beside, err := os.ReadDir(dir)
	if err != nil || len(beside) != 1 {
		t.Errorf("beside the git directory: %v, %v", beside, err)
	}
	if found, err := filepath.Glob(filepath.Join(dir, "*", "index")); err != nil || len(found) > 0 {
		t.Errorf("there is an index: %v, %v", found, err)
	}
}

// canaryAt is where everybody can leave a canary; none may be there in the end.
func canaryAt(t *testing.T) string {
	t.Helper()
	dir := shared(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if ran, err := os.ReadDir(dir); err != nil || len(ran) > 0 {
			t.Errorf("executed: %v, %v", ran, err)
		}
	})
	return filepath.Join(dir, "canary")
}

// runDirs is a place for run directories; when all is closed nothing may be left there, and nothing running.
func runDirs(t *testing.T) string {
	t.Helper()
	dir := shared(t)
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		noChildren(t)
	})
	return dir
}

func boxFor(t *testing.T, limits sandbox.Limits) *sandbox.Box {
	t.Helper()
	box, err := sandbox.Open(sandbox.Options{TempDir: runDirs(t), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	return box
}

// offer puts the objects and refs of a repository on the server, and nothing else of it.
func offer(t *testing.T, h *host, dir string) {
	t.Helper()
	to := filepath.Join(h.dir, "r.git")
	for _, d := range []string{"objects/info", "refs/heads"} {
		if err := os.MkdirAll(filepath.Join(to, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{"config": "[core]\n\tbare = true\n", "objects/info/alternates": filepath.Join(dir, ".git", "objects") + "\n"}
	for _, name := range []string{"HEAD", "packed-refs", "refs/heads/main"} {
		if raw, err := os.ReadFile(filepath.Join(dir, ".git", name)); err == nil {
			files[name] = string(raw)
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(to, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// meet compares what came of a repository with its fate.
func (f fate) meet(t *testing.T, r *Repo, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Fatal(err)
	case want == byGit:
		if _, refused := errors.AsType[*sandbox.Refusal](err); err == nil || refused {
			t.Errorf("error is %v, want git's", err)
		}
	case want != "":
		wantCode(t, err, want)
	}
	if err != nil {
		clean(t, err.Error())
		return
	}
	paths := []string{}
	for _, e := range r.Tree() {
		paths = append(paths, e.Path)
	}
	blobs, err := r.Blobs(t.Context(), paths)
	if err != nil {
		t.Errorf("reading files: %v", err)
	}
	for path, b := range blobs {
		if strings.Contains(string(b), attack.Secret) {
			t.Errorf("%q holds a neighbour's secret", path)
		}
	}
	mustHistory(t, r)
	if f.check == nil {
		f.check = ordinary
	}
	f.check(t, r)
	for _, n := range r.Notes() {
		clean(t, n.Text)
	}
}

// clean fails on text that nobody may see as it is.
func clean(t *testing.T, text string) {
	t.Helper()
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) || !utf8.ValidString(text) ||
		strings.Contains(text, attack.Secret) || strings.Contains(text, "goroutine ") || strings.Contains(text, "panic") {
		t.Errorf("said %q", text)
	}
}

// ordinary is a repository of which everything can be read.
func ordinary(t *testing.T, r *Repo) {
	t.Helper()
	wantFile(t, r, "a.py", "x = 1\n")
	if h := mustHistory(t, r); !h.Complete() || len(h.Commits) != 1 || h.Commits[0].Partial {
		t.Errorf("history %+v", h)
	}
}

func wantFile(t *testing.T, r *Repo, path, want string) {
	t.Helper()
	if b, err := r.Blob(t.Context(), path); err != nil || string(b) != want {
		t.Errorf("%q is %.100q, %v", path, b, err)
	}
}

// wantLost: a file that cannot be read, for that reason, and said so.
func wantLost(t *testing.T, r *Repo, path string, why error) {
	t.Helper()
	code := "missing_blob"
	if errors.Is(why, ErrTooLarge) {
		code = "limit_blob"
	}
	if b, err := r.Blob(t.Context(), path); !errors.Is(err, why) || !hasNote(r, code, path) {
		t.Errorf("%q is %.100q, %v; notes %v", path, b, err, r.Notes())
	}
}

// wantFlag: a path with that flag, and said so.
func wantFlag(t *testing.T, r *Repo, path, flag string) {
	t.Helper()
	e, ok := r.Entry(path)
	if !ok || !slices.Contains(e.Flags, flag) && string(e.Kind) != flag {
		t.Errorf("%.100q is %v, %v, want %s", path, e.Kind, e.Flags, flag)
	}
	if !hasNote(r, flag, path) {
		t.Errorf("%.100q: %s is not noted", path, flag)
	}
}

// The layers that were taken away from this process must be missing in the report; the others are in force.
func layersMissing(t *testing.T, box *sandbox.Box) {
	t.Helper()
	report := box.Report()
	for _, layer := range withoutLayers() {
		if !slices.ContainsFunc(report.Missing, func(m sandbox.Missing) bool { return m.Layer == layer && m.Reason != "" }) {
			t.Errorf("%s is not reported as missing: %+v", layer, report)
		}
	}
}

// without names the layers that this process goes without, for the tests in each mode.
const (
	without       = "AUTOMATON_TEST_WITHOUT"
	cannotConfine = "cannot be confined"
	cannotCode    = 77
)

func withoutLayers() []string {
	return strings.FieldsFunc(os.Getenv(without), func(r rune) bool { return r == ',' })
}
