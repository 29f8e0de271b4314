package trial

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
)

// Order of probes, jobs, processors and what else they do change nothing (T2);
// attest replays every record on the way (T3).
func TestSameCaseSameRecord(t *testing.T) {
	f := miniature(t)
	want := try(t, hearing(t, f.Scene(t))).Digest
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	var over atomic.Bool
	defer over.Store(true)
	shuffle := rand.New(rand.NewPCG(7, 11))
	for jobs := 1; jobs <= 8; jobs++ {
		procs := 1 + 3*(jobs%2) // 1 and 4 by turns
		t.Run(fmt.Sprintf("%d processors, %d jobs", procs, jobs), func(t *testing.T) {
			runtime.GOMAXPROCS(procs)
			if jobs == 5 { // from here on others want the processors, too
				for range 8 {
					go func() {
						for !over.Load() {
						}
					}()
				}
			}
			h := hearing(t, f.Scene(t))
			h.Jobs = jobs
			shuffle.Shuffle(len(h.Probes), func(i, j int) { h.Probes[i], h.Probes[j] = h.Probes[j], h.Probes[i] })
			if got := try(t, h).Digest; got != want {
				t.Errorf("digest %s, want %s", got, want)
			}
		})
	}
}
