package similar

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/likeness"
)

// TestMade writes made programs into the folder AUTOMATON_MADE, for other tools to compare, and ours.csv with what we
// find; see tools/likeness. A program's name is SEED, or SEED-CHANGE-STRENGTH, of mixed ones with the other seed behind.
func TestMade(t *testing.T) {
	root := os.Getenv("AUTOMATON_MADE")
	if root == "" {
		t.Skip("AUTOMATON_MADE names no folder")
	}
	all := seeds(t)
	names := slices.Sorted(maps.Keys(all))
	made := map[string]string{}
	for i, name := range names {
		made[name] = all[name]
		for _, c := range changes {
			other := names[(i+1)%len(names)]
			for strength := 1; strength <= 3; strength++ {
				as := fmt.Sprintf("%s-%s-%d", name, c.name, strength)
				if c.name == "mixed" {
					as += "-" + other
				}
				made[as] = c.make(all[name], all[other], strength)
			}
		}
	}
	for name, text := range made {
		if err := os.WriteFile(filepath.Join(root, name+".py"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	var sets []likeness.Set
	ids := slices.Sorted(maps.Keys(made))
	for _, id := range ids {
		sets = append(sets, workOf(t, map[string]string{id + ".py": made[id]}).Set())
	}
	pairs := likeness.Compare(sets, len(sets), nil).Pairs
	took := time.Since(began)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	out, err := os.Create(filepath.Join(root, "ours.csv"))
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(out)
	_ = w.Write([]string{"seconds", strconv.FormatFloat(took.Seconds(), 'f', 2, 64), "MiB", strconv.Itoa(int(memory.Sys >> 20))})
	for _, p := range pairs {
		_ = w.Write([]string{ids[p.A], ids[p.B], strconv.Itoa(int(p.Contained)), strconv.Itoa(int(p.Alike)), strconv.Itoa(p.Shared)})
	}
	w.Flush()
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
