package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// asked is a prompt as it is kept: all that decides the answer, but for the way
// it is asked for, which depends on what the server knows. Pictures stand as
// digests.
type asked struct {
	Provider    string          `json:"provider"`
	Model       string          `json:"model"`
	System      string          `json:"system,omitempty"`
	Messages    []askedMessage  `json:"messages"`
	Name        string          `json:"name"`
	Doc         string          `json:"doc,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	MaxTokens   int             `json:"max_tokens"`
	Temperature *float64        `json:"temperature,omitempty"`
	CacheKey    string          `json:"cache_key,omitempty"`
	Sample      int             `json:"sample,omitempty"`
}

type askedMessage struct {
	Role   Role     `json:"role"`
	Text   string   `json:"text"`
	Images []string `json:"images,omitempty"`
}

func askedOf(provider string, p Prompt) asked {
	a := asked{
		Provider: provider, Model: p.Model, System: p.System,
		Name: p.Answer.Name, Doc: p.Answer.Doc, Schema: plainJSON(p.Answer.Schema),
		MaxTokens: p.MaxTokens, Temperature: p.Temperature, CacheKey: p.CacheKey, Sample: p.Sample,
	}
	for _, m := range p.Messages {
		k := askedMessage{Role: m.Role, Text: m.Text}
		for _, i := range m.Images {
			k.Images = append(k.Images, fmt.Sprintf("%s sha256:%x", i.MIME, sha256.Sum256(i.Data)))
		}
		a.Messages = append(a.Messages, k)
	}
	return a
}

// plainJSON is a schema as it is written down: two that differ in blanks are one.
func plainJSON(raw json.RawMessage) json.RawMessage {
	if text, err := json.Marshal(raw); err == nil && len(raw) > 0 {
		return text
	}
	return raw
}

// key is the digest under which an answer is kept. It knows neither endpoint
// nor key.
func (a asked) key() (string, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return "", fmt.Errorf("writing the prompt down: %w", err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// Instruction is the system's text as it is sent: where the server does not
// hold the answer to the schema, the schema stands in it.
func (p Prompt) Instruction() string {
	if p.Answer.Mode < Object || len(p.Answer.Schema) == 0 {
		return p.System
	}
	return p.System + "\n\nAnswer with one JSON object and nothing else. It must match this JSON schema:\n" + string(p.Answer.Schema)
}
