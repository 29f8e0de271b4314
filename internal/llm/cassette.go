package llm

import (
	"context"
	"encoding/json"
	"errors"
)

// errMiss says that a cassette has no answer to a prompt. It stops a replay:
// an answer that is not on it is not to be had.
var errMiss = errors.New("not on the cassette")

// CassetteMode says what a cassette is for.
type CassetteMode string

// The modes of a cassette. Replay never touches the network.
const (
	Replay CassetteMode = "replay"
	Record CassetteMode = "record"
	Extend CassetteMode = "extend" // what is on it is played, what is not is asked and recorded
)

// track is one question on a cassette.
type track struct {
	Key    string  `json:"key"`
	For    string  `json:"for,omitempty"`
	Prompt asked   `json:"prompt"`
	Reply  *kept   `json:"reply,omitempty"`
	Lost   *lesson `json:"lost,omitempty"`
}

// lesson is why a question has no answer.
type lesson struct {
	Kind   Kind   `json:"kind"`
	What   string `json:"what"`
	Detail string `json:"detail,omitempty"`
	Status int    `json:"status,omitempty"`
}

// cassette is the layer that plays and records.
type cassette struct {
	next     Model // nil in a replay
	tape     *tape
	provider string
}

func (c *cassette) Complete(ctx context.Context, p Prompt) (Reply, error) {
	a := askedOf(c.provider, p)
	key, err := a.key()
	if err != nil {
		return Reply{}, err
	}
	played := false
	begins, part := first(ctx, c, func(o outcome) {
		if c.tape.mode != Replay && !(played && o.answered.Reply.Kept) && ctx.Err() == nil {
			c.tape.add(track{Key: key, For: p.For, Prompt: a}.with(o))
		}
	})
	if t, ok := c.tape.find(key); ok && (begins || !part) {
		played = true
		return t.play()
	}
	if c.tape.mode == Replay {
		return Reply{}, c.tape.miss(p.For, a)
	}
	reply, err := c.next.Complete(ctx, p)
	if !part && ctx.Err() == nil { // asked without a ladder: what came is what there is
		got := Answered{JSON: json.RawMessage(reply.Text), Reply: reply}
		if len(reply.Args) > 0 {
			got.JSON = reply.Args
		}
		if json.Valid(got.JSON) || err != nil {
			c.tape.add(track{Key: key, For: p.For, Prompt: a}.with(outcome{got, err}))
		}
	}
	return reply, err
}

func (t track) with(o outcome) track {
	if o.err == nil {
		k := keptOf(o.answered)
		t.Reply = &k
		return t
	}
	t.Lost = &lesson{Kind: kindOf(o.err), What: Why(o.err)}
	if e, ok := errors.AsType[*Error](o.err); ok {
		t.Lost = &lesson{Kind: e.Kind, What: e.What, Detail: e.Detail, Status: e.Status}
	}
	return t
}

func (t track) play() (Reply, error) {
	if t.Reply != nil {
		return t.Reply.reply(), nil
	}
	return Reply{Kept: true}, &Error{Kind: t.Lost.Kind, What: t.Lost.What, Detail: t.Lost.Detail, Status: t.Lost.Status}
}
