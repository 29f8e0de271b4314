package rubric

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// planOf is the plan of a criterion: "polarity weight ask" per check.
func planOf(d draft) []string {
	if d.Artifacts == nil {
		d.Artifacts = []court.Artifact{court.AllOfIt}
	}
	out := []string{}
	for _, c := range plan(&d) {
		var asks []string
		for _, a := range c.Asks {
			asks = append(asks, a.Key())
		}
		s := strings.Join(asks, " + ")
		if c.Weight != 3 {
			s = []string{"", "plain ", "quoted "}[c.Weight] + s
		}
		if c.Polarity == court.Avoid {
			s = "avoid " + s
		}
		if c.Scope == "all" {
			s += " anywhere"
		}
		if c.Facet != court.Design || c.Scope != "production" && c.Scope != "all" || len(c.Requires) > 0 || c.Text == "" {
			s += " wrong shape"
		}
		out = append(out, s)
	}
	return out
}

func said(instruction string) draft {
	return draft{Criterion: court.Criterion{Instruction: instruction}}
}

func TestPlanFromWords(t *testing.T) {
	doc := func(s string) draft {
		d := said(s)
		d.Artifacts = []court.Artifact{court.PDFReport}
		return d
	}
	failing := func(s string) draft { return draft{Criterion: court.Criterion{Instruction: "-", Failure: s}} }
	tests := map[string]struct {
		in   draft
		want []string
	}{
		"nothing known":        {said("Validate typed request/response contracts and strict status handling."), []string{}},
		"phrases and names":    {said("Require tempfile + subprocess.run + return code checks in clone and git tools."), []string{`clone.call`, `clone.sandbox`, `plain code.import{"module":["tempfile"]}`, `proc.result`, `plain code.call{"name":"subprocess.run"}`}},
		"roles by layer":       {said("Detectives fan-out and fan-in; the judges run in parallel and join by fan-in."), []string{`graph.parallel{"role":"detectives"}`, `graph.fan_in{"of":"detectives"}`, `graph.parallel{"role":"judges"}`, `graph.fan_in{"of":"judges"}`}},
		"role behind":          {said("Look for parallel branches of judges."), []string{`graph.parallel{"role":"judges"}`}},
		"no role":              {said("Branches run in parallel."), []string{`graph.parallel{"role":"detectives"}`}},
		"parallel of another":  {said("Requests are served in parallel."), []string{}},
		"in an example":        {said("Process is visible (e.g. tests, a license). The README says so."), []string{`repo.readme`, `readme.run`}},
		"near":                 {said("Conditional edges lead out of the graph."), []string{`graph.error_route`}},
		"not near":             {said("Conditional formatting. The edge is red."), []string{}},
		"pydantic in a graph":  {said("The state uses pydantic."), []string{`state.models{"model":"evidence"} + state.models{"model":"opinion"}`, `state.schema`}},
		"pydantic elsewhere":   {said("Bodies are pydantic models."), []string{`code.symbol{"base":"pydantic.BaseModel","kind":"class"}`}},
		"only where it fits":   {doc("Parallel judges, bulk of text, dialectical synthesis."), []string{`git.bulk`, `doc.terms{"term":"dialectical_synthesis"}`}},
		"verbs are no tests":   {said("It tests whether the roof holds."), []string{}},
		"tests as a noun":      {said("Berths have tests that assert something."), []string{`tests.real`, `tests.ratio`}},
		"timeouts of servers":  {said("The server has timeouts."), []string{}},
		"words within words":   {said("The latest fastest foci of retrying pipelines."), []string{}},
		"injection of another": {said("Uses dependency injection."), []string{`deps.lock`, `deps.declared`}},

		"paths":                {said("Look at `src/state.py`, docs/plan.md and the folder lib/tools/."), []string{`quoted file.exists{"glob":"**/state.py"}`, `plain file.exists{"glob":"**/plan.md"}`, `plain file.exists{"glob":"**/tools/**"}`}},
		"calls":                {said("Finds `builder.add_node()` and .moor_all and 'json.loads(x)'."), []string{`quoted code.call{"name":"*.add_node"}`, `plain code.call{"name":"*.moor_all"}`, `quoted code.call{"name":"json.loads"}`}},
		"symbols":              {said("A `HarbourMaster` and a plain TugBoat, with berth_number."), []string{`quoted code.symbol{"name":"HarbourMaster"}`, `plain code.symbol{"name":"TugBoat"}`, `plain code.symbol{"name":"berth_number"}`}},
		"decorators":           {said("Routes carry `@app.route`."), []string{`quoted code.decorator{"name":"app.route"}`}},
		"settings and flags":   {said("Reads HARBOUR_TOKEN and is started with `--no-wind`."), []string{`plain env.read{"name":"HARBOUR_TOKEN"}`, `quoted file.contains{"glob":"**/*","text":"--no-wind","where":"string"}`}},
		"tests":                {said("The tests use `pytest` and a `berth_fixture`. The code needs `shapely_berth`."), []string{`tests.real`, `tests.ratio`, `quoted code.import{"module":["pytest"]} anywhere`, `quoted code.symbol{"name":"berth_fixture"} anywhere`, `quoted code.symbol{"name":"shapely_berth"}`}},
		"so many commits":      {said("Look at the git history. There are at least ten small commits."), []string{`git.count{"min":10}`, `git.message`}},
		"more than so many":    {said("More than 3 commits."), []string{`git.count`, `git.message`}},
		"fewer than so many":   {said("Not fewer than five files; at most 9 commits."), []string{`git.count`, `git.message`}},
		"imports":              {said("Must import `shapely` and use the library `duckdb`."), []string{`quoted code.import{"module":["shapely"]}`, `quoted code.import{"module":["duckdb"]}`, `quoted dep.declared{"name":"duckdb"}`}},
		"phrases of documents": {doc("Explains 'Trust Debt' and \"Harbour Law of Nations\"."), []string{`quoted doc.mentions{"terms":["Trust Debt"]}`}},
		"phrases of code":      {said("Explains 'Trust Debt'."), []string{}},
		"go paths":             {said("Logs with `log/slog`, routes with github.com/go-chi/chi and reads src/boats."), []string{`quoted code.import{"module":["log/slog"]}`, `plain code.import{"module":["github.com/go-chi/chi"]}`}},
		"go calls":             {said("Wraps by `fmt.Errorf`, ends by `server.Shutdown`."), []string{`quoted code.call{"name":"fmt.Errorf"}`, `quoted code.call{"name":"*.Shutdown"}`}},
		"commands":             {said("Run `git log --oneline --reverse` and 'pip install x'."), []string{`git.count`, `git.message`}},
		"prose":                {said("GitHub, OpenAI and Node.js and e.g. and i.e. and/or N/A, v1.0, https://example.org/a_b.py."), []string{}},
		"examples":             {said("A trace file (e.g., CLAUDE.md) and `a_b` or `c_d`; `e_f.py` or equivalent; `g_h` stays."), []string{`quoted code.symbol{"name":"g_h"}`}},

		"no":                {said("There is no `eval_it()`."), []string{`avoid quoted code.call{"name":"eval_it"}`}},
		"nothing":           {said("Nothing calls `eval_it()`."), []string{`avoid quoted code.call{"name":"eval_it"}`}},
		"neither nor":       {said("Neither `eval_it()` nor `exec_it()` is called."), []string{`avoid quoted code.call{"name":"eval_it"}`, `avoid quoted code.call{"name":"exec_it"}`}},
		"no before a pause": {said("No `eval_it()`, `safe_it()` only."), []string{`avoid quoted code.call{"name":"eval_it"}`, `quoted code.call{"name":"safe_it"}`}},
		"instead of":        {said("`TreeWalk` instead of `RegexWalk`."), []string{`quoted code.symbol{"name":"TreeWalk"}`, `avoid quoted code.symbol{"name":"RegexWalk"}`}},
		"brackets":          {said("`TreeWalk` (not `RegexWalk`) is used by `walk_all`."), []string{`quoted code.symbol{"name":"TreeWalk"}`, `avoid quoted code.symbol{"name":"RegexWalk"}`, `quoted code.symbol{"name":"walk_all"}`}},
		"not only":          {said("Not only `walk_all` counts."), []string{`quoted code.symbol{"name":"walk_all"}`}},
		"flag if":           {said("Flag if `eval_it` is there."), []string{`avoid quoted code.symbol{"name":"eval_it"}`}},
		"flag if no":        {said("Flag if there is no `guard_it`."), []string{`quoted code.symbol{"name":"guard_it"}`}},
		"missing":           {said("Missing `guard_it` is bad."), []string{`quoted code.symbol{"name":"guard_it"}`}},
		"failure":           {failing("Calls `eval_it`."), []string{`avoid quoted code.symbol{"name":"eval_it"}`}},
		"failure, negated":  {failing("No `guard_it`."), []string{`quoted code.symbol{"name":"guard_it"}`}},
		"failure, missing":  {failing("`guard_it` is missing."), []string{`quoted code.symbol{"name":"guard_it"}`}},
		"fault of the rest": {failing("Calls `run_it` without `guard_it`."), []string{`quoted code.symbol{"name":"guard_it"}`}},
		"ast as a fault":    {failing("Uses the ast."), []string{}},
		"ast instead":       {failing("Uses patterns instead of the AST."), []string{`code.import{"module":["ast","tree_sitter","libcst","go/ast","go/parser","syn","acorn","@babel/parser","@typescript-eslint/parser","ts-morph","com.github.javaparser"]}`}},
		"low scores are faults": {draft{Criterion: court.Criterion{Instruction: "-", Scale: court.Scale{Kind: five, Anchors: map[int]string{1: "Calls `eval_it`.", 5: "Has `guard_it`."}}}},
			[]string{`quoted code.symbol{"name":"guard_it"}`, `avoid quoted code.symbol{"name":"eval_it"}`}},
		"judges' words lead by phrases only": {draft{Criterion: court.Criterion{Instruction: "-", Guidance: court.Guidance{Prosecutor: "Charge `eval_it` and timeouts."}}},
			[]string{`proc.timeout`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, planOf(tt.in)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlanHasAtMostTwelveChecksAndKeepsPhrases(t *testing.T) {
	var names []string
	for _, s := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"} {
		names = append(names, "`x_"+s+"`")
	}
	got := planOf(said(strings.Join(names, ". ") + ". Timeouts and licenses."))
	if len(got) != maxPlan {
		t.Fatalf("%d checks, want %d", len(got), maxPlan)
	}
	for _, phrase := range []string{"proc.timeout", "repo.license"} {
		if !slices.Contains(got, phrase) {
			t.Errorf("%s gave way to a name: %v", phrase, got)
		}
	}
	if got[0] != `quoted code.symbol{"name":"x_a"}` {
		t.Errorf("first is %s, want order of appearance", got[0])
	}
}

func TestPlanIDsAreUnique(t *testing.T) {
	r := mustLoad(t, one("\"id\":\"a\",\"target_artifact\":\"all\",\"forensic_instruction\":\"`a.b/c.py` and `a_b/c.py`, `a/d.py`; `x(1)`. `*.x(2)` `y.x(3)`\""))
	seen := map[string]bool{}
	for _, c := range r.Criteria[0].Checks {
		if seen[c.ID] || !idForm.MatchString(c.ID) {
			t.Errorf("check id %q", c.ID)
		}
		seen[c.ID] = true
	}
	if len(seen) < 3 {
		t.Errorf("only %v", seen)
	}
}
