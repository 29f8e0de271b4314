package trial

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/store"
)

// A record of law 1 gives its verdict again under law 2: what was left open then is
// counted as it was.
func TestLaw1Replays(t *testing.T) {
	raw, err := os.ReadFile("testdata/law1.json")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := store.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Replay(rec)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Origin.Law != 1 || len(store.Differences(rec.Verdict, v, false)) > 0 || v.Overall.Unexamined != 0 {
		t.Errorf("law %d: %v", rec.Origin.Law, store.Differences(rec.Verdict, v, false))
	}
}

// statusWords is what is said of a document of which nothing can be read.
var statusWords = map[string]string{"damaged": "damaged: ", "encrypted": "locked: ", "empty": "empty: ", "not_pdf": "not a document: "}

// A document that is asked for and not handed in, or that cannot be opened, is worth what
// a bad one is; one that the one who audits leaves out is in no total.
func TestNoDocument(t *testing.T) {
	about := []string{"theoretical_depth", "report_accuracy", "swarm_visual"}
	perfect := loadGolden(t, "f01_perfect")
	hear := func(change func(*probe.Options)) *court.Record {
		return try(t, hearing(t, perfect.fixture(t, "").Scene(t, func(o *probe.Options) {
			o.PDF, o.PDFPath = nil, ""
			change(o)
		})))
	}
	none := hear(func(o *probe.Options) { o.NoPDF, o.NoPDFReason = "the repository has none", court.NotSubmitted })
	withheld := map[string]*court.Record{"none handed in": none}
	for name, doc := range broken(t) {
		if doc[1] == "" {
			continue // a reader may find something in it
		}
		withheld[name] = hear(func(o *probe.Options) { o.PDF, o.PDFPath = []byte(doc[0]), "report.pdf" })
		if d := cmp.Diff(scores(none), scores(withheld[name])); d != "" {
			t.Errorf("%s (-no document +this one):\n%s", name, d)
		}
		for _, id := range about {
			for _, e := range withheld[name].Evidences[id] {
				if e.Outcome != court.Unknown {
					continue
				}
				if told := "report.pdf is " + statusWords[doc[1]]; !e.Withheld || !strings.Contains(e.Rationale, told) {
					t.Errorf("%s: %s is %s: %q, want %q", name, e.Check, e.Reason, e.Rationale, told)
				}
			}
		}
	}
	leftOut := hear(func(o *probe.Options) { o.NoPDF, o.NoPDFReason = "none was asked for", court.LeftOut })
	if o := leftOut.Verdict.Overall; o.Unexamined != len(about) || o.Low > o.Exact || o.Exact > o.High {
		t.Errorf("left out: %+v", o)
	}
	for name, rec := range withheld {
		o := rec.Verdict.Overall
		if o.Unexamined != 0 || o.Exact >= leftOut.Verdict.Overall.Exact || o.High != leftOut.Verdict.Overall.High {
			t.Errorf("%s: %+v; left out: %+v", name, o, leftOut.Verdict.Overall)
		}
		for _, r := range rec.Verdict.Rulings {
			for _, id := range about {
				if r.Criterion == id && (r.Final == nil || *r.Final != 1 || r.High != 5*court.One) {
					t.Errorf("%s: %s has %s, up to %s", name, id, r.Exact, r.High)
				}
			}
		}
	}
	for _, r := range leftOut.Verdict.Rulings {
		for _, id := range about {
			if r.Criterion == id && r.Final != nil {
				t.Errorf("left out, and %s has %d", id, *r.Final)
			}
		}
	}
}

// A file that does not parse takes what rests on it, and never raises a score.
func TestUnparsedCosts(t *testing.T) {
	perfect := loadGolden(t, "f01_perfect")
	was := scores(try(t, hearing(t, perfect.fixture(t, "").Scene(t))))
	for _, file := range []string{"src/nodes/judges.py", "src/graph.py", "src/state.py", "src/nodes/justice.py"} {
		f := perfect.fixture(t, "")
		if f.Files[file] == "" {
			t.Fatalf("no %s in the perfect courtroom", file)
		}
		f.Files[file] = "def broken(:\n" + f.Files[file] + "\n)))\n"
		now := scores(try(t, hearing(t, f.Scene(t))))
		for id, score := range now {
			if score > was[id] {
				t.Errorf("%s does not parse, and %s rises from %s to %s", file, id, was[id], score)
			}
		}
		if now["overall"] >= was["overall"] {
			t.Errorf("%s does not parse, and costs nothing: %s", file, now["overall"])
		}
	}
}
