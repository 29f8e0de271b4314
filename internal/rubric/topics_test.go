package rubric

import (
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// TestEveryPhraseLeadsToItsProbes has one sentence for each row of the table of
// phrases. A row that no
// sentence here reaches fails the test.
func TestEveryPhraseLeadsToItsProbes(t *testing.T) {
	rows := map[string]string{ // sentence: probes that it must lead to
		"Look at the git log.":            "git.count git.message",
		"Work shows progression.":         "git.progression git.churn",
		"No bulk upload.":                 "git.bulk",
		"Changes are atomic.":             "git.atomic",
		"A typed state of the graph.":     "state.models state.schema",
		"Bodies are pydantic.":            "code.symbol",
		"Bodies are TypedDict.":           "code.symbol",
		"Reducers unite.":                 "state.reducers",
		"Built with LangGraph.":           "graph.extract",
		"Detectives fan-out.":             "graph.parallel",
		"Judges run in parallel.":         "graph.parallel",
		"Detectives fan-in.":              "graph.fan_in",
		"Judges synchronize.":             "graph.fan_in",
		"Conditional edges of the graph.": "graph.error_route",
		"The graph is compiled.":          "graph.used",
		"It is runnable.":                 "arch.entry",
		"It clones.":                      "clone.call clone.sandbox",
		"No os.system.":                   "proc.shell",
		"Return codes matter.":            "proc.result",
		"Has a timeout.":                  "proc.timeout",
		"Structured output.":              "llm.schema",
		"The judge has a retry.":          "llm.retry",
		"Three personas.":                 "prompt.extract prompt.similarity",
		"Deterministic synthesis.":        "cj.llm_free",
		"Dissent is named.":               "cj.rules",
		"pdf: Dialectical work.":          "doc.terms",
		"pdf: Metacognition.":             "doc.terms",
		"pdf: State synchronization.":     "doc.terms",
		"pdf: Fan-in and fan-out.":        "doc.terms",
		"pdf: File paths are right.":      "doc.paths",
		"pdf: Claims of the report.":      "doc.claims",
		"pdf: A diagram.":                 "img.inventory diagram.kind diagram.parallel",
		"Has tests.":                      "tests.real tests.ratio",
		"Runs in CI.":                     "repo.ci",
		"A docker file.":                  "repo.docker",
		"A license.":                      "repo.license",
		"A README.":                       "repo.readme readme.run",
		"No secrets.":                     "repo.secrets repo.env",
		"Few dependencies.":               "deps.lock deps.declared",
		"Type hints.":                     "types.coverage",
		"Error handling.":                 "err.swallow err.rate",
		"Languages used.":                 "repo.lang arch.entry",
		"Docstrings of functions.":        "docs.public",
		"Reads the AST.":                  "code.import",
		"Actionable remediation.":         "cj.remediation report.sections",
		"No import cycles.":               "arch.imports",
		"No dead code.":                   "arch.unused",
		"No stubs.":                       "code.stub",
		"No copied code.":                 "code.dup",
		"Low complexity.":                 "code.complexity",
		"Short functions.":                "arch.size",
		"No SQL injection.":               "code.danger proc.shell",
		"Files are closed.":               "res.closed",
		"No hard-coded passwords.":        "repo.secrets",
		"One entry point.":                "arch.entry",
		"Doc comments everywhere.":        "docs.public",
		"Pinned versions.":                "deps.pinned",
		"pdf: Trade-offs are weighed.":    "doc.reasons",
		"pdf: Limitations are stated.":    "doc.limits",
	}
	reached := make([]bool, len(topics()))
	for sentence, want := range rows {
		d := said(strings.TrimPrefix(sentence, "pdf: "))
		d.Artifacts = []court.Artifact{court.GithubRepo}
		if strings.HasPrefix(sentence, "pdf: ") {
			d.Artifacts = []court.Artifact{court.PDFReport}
		}
		var got []string
		for _, c := range plan(&d) {
			if c.Weight != 3 || c.Facet != court.Design || c.Text == "" {
				t.Errorf("%q: %s has weight %d, facet %s, text %q", sentence, c.ID, c.Weight, c.Facet, c.Text)
			}
			got = append(got, c.Asks[0].Probe)
		}
		for probe := range strings.FieldsSeq(want) {
			if !slices.Contains(got, probe) {
				t.Errorf("%q leads to %v, want %s", sentence, got, probe)
			}
		}
		texts := passages(&d)
		for i, row := range topics() {
			covered := make([][][2]int, len(texts))
			reached[i] = reached[i] || len(row.find(&d, texts, covered)) > 0
		}
	}
	for i, row := range topics() {
		if !reached[i] {
			t.Errorf("no sentence reaches %q", row.Phrase)
		}
	}
}
