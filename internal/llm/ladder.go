package llm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Room for an answer, in tokens.
const (
	defaultTokens = 2048 // of a prompt that does not say
	mostTokens    = 8192 // what a cut answer is given at most
)

// maxEcho bounds what a model is shown of an answer that it has to mend, in
// bytes, and maxDefect what it is told about it, in characters.
const (
	maxEcho   = 16 << 10
	maxDefect = 600
)

// Ladder asks for a structured answer in the strongest way that a server knows.
// It is made by Run.Ladder, and safe for concurrent use.
type Ladder struct {
	model Model
	name  string // of the model
	modes []Mode
	rung  *rung
}

// Ask implements Asker. Each rung is tried with one repair, in which the model
// sees its answer and what was wrong with it. A rung is left when the server
// refuses it or both answers were useless, but only as long as none has worked:
// a first question takes 8 requests at most, any other 2. A cut answer is asked
// for once more, with twice the room, in place of the repair.
func (l *Ladder) Ask(ctx context.Context, p Prompt, check func(json.RawMessage) error) (Answered, error) {
	p.Model, p.MaxTokens = l.name, cmp.Or(max(p.MaxTokens, 0), defaultTokens)
	ctx, q := withQuestion(ctx)
	got, err := l.climb(ctx, p, check)
	if err != nil {
		got = Answered{} // what there was of an answer is none
	}
	q.settle(got, err)
	return got, err
}

func (l *Ladder) climb(ctx context.Context, p Prompt, check func(json.RawMessage) error) (Answered, error) {
	at, scout, err := l.rung.enter(ctx)
	if err != nil {
		return Answered{}, err
	}
	if !scout {
		got, _, err := l.try(ctx, p, l.modes[at], check)
		return got, err
	}
	defer l.rung.leave()
	asked := 0
	for {
		got, accepted, err := l.try(ctx, p, l.modes[at], check)
		asked += got.Asked
		got.Asked = asked
		switch {
		case err == nil && !got.Reply.Kept:
			l.rung.works(at)
			return got, nil
		case err == nil || got.Reply.Kept || !leaves(err): // what is kept is the end of a question, not of a rung
			return got, err
		}
		if at = l.rung.down(at, accepted); at < 0 {
			return got, err
		}
	}
}

// leaves tells whether a failure is the rung's fault: the server refused the
// request, or the model's answers were useless.
func leaves(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Kind == KindFormat || e.Status == 400 || e.Status == 422)
}

// try asks on one rung. It also tells whether the server accepted the request.
func (l *Ladder) try(ctx context.Context, p Prompt, m Mode, check func(json.RawMessage) error) (got Answered, accepted bool, err error) {
	p.Answer.Mode = m
	var wrong error
	for n := 1; n <= 2; n++ {
		reply, err := l.model.Complete(ctx, p)
		if !reply.Kept {
			got.Asked++
		}
		if got.Reply = reply; err != nil {
			if wrong = err; n == 1 && !reply.Kept && kindOf(err) == KindFormat {
				continue // a server that checks answers itself: there is nothing to show
			}
			return got, accepted, err
		}
		accepted = true
		switch {
		case reply.Stop == Refused:
			return got, true, &Error{Kind: KindRefused, What: "refused", Detail: safetext.Text(reply.Text, maxShown)}
		case reply.Stop == Truncated && (n == 2 || p.MaxTokens >= mostTokens):
			return got, true, &Error{Kind: KindPermanent, What: "cut off"}
		case reply.Stop == Truncated:
			p.MaxTokens = min(2*p.MaxTokens, mostTokens)
			continue
		}
		raw, bad := answer(reply, m)
		if wrong = bad; wrong == nil {
			if wrong = check(raw); wrong == nil {
				got.JSON = raw
				return got, true, nil
			}
		}
		p.Messages = append(slices.Clip(p.Messages), Message{Role: Assistant, Text: said(reply)}, Message{Role: User, Text: mend(wrong)})
	}
	what := "no answer left"
	if wrong != nil {
		what = wrong.Error()
	}
	return got, true, &Error{Kind: KindFormat, What: "no valid answer", Detail: safetext.Text(what, maxDefect)}
}

// said is what a model is shown of its own answer. It is never empty: servers
// refuse empty turns.
func said(r Reply) string {
	s := r.Text
	if s == "" {
		s = string(r.Args)
	}
	if len(s) > maxEcho {
		s = s[:maxEcho]
	}
	if s = string(bytes.ToValidUTF8([]byte(s), []byte("?"))); s == "" {
		s = "(no answer)"
	}
	return s
}

func mend(wrong error) string {
	return "That answer is not valid: " + safetext.Text(wrong.Error(), maxDefect) + ". Answer again, with one JSON object that fits the schema and nothing else."
}

// object is the first JSON object of a text; prose and fences are skipped. It
// looks at a few places where one may begin, so that a text of brackets costs
// no more than reading it a few times.
func object(text string) (json.RawMessage, error) {
	raw := []byte(text)
	for range 16 {
		i := bytes.IndexByte(raw, '{')
		if i < 0 {
			break
		}
		raw = raw[i:]
		var got json.RawMessage
		if json.NewDecoder(bytes.NewReader(raw)).Decode(&got) == nil {
			return got, nil
		}
		raw = raw[1:]
	}
	return nil, errors.New("no JSON object in the answer")
}

func trimmed(s string) json.RawMessage { return bytes.TrimSpace([]byte(s)) }
