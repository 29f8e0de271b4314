package trial

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/document"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// sameQuestion is one question that several views answer: a key of the sheet, or
// several, a probe, a claim of a document, and what self-consistency says against
// a report. A key that lists places answers whether there are none; one of a kind,
// whether there is any. Without a key the probe answers for the fact.
type sameQuestion struct{ key, ask, claim, objection string }

var oneQuestion = []sameQuestion{
	{"graph.detectives_parallel", `graph.parallel{"role":"detectives"}`, "detectives in parallel", "nodes of the role detective run in a chain"},
	{"graph.judges_parallel", `graph.parallel{"role":"judges"}`, "judges in parallel", "nodes of the role judge run in a chain"},
	{"graph.fan_in_before_judges", `graph.fan_in{"of":"detectives"}`, "fan-in before the judges", ""},
	{"graph.judges_present", `graph.wired{"role":"judges"}`, "", ""},
	{"graph.chief_justice_present", `graph.wired{"role":"chief"}`, "", ""},
	{"graph.conditional_edges", "", "conditional edges", ""},
	{"graph.state_graph.present", "", "", "no StateGraph is built"},
	{"tools.os_system tools.shell_true", "proc.shell", "no shell", ""},
	{"tools.os_system", "", "", "os.system is called"},
	{"tools.eval_exec", `code.danger{"kind":"code"}`, "no eval", ""},
	{"tools.clone_sandboxed", "clone.sandbox", "temporary folder for the clone", ""},
	{"tools.clone_cleanup", "clone.cleanup", "the clone's folder is removed", ""},
	{"tools.clone_errors_handled", "clone.errors", "", ""},
	{"tools.clone_timeout", "", "time limit of the clone", ""},
	{"tools.url_validated", "url.validation", "the URL is tested", ""},
	{"", "graph.error_route", "routes for errors", ""},
	{"", "git.count", "", "the history has"},
	{"state.agent_state.kind", "state.schema", "", "the graph's state is a plain dict"},
	{"state.evidences_reducer.kind", `state.reducers{"field":"evidence"}`, "", ""},
	{"state.opinions_reducer.kind", `state.reducers{"field":"opinions"}`, "", ""},
	{"judges.structured_output.kind", "llm.schema", "structured output of the judges", "binds an answer of a model"},
	{"judges.retry", "llm.retry", "retries of malformed answers", ""},
	{"quality.lockfile", "deps.lock", "locked dependencies", ""},
	{"quality.ci", "repo.ci", "continuous integration", ""},
	{"quality.license", "repo.license", "", ""},
	{"quality.secrets_committed", "repo.secrets", "", ""},
}

// claimsAll says what the claims of the table say, and praisesItself is an audit
// that self-consistency holds against the facts.
const (
	claimsAll = "# Moot court\n\nThe detectives run in parallel.\n\nThe judges run in parallel.\n\nThe evidence aggregator is the fan-in of the detectives.\n\nThe graph uses conditional edges.\n\n" +
		"The repository is cloned into a temporary directory.\n\nThe temporary directory of the clone is always cleaned up.\n\nThe clone has a timeout.\n\n" +
		"Every URL is validated.\n\nAn error route of the graph handles missing evidence.\n\nThe judges use structured output.\n\nMalformed output of a judge is retried.\n\nThe dependencies are locked in a lock file.\n\nGitHub Actions run the tests.\n\nNothing is called with shell=True.\n\nThe code never uses shell=True.\n\nThe code never uses eval/exec.\n"
	praisesItself = "# Audit\n\n## Graph Orchestration\nFinal Score: 5\n- Prosecutor: 5\n- Defense: 5\n- Tech Lead: 5\n\n" +
		"## Safe Tool Engineering\nFinal Score: 5\n- Prosecutor: 5\n- Defense: 5\n- Tech Lead: 5\n\n" +
		"## Git Forensic Analysis\nFinal Score: 5\n- Prosecutor: 5\n- Defense: 5\n- Tech Lead: 5\n\n" +
		"## State Management Rigor\nFinal Score: 5\n- Prosecutor: 5\n- Defense: 5\n- Tech Lead: 5\n\n" +
		"## Structured Output Enforcement\nFinal Score: 5\n- Prosecutor: 5\n- Defense: 5\n- Tech Lead: 5\n"
)

// inQuestion are the words of code that some question of the table is about.
var inQuestion = regexp.MustCompile(`StateGraph|subprocess|os\.system|\beval\(|\bexec\(`)

// Fixtures and golden cases with a graph, or with processes, are seen by all views, of which no two
// may say different things.
func TestViewsAgree(t *testing.T) {
	if os.Getenv("AUTOMATON_LAWS") == "" {
		t.Skip("looks at hundreds of repositories: make laws")
	}
	files, err := filepath.Glob("../probe/*/testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		if raw, err := os.ReadFile(file); err != nil || !inQuestion.Match(raw) {
			continue
		}
		t.Run(strings.TrimPrefix(file, "../probe/"), func(t *testing.T) { viewsAgree(t, probetest.Load(t, file)) })
	}
	golden, err := filepath.Glob(goldenFile("*"))
	if err != nil || len(golden) == 0 {
		t.Fatal("no golden cases", err)
	}
	for _, file := range golden {
		g := loadGolden(t, strings.TrimSuffix(filepath.Base(file), ".txtar"))
		for variant := range g.parts {
			t.Run(g.name+"/"+variant, func(t *testing.T) { viewsAgree(t, g.fixture(t, variant)) })
		}
	}
}

