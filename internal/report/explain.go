package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Explanation is why one criterion has its score, as data.
type Explanation struct {
	Criterion    string            `json:"criterion_id"`
	Name         string            `json:"name"`
	Ruling       *court.Ruling     `json:"ruling"` // null: no score
	NoScore      string            `json:"no_score,omitempty"`
	Answer       string            `json:"answer,omitempty"`    // what a person said, that counts instead
	Generic      bool              `json:"generic,omitempty"`   // its checks come from the words of the instruction only
	Opinions     []voiced          `json:"opinions"`            // Prosecutor, Defense, TechLead
	Evidence     []court.Exhibit   `json:"evidence"`            // in the order of the labels
	Testimony    []court.Exhibit   `json:"testimony,omitempty"` // what the document says about it
	Disagreement string            `json:"disagreement,omitempty"`
	Remedies     []court.Remedy    `json:"remediation"`
	labels       map[string]string // id to label
	of           court.Case
	fixes        []numbered
	thenHead     string
	thenSign     string
	found        map[string]string // evidence id to the model that found it
	alone        string            // the score of the built-in judges beside one of models
	unsettled    string            // why the ruling is not proven
	parting      string            // the disagreement in words
	checks       map[string]string
	shared       string // what all three judges rest on
}

// voiced is an opinion with the exact score it was counted with.
type voiced struct {
	court.Opinion
	Counted   court.Fixed `json:"counted"`
	Overruled bool        `json:"overruled"`
	Labels    []string    `json:"labels"`
	noted     []string    // how it came about
	own       string      // its argument without what all judges rest on
	rest      []string    // the labels of what else it cites
	claims    bool        // told claim by claim
	argument  bool        // told as one text
	named     bool        // models sat: who spoke is told
}

// Why collects what lies behind the score of one criterion. The error names the
// criteria that the case has.
func Why(rec *court.Record, criterion string) (Explanation, error) {
	d := newDocket(rec)
	c, ok := d.criterion(criterion)
	if !ok {
		var known []string
		for _, k := range rec.Rubric.Criteria {
			known = append(known, k.ID)
		}
		return Explanation{}, fmt.Errorf("explaining a ruling: no criterion %q in this record (have %s)", criterion, clean(strings.Join(known, ", ")))
	}
	return d.explain(c), nil
}

func (d *docket) explain(c court.Criterion) Explanation {
	e := Explanation{Criterion: c.ID, Name: nameOf(c), Ruling: d.rulings[c.ID], Opinions: []voiced{},
		Evidence: d.of(c.ID), Testimony: d.says(c.ID), Disagreement: d.disagreement(c.ID), Remedies: d.remedies(c.ID), labels: map[string]string{}, found: map[string]string{}, of: d.rec.Case, parting: d.parting(c.ID), checks: map[string]string{}}
	if e.Ruling == nil || e.Ruling.Final == nil {
		e.NoScore = d.why(c)
	}
	if d.rec.Case.Answer(c.ID) != nil {
		e.Answer = d.answered(c)
	}
	e.Generic = c.Generic()
	for _, k := range c.Checks {
		e.checks[k.ID] = k.Text
	}
	shared, own := d.folded(c.ID)
	e.shared = shared.text
	for _, seat := range seats() {
		if o := d.opinion(c.ID, seat); o != nil {
			v := voiced{Opinion: *o, Counted: d.counted(o), Overruled: e.Ruling != nil && slices.Contains(e.Ruling.Overruled, seat), Labels: d.labels(o.Cited), noted: d.noted(o)}
			v.claims, v.argument = d.listed(o)
			v.named, v.own, v.rest = d.judged(), own[seat].text, d.labels(own[seat].cited)
			e.Opinions = append(e.Opinions, v)
		}
	}
	e.fixes, e.thenHead, e.thenSign = d.numbered(c.ID), d.thenHead(), d.thenSign()
	for _, x := range e.Evidence {
		e.found[x.ID] = d.byModel(x)
	}
	if e.Ruling != nil {
		e.alone, e.unsettled = d.besideRuling(e.Ruling), d.unsettled(c.ID)
	}
	for _, x := range slices.Concat(d.exhibits, d.testimony) {
		e.labels[x.ID] = cmp.Or(x.Label, x.ID)
	}
	return e
}

