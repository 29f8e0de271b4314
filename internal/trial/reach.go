package trial

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
)

//go:embed reach.json
var reachFile []byte

// reached is how strong evidence a question can have that what it asks for is
// there, by its key, and a probe by its id: the strongest that the probe's own
// fixtures show. A search that finds no flaw is never as sure as a place that
// shows what is wanted.
var reached = sync.OnceValue(func() map[string]court.Fixed {
	var all map[string]court.Fixed
	if err := json.Unmarshal(reachFile, &all); err != nil {
		panic(fmt.Sprintf("reading what probes can reach: %v", err)) // the file is part of the program
	}
	return all
})

// reach is how strong the evidence on a check can become when it is put right:
// of each of its questions what that can reach, and not less than it has now. A
// question of which that is not known is taken as proven.
func reach(check court.Check, list []court.Exhibit) court.Fixed {
	least := court.One
	for _, a := range check.Asks {
		best, ok := reached()[a.Key()]
		if !ok {
			best, ok = reached()[a.Probe]
		}
		if !ok {
			continue
		}
		for _, x := range list {
			if x.Check == check.ID && x.Stands() && (x.Ask == a.Key() || len(check.Asks) == 1) {
				best = max(best, metBy(x))
			}
		}
		least = min(least, best)
	}
	return least
}

// metBy is how much of a check a piece of evidence shows to be met.
func metBy(x court.Exhibit) court.Fixed {
	switch x.Outcome {
	case court.Present:
		return bench.Strength(x.Evidence)
	case court.Partial:
		return min(max(x.Share, 0), court.One)
	default:
		return 0
	}
}

// checkOf is the check of a criterion by its id.
func checkOf(c court.Criterion, id string) court.Check {
	if i := slices.IndexFunc(c.Checks, func(k court.Check) bool { return k.ID == id }); i >= 0 {
		return c.Checks[i]
	}
	return court.Check{ID: id}
}
