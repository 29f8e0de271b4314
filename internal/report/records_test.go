package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// draft builds a golden record criterion by criterion. The submission, its
// code and its author are made up.
type draft struct{ rec *court.Record }

func fx(s string) court.Fixed {
	f, err := court.ParseFixed(s)
	if err != nil {
		panic(err)
	}
	return f
}

func newDraft(slug, commit string) *draft {
	bench := map[court.Persona]string{}
	for _, p := range court.Personas() {
		bench[p] = "embedded/1"
	}
	rec := &court.Record{
		Schema: court.SchemaRecord,
		Case: court.Case{ID: strings.ReplaceAll(slug, "/", "__") + "-" + commit[:7], RepoURL: "https://github.com/" + slug,
			Slug: slug, Commit: commit, Only: []string{}},
		Rubric: court.Rubric{Name: "Week 2: The Automaton Auditor", Version: "3.0.0", Dialect: "dimensions",
			Synthesis: court.DefaultSynthesis(), Source: court.RubricSource{From: "file", Name: "rubric.json", Digest: strings.Repeat("5d", 32)},
			Digest: "b1946ac9d3e0" + strings.Repeat("a", 52), Checks: "91c3e2f07ab6" + strings.Repeat("b", 52)},
		Origin:    court.Origin{Tool: "automaton 0.1.0", Law: court.Law, Bench: bench, BenchSum: "5b1e07c2a914" + strings.Repeat("c", 52)},
		Status:    court.Complete,
		Evidences: map[string][]court.Exhibit{},
		Opinions:  []court.Opinion{}, Hearings: []court.Hearing{}, Remedies: []court.Remedy{}, Faults: []court.Fault{},
		Verdict: &court.Verdict{},
		Run: court.Run{Started: "2026-11-21T05:40:00Z", Millis: 8412, Jobs: 8,
			Sandbox: &court.Sandbox{Layers: []string{"landlock", "seccomp"}, Missing: []string{}, Git: "2.39.5", Egress: []string{"github.com"}}, Spans: []court.Span{}},
	}
	return &draft{rec}
}

func (d *draft) pdf(path string, pages int) {
	d.rec.Case.PDFPath = path
	d.rec.Case.PDF = &court.PDF{From: "auto", SHA256: strings.Repeat("77", 32), Bytes: 412233, Pages: pages, Status: "readable", Others: []string{}}
}

// claims is a ledger with a row of each kind of outcome.
func (d *draft) claims() {
	pdf := d.rec.Case.PDF
	on := func(page int) court.Place { return court.Place{Page: page, Digest: pdf.SHA256} }
	pdf.Claims = []court.Claim{
		{Kind: court.ClaimPath, Subject: "src/graph.py", Modality: court.Claims, Fate: court.Verified, At: on(2),
			Quote: "The wiring stands in src/graph.py.", Why: "The file is in the repository.", Proof: []court.Place{{Path: "src/graph.py", Blob: strings.Repeat("3e", 20)}}},
		{Kind: court.ClaimLine, Subject: "src/graph.py:400", Modality: court.Claims, Fate: court.Contradicted, At: on(2),
			Quote: "See src/graph.py:400 | for the join.", Why: "The file has 120 lines.", Proof: []court.Place{{Path: "src/graph.py", Line: 120, EndLine: 120, Blob: strings.Repeat("3e", 20)}}},
		{Kind: court.ClaimPath, Subject: "src/jury.py", Modality: court.Claims, Fate: court.NeverExisted, At: on(3),
			Quote: "src/jury.py counts the votes.", Why: "No commit of the history has such a file."},
		{Kind: court.ClaimPath, Subject: "docs/plan.md", Modality: court.Proposes, Fate: court.NeverExisted, At: on(9),
			Quote: "Write docs/plan.md.", Why: "No commit of the history has such a file."},
	}
	pdf.MoreClaims = 2
}

// check describes one check of a criterion and how it came out.
type check struct {
	id, text string
	weight   int
	d        string // disbelief of the court's own standard
}

// criterion adds a criterion with one hearing and its three opinions, exact
// scores in the order of the reports: Prosecutor, Defense, TechLead.
func (d *draft) criterion(id, name string, artifact court.Artifact, checks []check, exacts [3]string, args [3]string) *court.Ruling {
	c := court.Criterion{ID: id, Name: name, Artifacts: []court.Artifact{artifact}, Instruction: "Look at " + name + ".",
		Weight: court.One, Scale: court.Scale{Kind: "five", Min: court.One, Max: 5 * court.One}, Binding: "courtroom:" + id}
	for _, k := range checks {
		c.Checks = append(c.Checks, court.Check{ID: k.id, Weight: k.weight, Facet: court.Design, Polarity: court.Want,
			Asks: []court.Ask{{Probe: k.id}}, Text: k.text, Scope: "production"})
	}
	d.rec.Rubric.Criteria = append(d.rec.Rubric.Criteria, c)
	d.hear(id, 1, checks, exacts, args)
	p, f, t := fx(exacts[0]), fx(exacts[1]), fx(exacts[2])
	mean := court.Fixed(court.Div(int64(p+f+t), 3))
	low := min(p, f, t)
	final := mean.Score()
	spread := max(p.Score(), f.Score(), t.Score()) - min(p.Score(), f.Score(), t.Score())
	idle := func(rule, text string) court.Holding {
		return court.Holding{Rule: rule, Outcome: court.Idle, Before: mean, After: mean, Text: text}
	}
	d.rec.Verdict.Rulings = append(d.rec.Verdict.Rulings, court.Ruling{Criterion: id, Final: &final, Exact: mean, Low: low, High: max(p, f, t),
		Status: court.Proven, Spread: spread, FirstSpread: spread, Overruled: []court.Persona{}, Substituted: []court.Persona{},
		Holdings: []court.Holding{
			idle("admissibility", "three opinions count"),
			idle("fact_supremacy", fmt.Sprintf("the evidence allows %s to %s; no score lies outside", low.Shown(), max(p, f, t).Shown())),
			idle("variance_re_evaluation", fmt.Sprintf("the whole scores are %d apart; more than 2 opens a re-evaluation", spread)),
			{Rule: "functionality_weight", Outcome: court.Off, Before: mean, After: mean, Text: "this rule does not apply to the criterion"},
			{Rule: "orchestration_fraud", Outcome: court.Off, Before: mean, After: mean},
			idle("security_override", "there is no confirmed security flaw"),
			idle("dissent_requirement", "whole scores more than 2 apart need a dissent"),
		}})
	return &d.rec.Verdict.Rulings[len(d.rec.Verdict.Rulings)-1]
}

