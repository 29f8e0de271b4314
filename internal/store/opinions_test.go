package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// spokenAgain gives back what stands on record, as the judge who said it would.
func spokenAgain(rec *court.Record) func(court.Criterion, int, court.Persona, []court.Exhibit) (court.Opinion, error) {
	said := map[string]court.Opinion{}
	for _, o := range rec.Opinions {
		o.Substituted = ""
		said[o.Key()] = o
	}
	return func(c court.Criterion, round int, seat court.Persona, _ []court.Exhibit) (court.Opinion, error) {
		return said[court.Opinion{Criterion: c.ID, Round: round, Judge: seat}.Key()], nil
	}
}

// An opinion that was altered and sealed again is found, by its own line: what
// the record alone can tell of it does not fit any more.
func TestVerifyFindsForgedOpinions(t *testing.T) {
	opinion := func(r *court.Record, key string) *court.Opinion {
		for i := range r.Opinions {
			if r.Opinions[i].Key() == key {
				return &r.Opinions[i]
			}
		}
		t.Fatalf("no opinion %s", key)
		return nil
	}
	const model, struck, without = "safe_tools/2/Prosecutor", "safe_tools/2/Defense", "judicial_nuance/1/Prosecutor"
	const lost, own, kind = "structured_output/1/Defense", "structured_output/1/TechLead", "judicial_nuance/1/Defense"
	tests := map[string]struct {
		key   string
		spoil func(o *court.Opinion)
		want  string
	}{
		"a model's score, not its exact":          {model, func(o *court.Opinion) { o.Score = 3 }, "2 is not the exact score of a model that says 3"},
		"an exact score that is no integer":       {model, func(o *court.Opinion) { o.Exact += 10 }, "is not the exact score of a model"},
		"a score of 6":                            {model, func(o *court.Opinion) { o.Score, o.Exact, o.Samples = 6, 6*court.One, nil }, "6 is not the exact score"},
		"another score than its samples":          {model, func(o *court.Opinion) { o.Score, o.Exact = 3, 3*court.One }, "the median of the answers is 2, not 3"},
		"other samples":                           {struck, func(o *court.Opinion) { o.Samples = []int{3, 3, 4, 5, 5} }, "the median of the answers is 4, not 5"},
		"one sample":                              {model, func(o *court.Opinion) { o.Samples = []int{2} }, "the answers are not several scores"},
		"samples beyond the scale":                {model, func(o *court.Opinion) { o.Samples = []int{2, 2, 7} }, "the answers are not several scores"},
		"a flip rate":                             {model, func(o *court.Opinion) { o.FlipRate = 0 }, "1 of 5 answers differ, which is not 0"},
		"a flip rate of nothing":                  {without, func(o *court.Opinion) { o.FlipRate = court.One }, "a share of answers differs, and there are none"},
		"prose that would have counted":           {without, func(o *court.Opinion) { o.WithProse = 4 }, "would not have been set aside"},
		"an argument of its own":                  {model, func(o *court.Opinion) { o.Argument = "Whatever " + o.Argument }, "the argument is not what the court makes of the claims"},
		"a claim in other words":                  {model, func(o *court.Opinion) { o.Citations[0].Text += " Not at all." }, "the argument is not what the court makes"},
		"evidence that no claim rests on":         {model, func(o *court.Opinion) { o.Cited = append(o.Cited, o.Cited[0]) }, "what is cited is not what the claims rest on"},
		"no claim at all":                         {model, func(o *court.Opinion) { o.Citations, o.Cited, o.Argument = nil, nil, "" }, "no claim stands"},
		"the other side":                          {model, func(o *court.Opinion) { o.Citations[0].Stance = "for" }, `what is violation cannot speak "for"`},
		"a quote of three letters":                {model, func(o *court.Opinion) { o.Citations[0].Quote = "git" }, "the quote has under 8 characters"},
		"a quote from elsewhere":                  {model, func(o *court.Opinion) { o.Citations[0].Quote = "with TemporaryDirectory() as where:" }, "the quote is not in ev-"},
		"an invented quote":                       {model, func(o *court.Opinion) { o.Citations[0].Quote = "os.system(everything)" }, "the quote is not in ev-"},
		"a claim that was never verified":         {model, func(o *court.Opinion) { o.Citations[0].Verified = false }, "it is not marked as verified"},
		"a claim on another check":                {model, func(o *court.Opinion) { o.Citations[0].Check = "tool.sandboxed" }, "the evidence answers tool.no_shell, not tool.sandboxed"},
		"a claim of one word":                     {model, func(o *court.Opinion) { o.Citations[0].Text = "Bad" }, "its text has 3 characters"},
		"a struck claim that is restored":         {struck, func(o *court.Opinion) { o.Citations = append(o.Citations, o.Struck[0]) }, "the quote is not in ev-"},
		"a struck claim of an invented id":        {struck, func(o *court.Opinion) { o.Citations = append(o.Citations, o.Struck[1]) }, "it is no evidence on this criterion"},
		"a claim that is struck and stands":       {struck, func(o *court.Opinion) { c := o.Citations[0]; c.Verified, c.Why = false, "so"; o.Struck[0] = c }, "was struck and stands"},
		"a claim that is struck without a reason": {struck, func(o *court.Opinion) { o.Struck[0].Why = "" }, "was struck, and nothing says why"},
		"praise only, and a low score": {kind, func(o *court.Opinion) {
			o.Score, o.Exact, o.Samples, o.FlipRate = 2, 2*court.One, nil, 0
		}, "a score of 2 contradicts claims of one side only"},
		"charges only, and a high score": {model, func(o *court.Opinion) {
			o.Score, o.Exact, o.Samples, o.FlipRate = 5, 5*court.One, nil, 0
		}, "a score of 5 contradicts claims of one side only"},
		"another model":                       {model, func(o *court.Opinion) { o.Source = "compatible/other" }, "compatible/other spoke in the seat of openai/advocate-2"},
		"a lost seat in which the model sits": {model, func(o *court.Opinion) { o.Substituted = "timeout" }, "the seat was lost, and yet"},
		"a substitute who is kinder":          {lost, func(o *court.Opinion) { o.Exact += 100 }, "the bench of the hearing gives 4.6, not 4.61"},
		"a substitute with another argument":  {lost, func(o *court.Opinion) { o.Argument += " And more." }, "the embedded judge says something else"},
		"a substitute whom nobody called":     {lost, func(o *court.Opinion) { o.Substituted = "" }, "the seat was given to compatible/counsel-7b, and nothing says why"},
		"a model that passes as embedded":     {model, func(o *court.Opinion) { o.Source = "embedded/1" }, "the bench of the hearing gives 2.1, not 2"},
		"an embedded judge with samples":      {own, func(o *court.Opinion) { o.Samples = []int{4, 4, 4} }, "it holds what only models leave"},
		"an embedded judge with another view": {own, func(o *court.Opinion) { o.Citations[0].Text = "Something else" }, "the embedded judge says something else"},
		"a hearing that never was":            {own, func(o *court.Opinion) { o.Round = 2 }, "there was no such hearing"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := golden(t, "models")
			tools := Tools{Rubric: ownDigests, Rule: same, Speak: spokenAgain(golden(t, "models"))}
			if lines := Verify(rec, tools); !Holds(lines) {
				t.Fatalf("it does not hold to begin with: %v", lines)
			}
			tt.spoil(opinion(rec, tt.key))
			rec.Seal()
			var found []string
			for _, l := range Verify(rec, tools) {
				switch {
				case l.Check == "digest" && l.Result != OK:
					t.Error("it is not sealed again")
				case l.Result == No:
					found = append(found, l.Text)
				}
			}
			if text := strings.Join(found, " | "); !strings.Contains(text, tt.want) {
				t.Errorf("found %q, want …%q", text, tt.want)
			}
		})
	}
}

// A second opinion for a seat, and a judge who cannot be heard again.
func TestVerifyOpinionsTwice(t *testing.T) {
	rec := golden(t, "models")
	rec.Opinions = append(rec.Opinions, rec.Opinions[0])
	if l := verifyOpinions(rec, Tools{}); l.Result != No || !strings.Contains(l.Text, "there are two opinions of this seat") {
		t.Errorf("%+v", l)
	}
	tools := Tools{Speak: func(court.Criterion, int, court.Persona, []court.Exhibit) (court.Opinion, error) {
		return court.Opinion{}, errors.New("no such seat")
	}}
	if l := verifyOpinions(golden(t, "good"), tools); l.Result != No || !strings.Contains(l.Text, "no such seat") {
		t.Errorf("%+v", l)
	}
	if l := verifyOpinions(golden(t, "models"), Tools{}); l.Result != OK || l.Text != "15, of them 9 by models: claims, sides, arguments and scores fit together" {
		t.Errorf("%+v", l)
	}
}
