package report

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// cappedRecord is the sample of the design: eight strong criteria, a confirmed
// flaw that caps the total, a diagram that was heard twice.
func cappedRecord() *court.Record {
	d := newDraft("northwind/automaton-auditor", "9f2c41d07be35a0e6c1a8d2f4b6e9c7a1d3f5b80")
	d.pdf("reports/final_report.pdf", 14)
	d.claims()
	d.rec.Case.PDF.Others = []string{"reports/interim_report.pdf"}
	args := func(p, f, t string) [3]string { return [3]string{p, f, t} }
	plain := func(id, name string, exacts [3]string, p, f, t string) *court.Ruling {
		return d.criterion(id, name, court.GithubRepo, []check{{id: "check." + id, text: name + " holds", weight: 3, d: "0.1"}}, exacts, args(p, f, t))
	}
	plain("git_forensic_analysis", "Git Forensic Analysis", [3]string{"4.35", "4.92", "4.80"},
		"Most messages name one change; four of thirty-one say only 'fix'.", "Thirty-one small commits from project setup to the last judge.", "The history can be reviewed commit by commit, and it reads well.")
	plain("state_management_rigor", "State Management Rigor", [3]string{"4.30", "4.92", "4.70"},
		"The content of evidence has no bound; a large file ends up in the state.", "Every shared field carries a reducer, in one file, with a test.", "Typed models and reducers where parallel writers need them most.")
	graph := plain("graph_orchestration", "Graph Orchestration Architecture", [3]string{"4.40", "4.88", "4.80"},
		"The error route for a failed clone exists, but no test reaches it.", "Two clean fan-outs, each with a named node that waits for all.", "Nodes are plain functions; one builder knows the whole topology.")
	graph.Exact = fx("4.72")
	graph.Holdings[3] = court.Holding{Rule: "functionality_weight", Outcome: court.Fired, Before: fx("4.6933"), After: fx("4.72"), Text: "the Tech Lead weighs more, with a score of 4 or more"}
	for i := 4; i < len(graph.Holdings); i++ {
		graph.Holdings[i].Before, graph.Holdings[i].After = graph.Exact, graph.Exact
	}
	safeTools(d)
	plain("structured_output_enforcement", "Structured Output Enforcement", [3]string{"4.10", "4.80", "4.60"},
		"The retry does not show the model its own error, so it repeats it.", "All three judges share one bound model and one schema of answers.", "Bound schema, bounded retry, and no parsing of running text at all.")
	plain("judicial_nuance", "Judicial Nuance and Dialectics", [3]string{"3.90", "4.68", "4.50"},
		"The prompt of the third seat asks for a tie-break, not for an own view.", "Three philosophies with little shared wording, each of them tested.", "Prompts live in one file and are tested for how much they overlap.")
	plain("chief_justice_synthesis", "Chief Justice Synthesis Engine", [3]string{"3.80", "4.70", "4.40"},
		"The cap looks for words in arguments as a second trigger of its own.", "Five named rules, each of them a function with a test beside it.", "Deterministic, ordered, and no model anywhere in the path of a score.")
	plain("theoretical_depth", "Theoretical Depth (Documentation)", [3]string{"3.30", "4.20", "3.90"},
		"One of four terms is named once and never explained in the text.", "Three terms are tied to the node that implements each of them.", "The explanation matches the code it names, with one exception.")
	accuracy(d)
	diagram(d)
	fill(d, 68)
	finishCapped(d)
	d.rec.Portrait = &court.Portrait{Graph: tangled(), History: diary(), Chain: chained()}
	d.rec.Stakes = []court.Stakes{
		{Criterion: "safe_tool_engineering", Exact: fx("2.7900"), Loses: court.Turns{Sets: []court.Stake{}, All: fx("1")},
			Gains: court.Turns{Sets: []court.Stake{{Checks: []string{"tool.no_shell"}, Exact: fx("4.0133")}, {Checks: []string{"tool.sandboxed", "tool.auth"}, Exact: fx("3.8")}}, More: 2, All: fx("5")}},
		{Criterion: "judicial_nuance", Exact: fx("4.3600"), Loses: court.Turns{Sets: []court.Stake{{Checks: []string{"check.judicial_nuance"}, Exact: fx("1.7")}}, All: fx("1")}, Gains: court.Turns{Sets: []court.Stake{}, All: fx("4.36")}},
	}
	return d.sealed()
}

