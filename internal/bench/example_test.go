package bench

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// workedExample is a shortened table of checks with evidence of every kind:
// part of the clones are sandboxed, a shell is started with foreign input,
// most calls are checked, failed logins are not handled, addresses seem to be
// checked, and where the clones land could not be told.
func workedExample() (court.Criterion, []court.Exhibit) {
	check := func(id string, weight int, facet court.Facet, text string) court.Check {
		return court.Check{ID: id, Weight: weight, Facet: facet, Text: text, Asks: []court.Ask{{Probe: id}}}
	}
	c := court.Criterion{ID: "safe_tool_engineering", Checks: []court.Check{
		check("tool.sandboxed", 5, court.Core, "Clones live in a temporary directory"),
		check("tool.no_shell", 5, court.Core, "No process is started through a shell"),
		check("tool.results_checked", 3, court.Robust, "Results of processes are checked"),
		check("tool.auth", 2, court.Robust, "Failed logins are handled"),
		check("tool.url_checked", 2, court.Security, "Addresses are checked before use"),
		check("tool.not_live", 1, court.Design, "Nothing is cloned into the working folder"),
	}}
	file := func(line int) []court.Place { return []court.Place{{Path: "src/tools/git_tools.py", Line: line}} }
	evidence := []court.Evidence{
		{Check: "tool.sandboxed", Outcome: court.Partial, Source: court.AST, Confidence: court.One, Share: 6667, At: file(41),
			Content: "with tempfile.TemporaryDirectory() as box:", Rationale: "2 of 3 clone sites in a temporary directory"},
		{Check: "tool.no_shell", Outcome: court.Violation, Source: court.AST, Confidence: court.One, At: file(88),
			Content: "os.system(f\"git log --oneline {repo_url}\")", Rationale: "os.system with an f-string of the URL",
			Security: &court.Flaw{Severity: court.High, Tainted: "yes", Scope: "production"}},
		{Check: "tool.results_checked", Outcome: court.Partial, Source: court.AST, Confidence: court.One, Share: 7500, At: file(52),
			Content: "subprocess.run(cmd, check=True)", Rationale: "3 of 4 calls checked"},
		{Check: "tool.auth", Outcome: court.Absent, Source: court.AST, Confidence: 7000, Rationale: "No handler; all 9 files read"},
		{Check: "tool.url_checked", Outcome: court.Present, Source: court.AST, Confidence: 8000, At: file(12),
			Content: "if not url.startswith(\"https://\"):", Rationale: "the address is tested for its scheme"},
		{Check: "tool.not_live", Outcome: court.Unknown, Reason: court.Dynamic, Source: court.AST, Rationale: "the target folder is computed at run time"},
	}
	for i := range evidence {
		evidence[i].Criterion, evidence[i].Probe, evidence[i].Coverage = c.ID, "p/1", court.One
		evidence[i].Ask = evidence[i].Check
		evidence[i] = evidence[i].Sealed()
	}
	return c, exhibits(evidence)
}

func TestWorkedExampleSpeaks(t *testing.T) {
	c, list := workedExample()
	want := map[court.Persona]string{
		court.Prosecutor: `1 of 6 checks has clear and convincing proof, and 2 have it in part. ` +
			`Not met: "No process is started through a shell" — os.system with an f-string of the URL (src/tools/git_tools.py:88) [E2]. ` +
			`Not met: "Failed logins are handled" — no handler; all 9 files read [E4]. ` +
			`Partly met (2 of 3): "Clones live in a temporary directory" — 2 of 3 clone sites in a temporary directory (src/tools/git_tools.py:41) [E1]. ` +
			`Score under "clear and convincing": 2.04. It rounds to 2; [E2] keeps it from 3, and [E1] carries it above 1.`,
		court.Defense: `1 of 6 checks is accepted as a failure and counted once, and 2 open checks get the benefit of the doubt. ` +
			`Partly met (2 of 3): "Clones live in a temporary directory" — 2 of 3 clone sites in a temporary directory (src/tools/git_tools.py:41) [E1]. ` +
			`Partly met (3 of 4): "Results of processes are checked" — 3 of 4 calls checked (src/tools/git_tools.py:52) [E3]. ` +
			`Not met: "No process is started through a shell" — os.system with an f-string of the URL (src/tools/git_tools.py:88) [E2]. ` +
			`Score under "benefit of the doubt": 3.65. It rounds to 4; [E2] and [E1] keep it from 5, and "Addresses are checked before use" carries it above 3.`,
		court.TechLead: `On balance, none of the 2 core checks and 1 of 4 others is met, and 2 are partly met. ` +
			`Not met: "No process is started through a shell" — os.system with an f-string of the URL (src/tools/git_tools.py:88) [E2]. ` +
			`Partly met (2 of 3): "Clones live in a temporary directory" — 2 of 3 clone sites in a temporary directory (src/tools/git_tools.py:41) [E1]. ` +
			`Score under "balance of the evidence": 2.68. It rounds to 3; [E2] keeps it from 4, and "Addresses are checked before use" carries it above 2.`,
	}
	for _, j := range court.Personas() {
		o, err := Embedded(j).Opine(t.Context(), NewBrief(c, 1, list))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[j], o.Argument); diff != "" {
			t.Errorf("%s (-want +got)\n%s", j, diff)
		}
		for _, claim := range o.Citations {
			if !strings.Contains(o.Argument, claim.Text) || !claim.Verified {
				t.Errorf("%s: claim %q is not in the argument, or not verified", j, claim.Text)
			}
		}
	}
}

func TestWorkedExampleParts(t *testing.T) {
	c, list := workedExample()
	h := Assess(c, list, 1)
	id := map[string]string{}
	for _, x := range list {
		id[x.Label] = x.ID
	}
	want := []court.Parting{
		{Check: "tool.no_shell", Because: "failure", Settles: "a repair of this: src/tools/git_tools.py:88.",
			For: []string{}, Against: []string{id["E2"]}},
		{Check: "tool.auth", Because: "standard", Settles: "stronger evidence: the place where it is done, or proof that it is not done.",
			For: []string{}, Against: []string{id["E4"]}},
		{Check: "tool.not_live", Because: "unknown", Settles: "a version that can be examined. The reason today: the target folder is computed at run time.",
			For: []string{id["E6"]}, Against: []string{id["E6"]}},
	}
	if diff := cmp.Diff(want, h.Parted); diff != "" {
		t.Errorf("parted (-want +got)\n%s", diff)
	}
	// by weight and disbelief in the TechLead's ledger: no_shell 1, sandboxed 0.3333, auth 0.595 of 2, checked 0.25 of 3
	if diff := cmp.Diff([]string{id["E2"], id["E1"], id["E4"]}, h.Against); diff != "" {
		t.Errorf("against (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{id["E1"], id["E3"], id["E5"]}, h.For); diff != "" {
		t.Errorf("for (-want +got)\n%s", diff)
	}
	row := h.Ledger[court.Defense][3]
	if diff := cmp.Diff(court.Row{Check: "tool.auth", Weight: 4, U: court.One, X: 7500}, row); diff != "" {
		t.Errorf("row of tool.auth for the Defense (-want +got)\n%s", diff)
	}
}
