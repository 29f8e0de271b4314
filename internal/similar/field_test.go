package similar

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/automaton-auditor/automaton/internal/likeness"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/sandbox"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func TestMain(m *testing.M) {
	sandbox.Main(trial.Workers())
	os.Exit(m.Run())
}

// opened takes the prints and texts of a folder or repository, as a run does.
func opened(ctx context.Context, t *testing.T, dir string) (*Prints, []byte) {
	t.Helper()
	box, err := sandbox.Open(sandbox.Options{CacheDir: os.Getenv("AUTOMATON_WORKER_CACHE")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = box.Close() }()
	o, err := trial.Open(ctx, box, trial.Submission{Target: repo.Target{Local: dir}, Document: trial.Document{From: "auto"}, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Take(ctx, o.Scene)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := TakeSources(ctx, o.Scene)
	if err != nil {
		t.Fatal(err)
	}
	return p, texts
}

// TestField compares the submissions in the folders of AUTOMATON_LIKENESS, each a folder or a repository, and writes there
// similarity.html, and ours.csv with every pair. A folder "base" is what everybody was given. This is how to try
// similarity on submissions of one's own.
func TestField(t *testing.T) {
	root := os.Getenv("AUTOMATON_LIKENESS")
	if root == "" {
		t.Skip("AUTOMATON_LIKENESS names no folder")
	}
	folders, err := filepath.Glob(filepath.Join(root, "*", ""))
	if err != nil {
		t.Fatal(err)
	}
	var list []Submission
	var base []*Prints
	var sets []likeness.Set
	size := 0
	for _, dir := range folders {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		p, texts := opened(t.Context(), t, dir)
		if filepath.Base(dir) == "base" {
			base = append(base, p)
			continue
		}
		raw := p.Encode()
		size += len(raw)
		sets = append(sets, p.Code.Set())
		t.Logf("%s: %d files, %d fingerprints, %d of the document, prints of %d bytes, texts of %d", filepath.Base(dir), len(p.Code.Files), len(sets[len(sets)-1]), len(p.Text.Set()), len(raw), len(texts))
		list = append(list, Submission{ID: filepath.Base(dir), Prints: func() (*Prints, error) { return Decode(raw) }, Sources: func() (Sources, error) { return ReadSources(texts) }})
	}
	var given []likeness.Set
	for _, p := range base {
		given = append(given, p.Code.Set())
	}
	out, err := os.Create(filepath.Join(root, "ours.csv"))
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(out)
	for _, p := range likeness.Compare(sets, len(sets), given).Pairs {
		_ = w.Write([]string{list[p.A].ID, list[p.B].ID, strconv.Itoa(int(p.Contained)), strconv.Itoa(int(p.Alike)), strconv.Itoa(p.Shared)})
	}
	w.Flush()
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Compare(list, base)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := errors.Join(s.Page(&page), os.WriteFile(filepath.Join(root, "similarity.html"), page.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d submissions, prints of %d bytes, %d pairs listed, clusters %v, common %v", s.Submissions, size, len(s.Pairs), s.Clusters, s.Common)
	for _, p := range s.Pairs {
		t.Logf("%s and %s: contained %d, alike %d, longest %d, document %d, commits %d, states %d, equal files %d", p.A, p.B, p.Contained, p.Alike, p.Longest, p.Document, p.Commits, p.States, len(p.Files)+p.MoreFiles)
	}
}
