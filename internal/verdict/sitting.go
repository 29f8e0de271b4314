package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Matter is everything that bears on the ruling of one criterion.
type Matter struct {
	Criterion court.Criterion
	Law       court.Synthesis
	Hearings  []court.Hearing // of this criterion: the first, and the second if there was one
	Opinions  []court.Opinion // of this criterion, of both rounds
	Exhibits  []court.Exhibit // of this criterion: its security flaws are among them
	Edition   int             // the law's version that is followed; 0: the newest
	// Points shows an exact score on the criterion's own scale; nil: it has none.
	Points func(court.Criterion, court.Fixed) *court.Points
}

// Sitting is one criterion while the rules are applied to it.
type Sitting struct {
	Matter
	hearing court.Hearing // the one in force
	first   court.Hearing
	raw     scores // as the judges said
	heard   scores // as the evidence allows
	value   court.Fixed
	top     court.Fixed // least cap that fired
	ruling  court.Ruling
}

// scores are one exact score per seat.
type scores map[court.Persona]court.Fixed

// mean of the three seats; nil weights weigh alike.
func (v scores) mean(weights map[court.Persona]court.Fixed) court.Fixed {
	var m court.Mean
	for _, j := range court.Personas() {
		w := court.One
		if weights != nil {
			w = weights[j]
		}
		m.Add(int64(w), v[j])
	}
	return m.Value()
}

// spread is the range of the integer scores.
func (v scores) spread() int {
	low, high := v[court.Prosecutor].Score(), v[court.Prosecutor].Score()
	for _, j := range court.Personas() {
		low, high = min(low, v[j].Score()), max(high, v[j].Score())
	}
	return high - low
}

func sit(m Matter) *Sitting {
	byRound := func(a, b court.Hearing) int { return cmp.Compare(a.Round, b.Round) }
	s := &Sitting{Matter: m, first: slices.MinFunc(m.Hearings, byRound), top: fullMark}
	s.hearing = s.first
	s.ruling = court.Ruling{Criterion: m.Criterion.ID, Overruled: []court.Persona{}, Substituted: []court.Persona{},
		Holdings: []court.Holding{}}
	return s
}

// hold notes what a rule did and sets the value.
func (s *Sitting) hold(h court.Holding, after court.Fixed) {
	h.Before, h.After = s.value, after
	s.value = after
	s.ruling.Holdings = append(s.ruling.Holdings, h)
}

// applies tells whether a rule that is confined to some criteria reaches this
// one: by its id, or by the id that it is bound to.
func (s *Sitting) applies(ids []string) bool {
	_, bound, _ := strings.Cut(s.Criterion.Binding, ":")
	named := strings.HasPrefix(s.Criterion.Binding, "courtroom:") || strings.HasPrefix(s.Criterion.Binding, "alias:")
	return slices.Contains(ids, s.Criterion.ID) || named && slices.Contains(ids, bound)
}

// wide tells whether a spread is over a bar that is given as a number of
// points.
func wide(spread int, bar court.Fixed) bool { return court.Fixed(spread)*court.One > bar }

// settle says what the value means.
func (s *Sitting) settle() {
	r := &s.ruling
	r.Exact = s.value
	if !s.hearing.Blind && !unexamined(s.hearing) {
		n := s.value.Score()
		r.Final = &n
		if s.Points != nil {
			r.Points = s.Points(s.Criterion, s.value)
		}
	}
	r.Low = min(s.value, s.hearing.Low, s.top)
	r.High = min(max(s.value, s.hearing.High), s.top)
	r.Status = s.status()
}

// apart is the spread from which an open ruling is contested; before law 3 every open one was.
const apart = 2

func (s *Sitting) status() court.Status {
	switch {
	case s.hearing.Doubt >= court.InsufficientFrom:
		return court.Insufficient
	case s.hearing.Doubt < court.OpenFrom && !wide(s.ruling.Spread, s.Law.Spread.GT) &&
		s.hearing.Conflict < s.Law.ReEvaluation.CoreConflict:
		return court.Proven
	case s.ruling.Spread >= apart, s.Edition == 1, s.Edition == 2:
		return court.Contested
	default:
		return court.Open
	}
}

// names lists seats for a text.
func names(seats []court.Persona) string {
	out := make([]string, len(seats))
	for i, j := range seats {
		out[i] = "the " + j.Title()
	}
	return safetext.List(out)
}

func interval(low, high court.Fixed) string {
	return fmt.Sprintf("%s to %s", low.Shown(), high.Shown())
}
