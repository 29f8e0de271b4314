package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What a claim has to be: lengths in characters.
const (
	leastQuote          = 8 // or all there is
	leastText, mostText = 10, 600
)

// verifyOpinions checks that each opinion is what the court makes of it: that of
// an embedded judge has the score which the bench gave in that hearing, and says
// what that judge says; that of a model says no more than its claims, which lie
// on the side of their evidence. It sees an opinion that was altered and sealed
// again, as far as the record alone can tell.
func verifyOpinions(rec *court.Record, t Tools) Line {
	v := opinions{rec: rec, tools: t, exhibits: map[string]court.Exhibit{}, hearings: map[string]court.Hearing{}, last: map[string]int{}}
	for _, x := range sorted(rec) {
		v.exhibits[x.ID] = x
	}
	for _, h := range rec.Hearings {
		v.hearings[fmt.Sprintf("%s/%d", h.Criterion, h.Round)] = h
		v.last[h.Criterion] = max(v.last[h.Criterion], h.Round)
	}
	seats, models := map[string]bool{}, 0
	for _, o := range rec.Opinions {
		if seats[o.Key()] {
			v.bad.add("%s: there are two opinions of this seat", o.Key())
		}
		seats[o.Key()] = true
		h, heard := v.hearings[fmt.Sprintf("%s/%d", o.Criterion, o.Round)]
		switch {
		case !heard && rec.Verdict == nil: // the hearing was lost, and nothing rests on what was said
		case !heard:
			v.bad.add("%s: there was no such hearing", o.Key())
		case o.Embedded():
			v.embedded(o, h)
		default:
			models++
			v.model(o)
		}
	}
	text := fmt.Sprintf("%d, each as the built-in judges give it", len(rec.Opinions))
	if models > 0 {
		text = fmt.Sprintf("%d, of them %d by models: claims, sides, arguments and scores fit together", len(rec.Opinions), models)
	}
	return v.bad.line("opinions", text)
}

// opinions is a record while its opinions are checked.
type opinions struct {
	rec      *court.Record
	tools    Tools
	exhibits map[string]court.Exhibit
	hearings map[string]court.Hearing
	last     map[string]int // of each criterion: its last round
	bad      findings
}

// embedded checks the opinion of an embedded judge, also of one that took the
// seat of a model.
func (v *opinions) embedded(o court.Opinion, h court.Hearing) {
	if want, sits := h.Bench[o.Judge]; !sits || o.Exact != want || o.Score != want.Score() {
		v.bad.add("%s: the bench of the hearing gives %s, not %s", o.Key(), want, o.Exact)
	}
	if len(o.Struck)+len(o.Samples) > 0 || o.Remedy != "" || o.WithProse != 0 || o.FlipRate != 0 {
		v.bad.add("%s: it holds what only models leave", o.Key())
	}
	seat := v.rec.Origin.Bench[o.Judge]
	given := seat != "" && !strings.HasPrefix(seat, court.EmbeddedPrefix)
	if given && o.Substituted == "" && len(o.Cited) > 0 && !v.rec.Hypothetical { // where nothing can be cited no model is asked
		v.bad.add("%s: the seat was given to %s, and nothing says why it did not speak", o.Key(), seat)
	}
	if !v.tools.worded(v.rec) || o.Round != v.last[o.Criterion] {
		return // what stood in an earlier hearing cannot be told any more
	}
	i := slices.IndexFunc(v.rec.Rubric.Criteria, func(c court.Criterion) bool { return c.ID == o.Criterion })
	if i < 0 {
		return
	}
	again, err := v.tools.Speak(v.rec.Rubric.Criteria[i], o.Round, o.Judge, v.rec.Evidences[o.Criterion])
	if err != nil {
		v.bad.add("%s: %s", o.Key(), err)
		return
	}
	again.Substituted = o.Substituted
	if court.Digest(again) != court.Digest(o) {
		v.bad.add("%s: the embedded judge says something else", o.Key())
	}
}

// model checks the opinion of a model.
func (v *opinions) model(o court.Opinion) {
	for _, err := range []error{v.seated(o), v.composed(o), v.scored(o), v.struck(o)} {
		if err != nil {
			v.bad.add("%s: %s", o.Key(), err)
		}
	}
	for _, c := range o.Citations {
		if err := v.stands(o, c); err != nil {
			v.bad.add("%s: the claim on %s does not stand: %s", o.Key(), c.ID, err)
		}
	}
}

func (v *opinions) seated(o court.Opinion) error {
	switch seat := v.rec.Origin.Bench[o.Judge]; {
	case o.Substituted != "":
		return fmt.Errorf("the seat was lost, and yet %s spoke", o.Source)
	case seat != o.Source:
		return fmt.Errorf("%s spoke in the seat of %s", o.Source, seat)
	default:
		return nil
	}
}

