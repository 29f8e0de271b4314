package bench

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What models are told besides the brief. The common part holds the frame, the
// others one philosophy each and as few words as can be of one another.
var (
	//go:embed prompts/common.md
	commonPrompt string
	//go:embed prompts/prosecutor.md
	prosecutorPrompt string
	//go:embed prompts/defense.md
	defensePrompt string
	//go:embed prompts/techlead.md
	techLeadPrompt string
)

// composition is the version of how a brief is put into words. Another way to
// lay it out, to order it or to cut it is another version.
const composition = 1

// answerSchema is what an answer must look like. The claims stand before the
// score, so that a model that writes in this order scores what it has found.
const answerSchema = `{"type":"object","additionalProperties":false,"required":["judge","criterion_id","claims","score","remedy"],"properties":{` +
	`"judge":{"type":"string","enum":[%s]},` +
	`"criterion_id":{"type":"string","enum":[%s]},` +
	`"claims":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["evidence_id","quote","stance","text"],"properties":{` +
	`"evidence_id":{"type":"string"},"quote":{"type":"string"},"stance":{"type":"string","enum":["for","against","open"]},"text":{"type":"string"}}}},` +
	`"score":{"type":"integer","enum":[1,2,3,4,5]},` +
	`"remedy":{"type":"string"}}}`

// Prompts identifies everything that a model in a judge's seat is asked with
// besides the brief: the texts, the schema of the answer, and how a brief is
// laid out. Lower-case hex.
func Prompts() string {
	texts := []string{commonPrompt}
	for _, j := range court.Personas() {
		texts = append(texts, philosophy(j))
	}
	return court.Digest(struct {
		Texts       []string `json:"texts"`
		Schema      string   `json:"schema"`
		Composition int      `json:"composition"`
		Content     int      `json:"content"`
		Tokens      int      `json:"tokens"`
	}{texts, answerSchema, composition, maxContent, maxAnswer})
}

// philosophy is a persona's own text.
func philosophy(j court.Persona) string {
	switch j {
	case court.Prosecutor:
		return prosecutorPrompt
	case court.Defense:
		return defensePrompt
	case court.TechLead:
		return techLeadPrompt
	default:
		return ""
	}
}

// system is the text that stands before every brief of a seat. It is the same
// in every case, so that servers may keep it.
func system(j court.Persona) string {
	return strings.TrimSpace(commonPrompt) + "\n\n" + strings.TrimSpace(philosophy(j)) + "\n"
}

// schema is the answer's schema for one seat and criterion.
func schema(j court.Persona, criterion string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(answerSchema, quoted(string(j)), quoted(criterion)))
}

// quoted is a string as JSON.
func quoted(s string) []byte {
	raw, err := json.Marshal(s)
	if err != nil { // a string always can be encoded
		return []byte(`""`)
	}
	return raw
}