func safeTools(d *draft) {
	const id = "safe_tool_engineering"
	r := d.criterion(id, "Safe Tool Engineering", court.GithubRepo, []check{
		{"tool.sandboxed", "Clones go into a temporary directory", 5, "0.3333"}, {"tool.no_shell", "No process is started through a shell", 5, "1"},
		{"tool.auth", "Failed logins are handled", 2, "0.595"},
	}, [3]string{"2.04", "3.65", "2.68"}, [3]string{
		"git log is built as a shell string from the URL argument. Anyone who supplies the URL runs commands as the auditor.",
		"Two of three clone sites lie in a temporary directory that is removed when the work is done.",
		"os.system drops stderr and the exit code, so a failed login reads as an empty history.",
	})
	shell := d.evidence(id, "tool.no_shell", "No process is started through a shell", court.Violation,
		court.Place{Path: "src/tools/git_tools.py", Line: 86, EndLine: 90, Blob: "5e0c7d1f2a3b4c5d6e7f8091a2b3c4d5e6f70819"}, "0.95",
		"call of os.system with an f-string; repo_url comes from the command line",
		"def history(repo_url: str) -> str:\n    log.info(\"reading %s\", repo_url)\n    os.system(f\"git log --oneline {repo_url}\")\n    # </script><script>document.title='owned'</script>\n    return read_back()\n")
	shell.Security = &court.Flaw{Severity: court.High, Tainted: "yes", Scope: "production", Verified: true, Confirmed: true}
	shell.Remedy, shell.Effort = "Pass git an argument list, no shell", 15
	shell.Evidence = shell.Sealed()
	clone := d.evidence(id, "tool.sandboxed", "Clones go into a temporary directory", court.Partial,
		court.Place{Path: "src/tools/git_tools.py", Line: 41, EndLine: 42, Blob: "5e0c7d1f2a3b4c5d6e7f8091a2b3c4d5e6f70819"}, "0.95",
		"2 of 3 clone sites in TemporaryDirectory", "    with tempfile.TemporaryDirectory() as d:\n        subprocess.run([\"git\", \"clone\", url, d], check=True)\n")
	clone.Share = fx("0.6667")
	clone.Evidence = clone.Sealed()
	auth := d.evidence(id, "tool.auth", "Failed logins are handled", court.Absent,
		court.Place{Path: "src/tools/git_tools.py", Line: 39}, "0.51", "no handler for a failed login; all 9 files read", "")
	shell, clone = &d.rec.Evidences[id][0], &d.rec.Evidences[id][1]
	d.cite(id, court.Prosecutor, shell, clone)
	d.cite(id, court.Defense, clone)
	d.cite(id, court.TechLead, shell, auth)
	r.Low, r.High = fx("2.31"), fx("3.3")
	r.Disagreement = "two sandboxed clones of three are proof enough for Defense, not for Prosecutor"
	r.Holdings[5] = court.Holding{Rule: "security_override", Outcome: court.Fired, Before: r.Exact, After: r.Exact, Evidence: []string{shell.ID},
		Text: "cap 3 does not bind here, total capped at 3.00"}
}

func accuracy(d *draft) {
	const id = "report_accuracy"
	d.criterion(id, "Report Accuracy (Cross-Reference)", court.PDFReport, []check{
		{"report.paths", "The paths that the PDF names exist", 5, "0.8"}, {"report.features", "The features that the PDF names exist", 3, "0.1"},
	}, [3]string{"2.30", "4.00", "3.10"}, [3]string{
		"Two of nine paths never existed; the praised vision module is one of them.", "Seven of nine paths verify at the audited commit, line by line.",
		"Drift, not invention, but wrong at the commit under audit and easy to mend.",
	})
	x := d.evidence(id, "report.paths", "Paths named in the PDF exist", court.Violation, court.Place{Page: 4, Digest: "7777"}, "0.9",
		"2 paths not found: src/tools/ast_parser.py, src/nodes/vision.py", "src/tools/ast_parser.py   absent\nsrc/nodes/vision.py       absent\nsrc/state.py              present\n")
	d.citeAll(id, x)
	for i, said := range []string{"Every path in this report was checked by hand.", "The features named below are all wired into the graph."} {
		d.testimony(id, i+1, court.Place{Page: 2 + i, Digest: "7777"}, "The document says this under “Method”; it shares with the question: paths, features.", said)
	}
	r := &d.rec.Verdict.Rulings[len(d.rec.Verdict.Rulings)-1]
	r.Disagreement = "Prosecutor 2.30, Defense 4.00: report.paths"
}

func diagram(d *draft) {
	const id = "swarm_visual"
	checks := []check{{"figure.parallel", "The diagram shows the parallel split", 5, "0.3"}}
	r := d.criterion(id, "Architectural Diagram Analysis", court.PDFImages, checks, [3]string{"2.40", "4.70", "3.90"}, [3]string{
		"Half of the boxes could not be read; what cannot be read is not shown.", "The parallel split is drawn for both layers of the graph, as built.", "What can be read matches the edges that were found in the code."})
	args := [3]string{}
	for i, o := range d.rec.Opinions[len(d.rec.Opinions)-3:] {
		args[i] = o.Argument
	}
	d.hear(id, 2, checks, [3]string{"2.40", "4.70", "3.90"}, args)
	x := d.evidence(id, "figure.parallel", "The diagram shows the parallel split", court.Partial, court.Place{Page: 6, Digest: "7777"}, "0.62",
		"7 of 11 boxes read; three of them share a rank", "START -> {Repo, Doc, Vision} -> Aggregator -> {P, D, T} -> Chief -> END\n")
	x.Detective, x.Source, x.Share, x.Round = court.VisionInspector, court.Layout, fx("0.6364"), 2
	x.Evidence = x.Sealed()
	d.citeAll(id, x)
	r.Status, r.Dissent, r.Reheard = court.Contested, true, true
	r.Disagreement = "Prosecutor (2.40) counts the four unreadable boxes against the figure, Defense (4.70) the seven readable ones for it"
	r.Parted = []court.Parting{{Check: "figure.parallel", Because: "unknown", Settles: "a figure with selectable text", For: []string{x.ID}, Against: []string{x.ID}}}
	r.Holdings[2] = court.Holding{Rule: "variance_re_evaluation", Outcome: court.Fired, Before: r.Exact, After: r.Exact, Evidence: []string{x.ID}, Text: "re-evaluated because the whole scores were 3 apart, which is more than 2"}
	r.Holdings[6] = court.Holding{Rule: "dissent_requirement", Outcome: court.Fired, Before: r.Exact, After: r.Exact, Text: "the whole scores are still 3 apart after the re-evaluation; their mean stands"}
}

