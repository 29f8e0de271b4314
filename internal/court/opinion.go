package court

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MinArgument is the least length of an argument, in characters.
const MinArgument = 50

// Opinion is what one judge holds of one criterion in one hearing.
type Opinion struct {
	Judge       Persona    `json:"judge"`
	Criterion   string     `json:"criterion_id"`
	Round       int        `json:"round"`
	Score       int        `json:"score"` // 1..5
	Exact       Fixed      `json:"exact"` // of a model: its integer
	Argument    string     `json:"argument"`
	Cited       []string   `json:"cited_evidence"`
	Citations   []Citation `json:"citations"`
	Source      string     `json:"source"`                // who spoke: embedded/1, or PROVIDER/MODEL
	Substituted string     `json:"substituted,omitempty"` // why the embedded judge took the seat
	Struck      []Citation `json:"struck,omitempty"`      // claims that did not stand; they carry nothing
	Remedy      string     `json:"remedy,omitempty"`      // what the judge would have done, in its own words
	Samples     []int      `json:"samples,omitempty"`     // the scores of all answers, in the order asked, when there are several
	FlipRate    Fixed      `json:"flip_rate,omitempty"`   // share of the samples that differ from the score
	WithProse   int        `json:"with_prose,omitempty"`  // the score given while prose and strings were shown, where it does not count
}

// EmbeddedPrefix begins the source of every opinion that no model gave.
const EmbeddedPrefix = "embedded/"

// Embedded tells whether the opinion follows from the evidence alone, without
// a model.
func (o Opinion) Embedded() bool { return strings.HasPrefix(o.Source, EmbeddedPrefix) }

// Composed is the argument that the claims of a model make: their sentences, one
// after the other. A model never writes the argument itself.
func (o Opinion) Composed(label func(id string) string) string {
	parts := make([]string, len(o.Citations))
	for i, c := range o.Citations {
		parts[i] = c.Sentence(label(c.ID))
	}
	return strings.Join(parts, " ")
}

// IsComposed tells whether the argument is what a court makes of the claims: this
// one, or one of the time when a label stood without brackets.
func (o Opinion) IsComposed(label func(id string) string) bool {
	var before []string
	for _, c := range o.Citations {
		before = append(before, strings.TrimRight(strings.TrimSpace(c.Text), ".")+" "+label(c.ID)+".")
	}
	return o.Argument == o.Composed(label) || o.Argument == strings.Join(before, " ")
}

// Citation is one claim of an argument with the evidence it rests on.
type Citation struct {
	ID       string `json:"id"`
	Quote    string `json:"quote"` // verbatim from the evidence's content
	Verified bool   `json:"verified"`
	Stance   string `json:"stance"` // for, against, open
	Check    string `json:"check,omitempty"`
	Text     string `json:"text"`
	Why      string `json:"why,omitempty"` // of a claim that was struck: what is wrong with it
}

// Sentence is the claim as it stands in an argument: its text, then the label of
// its evidence.
func (c Citation) Sentence(label string) string {
	text := strings.TrimRight(strings.TrimSpace(c.Text), ".")
	if title, ok := strings.CutSuffix(text, `."`); ok {
		text = title + `"`
	}
	return text + " [" + label + "]."
}

// Key is one seat of one hearing: a judge has one opinion there.
func (o Opinion) Key() string { return fmt.Sprintf("%s/%d/%s", o.Criterion, o.Round, o.Judge) }

// Compare orders opinions by hearing and seat.
func (o Opinion) Compare(p Opinion) int {
	seat := func(j Persona) int { return slices.Index(Personas(), j) }
	return cmp.Or(cmp.Compare(o.Criterion, p.Criterion), cmp.Compare(o.Round, p.Round), cmp.Compare(seat(o.Judge), seat(p.Judge)))
}

// Validate says what is wrong with an opinion in view of the evidence it may
// cite. A criterion without checks has nothing to cite.
func (o Opinion) Validate(known map[string]Evidence, blind bool) error {
	var errs []error
	check := func(ok bool, format string, a ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("opinion %s: "+format, append([]any{o.Key()}, a...)...))
		}
	}
	check(slices.Contains(Personas(), o.Judge), "unknown judge %q", o.Judge)
	check(o.Score >= 1 && o.Score <= 5, "score %d is not in 1..5", o.Score)
	check(o.Exact >= One && o.Exact <= 5*One && o.Exact.Score() == o.Score, "exact score %s does not fit %d", o.Exact, o.Score)
	check(utf8.RuneCountInString(o.Argument) >= MinArgument, "the argument has under %d characters", MinArgument)
	check(blind || len(o.Cited) > 0, "no evidence is cited")
	for _, id := range o.Cited {
		_, ok := known[id]
		check(ok, "cited evidence %s does not exist", id)
	}
	return errors.Join(errs...)
}
