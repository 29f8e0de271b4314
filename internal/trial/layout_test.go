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

// words replaces whole words in all files of a case, its history and its
// document among them, and in their names.
func words(pairs ...string) change {
	return func(t *testing.T, f *probetest.Fixture) {
		for i := 0; i < len(pairs); i += 2 {
			word, by := regexp.MustCompile(`\b`+regexp.QuoteMeta(pairs[i])+`\b`), pairs[i+1]
			for name, text := range maps.Clone(f.Files) {
				delete(f.Files, name)
				f.Files[word.ReplaceAllString(name, by)] = word.ReplaceAllString(text, by)
			}
		}
	}
}

// blocks changes the order of what stands at the top level of a file, but for
// what begins it.
func blocks(name string, order func([]string)) change {
	return func(t *testing.T, f *probetest.Fixture) {
		parts := strings.Split(strings.TrimRight(f.Files[name], "\n"), "\n\n\n")
		if len(parts) < 3 {
			t.Fatalf("%s has no blocks to be put in another order", name)
		}
		order(parts[1:])
		f.Files[name] = strings.Join(parts, "\n\n\n") + "\n"
	}
}

// split moves lines of one file into a new one, which it imports them from.
func split(from, lines, to, imports string) change {
	return func(t *testing.T, f *probetest.Fixture) {
		text := f.Files[from]
		at := strings.Index(text, lines)
		end := strings.Index(text, "\n\n\ndef chief_justice")
		if at < 0 || end < at {
			t.Fatalf("%s has no %q to be moved", from, lines)
		}
		f.Files[to] = "from statistics import median\n\n\n" + text[at:end] + "\n"
		f.Files[from] = strings.Replace(text[:at], "from statistics import median\n\n", imports, 1) + text[end+3:]
	}
}

// dead puts code behind a condition that never holds, at the end of a file.
func dead(name, code string) change {
	return func(_ *testing.T, f *probetest.Fixture) {
		f.Files[name] += "\n\nif False:\n" + code
	}
}

// talk says everything in words that a probe might look for, and does nothing.
const deadTalk = `    sandbox = "tempfile.TemporaryDirectory subprocess.run check=True timeout=60"
    schema = "with_structured_output bind_tools retry RetryPolicy"
    rules = ["security cap", "fact supremacy", "dissent", "variance", "operator.add", "operator.ior"]
    print(sandbox, schema, rules)
`

// What only talks or is only laid out in another way changes no fact but the
// lines of places, and no score (M3, M4, M5).
func TestLayoutChangesNoFact(t *testing.T) {
	said := "# " + keywords()
	everyCase := map[string]change{
		"comments":      each(func(s string) string { return said + "\n" + s + "\n" + said + "\n" }),
		"docstrings":    each(func(s string) string { return "\"\"\"" + said + "\"\"\"\n" + s }),
		"dead strings":  each(func(s string) string { return s + "\n\nNOTES_OF_OURS = \"" + said + "\"\n" }),
		"dead code":     each(func(s string) string { return s + "\n\nif False:\n" + deadTalk }),
		"byte mark":     each(func(s string) string { return "\ufeff" + s }),
		"returns":       each(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }),
		"tabs":          each(func(s string) string { return strings.ReplaceAll(s, "    ", "\t") }),
		"blank lines":   each(func(s string) string { return strings.ReplaceAll(s, "\n\n", "\n\n\n\n") }),
		"last newline":  each(func(s string) string { return strings.TrimRight(s, "\n") }),
		"broken calls":  each(func(s string) string { return strings.ReplaceAll(s, "add_edge(", "add_edge(\n            ") }),
		"readme":        func(_ *testing.T, f *probetest.Fixture) { f.Files["README.md"] += "\n" + said[2:] + "\n" },
		"other package": words("src", "court_app"),
	}
	perfect := map[string]change{
		"file renamed": words("judges.py", "bench.py", "src.nodes.judges", "src.nodes.bench"),
		"file moved":   words("src/nodes/judges.py", "src/seats/judges.py", "src.nodes.judges", "src.seats.judges"),
		"identifiers": words("settle", "resolve", "by_judge", "seat_of", "ask", "query", "hear", "collect",
			"read_history", "commits_of", "check_url", "vetted", "build", "wire", "pass_on", "unchanged", "scores", "marks", "folder", "place"),
		"node functions": words("CloneError", "FetchFailed", "evidence_found", "anything_found"),
		"functions in another order": all(blocks("src/nodes/judges.py", slices.Reverse[[]string]), blocks("src/nodes/justice.py", slices.Reverse[[]string]),
			blocks("src/tools/repo_tools.py", slices.Reverse[[]string]), blocks("src/nodes/detectives.py", slices.Reverse[[]string])),
		"module split": split("src/nodes/justice.py", "def by_judge", "src/nodes/rules.py", "from src.nodes.rules import by_judge, settle\n"),
	}
	for _, c := range []struct {
		archive, variant string
		changes          []map[string]change
	}{
		{"f01_perfect", "", []map[string]change{everyCase, perfect}},
		{"f02_linear", "", []map[string]change{everyCase}},
		{"f08_send", "", []map[string]change{everyCase}},
		{"f22_cleanup", "never", []map[string]change{everyCase}},
		{"f24_structured_output", "json and model", []map[string]change{everyCase}},
		{"f28_rules", "missing key", []map[string]change{everyCase}},
	} {
		g := loadGolden(t, c.archive)
		want := facts(t, g.fixture(t, c.variant))
		var was map[string]court.Fixed
		if c.archive == "f01_perfect" && !raced {
			was = exact(t, g.fixture(t, c.variant))
		}
		for _, list := range c.changes {
			for name, change := range list {
				if raced && c.archive != "f01_perfect" {
					continue // every sheet takes ten times as long
				}
				t.Run(c.archive+"/"+strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
					t.Parallel()
					f := g.fixture(t, c.variant)
					change(t, f)
					if d := cmp.Diff(pathless(want), pathless(facts(t, f))); d != "" {
						t.Errorf("facts (-before +after):\n%s", d)
					}
					if was != nil {
						if d := cmp.Diff(was, exact(t, f)); d != "" {
							t.Errorf("scores (-before +after):\n%s", d)
						}
					}
				})
			}
		}
	}
}

