package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// lookTokens is the room for a description: some hundred boxes and arrows.
const lookTokens = 4096

// drawnSchema has room for names and edges, and none for a sentence.
var drawnSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["class","nodes","edges"],"properties":{` +
	`"class":{"type":"string","enum":["flow","states","sequence","class","other"]},` +
	`"nodes":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["id","label","kind"],"properties":{` +
	`"id":{"type":"string"},"label":{"type":"string"},"kind":{"type":"string","enum":["box","decision","start","end","store","group","note"]}}}},` +
	`"edges":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["from","to"],"properties":{` +
	`"from":{"type":"string"},"to":{"type":"string"}}}}}}`)

// drawn is the answer.
type drawn struct {
	Class figure.GraphKind `json:"class"`
	Nodes []struct {
		ID    string   `json:"id"`
		Label string   `json:"label"`
		Kind  nodeKind `json:"kind"`
	} `json:"nodes"`
	Edges []struct {
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"edges"`
}

type nodeKind string

// group and note are not boxes that an arrow can lead to.
const (
	group nodeKind = "group"
	note  nodeKind = "note"
)

// Look asks the model which boxes and arrows a picture shows. The labels that
// are known of the figure are kept from it: they are what its answer is held
// against, and a model that had read them could name them without having seen
// the picture.
func (s *Assistant) Look(ctx context.Context, p figure.Picture) (figure.Drawn, error) {
	prompt := llm.Prompt{
		Model: s.Model, System: strings.TrimSpace(lookerPrompt) + "\n",
		Messages:  []llm.Message{{Role: llm.User, Text: "The picture:", Images: []llm.Image{{MIME: "image/png", Data: p.PNG}}}},
		Answer:    llm.Answer{Name: "figure", Doc: "The boxes and arrows of one figure.", Schema: drawnSchema},
		MaxTokens: lookTokens, CacheKey: "looker", For: fmt.Sprintf("VisionInspector page %d", p.Page),
	}
	answered, err := s.Asker.Ask(ctx, prompt, func(raw json.RawMessage) error {
		_, err := readDrawn(raw)
		return err
	})
	if err != nil {
		return figure.Drawn{}, fmt.Errorf("describing the picture on page %d: %w", p.Page, unanswered{err})
	}
	return readDrawn(answered.JSON)
}

// readDrawn makes names and edges of an answer. Whether they stand in the
// figure is for figure.Confirm to say.
func readDrawn(raw []byte) (figure.Drawn, error) {
	var d drawn
	if err := llm.Decode(raw, &d); err != nil {
		return figure.Drawn{}, err
	}
	if err := oneOf("class", d.Class, []figure.GraphKind{figure.Flow, figure.States, figure.Sequence, figure.Class, figure.Other}); err != nil {
		return figure.Drawn{}, err
	}
	out := figure.Drawn{Class: d.Class}
	for _, n := range d.Nodes {
		if err := oneOf("kind", n.Kind, []nodeKind{"box", "decision", "start", "end", "store", group, note}); err != nil {
			return figure.Drawn{}, err
		}
		if n.Kind != group && n.Kind != note {
			out.Nodes = append(out.Nodes, figure.Node{ID: n.ID, Label: n.Label})
		}
	}
	for _, e := range d.Edges {
		out.Edges = append(out.Edges, figure.Edge{From: e.From, To: e.To})
	}
	return out, nil
}
