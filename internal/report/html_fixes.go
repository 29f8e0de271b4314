package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// fixView is one line of the remediation list.
type fixView struct {
	Key, Text, Goal, Place, Link, Criterion, Anchor, Effort, After, Then string
	Number                                                               int // as whatif --fix takes it
	Blocking                                                             bool
}

// Said is the text with what is code told apart.
func (f fixView) Said() []saidPart { return inCode(f.Text) }

// firstFixes is how many remedies lie open, which are those worth most; what
// blocks always does.
const firstFixes = 10

// fixes are the remedies in their order, parted where they may be folded.
func (m *pageMaker) fixes() (first, more []fixView) {
	for i, x := range m.rec.Remedies {
		f := m.fixView(x, i+1)
		f.Key = fmt.Sprintf("fix%d", i)
		if i < firstFixes || f.Blocking && len(more) == 0 {
			first = append(first, f)
		} else {
			more = append(more, f)
		}
	}
	return first, more
}

func (m *pageMaker) fixView(x court.Remedy, n int) fixView {
	f := fixView{Text: line(strings.TrimSuffix(x.Text, ".")) + ".", Goal: line(strings.TrimSuffix(m.checkText(x.Criterion, x.Check), ".")), Criterion: line(m.name(x.Criterion)),
		Anchor: cmp.Or(m.anchors[x.Criterion], "case"), After: line(m.inWords(strings.Join(x.After, ", "))), Then: m.totalThen(n, x), Number: n, Blocking: x.Blocking}
	if len(x.Also) > 0 {
		f.Goal = line(m.criteriaOf(x))
	}
	if located(x.Location) {
		f.Place, f.Link = clean(x.Location), m.linkOf(x.At)
	}
	if x.Effort > 0 {
		f.Effort = effort(x.Effort)
	}
	return f
}

// criteriaOf names the criteria that a remedy of several checks serves.
func (d *docket) criteriaOf(x court.Remedy) string {
	names := []string{d.name(x.Criterion)}
	for _, p := range x.Also {
		if name := d.name(p.Criterion); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return "For " + strings.Join(names, ", ")
}

// Start is what to do first: the head of the list, for the top of the page.
func (p *page) Start() []fixView { return p.Fixes[:min(3, len(p.Fixes))] }

// Remedies is how many there are.
func (p *page) Remedies() int { return len(p.Fixes) + len(p.More) }

// filterView is a button that shows some of the criteria.
type filterView struct {
	Key, Text string
	Count     int
}

// filters are the buttons that would leave some criteria and hide others.
func filters(list []criterionView) []filterView {
	all := []filterView{{"low", "Score 3 or less", 0}, {"disputed", "Judges disagree", 0}, {"open", "Not proven", 0}}
	for _, c := range list {
		for i := range all {
			if slices.Contains(c.Filters, all[i].Key) {
				all[i].Count++
			}
		}
	}
	return slices.DeleteFunc(all, func(f filterView) bool { return f.Count == 0 || f.Count == len(list) })
}
