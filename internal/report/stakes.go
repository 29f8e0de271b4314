package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// stakesView is what a score rests on, in words.
type stakesView struct {
	Lose, Gain   []stakeView
	NoLose, Gone string // where nothing does: what is so instead
	More         string
}

// stakeView is a set of checks and the score with them.
type stakeView struct {
	Checks []stakeCheck
	Score  string
}

type stakeCheck struct{ Text, Check, Place, Link string }

// stakes are those of a criterion; nil: the record has none.
func (d *docket) stakes(criterion string) *stakesView {
	i := slices.IndexFunc(d.rec.Stakes, func(s court.Stakes) bool { return s.Criterion == criterion })
	if i < 0 {
		return nil
	}
	s := d.rec.Stakes[i]
	v := &stakesView{Lose: d.stakeViews(criterion, s.Loses.Sets), Gain: d.stakeViews(criterion, s.Gains.Sets)}
	if len(v.Lose) == 0 {
		v.NoLose = fmt.Sprintf("No check and no pair of checks takes a whole point. If everything that holds breaks, the score is %s.", s.Loses.All.Shown())
	}
	if len(v.Gain) == 0 {
		v.Gone = fmt.Sprintf("No check and no pair of checks gives a whole point. If everything that fails is put right, the score is %s.", s.Gains.All.Shown())
		if s.Gains.All == s.Exact {
			v.Gone = "There is nothing left to gain."
		}
	}
	if n := s.Loses.More + s.Gains.More; n > 0 {
		v.More = fmt.Sprintf("%s more with the same effect %s not listed.", plural(n, "set"), verb(n))
	}
	return v
}

func (d *docket) stakeViews(criterion string, sets []court.Stake) (out []stakeView) {
	for _, set := range sets {
		v := stakeView{Score: set.Exact.Shown()}
		for _, name := range set.Checks {
			c := stakeCheck{Text: line(strings.TrimSuffix(d.checkText(criterion, name), ".")), Check: line(name)}
			for _, x := range d.of(criterion) {
				if x.Check == name && x.Stands() && located(x.Location) {
					c.Place, c.Link = line(x.Location), d.linkOf(x.At)
					break
				}
			}
			v.Checks = append(v.Checks, c)
		}
		out = append(out, v)
	}
	return out
}

// ExplainChain writes what the score of one criterion rests on, and the chain of the
// submission. The record has its stakes.
func ExplainChain(w io.Writer, rec *court.Record, criterion string, o TextOptions) error {
	d := newDocket(rec)
	e, err := Why(rec, criterion)
	if err != nil {
		return err
	}
	t := explainText{e: e, o: o, p: paint(o.Color)}
	t.head()
	if v := d.stakes(criterion); v != nil {
		t.line("  TO LOSE A POINT, THIS WOULD HAVE TO BREAK")
		t.stakes(v.Lose, v.NoLose)
		t.line("\n  TO GAIN A POINT, THIS WOULD HAVE TO BE TRUE")
		t.stakes(v.Gain, v.Gone)
		if v.More != "" {
			t.line("\n  %s", v.More)
		}
		t.line("\n  Each number is the score that the built-in judges then give.")
	} else {
		t.line("  The criterion has no score that rests on checks.")
	}
	if chain := d.chainLines(o); chain != "" {
		t.b.WriteString("\n" + chain)
	}
	return put(w, []byte(caseLine(rec, o)+trimRight(t.b.String())))
}

func (t *explainText) stakes(list []stakeView, none string) {
	if none != "" {
		for _, l := range wrap(none, t.o.width()-4) {
			t.line("    %s", l)
		}
	}
	for _, s := range list {
		for i, c := range s.Checks {
			start := "    " + s.Score + "  "
			if i > 0 {
				start = "     and  "
			}
			t.hang(start, len(start), 30, c.Text)
			t.line("          %s", t.o.link(c.Link, cut(strings.TrimSpace(clean(c.Check)+"  "+clean(c.Place)), t.o.width()-10)))
		}
	}
}
