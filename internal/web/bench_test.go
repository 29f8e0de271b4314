package web

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
)

// BenchmarkCohort asks for the page of a class with 20 readers at once, and tells the 95th percentile of an answer and the
// memory that the table takes. AUTOMATON_BENCH_CASES is how many submissions the class has, by default 1,000.
func BenchmarkCohort(b *testing.B) {
	cases, readers := 1000, 20
	if n, err := strconv.Atoi(os.Getenv("AUTOMATON_BENCH_CASES")); err == nil {
		cases = n
	}
	records, ids := map[string]*court.Record{}, make([]string, cases)
	good, capped := recorded(b, "good.json"), recorded(b, "capped.json")
	for i := range ids {
		ids[i] = fmt.Sprintf("student-%05d", i)
		records[ids[i]] = capped
		if i%3 == 0 {
			records[ids[i]] = good
		}
	}
	x := serving(b, Access{}, records, ids...)
	before := heap()
	began := time.Now()
	if r := x.ask("/", nil); r.StatusCode != http.StatusOK {
		b.Fatal(r.Status)
	}
	first, grown := time.Since(began), heap()-before
	var mu sync.Mutex
	var took []time.Duration
	for b.Loop() {
		var wait sync.WaitGroup
		for n := range readers {
			wait.Go(func() {
				began := time.Now()
				r := x.ask(fmt.Sprintf("/?sort=score&page=%d", n%10), nil)
				d := time.Since(began)
				if r.StatusCode != http.StatusOK {
					b.Error(r.Status)
				}
				mu.Lock()
				took = append(took, d)
				mu.Unlock()
			})
		}
		wait.Wait()
	}
	b.ReportMetric(float64(first.Milliseconds()), "ms-first")
	b.ReportMetric(float64(grown)/(1<<20), "MB-table")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
