package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// shifted is how the total of one submission changed between two rounds.
type shifted struct {
	id       string
	was, now court.Fixed
}

// ClassDrift writes how a class changed from one round to the next: the submissions of both rounds, criterion by criterion,
// and who rose and fell most. Rounds under different terms are held against each other all the same; that is said first.
func ClassDrift(w io.Writer, old, now Class, o TextOptions) error {
	s := classText{Class: now, o: o, p: paint(o.Color)}
	was := map[string]ClassCase{}
	for _, c := range old.Cases {
		was[c.ID] = c
	}
	var both []shifted
	added := 0
	for _, c := range now.Cases {
		before, ok := was[c.ID]
		if !ok {
			added++
			continue
		}
		delete(was, c.ID)
		if before.Score != nil && c.Score != nil {
			both = append(both, shifted{c.ID, before.Score.Cut(), c.Score.Cut()})
		}
	}
	s.line("%s to %s", s.p.bold(clean(old.Name)), s.p.bold(clean(now.Name)))
	s.line("  %s with a score in both, %d new, %d gone", plural(len(both), "submission"), added, len(was))
	if old.Terms != now.Terms || old.Bench != now.Bench {
		for _, l := range wrap("The rounds were judged by different rubrics, checks or judges, so a change may come from those.", o.width()-4) {
			s.line("  %s", s.p.amber(l))
		}
	}
	s.line("")
	s.means(old)
	s.movers("ROSE MOST", both, func(a, b shifted) int { return cmp.Compare(b.now-b.was, a.now-a.was) }, func(m shifted) bool { return m.now > m.was })
	s.movers("FELL MOST", both, func(a, b shifted) int { return cmp.Compare(a.now-a.was, b.now-b.was) }, func(m shifted) bool { return m.now < m.was })
	return put(w, []byte(trimRight(s.b.String())))
}

// means are the mean scores of the criteria that both rounds have.
func (s *classText) means(old Class) {
	width := 20
	for _, m := range s.Criteria {
		width = max(width, min(cells(clean(m.Name)), s.o.width()-30))
	}
	s.line("  %s", s.p.bold(left("CRITERION", width)+right("WAS", 8)+right("IS", 8)+right("CHANGE", 9)))
	for _, m := range s.Criteria {
		i := slices.IndexFunc(old.Criteria, func(x ClassMark) bool { return x.ID == m.ID })
		if i < 0 || m.Mean == nil || old.Criteria[i].Mean == nil {
			continue
		}
		before := *old.Criteria[i].Mean
		s.line("  %s%s%s%s", left(cut(clean(m.Name), width), width), right(before.Shown(), 8), right(m.Mean.Shown(), 8), right(signed(m.Mean.Cut()-before.Cut()), 9))
	}
	s.b.WriteString(legend("The numbers are means over the submissions of each round that have a score.", s.o))
	s.line("")
}

// signed is a difference with its sign.
func signed(d court.Fixed) string {
	switch {
	case d < 0:
		return "−" + (-d).Shown()
	case d > 0:
		return "+" + d.Shown()
	}
	return "0.00"
}

// mostMovers is how many are named in each direction.
const mostMovers = 5

func (s *classText) movers(title string, all []shifted, by func(a, b shifted) int, is func(shifted) bool) {
	list := slices.DeleteFunc(slices.Clone(all), func(m shifted) bool { return !is(m) })
	slices.SortStableFunc(list, by)
	if len(list) == 0 {
		return
	}
	s.line("  %s", s.p.bold(title))
	for _, m := range list[:min(len(list), mostMovers)] {
		s.line("  %s  %s", left(cut(clean(m.id), wideID), wideID), fmt.Sprintf("%s to %s (%s)", m.was.Shown(), m.now.Shown(), signed(m.now-m.was)))
	}
	s.line("")
}
