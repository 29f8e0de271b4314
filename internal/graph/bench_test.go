package graph_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/automaton-auditor/automaton/internal/graph"
)

// BenchmarkTask is the overhead of the engine per task: audits of 10 criteria,
// two rounds, 54 tasks that do next to nothing.
func BenchmarkTask(b *testing.B) {
	for name, on := range map[string]func(path string) *graph.FileJournal{
		"memory": func(string) *graph.FileJournal { return nil },
		"file": func(path string) *graph.FileJournal {
			j, err := graph.OpenFile(path)
			if err != nil {
				b.Fatal(err)
			}
			return j
		},
	} {
		b.Run(name, func(b *testing.B) {
			g, dir := audit(b, fake()), b.TempDir()
			b.ReportAllocs()
			runs := 0
			for b.Loop() {
				runs++
				l := &graph.Local[State]{Graph: g}
				j := on(filepath.Join(dir, fmt.Sprint(runs)))
				if j != nil {
					l.Journal = j
				}
				finish(b, l, docket(10))
				if j != nil {
					if err := j.Close(); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(runs*tasksOf(10)), "µs/task")
		})
	}
}

// BenchmarkStep is one superstep of one node over an empty state.
func BenchmarkStep(b *testing.B) {
	build := graph.New[lines]("steps")
	build.Node("A", func(context.Context, lines) (lines, error) { return lines{}, nil }, graph.Policy{})
	build.Edge(graph.Start, "A")
	left := 0
	build.Route("A", func(lines) string {
		if left--; left > 0 {
			return "again"
		}
		return "on"
	}, graph.Branch{Label: "again", To: []string{"A"}, Max: 1 << 40}, branch("on", graph.End))
	g := compiled(b, build)
	b.ReportAllocs()
	left = b.N
	finish(b, &graph.Local[lines]{Graph: g}, lines{})
}

// BenchmarkReplay is the resume of a finished audit.
func BenchmarkReplay(b *testing.B) {
	j := &memory{}
	l := &graph.Local[State]{Graph: audit(b, fake()), Journal: j}
	finish(b, l, docket(10))
	for b.Loop() {
		finish(b, l, docket(10))
	}
}
