package llm

import (
	"context"
	"encoding/json"
)

// Model answers a prompt: an adapter to a server, or a layer around one. It is
// safe for concurrent use.
type Model interface {
	Complete(ctx context.Context, p Prompt) (Reply, error)
}

// Asker asks for one structured answer until check accepts it: a *Ladder. The
// error of check is shown to the model, so it says what to mend and holds
// nothing that the model must not know.
type Asker interface {
	Ask(ctx context.Context, p Prompt, check func(json.RawMessage) error) (Answered, error)
}

// Prompt is one question. Everything in it decides the answer, and so belongs to
// the key under which an answer is kept, but for For and Answer.Mode.
type Prompt struct {
	Model       string
	System      string
	Messages    []Message
	Answer      Answer
	MaxTokens   int      // of the answer
	Temperature *float64 // sent only when set: newer models refuse it
	CacheKey    string   // names the part that many prompts share, for the server's own cache
	Sample      int      // 0, 1, …: which of several answers to one question
	For         string   // who asks for what, e.g. "Defense graph_orchestration 1"; for people
}

// Message is one turn.
type Message struct {
	Role   Role
	Text   string
	Images []Image
}

// Role says whose turn it is.
type Role string

// The roles of a conversation. The system's text stands in Prompt.System.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Image is a picture that a model is shown.
type Image struct {
	MIME string // image/png, image/jpeg
	Data []byte
}

// Answer says what an answer must look like, and how it is asked for.
type Answer struct {
	Name   string          // of the schema: letters, digits and _
	Doc    string          // what the answer is, in a sentence
	Schema json.RawMessage // every property required, no others; enums instead of ranges; no lengths
	Mode   Mode            // chosen by the Ladder
}

// Mode is how a structured answer is asked for, strongest first.
type Mode int

// The rungs of the ladder.
const (
	Schema Mode = iota // the server holds the answer to the schema
	Tool               // one forced tool whose arguments are the answer
	Object             // the server promises a JSON object; the schema stands in the system's text
	Text               // the schema stands in the system's text; the first JSON object counts
)

// String is the rung's name in traces.
func (m Mode) String() string {
	switch m {
	case Schema:
		return "schema"
	case Tool:
		return "tool"
	case Object:
		return "object"
	default:
		return "text"
	}
}

// Reply is what a model answered.
type Reply struct {
	Text  string
	Args  json.RawMessage // the forced tool's arguments
	Stop  Stop
	Usage Usage
	Model string // as the server names it
	Kept  bool   // it came from a cassette or a cache: nothing was asked or paid
}

// Usage counts tokens. Cached is the part of In that the server had kept, and
// Written the part that it began to keep: both have prices of their own.
type Usage struct {
	In      int `json:"in"`
	Cached  int `json:"cached,omitempty"`
	Written int `json:"written,omitempty"`
	Out     int `json:"out"`
}

// Stop is why a model stopped, in one vocabulary for all providers.
type Stop string

// The ways an answer ends.
const (
	Done      Stop = "done"
	Truncated Stop = "truncated"
	Refused   Stop = "refused"
)

// Answered is an answer that was accepted.
type Answered struct {
	JSON  json.RawMessage
	Reply Reply
	Asked int // requests that it took, with repairs and lower rungs; 0: it was kept
}
