package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What is told where models had a part in a case. All texts of models are
// foreign: each format escapes them as it escapes the submission's.

// models tells whether a model was asked for anything.
func (d *docket) models() bool {
	return d.judged() || d.rec.Run.Models != nil || len(d.rec.Origin.Detectives) > 0
}

// judged tells whether models were given seats: then the score that the
// embedded bench alone would have given stands beside every score of theirs.
func (d *docket) judged() bool {
	return d.rec.Origin.Modelled() || slices.ContainsFunc(d.rec.Opinions, func(o court.Opinion) bool { return !o.Embedded() })
}

// alone is the exact score of a criterion without models; empty: no model was
// heard on it.
func (d *docket) alone(criterion string) string {
	if r := d.rulings[criterion]; r != nil && r.Final != nil && r.Embedded != nil {
		return r.Embedded.Shown()
	}
	return ""
}

// aloneWord goes before a score that is not of models.
const aloneWord = "built-in judges alone: "

// aloneWords sets the embedded bench beside a score of models; empty: none was
// heard.
func aloneWords(f *court.Fixed) string {
	if f == nil {
		return ""
	}
	return aloneWord + f.Shown()
}

// besideRuling is what stands beside the score of a ruling: that without models, and the calibrated one. A criterion
// without a score has neither.
func (d *docket) besideRuling(r *court.Ruling) string {
	if r.Final == nil {
		return ""
	}
	return joinWords(aloneWords(r.Embedded), d.calibratedWords(r))
}

// calibratedWords sets the calibrated score beside a ruling, with what it rests on; empty: there is none.
func (d *docket) calibratedWords(r *court.Ruling) string {
	of := d.rec.Case.Calibration.Of(r.Criterion)
	if r.Calibrated == nil || of == nil {
		return ""
	}
	return fmt.Sprintf("calibrated: %s (%s, kappa %s, error %s)", r.Calibrated.Shown(), court.Count(of.Anchors, "case"), of.Kappa.Shown(), of.Error.Shown())
}

// calibrated is the calibrated score of a criterion; nil: there is none.
func (d *docket) calibrated(criterion string) *court.Fixed {
	if r := d.rulings[criterion]; r != nil && r.Final != nil {
		return r.Calibrated
	}
	return nil
}

// totalCalibrated is the calibrated total; nil: there is none.
func (d *docket) totalCalibrated() *court.Fixed {
	if v := d.rec.Verdict; v != nil && !v.Overall.Unscored {
		return v.Overall.Calibrated
	}
	return nil
}

// totalBeside is what is known of a total beside its score.
func (d *docket) totalBeside() (list []string) {
	v := d.rec.Verdict
	if v == nil {
		return nil
	}
	if d.judged() && v.Overall.Embedded != nil {
		list = append(list, aloneWords(v.Overall.Embedded))
	}
	switch total := d.totalCalibrated(); {
	case total != nil:
		list = append(list, "calibrated: "+total.Shown())
	case d.judged():
		list = append(list, "uncalibrated")
	}
	return list
}

func joinWords(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), ", ")
}

// helpers are the models that worked for detectives, in words.
func (d *docket) helpers() []string {
	var list []string
	for _, who := range slices.Sorted(maps.Keys(d.rec.Origin.Detectives)) {
		what := "investigated for the " + string(who)
		if who == court.VisionInspector {
			what = "looked at pictures"
		}
		list = append(list, d.rec.Origin.Detectives[who]+" "+what)
	}
	return list
}

// asked is what models were asked in the run and what that cost; empty: there
// is not an account of it.
func (d *docket) asked() string {
	m := d.rec.Run.Models
	if m == nil {
		return ""
	}
	parts := []string{plural(m.Calls, "call")}
	if m.Kept > 0 {
		parts = append(parts, grouped(m.Kept)+" kept")
	}
	in := grouped(m.In) + " tokens in"
	if m.Cached > 0 {
		in += " (" + grouped(m.Cached) + " of them cached)"
	}
	parts = append(parts, in, grouped(m.Out)+" out")
	switch {
	case m.USD == "" && m.Calls > 0:
		parts = append(parts, "price not known")
	case m.USD != "" && m.Prices != "":
		parts = append(parts, "$"+m.USD+" by prices of "+m.Prices)
	case m.USD != "":
		parts = append(parts, "$"+m.USD)
	}
	return strings.Join(parts, ", ")
}

