package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The calendar of the page agrees with the one of the library.
func TestMoments(t *testing.T) {
	for _, s := range []string{"1970-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2000-02-29T12:00:00Z", "2024-02-29T00:00:01Z", "2026-11-22T09:47:24Z", "2095-03-01T00:00:00Z"} {
		want, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		for text, sec := range map[string]int64{s: want.Unix(), s[:10]: want.Truncate(24 * time.Hour).Unix()} {
			if got, ok := moment(text); !ok || got != sec {
				t.Errorf("%s is %d, %v; want %d", text, got, ok, sec)
			}
		}
	}
	for _, s := range []string{"", "2026", "2026-13-01", "2026-00-10", "2026-01-32", "2026-01-01T00:00:00+", "２０26-01-0", "2026-01-01 00:00:00Z", "-026-01-01", strings.Repeat("0", 20)} {
		if _, ok := moment(s); ok {
			t.Errorf("%q is taken for a time", s)
		}
	}
}

// eventful is a record with evidence for and against commits of its history.
func eventful(past *court.Past) *court.Record {
	rec := goodRecord()
	rec.Portrait = &court.Portrait{History: past}
	id := rec.Rubric.Criteria[0].ID
	x := rec.Evidences[id][0]
	x.Probe, x.At = "git.bulk/1", []court.Place{{Commit: past.Commits[1].ID + strings.Repeat("0", 28)}, {Commit: past.Commits[0].ID + strings.Repeat("0", 28)}}
	x.Outcome, x.Label = court.Violation, "E901"
	x.Evidence = x.Sealed()
	y := x
	y.Outcome, y.Label = court.Present, "E902"
	y.Evidence = y.Sealed()
	rec.Evidences[id] = append(rec.Evidences[id], x, y)
	return rec
}

func TestHistoryMarksWhatEvidenceSpeaksAgainst(t *testing.T) {
	for name, past := range map[string]*court.Past{"one by one": diary(), "counted": annals()} {
		t.Run(name, func(t *testing.T) {
			rec := eventful(past)
			m := &pageMaker{docket: newDocket(rec), anchors: map[string]string{}}
			v := m.history()
			if len(v.Commits[0].Cites) != 2 || len(v.Commits[1].Cites) != 2 {
				t.Errorf("the list cites %v and %v", v.Commits[0].Cites, v.Commits[1].Cites)
			}
			flags, marks := 0, ""
			for _, b := range v.Bars {
				if b.Against {
					flags++
					marks += b.Mark
				}
			}
			if want := map[string]int{"one by one": 2, "counted": 1}[name]; flags != want || !strings.Contains(marks, "E901") || strings.Contains(marks, "E902") {
				t.Errorf("%d flags, want %d, with %q", flags, want, marks)
			}
			var md bytes.Buffer
			if err := writeMarkdown(&md, rec); err != nil || !strings.Contains(md.String(), "Evidence speaks against ") || !strings.Contains(md.String(), "(E901)") {
				t.Errorf("Markdown does not say it: %v", err)
			}
		})
	}
}

// Bars stand in the drawing, in the order of time, and none over another.
func TestBarsStandApart(t *testing.T) {
	for n := 0; n <= mostListed; n += 1 + n/8 {
		past := &court.Past{Total: n}
		for i := range n {
			at := time.Date(2026, 1, 1, 0, i*i%4000, 0, 0, time.UTC)
			past.Commits = append(past.Commits, court.PastCommit{ID: fmt.Sprintf("%012x", i), At: at.Format(time.RFC3339), Added: i * 37 % 900})
		}
		m := &pageMaker{docket: newDocket(&court.Record{Portrait: &court.Portrait{History: past}}), anchors: map[string]string{}}
		v := m.history()
		if len(v.Bars) != n {
			t.Fatalf("%d bars of %d commits", len(v.Bars), n)
		}
		for i, b := range v.Bars {
			if b.X < historyLeft || b.X+b.W > v.W || b.Y < historyTop || i > 0 && b.X < v.Bars[i-1].X+v.Bars[i-1].W {
				t.Fatalf("of %d, bar %d at %d..%d, %d high, after %+v", n, i, b.X, b.X+b.W, b.H, v.Bars[max(i-1, 0)])
			}
		}
	}
}

// Where commits are listed one by one and where they are counted, foreign text
// stays text; so it does where there is no graph.
func TestSinksOfEachPortrait(t *testing.T) {
	none := &court.Wiring{Lacking: "none"}
	for name, p := range map[string]*court.Portrait{
		"commits": {Graph: tangled(), History: diary()}, "spans": {Graph: none, History: annals()}, "empty": {Graph: &court.Wiring{}, History: &court.Past{}},
	} {
		for kind, attack := range attacks {
			if testing.Short() && kind != "script" && kind != "unseen" {
				continue
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				checkSinks(t, portrayed(t, p, attack), portrayed(t, p, harmless(attack)), "html", "md", "json")
			})
		}
	}
}

// portrayed is a record with a portrait in which something is added to every
// text.
func portrayed(t *testing.T, p *court.Portrait, tail string) *court.Record {
	t.Helper()
	rec := new(court.Record)
	if err := json.Unmarshal(target(), rec); err != nil {
		t.Fatal(err)
	}
	graph, past := *p.Graph, *p.History
	graph.Lacking += tail
	graph.Nodes, graph.Edges = append([]court.WiredNode{}, graph.Nodes...), append([]court.WiredEdge{}, graph.Edges...)
	graph.Defects, past.Commits, past.Spans = append([]court.Mark{}, graph.Defects...), append([]court.PastCommit{}, past.Commits...), append([]court.PastSpan{}, past.Spans...)
	for i := range graph.Nodes {
		n := &graph.Nodes[i]
		n.Name, n.Role, n.Doubt = n.Name+tail, n.Role+tail, n.Doubt+tail
	}
	for i := range graph.Edges {
		e := &graph.Edges[i]
		if e.From != court.WireStart {
			e.From += tail
		}
		if e.To != court.WireEnd {
			e.To += tail
		}
		e.By, e.Doubt, e.At.Path = e.By+tail, e.Doubt+tail, e.At.Path+tail
	}
	for i := range graph.Defects {
		d := &graph.Defects[i]
		d.What, d.Text = d.What+tail, d.Text+tail
	}
	for i := range past.Commits {
		c := &past.Commits[i]
		c.Subject += tail
		if i%2 == 0 {
			c.ID, c.At = c.ID+tail, c.At+tail
		}
	}
	for i := range past.Spans {
		if i%2 == 0 {
			past.Spans[i].From += tail
		}
	}
	past.Unit, past.Cut = past.Unit+tail, past.Cut+tail
	rec.Portrait = &court.Portrait{Graph: &graph, History: &past}
	return rec
}