// hear adds a hearing and its opinions.
func (d *draft) hear(id string, round int, checks []check, exacts, args [3]string) {
	h := court.Hearing{Criterion: id, Round: round, Bench: map[court.Persona]court.Fixed{}, Ledger: map[court.Persona][]court.Row{},
		Doubt: 800, Coverage: 9700, Low: fx(exacts[0]), High: fx(exacts[1]), Against: []string{}, For: []string{}, Parted: []court.Parting{}}
	for i, seat := range seats() {
		h.Bench[seat] = fx(exacts[i])
		for _, k := range checks {
			no := fx(k.d)
			h.Ledger[seat] = append(h.Ledger[seat], court.Row{Check: k.id, Weight: int64(2 * k.weight), B: court.One - no, D: no, X: court.One - no, Sure: court.One - no})
		}
		d.rec.Opinions = append(d.rec.Opinions, court.Opinion{Judge: seat, Criterion: id, Round: round, Score: fx(exacts[i]).Score(), Exact: fx(exacts[i]),
			Argument: args[i], Cited: []string{}, Citations: []court.Citation{}, Source: "embedded/1"})
	}
	d.rec.Hearings = append(d.rec.Hearings, h)
}

// evidence adds sealed evidence and labels it.
func (d *draft) evidence(criterion, checkID, goal string, outcome court.Outcome, at court.Place, strength, rationale, content string) *court.Exhibit {
	e := court.Evidence{Criterion: criterion, Check: checkID, Ask: checkID, Probe: checkID + "/1", Detective: court.RepoInvestigator,
		Goal: goal, Outcome: outcome, Content: content, Rationale: rationale, Confidence: court.One, Source: court.AST, Coverage: court.One, Round: 1}
	if at != (court.Place{}) {
		e.At = []court.Place{at}
	}
	if at.Page > 0 {
		e.Detective, e.Source = court.DocAnalyst, court.Crossref
	}
	n := d.found() + 1
	d.rec.Evidences[criterion] = append(d.rec.Evidences[criterion], court.Exhibit{Evidence: e.Sealed(), Label: fmt.Sprintf("E%d", n), Strength: fx(strength), Verified: true})
	list := d.rec.Evidences[criterion]
	return &list[len(list)-1]
}

// found counts evidence without testimony.
func (d *draft) found() int {
	n := 0
	for _, list := range d.rec.Evidences {
		for _, x := range list {
			if x.Check != court.Testimony {
				n++
			}
		}
	}
	return n
}

// testimony adds what the document says about a criterion.
func (d *draft) testimony(criterion string, n int, at court.Place, rationale, content string) {
	e := court.Evidence{Criterion: criterion, Check: court.Testimony, Ask: "doc.passages", Probe: "doc.passages/1", Detective: court.DocAnalyst,
		Goal: "What the document says about it", Outcome: court.Present, Content: content, At: []court.Place{at}, Rationale: rationale,
		Confidence: court.One, Source: court.Mention, Coverage: court.One, Round: 1}
	d.rec.Evidences[criterion] = append(d.rec.Evidences[criterion], court.Exhibit{Evidence: e.Sealed(), Label: fmt.Sprintf("P%d", n), Verified: true})
}

// cite lets the opinions of a criterion's last hearing rest on evidence; a
// quote is its first line.
func (d *draft) cite(criterion string, seat court.Persona, list ...*court.Exhibit) {
	for i := range slices.Backward(d.rec.Opinions) {
		o := &d.rec.Opinions[i]
		if o.Criterion != criterion || o.Judge != seat {
			continue
		}
		for _, x := range list {
			quote, _, _ := strings.Cut(x.Content, "\n")
			o.Cited = append(o.Cited, x.ID)
			o.Citations = append(o.Citations, court.Citation{ID: x.ID, Quote: quote, Verified: true, Stance: "for", Check: x.Check, Text: x.Rationale})
		}
		return
	}
}

// citeAll makes the three seats cite the same.
func (d *draft) citeAll(criterion string, list ...*court.Exhibit) {
	for _, seat := range seats() {
		d.cite(criterion, seat, list...)
	}
}

// sealed finishes the record.
func (d *draft) sealed() *court.Record {
	d.rec.Seal()
	return d.rec
}
