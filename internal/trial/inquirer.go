package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// inquiryTokens is the room for one answer: a dozen calls, a dozen items.
const inquiryTokens = 4096

// The words that an answer is made of.
var (
	inquiryTools   = []string{"list", "read", "grep", "symbols", "calls", "commits", "commit", "doc_search", "doc_page", "facts"}
	inquiryParts   = []string{"any", "code", "string", "comment"}
	inquiryStances = []string{"support", "contrary"}
)

// moveSchema has a place for the ids of the open checks.
const moveSchema = `{"type":"object","additionalProperties":false,"required":["calls","items","done"],"properties":{` +
	`"calls":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["tool","query","path","where","from","to"],"properties":{` +
	`"tool":{"type":"string","enum":%s},"query":{"type":"string"},"path":{"type":"string"},"where":{"type":"string","enum":%s},"from":{"type":"integer"},"to":{"type":"integer"}}}},` +
	`"items":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["check","stance","statement","path","from","to","page","quote"],"properties":{` +
	`"check":{"type":"string","enum":%s},"stance":{"type":"string","enum":%s},"statement":{"type":"string"},"path":{"type":"string"},` +
	`"from":{"type":"integer"},"to":{"type":"integer"},"page":{"type":"integer"},"quote":{"type":"string"}}}},` +
	`"done":{"type":"boolean"}}}`

// move is the answer.
type move struct {
	Calls []struct {
		Tool  string `json:"tool"`
		Query string `json:"query"`
		Path  string `json:"path"`
		Where string `json:"where"`
		From  int    `json:"from"`
		To    int    `json:"to"`
	} `json:"calls"`
	Items []struct {
		Check     string `json:"check"`
		Stance    string `json:"stance"`
		Statement string `json:"statement"`
		Path      string `json:"path"`
		From      int    `json:"from"`
		To        int    `json:"to"`
		Page      int    `json:"page"`
		Quote     string `json:"quote"`
	} `json:"items"`
	Done bool `json:"done"`
}

// Inquire asks the model for its next move. Each turn is one question that
// holds all that was seen, so that the same turn is the same bytes.
func (s *Assistant) Inquire(ctx context.Context, q probe.Inquiry) (probe.Move, error) {
	ids := make([]string, len(q.Open))
	for i, c := range q.Open {
		ids[i] = c.ID
	}
	prompt := llm.Prompt{
		Model: s.Model, System: strings.TrimSpace(inquirerPrompt) + "\n",
		Messages:  []llm.Message{{Role: llm.User, Text: turn(q)}},
		Answer:    llm.Answer{Name: "move", Doc: "The next calls of an investigation, and what it found.", Schema: schemaOfMove(ids)},
		MaxTokens: inquiryTokens, CacheKey: "inquirer", For: fmt.Sprintf("%s %s after %d calls", q.Detective, court.Clean(q.Criterion.ID, 100), len(q.Seen)),
	}
	answered, err := s.Asker.Ask(ctx, prompt, func(raw json.RawMessage) error {
		_, err := readMove(raw, ids)
		return err
	})
	if err != nil {
		return probe.Move{}, unanswered{err}
	}
	return readMove(answered.JSON, ids)
}

// schemaOfMove is the schema of an answer on these checks.
func schemaOfMove(ids []string) json.RawMessage {
	lists := make([]any, 0, 4)
	for _, words := range [][]string{inquiryTools, inquiryParts, ids, inquiryStances} {
		raw, err := json.Marshal(words)
		if err != nil { // strings always can be encoded
			raw = []byte("[]")
		}
		lists = append(lists, raw)
	}
	return json.RawMessage(fmt.Sprintf(moveSchema, lists...))
}

// readMove makes a move of an answer. Whether its statements are true is for
// the bytes to say.
func readMove(raw []byte, ids []string) (probe.Move, error) {
	var m move
	if err := llm.Decode(raw, &m); err != nil {
		return probe.Move{}, err
	}
	out := probe.Move{Done: m.Done}
	for _, c := range m.Calls {
		if err := oneOf("tool", c.Tool, inquiryTools); err != nil {
			return probe.Move{}, err
		}
		if err := oneOf("where", c.Where, inquiryParts); err != nil {
			return probe.Move{}, err
		}
		out.Calls = append(out.Calls, probe.Call(c))
	}
	for _, it := range m.Items {
		if err := oneOf("check", it.Check, ids); err != nil {
			return probe.Move{}, err
		}
		if err := oneOf("stance", it.Stance, inquiryStances); err != nil {
			return probe.Move{}, err
		}
		out.Items = append(out.Items, probe.Item(it))
	}
	return out, nil
}

// turn puts an inquiry into words. All that is not ours stands between fences.
func turn(q probe.Inquiry) string {
	f := newFence(q.Case, "inquirer")
	var b strings.Builder
	fmt.Fprintf(&b, "The marker is %s.\n\n", f.Marker)
	block := func(name, text string) { b.WriteString(f.Block(name, f.Clean(text))) }
	var standard strings.Builder
	for _, part := range []struct{ name, text string }{
		{"Criterion", q.Criterion.Name}, {"Instruction", q.Criterion.Instruction}, {"Success", q.Criterion.Success}, {"Failure", q.Criterion.Failure},
	} {
		if part.text != "" {
			fmt.Fprintf(&standard, "%s: %s\n", part.name, part.text)
		}
	}
	block("standard", standard.String())
	var checks strings.Builder
	for _, c := range q.Open {
		fmt.Fprintf(&checks, "%s: %s\n", c.ID, c.Text)
	}
	block("checks", checks.String())
	for i, seen := range q.Seen {
		call, err := json.Marshal(seen.Call)
		if err != nil { // plain data always can be encoded
			call = nil
		}
		block(fmt.Sprintf("call %d", i+1), string(call))
		block(fmt.Sprintf("answer %d", i+1), seen.Text)
	}
	switch {
	case q.Calls > 0:
		fmt.Fprintf(&b, "\nCalls left: %d.\n", q.Calls)
	default:
		b.WriteString("\nNo calls are left: say what you found.\n")
	}
	return b.String()
}

// newFence is the fence of one use in a case.
func newFence(digest, use string) safetext.Fence {
	return safetext.NewFence(court.Digest([]string{"fence", digest, use})[:16])
}
