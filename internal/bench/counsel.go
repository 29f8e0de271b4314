package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// maxAnswer is the room for an answer, in tokens. Models that think before they
// write spend it on that, too.
const maxAnswer = 4096

// swayed is by how many points prose may move a judge before he is heard
// without it.
const swayed = 1

// Counsel is a model in a judge's seat. It sees the brief in words and nothing
// else, and it says no more than claims and a score: which claims stand is
// checked here, and the argument is composed from those that do.
type Counsel struct {
	Seat   court.Persona
	Source string // PROVIDER/MODEL: how its opinions are signed
	Model  string // as the provider names it
	Asker  llm.Asker
	Case   string            // digest of the case: the marker of the fences is made of it
	Names  *safetext.Aliases // people who are not named to a model; nil: nobody to hide
}

// Opine asks the model for its opinion on a brief. An error means that the seat
// is lost, and wraps what the model's server did. On a criterion without checks
// or evidence no model is asked: there is nothing that it could rest on, and the
// embedded judge speaks.
func (c *Counsel) Opine(ctx context.Context, b Brief) (court.Opinion, error) {
	if b.Blind() || len(b.Exhibits) == 0 {
		return Embedded(c.Seat).Opine(ctx, b)
	}
	o, err := c.opine(ctx, b)
	if err != nil {
		return court.Opinion{}, fmt.Errorf("hearing %s on %s: %w", c.Seat, court.Clean(b.Criterion.ID, checkLimit), err)
	}
	return o, nil
}

func (c *Counsel) opine(ctx context.Context, b Brief) (court.Opinion, error) {
	if philosophy(c.Seat) == "" {
		return court.Opinion{}, errors.New("no such seat")
	}
	full, err := c.median(ctx, b, false)
	if err != nil || b.Bared == nil {
		return full, err
	}
	bare, err := c.median(ctx, b, true)
	if err != nil { // an opinion that should be tested and was not does not count
		return court.Opinion{}, fmt.Errorf("hearing it without prose: %w", err)
	}
	if full.Score-bare.Score > swayed || bare.Score-full.Score > swayed {
		bare.WithProse = full.Score
		return bare, nil
	}
	return full, nil
}

// median asks for as many answers as the brief wants, one after another: seats
// and criteria already run side by side. An answer that fails is missing. The
// score is the median of the others, of an even number the lower one in the
// middle; the claims are those of the first answer with that score.
func (c *Counsel) median(ctx context.Context, b Brief, bare bool) (court.Opinion, error) {
	n := max(b.Samples, 1)
	var got []court.Opinion
	if c.gave(b, bare) {
		if len(b.Given.Samples) >= n { // it is a median already
			return *b.Given, nil
		}
		got = append(got, *b.Given)
	}
	var failed error
	for i := len(got); i < n; i++ {
		o, err := c.ask(ctx, b, i, bare)
		switch {
		case ctx.Err() != nil:
			return court.Opinion{}, ctx.Err()
		case err == nil:
			got = append(got, o)
		case failed == nil:
			failed = err
		}
		if len(got) == 0 && i == 1 && final(err) {
			break // who has refused it twice refuses it again
		}
	}
	if len(got) == 0 {
		return court.Opinion{}, failed
	}
	scores := make([]int, len(got))
	for i, o := range got {
		scores[i] = o.Score
	}
	middle := slices.Sorted(slices.Values(scores))[(len(scores)-1)/2]
	o := got[slices.Index(scores, middle)]
	if len(scores) > 1 {
		o.Samples = scores
		others := len(slices.DeleteFunc(slices.Clone(scores), func(s int) bool { return s == middle }))
		o.FlipRate = court.Fixed(court.Div(int64(others)*int64(court.One), int64(len(scores))))
	}
	return o, nil
}

// final tells a failure that the same question will meet again.
func final(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && (e.Kind == llm.KindRefused || e.Kind == llm.KindPermanent)
}

// gave tells whether the brief holds an answer that this seat gave to it, with
// or without prose.
func (c *Counsel) gave(b Brief, bare bool) bool {
	g := b.Given
	return g != nil && bare == (g.WithProse > 0) && g.Judge == c.Seat && g.Source == c.Source && g.Substituted == "" && Admit(b, *g) == nil
}

// ask gets one answer and makes an opinion of it.
func (c *Counsel) ask(ctx context.Context, b Brief, sample int, bare bool) (court.Opinion, error) {
	v := c.vantage(b, bare)
	l := v.lay(sample)
	p := c.prompt(b, l, sample)
	if bare {
		p.For += " bare"
	}
	got, err := c.Asker.Ask(ctx, p, func(raw json.RawMessage) error {
		_, err := c.read(v, l, raw)
		return err
	})
	if err != nil {
		return court.Opinion{}, err
	}
	return c.read(v, l, got.JSON)
}

// Prompt is what the seat is asked about a brief, for the sample of that number.
func (c *Counsel) Prompt(b Brief, sample int) llm.Prompt {
	return c.prompt(b, c.vantage(b, false).lay(sample), sample)
}

func (c *Counsel) prompt(b Brief, l laid, sample int) llm.Prompt {
	return llm.Prompt{
		Model:     c.Model,
		System:    system(c.Seat),
		Messages:  []llm.Message{{Role: llm.User, Text: l.text}},
		Answer:    llm.Answer{Name: "opinion", Doc: "The opinion of one judge on one criterion.", Schema: schema(c.Seat, b.Criterion.ID)},
		MaxTokens: maxAnswer,
		CacheKey:  fmt.Sprintf("%s-%s", c.Seat, Prompts()[:12]),
		Sample:    sample,
		For:       fmt.Sprintf("%s %s %d", c.Seat, court.Clean(b.Criterion.ID, checkLimit), b.Round),
	}
}