var aPath = regexp.MustCompile(`"[\w./-]+\.(py|md)"`)

// pathless are facts without the names of files: those may change.
func pathless(facts map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range facts {
		out[k] = aPath.ReplaceAllString(v, "a file")
	}
	return out
}

// exact hears a case for its exact scores.
func exact(t *testing.T, f *probetest.Fixture) map[string]court.Fixed {
	t.Helper()
	rec, err := Conduct(t.Context(), hearing(t, f.Scene(t)))
	if err != nil {
		t.Fatal(err)
	}
	return scores(rec)
}

// What was taken away does not come back by code that never runs (M4).
func TestDeadCodeBringsNothingBack(t *testing.T) {
	perfect := loadGolden(t, "f01_perfect")
	base := facts(t, perfect.fixture(t, ""))
	_, list := mutants(t)
	for name, code := range map[string]change{
		"retry removed": dead("src/nodes/judges.py", `    for _ in range(3):
        try:
            opinion = ChatOpenAI(model="gpt-4o").with_structured_output(JudicialOpinion).invoke("again")
            break
        except ValidationError:
            continue
`),
		"security cap removed": dead("src/nodes/justice.py", `    if any(e.goal == "security" and not e.found for e in evidence):
        score = min(score, 3)
`),
		"variance rule removed": dead("src/nodes/justice.py", `    if max(scores) - min(scores) > 2:
        score = sorted(scores)[1]
`),
		"temporary folder dropped": dead("src/tools/repo_tools.py", `    with tempfile.TemporaryDirectory() as folder:
        clone("https://example.org/a/b", folder)
`),
		"address untested": dead("src/tools/repo_tools.py", `    check_url("https://example.org/a/b")
`),
		"judges chained": dead("src/graph.py", `    b = StateGraph(AgentState)
    b.add_edge("court_opens", "defense")
    b.add_edge("court_opens", "tech_lead")
`),
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			i := slices.IndexFunc(list, func(m mutant) bool { return m.name == name })
			if i < 0 {
				t.Fatal("there is no such mutant")
			}
			f := perfect.fixture(t, "")
			edit(t, f, list[i].edits)
			code(t, f)
			if d := cmp.Diff(list[i].flips, flipped(base, facts(t, f))); d != "" {
				t.Errorf("flipped facts (-without +with dead code):\n%s", d)
			}
		})
	}
}

// Text for the grader is found, and moves neither fact nor score (M6).
func TestInjectionMovesNothing(t *testing.T) {
	if raced {
		t.Skip("takes too long under the race detector")
	}
	perfect, injected := loadGolden(t, "f01_perfect"), loadGolden(t, "f37_injection")
	was, facts0 := exact(t, perfect.fixture(t, "")), facts(t, perfect.fixture(t, ""))
	for v := range injected.parts {
		if v == "" {
			continue
		}
		t.Run(v, func(t *testing.T) {
			t.Parallel()
			f := injected.fixture(t, v)
			if d := cmp.Diff(facts0, facts(t, f)); d != "" {
				t.Errorf("facts (-before +after):\n%s", d)
			}
			if d := cmp.Diff(was, exact(t, f)); d != "" {
				t.Errorf("scores (-before +after):\n%s", d)
			}
		})
	}
}
