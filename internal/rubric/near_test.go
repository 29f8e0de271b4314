package rubric

import (
	"maps"
	"slices"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestAskedIsAnswered(t *testing.T) {
	known := catalogue(t)
	all := asked()
	if len(all) < 100 {
		t.Errorf("only %d asks", len(all))
	}
	for _, a := range all {
		if msg, _ := known.refuse(a); msg != "" {
			t.Errorf("%s: %s", a.Key(), msg)
		}
	}
}

// asked lists every ask of the compiled checks and of the plans made from
// words, each once, sorted by its key: what a build's probes must answer.
func asked() []court.Ask {
	seen := map[string]court.Ask{}
	for _, name := range Builtins() {
		r := ownTables(name)
		if r == nil {
			continue
		}
		for _, c := range r.Criteria {
			for _, ch := range c.Checks {
				for _, a := range ch.Asks {
					seen[a.Key()] = a
				}
			}
		}
	}
	for _, t := range topics() {
		for _, c := range t.Checks {
			for _, a := range c.Asks {
				seen[a.Key()] = a
			}
		}
	}
	var out []court.Ask
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		out = append(out, seen[key])
	}
	return out
}
