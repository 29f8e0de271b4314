package report

import (
	"fmt"

	"github.com/automaton-auditor/automaton/internal/court"
)

// goodRecord is a small case in which everything was proven and a gate passed.
func goodRecord() *court.Record {
	d := newDraft("harbor/tide-clerk", "4d0b7ae1c95f3826d1e07b44a8c2f9530be6617d")
	d.pdf("docs/report.pdf", 9)
	for i, name := range []string{"Typed State", "Bounded Tools", "Honest Report"} {
		id := fmt.Sprintf("criterion_%d", i+1)
		d.criterion(id, name, court.GithubRepo, []check{{id: "check.one", text: "The first thing holds", weight: 2, d: "0"}}, [3]string{"4.60", "4.95", "4.80"},
			[3]string{`Met: "The first thing holds" — everything that was asked for is there.`, `Met: "The first thing holds" — everything is there, and tested.`, `Met: "The first thing holds" — everything is there; nothing is open.`})
		x := d.evidence(id, "check.one", "The first thing holds", court.Present, court.Place{Path: "clerk/state.py", Line: 3 + i, EndLine: 4 + i, Blob: "ab12"}, "0.95",
			"class with two reducers", "class State(TypedDict):\n    notes: list\n")
		d.citeAll(id, x)
	}
	points := &d.rec.Verdict.Rulings[2]
	points.Points = &court.Points{Points: fx("18.5"), Max: fx("20"), Level: "Strong"}
	d.rec.Verdict.Overall = court.Overall{Exact: fx("4.7833"), BeforeCap: fx("4.7833"), Low: fx("4.6"), High: fx("4.95"), Coverage: court.One}
	d.rec.Verdict.Headline, d.rec.Verdict.Summary = "Excellent", "3 of 3 criteria reach 4 or more. Nothing weighty failed."
	d.rec.Gate = &court.Gate{Bars: map[string]court.Fixed{"overall": fx("4.5"), "criterion_1": fx("4")}, FailOn: []string{"contested"}, Outcome: "pass", Missed: []string{}}
	d.rec.Portrait = &court.Portrait{Graph: courtroom(), History: annals()}
	return d.sealed()
}

