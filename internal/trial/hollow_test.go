package trial

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A program that only looks like the perfect courtroom loses what its missing effect
// is worth.
func TestHollow(t *testing.T) {
	if raced { // every hearing takes ten times as long, and the mutants are watched
		t.Skip("takes too long under the race detector")
	}
	raw, err := os.ReadFile("testdata/hollow.txtar")
	if err != nil {
		t.Fatal(err)
	}
	perfect := loadGolden(t, "f01_perfect")
	was := scores(try(t, hearing(t, perfect.fixture(t, "").Scene(t))))
	for _, file := range txtar.Parse(raw).Files {
		t.Run(strings.ReplaceAll(file.Name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			head, edits, _ := strings.Cut(string(file.Data), "\n\n")
			var falls []string
			by := atLeast
			for line := range strings.Lines(head) {
				switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word {
				case "falls":
					falls = strings.Fields(rest)
				case "by":
					if err := by.UnmarshalJSON([]byte(rest)); err != nil {
						t.Fatal(err)
					}
				default:
					t.Fatalf("what is %q?", line)
				}
			}
			f := perfect.fixture(t, "")
			edit(t, f, edits)
			now := scores(try(t, hearing(t, f.Scene(t))))
			for _, c := range falls {
				if lost := was[c] - now[c]; lost < by {
					t.Errorf("%s loses %v, %v is wanted", c, lost, by)
				}
			}
		})
	}
}
