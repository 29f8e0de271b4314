package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// criterionView is one criterion of the page.
type criterionView struct {
	ID, Anchor, Name, Note, Standing, Exact, Final, Band string
	Provisional                                          bool
	Ruling, Disagreement, Unsettled                      string
	Filters                                              []string
	Voices                                               []voiceView
	Shared                                               []pointView // what all judges rest on, once
	Rules, Idle                                          []ruleView  // those that fired, and the others
	Parted                                               []partedView
	Evidence                                             []evidenceGroup
	Testimony                                            []evidenceView
	Drawn                                                []pair // what the page draws of the submission for it
	Strip                                                strip
	Alone                                                string // the score of the embedded bench beside one of models, in words
	AloneScore                                           string // its number; empty: there is none
	Stakes                                               *stakesView
	Dissent, Heard                                       bool // not heard: neither evidence nor opinion
	Disputed, Agreed                                     bool // neither: the judges are one point apart
	Marks                                                markSet
	Said                                                 string        // what a person said of it; empty: nobody did
	Desk                                                 template.HTML // what the web app puts beneath it
}

type voiceView struct {
	Seat                     court.Persona
	Name, Said, Counted, Why string
	Substituted              string
	Overruled                bool
	Points                   []pointView
	Cites, By                []citeView // cited and not named in the argument; what overruled it
	Source                   string     // who spoke, where models sat
	Moved                    bool       // the evidence allows another score than the one that was said
	Claims, Struck           []spokenView
	Noted                    []string
}

type ruleView struct {
	Rule, Before, After, Text, Outcome string
	Cites                              []citeView
}

type partedView struct {
	Text, Settles string
	Sides         []sideView
}

type sideView struct {
	Word  string
	Cites []citeView
}

// disputedFrom is the spread of whole scores from which judges are said to disagree.
const disputedFrom = 2

// markSet is a criterion's mark by whom it is: the court's, that of a person, and the
// one that counts in the total. Where nobody answered the first is all of them.
type markSet struct {
	Court, Human, Effective string
	Answered                bool
}

func (m *pageMaker) markSet(c court.Criterion) markSet {
	s := markSet{Court: court.NoScore}
	if r := m.rulings[c.ID]; r != nil && r.Final != nil {
		s.Court = fmt.Sprint(*r.Final)
	}
	if s.Human, s.Effective = court.NoScore, s.Court; m.rec.Case.Answer(c.ID) != nil {
		s.Answered, s.Human, s.Effective = true, shown(m.human(c.ID)), shown(m.rec.Counts(c.ID))
	}
	return s
}

// citeView is a link to evidence; unseen evidence is drawn dashed, as nothing
// lies there to look at.
type citeView struct {
	Label, Anchor string
	Unseen        bool
}

func (m *pageMaker) citeView(id string) citeView {
	x := m.byID[id]
	if x == nil {
		return citeView{Label: line(id)}
	}
	return citeView{Label: line(cmp.Or(x.Label, x.ID)), Anchor: m.anchors[x.ID], Unseen: !x.Found}
}

