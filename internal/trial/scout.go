package trial

import (
	_ "embed"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/plain"
)

// Scout is a model that helps the detectives: it looks at figures and
// investigates. What it says is a claim until the bytes, or the labels in a
// figure, confirm it; it never judges.
type Scout struct {
	Model string // as the provider names it
	Asker llm.Asker
	Names *plain.Aliases // people who are not named to a model; nil: nobody to hide
}

var (
	//go:embed prompts/looker.md
	lookerPrompt string
	//go:embed prompts/inquirer.md
	inquirerPrompt string
)

// composition is the version of how a turn of an investigation is laid out.
const composition = "1"

// scoutPrompts identifies all that a scout is asked with besides the case: the
// texts and the schemas of its answers. Lower-case hex.
func scoutPrompts() string {
	return court.Digest([]string{lookerPrompt, string(drawnSchema), inquirerPrompt, moveSchema, composition})
}

// decodeAnswer reads a model's answer without any mercy: names by their case,
// none twice, none unknown.
func decodeAnswer(raw []byte, into any) error {
	if err := json.Unmarshal(raw, into, json.RejectUnknownMembers(true)); err != nil {
		return errors.New("the answer does not fit the schema: " + court.Clean(err.Error(), 300))
	}
	return nil
}

// oneOf says what is wrong with a word that has to be one of a few.
func oneOf[T ~string](what string, word T, allowed []T) error {
	for _, a := range allowed {
		if word == a {
			return nil
		}
	}
	return fmt.Errorf("%s is %q; it must be one of %q", what, court.Clean(string(word), 40), allowed)
}
