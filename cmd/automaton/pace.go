package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How far the heap grows before it is collected. A case ends in seconds, and its small heaps are not worth collecting;
// a large one, which some repositories need, must not become three times as large as what it holds.
const (
	room  = 48 << 20  // bytes beyond what is held
	least = 75        // per cent of what is held, where that is more
	much  = 256 << 20 // bytes held
	lean  = 40        // per cent of what is held, where that is much: memory is then dearer than collecting it
	first = 4 << 20   // bytes at which the runtime begins, at 100 per cent
)

// beat is what nobody holds: it goes with each collection, and its end sets the next one.
type beat [64]byte // smaller ones share their memory

// keepPace sets after each collection how far the heap may grow until the next one.
func keepPace() {
	debug.SetGCPercent(100 * room / first)
	var next func(*beat)
	next = func(*beat) {
		held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(held)
		live := int(held[0].Value.Uint64())
		if live > much {
			debug.SetGCPercent(lean)
		} else {
			debug.SetGCPercent(max(least, 100*room/max(first, live)))
		}
		runtime.SetFinalizer(&beat{}, next)
	}
	runtime.SetFinalizer(&beat{}, next)
}
