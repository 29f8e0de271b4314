package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// Limits of an answer: its claims, and the characters of what is kept of a
// remedy and of the quote of a claim that fell.
const (
	maxClaims = 24
	maxRemedy = 300
	maxStruck = 300
)

// answer is what a model writes. Members are pointers, so that none can be
// left out.
type answer struct {
	Judge     *string        `json:"judge"`
	Criterion *string        `json:"criterion_id"`
	Claims    *[]assertion   `json:"claims"`
	Score     jsontext.Value `json:"score"`
	Remedy    *string        `json:"remedy"`
}

// assertion is one claim as a model writes it.
type assertion struct {
	ID     *string `json:"evidence_id"`
	Quote  *string `json:"quote"`
	Stance *string `json:"stance"`
	Text   *string `json:"text"`
}

// read makes an opinion of an answer, or says what is wrong with it, the gravest
// first. The words are shown to the model for its one repair: they tell faults
// and nothing that a judge must not know.
func (c *Counsel) read(v vantage, l laid, raw json.RawMessage) (court.Opinion, error) {
	var a answer
	if err := llm.Decode(raw, &a); err != nil {
		return court.Opinion{}, err
	}
	score, err := a.check(c.Seat, v.brief.Criterion.ID)
	if err != nil {
		return court.Opinion{}, err
	}
	o := court.Opinion{Judge: c.Seat, Criterion: v.brief.Criterion.ID, Round: v.brief.Round, Score: score, Exact: court.Fixed(score) * court.One,
		Source: c.Source, Citations: []court.Citation{}, Remedy: remedy(v.names.Restore(*a.Remedy))}
	var fell []string
	for i, said := range *a.Claims {
		cite := v.hear(l, said)
		if cite.Why == "" {
			o.Citations = append(o.Citations, cite)
			continue
		}
		o.Struck = append(o.Struck, cite)
		fell = append(fell, fmt.Sprintf("claim %d on %s is struck out: %s", i+1, cite.ID, cite.Why))
	}
	o.Cited = cited(o.Citations)
	o.Argument = argument(v.brief, o.Citations)
	why := ""
	switch n := utf8.RuneCountInString(o.Argument); {
	case len(o.Citations) == 0:
		why = "no claim stands"
	case n < court.MinArgument:
		why = fmt.Sprintf("what is said in the claims that stand is too short: %d characters of at least %d", n, court.MinArgument)
	case torn(o.Score, o.Citations):
		why = fmt.Sprintf("the score of %d contradicts the claims that stand, which are all on the other side", o.Score)
	default:
		return o, nil
	}
	return court.Opinion{}, errors.New(strings.Join(append([]string{why}, fell...), "; "))
}

// check holds an answer against the rest of its schema and gives its score.
func (a answer) check(j court.Persona, criterion string) (score int, err error) {
	var faults []string
	want := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	want(a.Judge != nil && *a.Judge == string(j), "judge must be %q", j)
	want(a.Criterion != nil && *a.Criterion == criterion, "criterion_id must be %q", court.Clean(criterion, checkLimit))
	want(a.Remedy != nil, "remedy is missing; it may be empty")
	score, ok := whole(a.Score)
	want(ok, "score must be a whole number from 1 to 5")
	want(a.Claims != nil, "claims are missing")
	if a.Claims != nil {
		want(len(*a.Claims) <= maxClaims, "there are %d claims, over %d", len(*a.Claims), maxClaims)
		for i, c := range *a.Claims {
			want(c.ID != nil && c.Quote != nil && c.Stance != nil && c.Text != nil, "claim %d needs evidence_id, quote, stance and text", i+1)
			want(c.Stance == nil || slices.Contains([]string{For, Against, Open}, *c.Stance), "the stance of claim %d must be for, against or open", i+1)
			if len(faults) > maxClaims {
				break
			}
		}
	}
	if len(faults) > 0 {
		return 0, errors.New(strings.Join(faults, "; "))
	}
	return score, nil
}

// whole reads a JSON number with an integer value from 1 to 5. Nothing is
// rounded, rescaled or taken out of a string.
func whole(v jsontext.Value) (int, bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	mantissa := strings.FieldsFunc(string(v), func(r rune) bool { return r == 'e' || r == 'E' })[0]
	digit := strings.Trim(strings.ReplaceAll(mantissa, ".", ""), "0") // such a number has one digit that is not 0
	f, err := court.ParseFixed(string(v))
	if err != nil || len(digit) != 1 || f != court.Fixed(digit[0]-'0')*court.One || f > 5*court.One {
		return 0, false
	}
	return int(f / court.One), true
}

// hear tests one claim against what lay before the model. One that does not
// stand comes back with the reason and carries nothing.
func (v vantage) hear(l laid, said assertion) court.Citation {
	c := court.Citation{ID: court.Clean(*said.ID, 60), Stance: *said.Stance, Text: court.Clean(collapse(v.names.Restore(*said.Text)), 0)}
	s, known := l.sheets[*said.ID]
	quote, stands := "", false
	if known {
		c.Check = s.Check
		quote, stands = v.quote(s, *said.Quote)
	}
	n := utf8.RuneCountInString(c.Text)
	switch {
	case !known:
		c.Why = "no exhibit of this brief has that id"
	case !stands:
		c.Why = "the quote is not in the text that was shown"
	case !sided(s.Outcome, c.Stance):
		c.Why = fmt.Sprintf("evidence that says %s cannot speak %q", s.Outcome, c.Stance)
	case n < minClaim || n > maxClaim:
		c.Why = fmt.Sprintf("its text has %d characters, not %d to %d", n, minClaim, maxClaim)
	default:
		c.Quote, c.Verified = quote, true
		return c
	}
	c.Quote, c.Text = court.Clean(collapse(*said.Quote), maxStruck), court.Clean(c.Text, maxClaim)
	return c
}

// quote is a model's quote as it stands in the evidence itself. It must stand
// in what was shown, and it must not cross what was taken out for showing: then
// it can be found again in the record.
func (v vantage) quote(s sheet, said string) (string, bool) {
	text, q := collapse(s.quotable()), collapse(said)
	if !strings.Contains(text, q) || utf8.RuneCountInString(q) < minQuote && q != text {
		return "", false
	}
	for _, original := range []string{v.names.Restore(q), q} {
		if Quoted(s.Evidence, original) {
			return collapse(original), true
		}
	}
	return "", false
}

// torn tells whether a score contradicts the claims that it rests on: high with
// charges only, low with praise only.
func torn(score int, claims []court.Citation) bool {
	only := func(stance string) bool {
		return len(claims) > 0 && !slices.ContainsFunc(claims, func(c court.Citation) bool { return c.Stance != stance })
	}
	return score >= 4 && only(Against) || score <= 2 && only(For)
}

// remedy is the first sentence of what a judge would have done.
func remedy(said string) string {
	said = collapse(said)
	for i, r := range said {
		if !strings.ContainsRune(".!?", r) || !strings.HasPrefix(said[i+1:], " ") {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(said[i+2:]); unicode.IsUpper(next) {
			return court.Clean(said[:i+1], maxRemedy)
		}
	}
	return court.Clean(said, maxRemedy)
}