// composed tells whether argument and cited evidence are what the court makes of
// the claims.
func (v *opinions) composed(o court.Opinion) error {
	label := func(id string) string {
		if x := v.exhibits[id]; x.Label != "" {
			return x.Label
		}
		return id
	}
	var cited []string
	for _, c := range o.Citations {
		if !slices.Contains(cited, c.ID) {
			cited = append(cited, c.ID)
		}
	}
	switch {
	case len(o.Citations) == 0:
		return errors.New("no claim stands")
	case !o.IsComposed(label):
		return errors.New("the argument is not what the court makes of the claims")
	case utf8.RuneCountInString(o.Argument) < court.MinArgument:
		return fmt.Errorf("the argument has under %d characters", court.MinArgument)
	case !slices.Equal(cited, o.Cited):
		return errors.New("what is cited is not what the claims rest on")
	default:
		return nil
	}
}

// scored tells whether the score is one, and follows from the answers.
func (v *opinions) scored(o court.Opinion) error {
	only := func(stance string) bool {
		return !slices.ContainsFunc(o.Citations, func(c court.Citation) bool { return c.Stance != stance })
	}
	gap := o.WithProse - o.Score
	switch {
	case o.Score < 1 || o.Score > 5 || o.Exact != court.Fixed(o.Score)*court.One:
		return fmt.Errorf("%s is not the exact score of a model that says %d", o.Exact, o.Score)
	case o.Score >= 4 && only("against"), o.Score <= 2 && only("for"):
		return fmt.Errorf("a score of %d contradicts claims of one side only", o.Score)
	case o.WithProse != 0 && (o.WithProse < 1 || o.WithProse > 5 || gap*gap <= 1):
		return fmt.Errorf("a score of %d with prose would not have been set aside for %d", o.WithProse, o.Score)
	case len(o.Samples) == 0 && o.FlipRate != 0:
		return errors.New("a share of answers differs, and there are none")
	case len(o.Samples) == 0:
		return nil
	}
	sorted := slices.Sorted(slices.Values(o.Samples))
	median, differ := sorted[(len(sorted)-1)/2], 0
	for _, s := range o.Samples {
		if s != median {
			differ++
		}
	}
	switch {
	case len(sorted) == 1 || sorted[0] < 1 || sorted[len(sorted)-1] > 5:
		return errors.New("the answers are not several scores from 1 to 5")
	case median != o.Score:
		return fmt.Errorf("the median of the answers is %d, not %d", median, o.Score)
	case o.FlipRate != court.Fixed(court.Div(int64(differ)*int64(court.One), int64(len(sorted)))):
		return fmt.Errorf("%d of %d answers differ, which is not %s", differ, len(sorted), o.FlipRate)
	default:
		return nil
	}
}

// struck tells whether the claims that fell can have fallen. Most of them fell
// over what the judge was shown, which the record does not hold.
func (v *opinions) struck(o court.Opinion) error {
	for _, c := range o.Struck {
		stands := func(d court.Citation) bool {
			return c.ID == d.ID && c.Stance == d.Stance && c.Text == d.Text && collapse(c.Quote) == collapse(d.Quote)
		}
		switch {
		case c.Why == "" || c.Verified:
			return fmt.Errorf("the claim on %s was struck, and nothing says why", c.ID)
		case slices.ContainsFunc(o.Citations, stands):
			return fmt.Errorf("the claim on %s was struck and stands", c.ID)
		}
	}
	return nil
}

// stands tells what is wrong with a claim that counts; its quote is looked up
// with all others.
func (v *opinions) stands(o court.Opinion, c court.Citation) error {
	x, known := v.exhibits[c.ID]
	quote, text := collapse(c.Quote), utf8.RuneCountInString(c.Text)
	switch {
	case !known || x.Criterion != o.Criterion || x.Check == court.Testimony:
		return errors.New("it is no evidence on this criterion")
	case !sided(x.Outcome, c.Stance):
		return fmt.Errorf("what is %s cannot speak %q", x.Outcome, c.Stance)
	case utf8.RuneCountInString(quote) < leastQuote && quote != quotable(x.Evidence):
		return fmt.Errorf("the quote has under %d characters", leastQuote)
	case text < leastText || text > mostText:
		return fmt.Errorf("its text has %d characters, not %d to %d", text, leastText, mostText)
	case !c.Verified || c.Why != "":
		return errors.New("it is not marked as verified")
	case c.Check != x.Check:
		return fmt.Errorf("the evidence answers %s, not %s", x.Check, c.Check)
	default:
		return nil
	}
}

// sided tells whether a stance fits an outcome.
func sided(o court.Outcome, stance string) bool {
	switch o {
	case court.Present:
		return stance == "for"
	case court.Violation, court.Absent:
		return stance == "against"
	case court.Partial:
		return stance == "for" || stance == "against"
	default:
		return stance == "open"
	}
}