// fill adds plain evidence until the record holds n pieces.
func fill(d *draft, n int) {
	for i, count := 0, d.found(); count < n; i, count = i+1, count+1 {
		c := d.rec.Rubric.Criteria[i%len(d.rec.Rubric.Criteria)]
		x := d.evidence(c.ID, c.Checks[0].ID, c.Name+" holds", court.Present, court.Place{Path: fmt.Sprintf("src/part_%02d.py", i), Line: 10 + i, EndLine: 11 + i}, "0.9",
			"both lines read", fmt.Sprintf("def part_%d():\n    return %d\n", i, i))
		if i < len(d.rec.Rubric.Criteria) && len(d.rec.Evidences[c.ID]) == 1 {
			d.citeAll(c.ID, x)
		}
	}
}

func finishCapped(d *draft) {
	v := d.rec.Verdict
	v.Overall = court.Overall{Exact: fx("3"), BeforeCap: fx("4.059"), Low: fx("3"), High: fx("3"), Capped: true, Coverage: fx("0.97")}
	v.Headline = "Adequate, with a confirmed security flaw"
	v.Summary = "8 of 10 criteria reach 4 or more. One confirmed flaw, a shell command built from input in src/tools/git_tools.py:88, caps the total at 3.00. The PDF names 2 paths that do not exist."
	d.rec.Gate = &court.Gate{Bars: map[string]court.Fixed{"overall": fx("3.5")}, FailOn: []string{}, Outcome: "fail", Missed: []string{"3.00 is below the bar of 3.50"}}
	d.rec.Faults = []court.Fault{{Stage: "VisionInspector", Subject: "pdf:page 7, image 3", Reason: "1x1 spacer"}}
	shell, paths := d.rec.Evidences["safe_tool_engineering"][0], d.rec.Evidences["report_accuracy"][0]
	at := func(line int) []court.Place {
		return []court.Place{{Path: "src/tools/git_tools.py", Line: line, EndLine: line}}
	}
	d.rec.Remedies = []court.Remedy{
		{Criterion: "safe_tool_engineering", Check: "tool.no_shell", Text: "Pass git an argument list, no shell", Location: "src/tools/git_tools.py:88", At: at(88), Evidence: []string{shell.ID},
			Effort: 15, Blocking: true, CriterionTo: fx("3.91"), OverallTo: fx("4.172"), OverallThen: fx("4.172")},
		{Criterion: "report_accuracy", Check: "report.paths", Text: "Correct or remove two paths", Location: "pdf:page 4", At: []court.Place{{Page: 4, Digest: "7777"}}, Evidence: []string{paths.ID},
			Effort: 5, CriterionTo: fx("4.3"), OverallTo: fx("3"), OverallThen: fx("4.299")},
		{Criterion: "safe_tool_engineering", Check: "tool.auth", Text: "Handle failed logins of git", Location: "src/tools/git_tools.py:41", At: at(41), Evidence: []string{shell.ID},
			Effort: 30, After: []string{"tool.no_shell"}, CriterionTo: fx("3.1"), OverallTo: fx("3"), OverallThen: fx("4.329")},
	}
	d.rec.Run.Spans = []court.Span{
		{Node: "RepoInvestigator", Item: "fetch", Start: 0, End: 2100}, {Node: "RepoInvestigator", Item: "48 files", Start: 2100, End: 4300},
		{Node: "DocAnalyst", Item: "14 pages", Start: 0, End: 1800}, {Node: "VisionInspector", Item: "3 figures", Start: 0, End: 1500},
		{Node: "EvidenceAggregator", Start: 4800, End: 5000}, {Node: "Prosecutor", Item: "10 opinions", Start: 5000, End: 5400},
		{Node: "Defense", Item: "10 opinions", Start: 5000, End: 7900}, {Node: "TechLead", Item: "10 opinions", Start: 5000, End: 5400},
		{Node: "ChiefJustice", Item: "10 rulings", Start: 7900, End: 8400},
	}
}
