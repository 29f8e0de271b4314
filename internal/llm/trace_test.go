package llm

import (
	"path/filepath"
	"sync"
	"testing"
)

// Of two cases that share a run, each hears of its own requests alone, and the run of all; a missing answer is told as such.
func TestTelling(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.cassette")
	o := options(newTime())
	o.Cassette, o.CassetteMode = file, Record
	r := open(t, o)
	if _, err := ladder(t, r, endpoint(), always(goodJSON)).Ask(t.Context(), ask("known"), score); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	heard := map[string]int{}
	listener := func(name string) func(Call) {
		return func(c Call) {
			mu.Lock()
			defer mu.Unlock()
			if heard[name]++; c.Missed {
				heard[name+" missed"]++
			}
		}
	}
	o.CassetteMode, o.Tell = Replay, listener("run")
	r = open(t, o)
	l := ladder(t, r, endpoint(), nil)
	if _, err := l.Ask(r.Telling(t.Context(), listener("a")), ask("known"), score); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ask(r.Telling(t.Context(), listener("b")), ask("unknown"), score); err == nil {
		t.Fatal("an answer that is not on the cassette was given")
	}
	if heard["a"] != 1 || heard["a missed"] != 0 || heard["b"] == 0 || heard["b"] != heard["b missed"] || heard["run"] != heard["a"]+heard["b"] {
		t.Errorf("%v", heard)
	}
}
