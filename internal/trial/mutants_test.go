package trial

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// mutant is one edit of the perfect courtroom and what it must change.
type mutant struct {
	name  string
	falls string // criterion; "none": none looks at it
	by    court.Fixed
	with  []string // criteria that may fall too
	flips map[string]string
	edits string
}

const mutantsFile = "testdata/mutants.txtar"

func mutants(t *testing.T) (*txtar.Archive, []mutant) {
	t.Helper()
	raw, err := os.ReadFile(mutantsFile)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(raw)
	var out []mutant
	for _, f := range archive.Files {
		m := mutant{name: f.Name, by: atLeast, flips: map[string]string{}}
		head, edits, _ := strings.Cut(string(f.Data), "\n\n")
		m.edits = edits
		for line := range strings.Lines(head) {
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch word {
			case "falls":
				m.falls = rest
			case "by":
				if err := json.Unmarshal([]byte(rest), &m.by); err != nil {
					t.Fatal(err)
				}
			case "with":
				m.with = strings.Fields(rest)
			case "flips":
				k, v, _ := strings.Cut(rest, ": ")
				m.flips[k] = v
			default:
				t.Fatalf("%s: what is %q?", m.name, line)
			}
		}
		out = append(out, m)
	}
	return archive, out
}

var lineNumber = regexp.MustCompile(`(\.\w+):\d+"`)

// facts are a sheet without the lines of its places.
func facts(t *testing.T, f *probetest.Fixture) map[string]string {
	t.Helper()
	sheet, faults := probe.Draw(t.Context(), f.Scene(t), Sections())
	for _, x := range faults {
		t.Errorf("fault %s: %s", x.Subject, x.Reason)
	}
	flat := probetest.Flat(t, sheet)
	for k, v := range flat {
		flat[k] = lineNumber.ReplaceAllString(v, `$1"`)
	}
	return flat
}

// grades are the integer scores of a record.
func grades(rec *court.Record) map[string]int {
	out := map[string]int{}
	for _, r := range rec.Verdict.Rulings {
		if r.Final != nil {
			out[r.Criterion] = *r.Final
		}
	}
	return out
}

// atLeast is what a criterion loses with one of its features: 0.30.
const atLeast = court.Fixed(3000)

// One edit flips what it takes away and nothing else; the criterion falls and
// no other moves but those that look at the same thing; undone, all is as it
// was (M1, M2). At least 95 % of the mutants must be caught.
func TestMutants(t *testing.T) {
	if raced { // every hearing takes ten times as long, and the others are watched
		t.Skip("takes too long under the race detector")
	}
	perfect := loadGolden(t, "f01_perfect")
	base := facts(t, perfect.fixture(t, ""))
	start := try(t, hearing(t, perfect.fixture(t, "").Scene(t)))
	was, finals := scores(start), grades(start)
	archive, list := mutants(t)
	var caught atomic.Int64
	flips := make([]string, len(list))
	t.Run("each", func(t *testing.T) {
		for i, m := range list {
			t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) {
				t.Parallel()
				f := perfect.fixture(t, "")
				edit(t, f, m.edits)
				if maps.Equal(f.Files, perfect.fixture(t, "").Files) {
					t.Fatal("it edits nothing")
				}
				got := flipped(base, facts(t, f))
				flips[i] = told(got)
				if d := cmp.Diff(m.flips, got); d != "" && !probetest.Updating() {
					t.Errorf("flipped facts (-want +got):\n%s", d)
				}
				rec, err := Conduct(t.Context(), hearing(t, f.Scene(t)))
				if err != nil {
					t.Fatal(err)
				}
				if m.move(t, was, scores(rec), finals, grades(rec)) || m.falls == "none" && len(got) > 0 {
					caught.Add(1)
				}
			})
		}
	})
	if one, two := start.Digest, try(t, hearing(t, perfect.fixture(t, "").Scene(t))).Digest; one != two {
		t.Error("made and unmade, it is another record")
	}
	if n := len(list); int(caught.Load())*100 < 95*n {
		t.Errorf("%d of %d mutants are caught", caught.Load(), n)
	}
	t.Logf("%d of %d mutants are caught", caught.Load(), len(list))
	if probetest.Updating() {
		record(t, archive, flips)
	}
}

func flipped(a, b map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range b {
		if a[k] != v {
			out[k] = v
		}
	}
	return out
}

func told(flips map[string]string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(flips)) {
		b.WriteString("flips " + k + ": " + flips[k] + "\n")
	}
	return b.String()
}

// move tells whether the criterion fell as it must, and complains of any that
// moves without being named.
func (m mutant) move(t *testing.T, was, is map[string]court.Fixed, finals, now map[string]int) bool {
	t.Helper()
	for id := range was {
		named := id == m.falls || id == "overall" || slices.Contains(m.with, id)
		if named && is[id] > was[id] || !named && is[id] != was[id] {
			t.Errorf("%s went from %s to %s", id, was[id], is[id])
		}
	}
	if m.falls == "none" {
		return false
	}
	if _, ok := was[m.falls]; !ok {
		t.Fatalf("there is no criterion %q", m.falls)
	}
	if now[m.falls] > finals[m.falls] {
		t.Errorf("the score of %s rose from %d to %d", m.falls, finals[m.falls], now[m.falls])
	}
	fell := was[m.falls] - is[m.falls]
	if fell < m.by {
		t.Errorf("%s fell from %s to %s, by less than %s", m.falls, was[m.falls], is[m.falls], m.by)
	}
	return fell >= m.by
}

// record writes the flips into the archive.
func record(t *testing.T, archive *txtar.Archive, flips []string) {
	t.Helper()
	for i, f := range archive.Files {
		head, edits, _ := strings.Cut(string(f.Data), "\n\n")
		var b strings.Builder
		for line := range strings.Lines(head) {
			if !strings.HasPrefix(line, "flips ") {
				b.WriteString(strings.TrimRight(line, "\n") + "\n")
			}
		}
		archive.Files[i].Data = []byte(b.String() + flips[i] + "\n" + edits)
	}
	if err := os.WriteFile(mutantsFile, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}
