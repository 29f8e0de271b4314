package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// openedDocket is an empty database, with a cohort in it.
func openedDocket(t *testing.T, cohort string) *docket.Docket {
	t.Helper()
	d, err := docket.Open(t.Context(), t.TempDir(), docket.Setup{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Found(t.Context(), docket.Cohort{ID: cohort}); err != nil {
		t.Fatal(err)
	}
	return d
}

// A submission that is handed out is opened elsewhere under the same names, and no place of this machine goes with it.
func TestHandedOut(t *testing.T) {
	w := newWorld(t)
	w.file(t, "work/.git/HEAD", strings.Repeat("a", 40)+"\n")
	w.file(t, "work/.git/objects/info/packs", "\n")
	w.file(t, "essay.md", "# Essay\n")
	w.file(t, "marks.json", "[]\n")
	d, a := openedDocket(t, "c"), newApp(w.Env)
	j := &jury{app: a, court: &batch.Court{}}
	p := &parcels{app: a, docket: d, cohort: "c"}
	list := []batch.Entry{
		{ID: "ada", Name: "Ada Lovelace", Email: "ada@example.org", Target: filepath.Join(a.Dir, "work") + "@v1", PDF: filepath.Join(a.Dir, "essay.md"), Answers: filepath.Join(a.Dir, "marks.json"), Due: "2026-03-01"},
		{ID: "bob", Target: "https://github.com/northwind/mini", Commit: "main", PDF: "tree:docs/a.pdf"},
		{ID: "eve", Target: filepath.Join(a.Dir, "nowhere")},
	}
	var rows []docket.Submission
	for i, e := range list {
		asked, err := p.asked(t.Context(), j, e)
		if err != nil {
			t.Fatal(err)
		}
		for _, no := range []string{a.Dir, "Lovelace", "example.org"} {
			if strings.Contains(asked, no) {
				t.Errorf("%s: %q goes with it: %s", e.ID, no, asked)
			}
		}
		rows = append(rows, docket.Submission{ID: e.ID, Seq: int64(i), Folder: e.ID, Asked: asked})
	}
	if err := d.Enrol(t.Context(), "c", rows); err != nil {
		t.Fatal(err)
	}
	there := &posts{docket: d}
	open := func(row int64) (batch.Entry, error) {
		e, refused, err := there.entry(t.Context(), batch.Ref{Cohort: "c", Row: row}, list[row].ID, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		return e, refused
	}
	e, refused := open(0)
	if refused != nil || filepath.Base(e.Target) != "work" || filepath.Base(e.PDF) != "essay.md" || filepath.Base(e.Answers) != "marks.json" || e.Commit != "v1" || e.Due != "2026-03-01" || e.Name != "" {
		t.Errorf("%+v, %v", e, refused)
	}
	if raw, err := os.ReadFile(filepath.Join(e.Target, ".git", "HEAD")); err != nil || !strings.HasPrefix(string(raw), "aaaa") {
		t.Errorf("%q, %v", raw, err)
	}
	if e, refused = open(1); refused != nil || e.Target != list[1].Target || e.Commit != "main" || e.PDF != "tree:docs/a.pdf" {
		t.Errorf("%+v, %v", e, refused)
	}
	if _, refused = open(2); refused == nil {
		t.Error("what is not there is opened elsewhere")
	}
}

// Shares that a worker holds go back when none of its cases is at work, but for what was paid.
func TestLender(t *testing.T) {
	d := openedDocket(t, "c")
	ctx := context.Background()
	if err := d.Allow(ctx, "c", docket.Money{Tokens: 100}); err != nil {
		t.Fatal(err)
	}
	l := &lender{docket: d, cohort: "c", holder: "w"}
	run, err := llm.Open(llm.Options{Clock: llm.Clock{Now: time.Now}, Random: func(int64) int64 { return 0 }, Lend: l.lend})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int64{80, 20} { // eight times ten, then as much as there is
		if got, err := l.lend(ctx, llm.Bill{In: 4, Out: 6}); err != nil || got.In+got.Out != want {
			t.Fatalf("%+v instead of %d, %v", got, want, err)
		}
	}
	if _, err := l.lend(ctx, llm.Bill{In: 1}); err == nil {
		t.Error("more was lent than there is")
	}
	l.settle(run) // nothing was paid
	if paid, held, err := d.Spent(ctx, "c"); err != nil || paid.Tokens != 0 || held.Tokens != 0 {
		t.Errorf("paid %v, held %v, %v", paid, held, err)
	}
}

// A worker answers this machine alone.
func TestListensHere(t *testing.T) {
	for at, ok := range map[string]bool{"127.0.0.1:0": true, "localhost:0": true, "0.0.0.0:0": false, ":0": false, "example.org:80": false, "127.0.0.1": false} {
		l, err := listenHere(t.Context(), at)
		if (err == nil) != ok {
			t.Errorf("%s: %v", at, err)
		}
		if err == nil {
			_ = l.Close()
		}
	}
}

// A worker's share of a rate is at least one, and no limit stays none.
func TestModelShare(t *testing.T) {
	for _, x := range []struct {
		share      float64
		rate, want int
	}{{0, 60, 60}, {1, 60, 60}, {0.5, 60, 30}, {0.5, 0, 0}, {0.01, 10, 1}} {
		if got := (&app{modelShare: x.share}).shareOf(x.rate); got != x.want {
			t.Errorf("%g of %d is %d, not %d", x.share, x.rate, got, x.want)
		}
	}
}
