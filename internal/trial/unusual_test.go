package trial

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/court"
)

// near is how far a program may be from one that does the same: 0.40.
const near = court.Fixed(4000)

// A program that does what the perfect courtroom does, in another way, is not accused of
// anything, and no criterion of it is far below. What is known to go wrong stands at the
// head of the variant, and must still go wrong.
func TestUnusual(t *testing.T) {
	if raced { // every hearing takes ten times as long, and the mutants are watched
		t.Skip("takes too long under the race detector")
	}
	raw, err := os.ReadFile("testdata/unusual.txtar")
	if err != nil {
		t.Fatal(err)
	}
	perfect := loadGolden(t, "f01_perfect")
	plain := try(t, hearing(t, perfect.fixture(t, "").Scene(t)))
	was, before := scores(plain), accusations(plain)
	for _, file := range txtar.Parse(raw).Files {
		t.Run(strings.ReplaceAll(file.Name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			head, edits, _ := strings.Cut(string(file.Data), "\n")
			loses, accuses := map[string]court.Fixed{}, []string{}
			for ; head != ""; head, edits, _ = strings.Cut(edits, "\n") {
				word, rest, _ := strings.Cut(head, " ")
				id, n, _ := strings.Cut(rest, " ")
				switch word {
				case "loses":
					var by court.Fixed
					if err := by.UnmarshalJSON([]byte(n)); err != nil {
						t.Fatal(err)
					}
					loses[id] = by
				case "accuses":
					accuses = append(accuses, id)
				default:
					t.Fatalf("what is %q?", head)
				}
			}
			f := perfect.fixture(t, "")
			edit(t, f, edits)
			rec := try(t, hearing(t, f.Scene(t)))
			now := scores(rec)
			for _, id := range slices.Sorted(maps.Keys(was)) {
				lost := was[id] - now[id]
				if by, known := loses[id]; known && (lost > by || lost <= near) || !known && lost > near {
					t.Errorf("%s loses %v, known is %v", id, lost, by)
				}
			}
			var wrong []string
			for name, why := range accusations(rec) {
				if before[name] != "" {
					continue
				}
				wrong = append(wrong, name)
				if !slices.Contains(accuses, name) {
					t.Errorf("%s: %s", name, why)
				}
			}
			for _, name := range accuses {
				if !slices.Contains(wrong, name) {
					t.Errorf("%s is no longer accused", name)
				}
			}
		})
	}
}

// accusations are the questions of checks that a record answers with a violation, or
// with what is not there, and what it says.
func accusations(rec *court.Record) map[string]string {
	out := map[string]string{}
	for _, found := range rec.Evidences {
		for _, e := range found {
			if e.Outcome == court.Violation || e.Outcome == court.Absent {
				out[e.Check+"/"+e.Ask] = fmt.Sprintf("%s %s %s: %s", e.Probe, e.Outcome, e.Location, e.Rationale)
			}
		}
	}
	return out
}