// remedies lists what would raise one criterion, in the record's order.
func (d *docket) remedies(criterion string) []court.Remedy {
	list := []court.Remedy{}
	for _, m := range d.numbered(criterion) {
		list = append(list, m.Remedy)
	}
	return list
}

// numbered is remedies, with their numbers.
func (d *docket) numbered(criterion string) (list []numbered) {
	for i, m := range d.rec.Remedies {
		if m, ok := serving(m, criterion); ok {
			list = append(list, numbered{i + 1, m, d.criterionAfter(m)})
		}
	}
	return list
}

// serving is a remedy as one criterion has it: an act for several is told with
// each of them.
func serving(m court.Remedy, criterion string) (court.Remedy, bool) {
	if m.Criterion == criterion {
		return m, true
	}
	for _, p := range m.Also {
		if p.Criterion == criterion {
			m.Criterion, m.Check, m.CriterionTo = criterion, p.Check, p.CriterionTo
			return m, true
		}
	}
	return m, false
}

// disagreement is the line on how the seats part: the ruling's own or, when
// they were heard with different scores and it has none, their scores.
func (d *docket) disagreement(criterion string) string {
	r := d.rulings[criterion]
	if r == nil {
		return ""
	}
	if r.Disagreement != "" {
		return r.Disagreement
	}
	var parts []string
	differ := false
	var first *court.Opinion
	for _, seat := range seats() {
		o := d.opinion(criterion, seat)
		if o == nil {
			continue
		}
		if first == nil {
			first = o
		}
		differ = differ || d.counted(o) != d.counted(first)
		parts = append(parts, fmt.Sprintf("%s %s", seat, d.counted(o).Shown()))
	}
	if !differ {
		return ""
	}
	return strings.Join(parts, ", ")
}

// Explain writes why one criterion has its score: the opinions, what each rule
// did, the evidence, and where the judges part. Without a criterion it writes
// the summary, a line per rule that fired, and the whole remediation list.
func Explain(w io.Writer, rec *court.Record, criterion string, o TextOptions) error {
	if criterion == "" {
		return explainAll(w, rec, o)
	}
	e, err := Why(rec, criterion)
	if err != nil {
		return err
	}
	return put(w, []byte(caseLine(rec, o)+e.text(o)))
}

// caseLine says which case is spoken of.
func caseLine(rec *court.Record, o TextOptions) string {
	return paint(o.Color).faint(strings.TrimSpace(clean(subject(rec))+" "+clean(state(rec.Case)))) + "\n"
}

// text lays an explanation out for a terminal.
func (e Explanation) text(o TextOptions) string {
	t := explainText{e: e, o: o, p: paint(o.Color)}
	t.head()
	t.opinions()
	t.rules()
	t.evidence()
	t.fixes()
	t.remedies()
	t.testimony()
	t.parting()
	return trimRight(t.b.String())
}

func explainAll(w io.Writer, rec *court.Record, o TextOptions) error {
	var b strings.Builder
	if err := Summary(&b, rec, o); err != nil {
		return err
	}
	d := newDocket(rec)
	first := true
	for _, c := range d.heard() {
		r := d.rulings[c.ID]
		if r == nil {
			continue
		}
		for _, h := range r.Holdings {
			if h.Outcome != court.Fired {
				continue
			}
			if first {
				b.WriteString("\n  RULES THAT FIRED\n")
				first = false
			}
			line := strings.TrimSuffix(fmt.Sprintf("%s, %s, %s to %s: %s", h.Rule, nameOf(c), h.Before.Shown(), h.After.Shown(), h.Text), ": ")
			b.WriteString(hung("  ", 6, wrap(clean0(line), o.width()-6)))
		}
	}
	if chain := d.chainLines(o); chain != "" {
		b.WriteString("\n" + chain)
	}
	if list := d.remediation(o); list != "" {
		b.WriteString("\n" + list)
	}
	return put(w, []byte(trimRight(b.String())))
}
