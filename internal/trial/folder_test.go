package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// fieldRow is how the reading of one PDF of the field went.
type fieldRow struct {
	name, outcome, reason   string
	pages, words, passages  int
	figures, hidden, notes  int
	took, cutting           time.Duration
	workerMB                float64
	lines, text, noteWords  string
	unseen                  string
	integrity, integrityWhy string
}

// TestDocumentsOfTheField reads every PDF of the folder AUTOMATON_PDFS as an
// audit does, each in a worker of its own, and lists what became of them; with
// AUTOMATON_PDFS_OUT it leaves the table and the texts in that folder. A worker
// that dies, is late or grows beyond its memory is a failure.
func TestDocumentsOfTheField(t *testing.T) {
	dir := os.Getenv("AUTOMATON_PDFS")
	if dir == "" {
		t.Skip("AUTOMATON_PDFS names no folder")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.pdf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d PDFs in %s: %v", len(files), dir, err)
	}
	cache := t.TempDir()
	var rows []fieldRow
	for _, file := range files {
		row := readField(t, cache, file)
		rows = append(rows, row)
		if row.outcome == "lost" || row.workerMB > float64(pdfWorker().Memory>>20) {
			t.Errorf("%s: %s: %s, %.0f MB", row.name, row.outcome, row.reason, row.workerMB)
		}
	}
	tell(t, rows)
	if out := os.Getenv("AUTOMATON_PDFS_OUT"); out != "" {
		leave(t, out, rows)
	}
}

func readField(t *testing.T, cache, file string) fieldRow {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	box, err := sandbox.Open(sandbox.Options{CacheDir: cache})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	s := probe.NewScene(probe.Options{PDF: raw, PDFPath: filepath.Base(file), Reader: box.Worker(pdf.Kind, pdfWorker())})
	row := fieldRow{name: filepath.Base(file), outcome: "lost"}
	began := time.Now()
	done, stop := context.WithCancel(t.Context())
	watched := make(chan float64)
	go func() {
		most := 0.0
		for done.Err() == nil {
			most = max(most, parsers(t))
			select {
			case <-done.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
		watched <- max(most, parsers(t))
	}()
	d, err := s.Document(t.Context())
	row.took = time.Since(began)
	stop()
	row.workerMB = <-watched
	if err != nil {
		row.reason = err.Error()
		return row
	}
	row.outcome, row.reason, row.pages, row.notes = string(d.Status), d.Reason, d.Total, len(d.Notes)
	for _, n := range d.Notes {
		row.noteWords += fmt.Sprintf("%s %d %s; ", n.Code, n.Page, n.Text)
	}
	began = time.Now()
	cutField(t, s, &row)
	row.cutting = time.Since(began)
	for _, p := range d.Pages {
		for _, l := range p.Lines {
			if l.Hidden != "" {
				row.hidden++
				row.unseen += fmt.Sprintf("p%d %s %v %s\n", p.Number, l.Hidden, l.Box, l.Text)
				continue
			}
			row.words += len(strings.Fields(l.Text))
			row.lines += l.Text + "\n"
		}
		row.lines += "\f"
	}
	return row
}

// cutField runs what an audit does with a document that was read.
func cutField(t *testing.T, s *probe.Scene, row *fieldRow) {
	t.Helper()
	r, err := s.Passages(t.Context())
	if _, unable := errors.AsType[*probe.Unable](err); err != nil && !unable {
		t.Errorf("%s: passages: %v", row.name, err)
	}
	if r != nil {
		row.passages = len(r.Passages)
		var b strings.Builder
		for _, p := range r.Passages {
			fmt.Fprintf(&b, "%s p%d [%s]\n%s\n\n", p.Kind, p.Page, strings.Join(p.Section, " > "), p.Text)
			passage.Sentences(p.Text)
		}
		row.text = b.String()
	}
	figures, err := s.Figures(t.Context())
	if _, unable := errors.AsType[*probe.Unable](err); err != nil && !unable {
		t.Errorf("%s: figures: %v", row.name, err)
	}
	row.figures = len(figures)
	for _, p := range Probes() {
		if p.ID != "pdf.integrity" {
			continue
		}
		found, err := p.Run(t.Context(), s, probe.Args{})
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %d findings: %v", row.name, len(found), err)
			continue
		}
		row.integrity, row.integrityWhy = string(found[0].Outcome), found[0].Rationale
	}
}

// tell prints the counts and the ten slowest and fattest.
func tell(t *testing.T, rows []fieldRow) {
	t.Helper()
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.outcome]++
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[k], k)
	}
	top := func(title string, of func(fieldRow) float64) {
		sorted := slices.SortedFunc(slices.Values(rows), func(a, b fieldRow) int { return cmp.Compare(of(b), of(a)) })
		for _, r := range sorted[:min(10, len(sorted))] {
			t.Logf("%s %8.2f %s (%s, %d pages)", title, of(r), r.name, r.outcome, r.pages)
		}
	}
	top("seconds", func(r fieldRow) float64 { return r.took.Seconds() })
	top("MB", func(r fieldRow) float64 { return r.workerMB })
	top("seconds of cutting", func(r fieldRow) float64 { return r.cutting.Seconds() })
}

func leave(t *testing.T, out string, rows []fieldRow) {
	t.Helper()
	var table strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&table, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%.3f\t%.3f\t%.0f\t%s\t%s\t%s\n", r.name, r.outcome, r.pages, r.words, r.passages, r.figures, r.hidden,
			r.took.Seconds(), r.cutting.Seconds(), r.workerMB, court.Clean(r.reason, 200), court.Clean(r.noteWords, 300), r.integrity+": "+court.Clean(r.integrityWhy, 300))
		for ext, text := range map[string]string{".lines.txt": r.lines, ".passages.txt": r.text, ".hidden.txt": r.unseen} {
			if err := os.WriteFile(filepath.Join(out, r.name+ext), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(out, "table.tsv"), []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
