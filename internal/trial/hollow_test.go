package trial

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/judicial"
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
			var falls, breaks []string
			by := atLeast
			for line := range strings.Lines(head) {
				switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word {
				case "falls":
					falls = strings.Fields(rest)
				case "breaks":
					breaks = append(breaks, strings.Fields(rest)...)
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
			scene := f.Scene(t)
			now := scores(try(t, hearing(t, scene)))
			for _, c := range falls {
				if lost := was[c] - now[c]; lost < by {
					t.Errorf("%s loses %v, %v is wanted", c, lost, by)
				}
			}
			for _, arrow := range breaks {
				if got := chainOf(t, scene)[arrow]; got != court.ArrowBroken {
					t.Errorf("%s is %s", arrow, got)
				}
			}
		})
	}
}

// chainOf is the state of every arrow of a submission, by FROM>TO.
func chainOf(t *testing.T, s *probe.Scene) map[string]string {
	t.Helper()
	chain, err := judicial.Portrait(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, a := range chain {
		out[a.From+">"+a.To] = a.State
		if a.State == court.ArrowBroken && (len(a.Source) == 0 || len(a.Target) == 0 || a.Source[0].Text == "" || a.Target[0].Text == "" || a.Why == "") {
			t.Errorf("%s to %s is broken, and one end is not quoted: %+v", a.From, a.To, a)
		}
	}
	return out
}

// The perfect courtroom's chain is whole: what is read of a document as text has no
// reader of PDFs.
func TestWholeChain(t *testing.T) {
	got := chainOf(t, loadGolden(t, "f01_perfect").fixture(t, "").Scene(t))
	for _, arrow := range []string{"clone>evidence", "evidence>message", "answer>opinion", "opinions>verdict", "rule>score", "score>report"} {
		if got[arrow] != court.ArrowWhole {
			t.Errorf("%s is %s", arrow, got[arrow])
		}
	}
}
