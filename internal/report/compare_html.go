package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// comparisonPage is what the template of a comparison reads.
type comparisonPage struct {
	Title, Headline, Same string
	Warnings              []string
	Sides                 []pair
	Overall               changeView
	Criteria              []changeView

	CSP    string
	CSS    template.CSS
	Around *Around
}

// changeView is one score before and after. Without an anchor there is nothing
// to tell but the scores.
type changeView struct {
	ID, Name, Anchor, Old, New, Delta, Band string
	Like                                    string // what has other evidence and the same outcome
	Notes                                   []string
	Rows                                    []movedView
	Way                                     way
}

// movedView is what each audit alone has on one check.
type movedView struct {
	Goal       string
	Gone, Came []traceView
}

type traceView struct{ Label, Outcome, Place, Link string }

// way is a score's way on the scale from 1 to 5.
type way struct {
	Ticks    []string
	Old, New string // empty: no score
	Down     bool
}

// HTMLComparison writes what changed as one page that needs nothing else. It
// has no script. Nil: nothing stands around it.
func HTMLComparison(w io.Writer, c Comparison, around *Around) error {
	css, err := ownFiles("page/report.css", "page/compare.css")
	if err != nil {
		return err
	}
	p := newComparisonPage(c)
	p.Around = around
	p.CSS, p.CSP = around.dress(css)
	var b bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&b, "compare.tmpl", p); err != nil {
		return fmt.Errorf("rendering the comparison: %w", err)
	}
	return put(w, b.Bytes())
}

func newComparisonPage(c Comparison) *comparisonPage {
	p := &comparisonPage{Title: line(fmt.Sprintf("%s and %s", c.Old.Case, c.New.Case)), Headline: headlineOf(c), Overall: viewOf(c.Overall, ""),
		Sides: []pair{{Key: "First", Text: sideLine(c.Old)}, {Key: "Second", Text: sideLine(c.New)}}}
	if c.Old.Case == c.New.Case {
		p.Title = line(c.New.Case)
	}
	for _, s := range c.Warnings {
		p.Warnings = append(p.Warnings, line(s))
	}
	same := 0
	for i, x := range c.Criteria {
		anchor := fmt.Sprintf("criterion-%d", i+1)
		if x.Delta() == 0 && len(x.Note)+len(x.Gone)+len(x.Came) == 0 {
			anchor = ""
			same++
		}
		p.Criteria = append(p.Criteria, viewOf(x, anchor))
	}
	if same > 0 {
		p.Same = fmt.Sprintf("Nothing changed in %d of %d criteria.", same, len(c.Criteria))
	}
	return p
}

// headlineOf says in a few words how the second audit stands to the first.
func headlineOf(c Comparison) string {
	switch {
	case len(c.Warnings) > 0:
		return "The two audits were made under different terms, so their scores are not compared"
	}
	total := "The total is unchanged"
	switch d := c.Overall.Delta(); {
	case c.Overall.Apart:
		total = "The two audits judged different criteria"
	case d > 0:
		total = "The total rose by " + d.Shown()
	case d < 0:
		total = "The total fell by " + (-d).Shown()
	}
	criteria := slices.DeleteFunc(slices.Clone(c.Fallen), func(id string) bool { return id == court.OverallID })
	if len(criteria) == 0 {
		return total + ", no criterion fell"
	}
	return total + ", " + plural2(len(criteria), "criterion", "criteria") + " fell"
}

func sideLine(s sided) string {
	return line(strings.Join(strings.Fields(fmt.Sprintf("%s %s %s record %s", s.Case, short(s.Commit), s.Status, digest12(s.Digest))), " "))
}

func viewOf(x Change, anchor string) changeView {
	v := changeView{ID: line(x.ID), Name: line(x.Name), Anchor: anchor, Old: shown(x.Old), New: shown(x.New),
		Delta: strings.TrimSpace(shownDelta(x)), Band: "b0", Way: way{Down: x.Delta() < 0}}
	rows := x.moves()
	all := len(rows)
	rows = slices.DeleteFunc(rows, moved.alike)
	v.Rows = movedViews(rows)
	if n := all - len(rows); n > 0 {
		v.Like = plural(n, "check") + " with the same outcome and other evidence."
	}
	for _, n := range x.Note {
		v.Notes = append(v.Notes, sentence(line(n)))
	}
	for i := range 5 {
		v.Way.Ticks = append(v.Way.Ticks, tenths(stripX(court.Fixed(i+1)*court.One)))
	}
	at := func(f *court.Fixed) string {
		if f == nil {
			return ""
		}
		return tenths(stripX(min(max(*f, court.One), 5*court.One)))
	}
	v.Way.Old, v.Way.New = at(x.Old), at(x.New)
	if x.New != nil {
		v.Band = band(*x.New)
	}
	return v
}

// movedViews shows some rows.
func movedViews(rows []moved) []movedView {
	var list []movedView
	view := func(traces []Trace) (out []traceView) {
		for _, t := range traces {
			out = append(out, traceView{line(t.Label), line(outcomeWord(t.Outcome)), line(t.Location), t.Link})
		}
		return out
	}
	for _, r := range rows {
		list = append(list, movedView{line(cmp.Or(r.goal, r.check)), view(r.gone), view(r.came)})
	}
	return list
}