func (m *pageMaker) citeViews(ids []string) []citeView {
	var list []citeView
	for _, id := range ids {
		if c := m.citeView(id); !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

func (m *pageMaker) criterionView(c court.Criterion) criterionView {
	r := m.rulings[c.ID]
	v := criterionView{ID: line(c.ID), Anchor: m.anchors[c.ID], Name: line(nameOf(c)), Note: line(m.reason(c)), Exact: court.NoScore, Final: court.NoScore, Band: "b0",
		Disagreement: sentence(line(m.parting(c.ID))), Strip: m.strip(c.ID), Ruling: sentence(m.noRuling(c))}
	shared, own := m.folded(c.ID)
	parts, _ := m.labelled(shared.text, shared.cited)
	v.Shared = m.points(parts)
	for _, seat := range seats() {
		v.Voices = append(v.Voices, m.voiceView(c.ID, seat, own[seat]))
	}
	v.Evidence, v.Marks = m.groups(c.ID), m.markSet(c)
	for _, x := range m.says(c.ID) {
		said := m.evidenceView(m.byID[x.ID])
		said.Goal, said.Outcome = "", "" // a mention is neither for nor against anything
		v.Testimony = append(v.Testimony, said)
	}
	v.Drawn, v.Stakes = m.drawnFor(c.ID), m.stakes(c.ID)
	v.Heard = r != nil || len(v.Evidence) > 0 || slices.ContainsFunc(seats(), func(seat court.Persona) bool { return m.opinion(c.ID, seat) != nil })
	if r == nil {
		v.Standing, v.Filters = m.why(c), []string{"open"}
		return v
	}
	v.Standing = standing(r)
	if c.Generic() && len(c.Checks) > 0 {
		v.Standing += ", " + byWords
	}
	if m.rec.Case.Answer(c.ID) != nil {
		v.Standing, v.Said = "the court: "+v.Standing, sentence(line(m.answered(c)))
		v.Note = line(sentence(m.gave(c)) + strings.TrimPrefix(m.reason(c), sentence(m.answered(c)))) // the reason stands beneath
	}
	v.Disputed = r.Final != nil && (r.Spread >= disputedFrom || r.Status == court.Contested)
	v.Agreed = r.Final != nil && r.Spread == 0 && !v.Disputed
	v.Ruling, v.Dissent, v.Alone, v.AloneScore = rulingSentence(r), r.Dissent, m.besideRuling(r), m.alone(r.Criterion)
	if r.Final == nil { // no number is shown of what nobody could examine
		v.Ruling, v.Disagreement = sentence("No score: "+m.why(c)), ""
	}
	v.Unsettled = line(m.unsettled(c.ID))
	if v.Agreed && !r.Dissent { // they differ in decimals only
		v.Disagreement = ""
	}
	if r.Points != nil {
		v.Standing += ", " + line(pointsOf(r))
	}
	if r.Final != nil {
		v.Exact, v.Final, v.Band = r.Exact.Shown(), fmt.Sprint(*r.Final), band(r.Exact)
		if r.Status == court.Insufficient { // an integer for the total, not a judgement of the work
			v.Final, v.Band, v.Provisional = v.Final+"?", "b0", true
		}
	} else {
		v.Standing += ", " + m.why(c)
	}
	for name, on := range map[string]bool{"low": r.Final != nil && *r.Final <= 3, "disputed": v.Disputed, "open": r.Status != court.Proven} {
		if on {
			v.Filters = append(v.Filters, name)
		}
	}
	slices.Sort(v.Filters)
	m.trace(&v, c, r)
	return v
}

// drawnFor are the drawings of the submission that evidence of a criterion is
// about.
func (m *pageMaker) drawnFor(criterion string) (list []pair) {
	p := m.rec.Portrait
	if p == nil {
		return nil
	}
	about := func(probes string) bool {
		return slices.ContainsFunc(m.of(criterion), func(x court.Exhibit) bool { return strings.HasPrefix(x.Probe, probes) })
	}
	if p.Graph != nil && about("graph.") {
		list = append(list, pair{Text: "the submission's graph", Link: "#graph"})
	}
	if len(p.Chain) > 0 && (about("llm.") || about("prompt.") || about("cj.")) {
		list = append(list, pair{Text: "its chain", Link: "#chain"})
	}
	if p.History != nil && about("git.") {
		list = append(list, pair{Text: "its history", Link: "#history"})
	}
	return list
}

// trace adds what each rule did and, in a dissent, where the judges part.
func (m *pageMaker) trace(v *criterionView, c court.Criterion, r *court.Ruling) {
	for _, h := range r.Holdings {
		list := &v.Idle
		if h.Outcome == court.Fired {
			list = &v.Rules
		}
		rule := ruleView{Rule: line(h.Rule), Before: h.Before.Shown(), After: h.After.Shown(), Text: line(h.Text), Outcome: line(string(h.Outcome)), Cites: m.citeViews(h.Evidence)}
		if r.Final == nil {
			rule.Before, rule.After = court.NoScore, court.NoScore
		}
		*list = append(*list, rule)
	}
	if !r.Dissent {
		return
	}
	if v.Disagreement == "" {
		v.Disagreement = fmt.Sprintf("The whole scores were %d points apart.", max(r.Spread, r.FirstSpread))
	}
	if r.Final == nil {
		v.Disagreement = "The judges differ because too little could be examined."
	}
	for _, p := range r.Parted {
		text := line(inQuotes(m.checkText(c.ID, p.Check))) + " – " + line(partingWords(p.Because)) + "."
		parted := partedView{Text: text, Settles: sentence(line(p.Settles))}
		for _, side := range sides(p) {
			if len(side.ids) > 0 {
				parted.Sides = append(parted.Sides, sideView{side.word, m.citeViews(side.ids)})
			}
		}
		v.Parted = append(v.Parted, parted)
	}
}

func (m *pageMaker) voiceView(criterion string, seat court.Persona, own argued) voiceView {
	v := voiceView{Seat: seat, Name: seat.Title(), Said: court.NoScore, Points: []pointView{{{Text: "This judge gave no opinion."}}}}
	o := m.opinion(criterion, seat)
	if o == nil {
		return v
	}
	parts, rest := m.labelled(own.text, own.cited)
	v.Said, v.Counted, v.Points = fmt.Sprint(o.Score), m.counted(o).Shown(), m.points(parts)
	r := m.rulings[criterion]
	if r != nil && r.Final == nil { // what nobody could examine has no number
		v.Said, v.Counted = court.NoScore, court.NoScore
	}
	v.Substituted, v.Cites = sentence(line(o.Substituted)), m.citeViews(rest)
	m.modelVoice(&v, o)
	if r == nil || !slices.Contains(r.Overruled, seat) {
		return v
	}
	v.Overruled = true
	if h := holding(r, "fact_supremacy"); h != nil {
		v.Why, v.By = sentence(line(h.Text)), m.citeViews(h.Evidence)
	}
	return v
}
