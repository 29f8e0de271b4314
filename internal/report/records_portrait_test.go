package report

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// courtroom is a graph of two fan-outs, wired as such graphs mostly are.
func courtroom() *court.Wiring {
	at := func(line int) court.Place { return court.Place{Path: "src/graph.py", Line: line, EndLine: line} }
	w := &court.Wiring{At: at(20), Defects: []court.Mark{}, Unread: []court.Mark{}, Nodes: []court.WiredNode{
		{Name: "aggregate", Role: "aggregator", At: at(40), Waits: []string{"documents", "pictures", "sources"}},
		{Name: "chief", Role: "chief", At: at(60)}, {Name: "defense", Role: "judge", At: at(51)}, {Name: "documents", Role: "detective", At: at(31)},
		{Name: "pictures", Role: "detective", At: at(32)}, {Name: "prosecutor", Role: "judge", At: at(50)}, {Name: "sources", Role: "detective", At: at(30)},
		{Name: "tech_lead", Role: "judge", At: at(52)},
	}}
	for _, e := range [][2]string{{court.WireStart, "documents"}, {court.WireStart, "pictures"}, {court.WireStart, "sources"}, {"documents", "aggregate"},
		{"pictures", "aggregate"}, {"sources", "aggregate"}, {"defense", "chief"}, {"prosecutor", "chief"}, {"tech_lead", "chief"}, {"chief", court.WireEnd}} {
		w.Edges = append(w.Edges, court.WiredEdge{From: e[0], To: e[1], Kind: court.WireAlways, At: at(70 + len(w.Edges))})
	}
	for _, to := range []string{"defense", "prosecutor", "tech_lead"} {
		w.Edges = append(w.Edges, court.WiredEdge{From: "aggregate", To: to, Kind: court.WireRoute, By: "admissible", At: at(90)})
	}
	return w
}

// tangled is the same with all that can be wrong, or not known.
func tangled() *court.Wiring {
	w := courtroom()
	at := []court.Place{{Path: "src/graph.py", Line: 95, EndLine: 97}}
	w.Nodes[5].Many, w.Nodes[7].Doubt = true, "it is added under a condition"
	w.Nodes = append(w.Nodes, court.WiredNode{Name: "on_error", Role: "handler"}, court.WiredNode{Name: "polish", Role: "other", At: court.Place{Path: "src/polish.py", Line: 9}},
		court.WiredNode{Name: "workers_*", Role: "unknown", Many: true, Doubt: "its name is known in part only: it may stand for several nodes"})
	w.Edges = append(w.Edges, court.WiredEdge{From: "aggregate", To: "on_error", Kind: court.WireNever, By: "admissible"},
		court.WiredEdge{From: "aggregate", To: "workers_*", Kind: court.WireSend, By: "fan_out"}, court.WiredEdge{From: "chief", To: "documents", Kind: court.WireRoute, By: "again", Doubt: "it is added under a condition"},
		court.WiredEdge{From: "polish", To: "polish", Kind: court.WireAlways}, court.WiredEdge{From: "workers_*", To: "archive", Kind: court.WireAlways})
	n := len(w.Edges)
	w.Defects = []court.Mark{
		{What: "never runs", Text: "nothing leads from START to polish", Nodes: []string{"polish"}, At: at},
		{What: "target never taken", Text: "the router of aggregate never returns on_error", Nodes: []string{"aggregate"}, Edges: []int{n - 5}, At: at},
		{What: "loop without a bound", Text: "nothing bounds the loop over aggregate, chief, defense, documents", Nodes: []string{"aggregate", "defense", "chief", "documents"}, Edges: []int{3, 6, 10, n - 3}},
	}
	w.Unread = []court.Mark{{What: "could not be resolved", Text: "add_edge(a, later())", At: at}}
	return w
}

// diary is a history of a few days.
func diary() *court.Past {
	p := &court.Past{Total: 9, Merges: 1}
	for i, at := range []string{"2026-02-23T09:00:00Z", "2026-02-23T09:40:00Z", "2026-02-23T17:05:12Z", "2026-02-24T08:00:00Z", "", "2026-02-25T23:59:59Z", "2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z", "2026-03-01T10:02:00Z"} {
		p.Commits = append(p.Commits, court.PastCommit{ID: fmt.Sprintf("%012x", 0xc0ffee00+i), At: at, Subject: fmt.Sprintf("add step %d | of the work", i), Files: i, Added: i * i * 40, Deleted: i})
	}
	p.Commits[5].Merge, p.Commits[5].Files, p.Commits[5].Added, p.Commits[5].Deleted = true, 0, 0, 0
	p.Commits[7].Partial = true
	return p
}

// annals is a history that is counted.
func annals() *court.Past {
	p := &court.Past{Total: 4211, Merges: 310, Unit: "month", Undated: 3, Cut: "only the newest 4211 commits were read", Commits: diary().Commits[:2]}
	for i := range 30 {
		p.Spans = append(p.Spans, court.PastSpan{From: fmt.Sprintf("%d-%02d-01", 2024+i/12, i%12+1), Commits: 140 + i, Merges: i, Added: i * i * 90, Deleted: i * 7})
	}
	return p
}

// chained is a chain with an arrow in each state.
func chained() []court.Arrow {
	q := func(path string, line int, text string) []court.Quoted {
		return []court.Quoted{{At: court.Place{Path: path, Line: line, EndLine: line}, Text: text}}
	}
	return []court.Arrow{
		{From: "clone", To: "evidence", State: court.ArrowWhole, Source: q("src/tools.py", 12, "subprocess.run(["), Target: q("src/nodes.py", 40, "return {\"evidences\": found}"), Way: []court.Place{{Path: "src/tools.py", Line: 12, EndLine: 15}}},
		{From: "document", To: "evidence", State: court.ArrowMissing, Why: "nothing was found that would come to it"},
		{From: "evidence", To: "message", State: court.ArrowBroken, Why: "no evidence is in what the model is asked", Source: q("src/judges.py", 30, "state[\"evidences\"] | <b>`x`</b>"), Target: q("src/judges.py", 44, "model.invoke(\"Judge.\")")},
		{From: "answer", To: "opinion", State: court.ArrowLost, Why: "what this is made of could not be followed to its end", Source: q("src/judges.py", 44, "model.invoke(\"Judge.\")"), Target: q("src/judges.py", 50, "return out")},
		{From: "opinions", To: "verdict", State: court.ArrowWhole, Source: q("src/chief.py", 9, "state[\"opinions\"]"), Target: q("src/chief.py", 30, "return {\"final\": report}")},
		{From: "rule", To: "score", State: court.ArrowBroken, Why: "no run gets by there: x is bound nowhere (src/chief.py:3)", Source: q("src/chief.py", 20, "score = min(score, 3)"), Target: q("src/chief.py", 30, "return {\"final\": report}")},
		{From: "score", To: "report", State: court.ArrowBroken, Why: "no run gets by there: x is bound nowhere (src/chief.py:3)", Source: q("src/chief.py", 20, "score = min(score, 3)"), Target: q("src/chief.py", 60, "return text")},
	}
}