// grouped prints a number with a comma between each three digits.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// byModel says of evidence that a model found it and what is known of its
// quote; empty: no model did.
func (d *docket) byModel(x court.Exhibit) string {
	if x.Source != court.ModelQuote {
		return ""
	}
	s := "found by " + cmp.Or(d.rec.Origin.Detectives[x.Detective], "a model")
	if x.Verified {
		return s + ", the quote was verified at its place"
	}
	return s + ", the quote was not verified"
}

// finder is the detective behind evidence, and that a model found it.
func (d *docket) finder(x court.Exhibit) string {
	if x.Source == court.ModelQuote {
		return string(x.Detective) + ", a model"
	}
	return string(x.Detective)
}

// noted is what is to be known of how an opinion came about beside its score
// and its claims.
func (d *docket) noted(o *court.Opinion) []string {
	var list []string
	if s := sampleWords(*o); s != "" {
		list = append(list, s)
	}
	if o.WithProse != 0 {
		list = append(list, fmt.Sprintf("without prose and strings it gave %d; with them it had given %d, which does not count", o.Score, o.WithProse))
	}
	if first := d.firsts[o.Criterion+"/"+string(o.Judge)]; first != nil && first != o && !(first.Embedded() && o.Embedded()) {
		list = append(list, fmt.Sprintf("before the re-evaluation: %d", first.Score))
	}
	return list
}

// shownSamples bounds the answers that are listed; the court asks for five.
const shownSamples = 9

// sampleWords is how often a seat was asked, and how far its answers differ.
func sampleWords(o court.Opinion) string {
	if len(o.Samples) < 2 {
		return ""
	}
	var scores []string
	differ := 0
	for i, s := range o.Samples {
		if s != o.Score {
			differ++
		}
		if i < shownSamples {
			scores = append(scores, fmt.Sprint(s))
		}
	}
	more := ""
	if len(o.Samples) > shownSamples {
		more = ", …"
	}
	share := "all agree"
	if differ > 0 {
		share = fmt.Sprintf("%d of %d differ", differ, len(o.Samples))
		if differ == 1 {
			share = fmt.Sprintf("1 of %d differs", len(o.Samples))
		}
	}
	return fmt.Sprintf("asked %d times: %s%s; median %d, %s", len(o.Samples), strings.Join(scores, ", "), more, o.Score, share)
}

// moved tells whether the evidence bound an opinion to another score than the
// one that was said.
func (d *docket) moved(o *court.Opinion) bool { return d.counted(o) != o.Exact }

// listed tells whether an opinion is told claim by claim: a model's. The
// argument is told, too, where it is not what the court makes of the claims.
func (d *docket) listed(o *court.Opinion) (claims, argument bool) {
	if o.Embedded() || len(o.Citations)+len(o.Struck) == 0 {
		return false, true
	}
	return true, !o.IsComposed(d.label)
}

// Lengths in characters of what is shown of a claim. A quote that did not stand
// may be as long as its author liked.
const (
	claimText  = 600
	claimQuote = 200
)

// clipped is a claim as far as it is shown.
func clipped(c court.Citation) court.Citation {
	one := func(s string, n int) string { return court.Clean(strings.Join(strings.Fields(s), " "), n) }
	c.Text, c.Quote, c.Why, c.Stance = one(c.Text, claimText), one(c.Quote, claimQuote), one(c.Why, claimQuote), one(c.Stance, 40)
	return c
}

// ownRemedies are the opinions of a criterion that say what their judge would
// have done.
func (d *docket) ownRemedies(criterion string) (list []*court.Opinion) {
	for _, seat := range seats() {
		if o := d.opinion(criterion, seat); o != nil && o.Remedy != "" {
			list = append(list, o)
		}
	}
	return list
}
