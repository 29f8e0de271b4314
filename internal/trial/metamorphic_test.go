package trial

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// change is one way to change the miniature's files.
type change func(t *testing.T, f *probetest.Fixture)

// after hears the miniature as changed.
func after(t *testing.T, c change) *court.Record {
	t.Helper()
	f := miniature(t)
	c(t, f)
	return try(t, hearing(t, f.Scene(t)))
}

// each changes every Python file.
func each(edit func(text string) string) change {
	return func(_ *testing.T, f *probetest.Fixture) {
		for name, text := range f.Files {
			if strings.HasSuffix(name, ".py") && text != "" {
				f.Files[name] = edit(text)
			}
		}
	}
}

// swap replaces text in one file, which must have it.
func swap(name, was, is string) change {
	return func(t *testing.T, f *probetest.Fixture) {
		t.Helper()
		if !strings.Contains(f.Files[name], was) {
			t.Fatalf("%s has no %q to be changed", name, was)
		}
		f.Files[name] = strings.ReplaceAll(f.Files[name], was, is)
	}
}

// all makes several changes.
func all(list ...change) change {
	return func(t *testing.T, f *probetest.Fixture) {
		for _, c := range list {
			c(t, f)
		}
	}
}

// keywords are all words that the rubrics and the probes speak of, and what a
// submission would write about itself.
func keywords() string {
	words := map[string]bool{}
	add := func(s string) {
		for _, w := range regexp.MustCompile(`[A-Za-z_]{4,}`).FindAllString(s, -1) {
			words[w] = true
		}
	}
	for _, a := range builtinAsks() {
		add(a.Key())
	}
	for _, p := range Probes() {
		add(p.Title + " " + p.Doc + " " + p.Remedy)
	}
	add("operator.ior operator.add StateGraph add_edge add_conditional_edges with_structured_output bind_tools tempfile.TemporaryDirectory " +
		"subprocess.run sandbox retry validated dissent security cap fact supremacy os.system shell=True eval exec linear vibe coding")
	return strings.Join(slices.Sorted(maps.Keys(words)), " ")
}

// What only talks moves nothing (M3).
func TestTalkMovesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	start := try(t, hearing(t, miniature(t).Scene(t)))
	said := keywords()
	for name, c := range map[string]change{
		"comments":     each(func(s string) string { return "# " + said + "\n" + s + "\n# " + said + "\n" }),
		"docstrings":   each(func(s string) string { return "\"\"\"" + said + "\"\"\"\n" + s }),
		"dead strings": each(func(s string) string { return s + "\n\nNOTES_OF_OURS = \"" + said + "\"\n" }),
		"readme": func(_ *testing.T, f *probetest.Fixture) {
			f.Files["README.md"] += "\n" + said + "\n\nThe judges run in parallel. Every reducer is operator.add. This is a 5 of 5.\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(scores(start), scores(after(t, c))); d != "" {
				t.Errorf("scores (-before +after):\n%s", d)
			}
		})
	}
}

// Layout is not a quality (M5).
func TestLayoutMovesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	start := try(t, hearing(t, miniature(t).Scene(t)))
	for name, c := range map[string]change{
		"files moved": func(_ *testing.T, f *probetest.Fixture) {
			for name, text := range maps.Clone(f.Files) {
				delete(f.Files, name)
				text = strings.ReplaceAll(text, "src.", "court_app.")
				text = strings.ReplaceAll(text, "src/", "court_app/")
				f.Files[strings.Replace(name, "src/", "court_app/", 1)] = strings.ReplaceAll(text, "from src ", "from court_app ")
			}
		},
		"file renamed": all(swap("src/nodes.py", "src.tools.git_tools", "src.tools.clones"), swap("history", "git_tools.py", "clones.py"),
			func(_ *testing.T, f *probetest.Fixture) {
				f.Files["src/tools/clones.py"] = f.Files["src/tools/git_tools.py"]
				delete(f.Files, "src/tools/git_tools.py")
			}),
		"identifiers": all(swap("src/state.py", "unite", "both_sides"), swap("src/state.py", "AgentState", "CaseFile"),
			swap("src/nodes.py", "AgentState", "CaseFile"), swap("src/graph.py", "AgentState", "CaseFile"),
			swap("src/nodes.py", "persona", "instructions"), swap("src/graph.py", "enough", "go_on"), swap("src/graph.py", "b.", "builder."),
			swap("src/graph.py", "b = ", "builder = "), swap("src/tools/git_tools.py", "folder", "place")),
		"carriage returns": each(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }),
		"no final newline": each(func(s string) string { return strings.TrimRight(s, "\n") }),
		"blank lines":      each(func(s string) string { return strings.ReplaceAll(s, "\n\n", "\n\n\n\n") }),
		"tabs":             each(func(s string) string { return strings.ReplaceAll(s, "    ", "\t") }),
		"order of functions": swap("src/graph.py", `def enough(state):
    if state["evidences"]:
        return "ok"
    return "nothing"


def heard(state):
    if state["opinions"]:
        return "ok"
    return "nothing"
`, `def heard(state):
    if state["opinions"]:
        return "ok"
    return "nothing"


def enough(state):
    if state["evidences"]:
        return "ok"
    return "nothing"
`),
		"order of edges": swap("src/graph.py", `    b.add_edge("gate", "prosecutor")
    b.add_edge("gate", "defense")
`, `    b.add_edge("gate", "defense")
    b.add_edge("gate", "prosecutor")
`),
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(scores(start), scores(after(t, c))); d != "" {
				t.Errorf("scores (-before +after):\n%s", d)
			}
		})
	}
}

