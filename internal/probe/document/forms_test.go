package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/passage"
)

func TestLineRefs(t *testing.T) {
	type ref struct {
		path        string
		first, last int
	}
	tests := map[string]struct {
		text string
		want []ref
	}{
		"colon":          {"see src/a.py:12 there", []ref{{"src/a.py", 12, 12}}},
		"range":          {"(src/a.py:12-15)", []ref{{"src/a.py", 12, 15}}},
		"as an anchor":   {"src/a.py#L3-L9", []ref{{"src/a.py", 3, 9}}},
		"in words":       {"in src/a.py (lines 10–20) and b.py, line 3", []ref{{"src/a.py", 10, 20}, {"b.py", 3, 3}}},
		"before":         {"lines 4 to 8 of src/a.py", []ref{{"src/a.py", 4, 8}}},
		"turned around":  {"src/a.py:20-10", []ref{{"src/a.py", 20, 20}}},
		"address":        {"https://example.org/src/a.py:12", nil},
		"symbol":         {"src/a.py::turn", nil},
		"no line":        {"src/a.py: 3 nodes", nil},
		"line of nobody": {"src/a.py:0", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			var got []ref
			for _, r := range lineRefs(tc.text) {
				got = append(got, ref{r.path, r.first, r.last})
			}
			if d := cmp.Diff(tc.want, got, cmp.AllowUnexported(ref{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSymbolsIn(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"styles":       {"names in snake_case, camelCase, PascalCase and SCREAMING_SNAKE_CASE", nil},
		"to fill in":   {"out of {commit_sha} and <repo_url>", nil},
		"figure":       {"Figure 1.trace_spans shows run_graph", []string{"run_graph"}},
		"folder":       {"audit/report_made/ holds weigh_all", []string{"weigh_all"}},
		"placeholders": {"call your_function or foo_bar, not my_tool", nil},
		"code":         {"weigh(), weigh_all and MAX_ROWS with --dry-run", []string{"weigh", "weigh_all", "MAX_ROWS", "--dry-run"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, symbolsIn(tc.text)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSaidMissing(t *testing.T) {
	for sentence, want := range map[string]bool{
		"There is no a.py in it.":                true,
		"a.py is missing.":                       true,
		"The file a.py does not exist.":          true,
		"It lacks the file `a.py`":               true,
		"No a.py was found.":                     true,
		"It is a.py that counts the missing.":    false,
		"Without a.py nothing runs.":             false,
		"a.py is not called.":                    false,
		"a.py checks whether a file is missing.": false,
	} {
		if got := saidMissing(sentence, "a.py"); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

func TestListedNames(t *testing.T) {
	for sentence, want := range map[string]bool{
		"def weigh_all(state): return {}":       true,
		"share = good_ones / all_of_them":       true,
		"subprocess.run([tool_name, target])":   true,
		"The function weigh_all counts them.":   false,
		"Scores are merged by merge_scores().":  false,
		"It returns the list of all opinions.":  false,
		"The class of weigh_all is production.": false,
	} {
		if got := listed.MatchString(sentence); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

func TestNumbersRead(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string // number and noun
	}{
		"digits":          {"It took 1,204 commits and 12+ tests.", []string{"1,204 commits", "12+ tests"}},
		"words":           {"Three judges weigh ten criteria.", []string{"Three judges", "ten criteria"}},
		"within hyphens":  {"a 12-node graph, of 3-4 nodes", nil},
		"kinds of others": {"It has 10 test files and 5 commit messages.", nil},
		"functions":       {"It has 40 unit test functions.", []string{"40 unit test functions"}},
		"output":          {"221 passed in 3.2s, 221 tests", nil},
		"part of a name":  {"v2.10 tests", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			l := &ledger{reading: &reading{passages: []passage.Passage{{Kind: passage.Body, Text: tc.text}}}}
			l.numbersOf(&totals{})
			var got []string
			for _, c := range l.claims {
				got = append(got, c.Subject)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