// blindRecord is a case without a PDF: one criterion is insufficient, one could
// not be checked at all, one waits for a human, and an overruled model sat on
// the bench.
func blindRecord() *court.Record {
	d := newDraft("eyrie/night-heron", "77aa012c3de45f60718293a4b5c6d7e8f9012345")
	d.rec.Rubric.Name, d.rec.Rubric.Version = "Courtroom", "1.0.0"
	d.rec.Rubric.Source = court.RubricSource{From: "builtin", Name: "courtroom", Digest: d.rec.Rubric.Source.Digest}
	d.rec.Origin.Bench[court.Defense] = "replay/model-a"
	code := d.criterion("code_quality", "Code", court.GithubRepo, []check{{"err.swallow", "No error is swallowed without a word", 3, "0.7"}}, [3]string{"3.20", "3.90", "3.60"},
		[3]string{`Not met: "No error is swallowed without a word" — three handlers pass over every error in silence (heron/io.py:12) [E1]. Score under "clear and convincing": 3.20.`, "Everything is handled with care and nothing at all is ever lost.", `Not met: "No error is swallowed without a word" — three handlers swallow errors (heron/io.py:12) [E1].`})
	d.evidence("code_quality", "err.swallow", "No error is swallowed", court.Violation, court.Place{Path: "heron/io.py", Line: 12, EndLine: 13}, "0.95",
		"three bare except blocks that only pass, one of them in the loop", "except:\n    pass\n")
	logged := d.evidence("code_quality", "err.swallow", "No error is swallowed", court.Present, court.Place{Path: "heron/log.py", Line: 4, EndLine: 5}, "0.95",
		"two handlers write down what went wrong", "except OSError as err:\n    log.error(err)\n")
	x := &d.rec.Evidences["code_quality"][0]
	d.cite("code_quality", court.Prosecutor, x)
	d.cite("code_quality", court.TechLead, x)
	d.spoken("code_quality", 1, court.Defense, "replay/model-a", 5, says(logged, "for", "log.error(err)", "Everything is handled with care and nothing at all is ever lost."))
	code.Overruled = []court.Persona{court.Defense}
	code.Disagreement = "Prosecutor 3.20, Defense 3.90: err.swallow"
	code.Holdings[1] = court.Holding{Rule: "fact_supremacy", Outcome: court.Fired, Before: fx("3.9333"), After: code.Exact, Evidence: []string{x.ID}, Judges: []court.Persona{court.Defense},
		Text: "Defense said 5.00; the evidence allows 3.20 to 3.90"}
	depth := d.criterion("theoretical_depth", "Concepts explained", court.PDFReport, []check{{"pdf.terms", "Terms are explained", 5, "0"}}, [3]string{"1.40", "3.60", "3.00"},
		[3]string{`Not checked: "Terms are explained" — there is no PDF to read [E3].`, "Nothing was proven against the explanation of the terms.", `Not checked: "Terms are explained" — there is no document to read [E3].`})
	y := d.evidence("theoretical_depth", "pdf.terms", "Terms are explained", court.Unknown, court.Place{}, "0", "no PDF in the tree and none was given", "")
	y.Reason, y.Detective, y.Coverage = court.NoArtifact, court.DocAnalyst, 0
	y.Evidence = y.Sealed()
	d.cite("theoretical_depth", court.Prosecutor, y)
	d.cite("theoretical_depth", court.TechLead, y)
	d.spoken("theoretical_depth", 1, court.Defense, "replay/model-a", 4, says(y, "open", "no PDF in the tree and none was given", "Nothing was proven against the explanation of the terms."))
	depth.Status, depth.Low, depth.High = court.Insufficient, court.One, 5*court.One
	blind := d.criterion("taste", "Good Taste", court.GithubRepo, nil, [3]string{"1.40", "3.60", "3.00"}, [3]string{
		"The words of this criterion give no check, so nothing is said for or against it.",
		"The words of this criterion give no check, so nothing is said for or against it.",
		"The words of this criterion give no check, so nothing is said for or against it."})
	blind.Final, blind.Status, blind.Low, blind.High = nil, court.Insufficient, court.One, 5*court.One
	d.criterion("oral_exam", "Oral Exam", court.Manual, nil, [3]string{"3", "3", "3"}, [3]string{})
	d.rec.Rubric.Criteria[3].Binding = "manual"
	d.rec.Verdict.Rulings = d.rec.Verdict.Rulings[:3]
	d.rec.Opinions, d.rec.Hearings = d.rec.Opinions[:9], d.rec.Hearings[:3]
	d.rec.Verdict.Overall = court.Overall{Exact: fx("2.9333"), BeforeCap: fx("2.9333"), Low: fx("1.7"), High: fx("4.6333"), Coverage: fx("0.71")}
	d.rec.Verdict.Headline, d.rec.Verdict.Summary = "Adequate, with open questions", "0 of 4 criteria reach 4 or more. Three handlers swallow errors in heron/io.py:12. Nothing is known of the PDF."
	d.rec.Remedies = []court.Remedy{{Criterion: "theoretical_depth", Check: "pdf.terms", Text: "Give a PDF with text, or name the one in the tree, so that it can be read", Evidence: []string{y.ID},
		CriterionTo: fx("4.1"), OverallTo: fx("3.3"), OverallThen: fx("3.3")}}
	d.rec.Gate = &court.Gate{Bars: map[string]court.Fixed{"overall": fx("3")}, FailOn: []string{"insufficient"}, Outcome: "insufficient", Missed: []string{"only 1.70 of 2.93 is proven; the bar is 3.00", "theoretical_depth: insufficient", "taste: insufficient"}}
	d.rec.Status, d.rec.Origin.TrustTree = court.Partway, true
	d.rec.Faults = []court.Fault{{Stage: "DocAnalyst", Subject: "https://example.org/report.pdf", Reason: "redirected to another scheme"}}
	d.rec.Portrait = &court.Portrait{Graph: &court.Wiring{Lacking: "no StateGraph is built in the production Python code", Nodes: []court.WiredNode{}, Edges: []court.WiredEdge{},
		Defects: []court.Mark{}, Unread: []court.Mark{}}}
	return d.sealed()
}

// mistrialRecord is a case in which nothing could be examined.
func mistrialRecord() *court.Record {
	d := newDraft("acme/secret", "0000000000000000000000000000000000000000")
	d.rec.Case.Commit = ""
	d.rec.Case.ID = "acme__secret"
	for i := range 2 {
		d.criterion(fmt.Sprintf("c%d", i+1), fmt.Sprintf("Criterion %d", i+1), court.GithubRepo, []check{{"check.one", "The first thing holds", 1, "0"}}, [3]string{"3", "3", "3"}, [3]string{})
	}
	d.rec.Verdict, d.rec.Status = nil, court.Mistrial
	d.rec.Opinions, d.rec.Hearings = []court.Opinion{}, []court.Hearing{}
	d.rec.Faults = []court.Fault{{Stage: "RepoInvestigator", Subject: "https://github.com/acme/secret", Reason: "repository not found, or private"}}
	return d.sealed()
}