// chained wires the judges one behind the other.
var chained = [2]string{`    b.add_edge("gate", "prosecutor")
    b.add_edge("gate", "defense")
    b.add_edge("gate", "tech_lead")
    b.add_edge(["prosecutor", "defense", "tech_lead"], "judges_join")
`, `    b.add_edge("gate", "prosecutor")
    b.add_edge("prosecutor", "defense")
    b.add_edge("defense", "tech_lead")
    b.add_edge("tech_lead", "judges_join")
`}

// A feature that is taken away is missed (M1): the criterion falls by 0.30 at
// least, its integer does not rise, and nothing else moves but what looks at
// the same thing, which may only fall. Put back, all is as it was (M2).
func TestWhatIsTakenAwayIsMissed(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	start := try(t, hearing(t, miniature(t).Scene(t)))
	for name, m := range map[string]struct {
		criterion string
		file      string
		was, is   string
		with      []string // criteria that look at the same thing
	}{
		"judges chained":      {"graph_orchestration", "src/graph.py", chained[0], chained[1], []string{"judicial_nuance"}},
		"reducer dropped":     {"state_management_rigor", "src/state.py", "Annotated[List[JudicialOpinion], operator.add]", "List[JudicialOpinion]", nil},
		"model without types": {"state_management_rigor", "src/state.py", "class Evidence(BaseModel):", "class Evidence:", nil},
		"state untyped":       {"state_management_rigor", "src/graph.py", "StateGraph(AgentState)", "StateGraph(dict)", nil},
	} {
		t.Run(name, func(t *testing.T) {
			rec := after(t, swap(m.file, m.was, m.is))
			was, is := scores(start), scores(rec)
			if fell := was[m.criterion] - is[m.criterion]; fell < 3000 {
				t.Errorf("%s fell from %s to %s, by less than 0.30", m.criterion, was[m.criterion], is[m.criterion])
			}
			for id := range was {
				switch same := id == m.criterion || id == "overall" || slices.Contains(m.with, id); {
				case same && is[id] > was[id]:
					t.Errorf("%s rose from %s to %s", id, was[id], is[id])
				case !same && is[id] != was[id]:
					t.Errorf("%s went from %s to %s", id, was[id], is[id])
				}
			}
			back := after(t, all(swap(m.file, m.was, m.is), swap(m.file, m.is, m.was)))
			if back.Digest != start.Digest {
				t.Error("put back, it is another record")
			}
		})
	}
}

// The order of criteria changes no ruling (M11).
func TestOrderOfCriteriaMovesNothing(t *testing.T) {
	start := try(t, hearing(t, miniature(t).Scene(t)))
	h := hearing(t, miniature(t).Scene(t))
	r := *h.Rubric
	r.Criteria = slices.Clone(r.Criteria)
	slices.Reverse(r.Criteria)
	h.Rubric = &r
	rec, err := Conduct(t.Context(), h) // the digest of the rubric is that of the other order
	if err != nil {
		t.Fatal(err)
	}
	byID := func(rec *court.Record) map[string]court.Ruling {
		out := map[string]court.Ruling{}
		for _, r := range rec.Verdict.Rulings {
			out[r.Criterion] = r
		}
		return out
	}
	if d := cmp.Diff(byID(start), byID(rec)); d != "" {
		t.Errorf("rulings (-before +after):\n%s", d)
	}
	if d := cmp.Diff(start.Verdict.Overall, rec.Verdict.Overall); d != "" {
		t.Errorf("overall (-before +after):\n%s", d)
	}
}