func viewsAgree(t *testing.T, f *probetest.Fixture) {
	f.Files["views.txt"], f.Settings["pdf"], f.Settings["pdf-path"] = claimsAll, "views.txt", ""
	f.Files["audit/report_onself_generated/report.md"] = praisesItself
	s := f.Scene(t, func(o *probe.Options) { o.Equip = func(s *probe.Scene) { s.Equip(Probes(), Sections(), nil) } })
	sheet, faults := probe.Draw(t.Context(), s, Sections())
	if len(faults) > 0 {
		t.Skip("the sheet cannot be drawn: ", faults[0].Reason)
	}
	facts := probetest.Flat(t, sheet)
	claims, _, err := document.Claims(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var objections strings.Builder
	for _, e := range answers(t, s, "self.consistency") {
		objections.WriteString(e.Rationale)
	}
	for _, q := range oneQuestion {
		if q.ask == "git.count" && facts["git.commits"] == "0" { // a fixture without files; no repository is audited without a commit
			continue
		}
		idle := false // whether it runs is another fact than what it is; a claim is about both
		v := views{sheet: said(facts, q.key), objects: q.objection != "" && strings.Contains(objections.String(), q.objection)}
		if q.ask != "" {
			for _, e := range answers(t, s, q.ask) {
				v.outcome = e.Outcome
				if strings.Contains(e.Rationale, "nothing that runs leads there") || strings.Contains(e.Rationale, "So this has no effect") {
					v.outcome, idle = "", true
				}
				if strings.Contains(e.Rationale, "no builder of a graph is given it") {
					v.sheet = "false" // the sheet tells of what kind the class is, which is the state of no graph
				}
				if v.outcome == court.Violation {
					break
				}
			}
			if listed(q.key) && v.sheet != "false" { // the probe looks for more than the sheet lists
				v.outcome = ""
			}
		}
		if facts[q.key] == `"custom"` { // what a function keeps is another question than that there is one
			v.outcome = ""
		}
		for _, c := range claims {
			if c.Subject == q.claim && c.Modality == court.Claims {
				v.fate = c.Fate
			}
		}
		if idle && v.fate == court.Verified {
			t.Errorf("%s: a claim is verified of what no run comes by", q.key)
		}
		if idle {
			v.fate = ""
		}
		if q.key == "" {
			v.answered()
		}
		if why := v.differ(); why != "" {
			raw, _ := json.Marshal([]any{sheet.Graph, sheet.Tools})
			t.Errorf("%s: %s: %+v\n%s", q.key, why, v, raw)
		}
	}
}

// listed tells keys of lists of places.
func listed(key string) bool {
	return strings.Contains(key, "tools.") && !strings.Contains(key, "clone") && !strings.Contains(key, "url") || strings.HasSuffix(key, "secrets_committed")
}

// said is what the sheet says to a question.
func said(facts map[string]string, keys string) string {
	answer := "true"
	for key := range strings.FieldsSeq(keys) {
		switch v := facts[key]; {
		case strings.HasSuffix(key, ".kind") && v != "null":
			answer = strconv.FormatBool(v != `"none"` && v != `"dict"`)
		case !listed(key):
			answer = v
		case v == "null" && answer == "true":
			answer = v
		case v != "[]" && v != "null":
			answer = "false"
		}
	}
	return answer
}

// views are the answers to one question; what a view does not answer is empty.
type views struct {
	sheet   string
	outcome court.Outcome
	fate    court.Fate
	objects bool
}

// answered takes the probe's answer for the fact of which the sheet has no key.
func (v *views) answered() {
	switch v.outcome {
	case court.Present, court.Partial:
		v.sheet = "true"
	case court.Violation, court.Absent:
		v.sheet = "false"
	case court.Unknown, court.NotApplicable:
		v.sheet = "null"
	}
	v.outcome = ""
}

// differ says which views contradict each other, "" when none do. A view that
// cannot tell contradicts nobody, unless it says so of what another view holds
// for known by the same fact: sheet and probe.
func (v views) differ() string {
	against := v.outcome == court.Violation || v.outcome == court.Absent
	switch {
	case v.sheet == "true" && (against || v.outcome == court.Unknown):
		return "the sheet says yes, the probe does not"
	case v.sheet == "false" && (v.outcome == court.Present || v.outcome == court.Unknown):
		return "the sheet says no, the probe does not"
	case v.sheet == "null" && v.outcome != court.Unknown && v.outcome != "" && v.outcome != court.NotApplicable:
		return "the sheet cannot tell, the probe does"
	case v.sheet == "true" && v.fate == court.Contradicted, v.sheet == "null" && v.fate == court.Contradicted:
		return "a claim is contradicted that the sheet bears out or cannot tell"
	case v.sheet != "true" && v.outcome != court.Partial && (v.fate == court.Verified || v.fate == court.InPart):
		return "a claim is verified that the sheet does not bear out"
	case !(v.sheet == "false" && v.outcome == court.Partial) && (v.sheet == "true" && v.outcome == court.Partial) != (v.fate == court.InPart) && v.fate != "" && v.fate != court.NotCheckable && v.outcome != "":
		return "the probe says half, the claim does not, or the other way round"
	case v.objects && v.sheet != "false":
		return "self-consistency objects to what the sheet does not deny"
	}
	return ""
}
