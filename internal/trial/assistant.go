package trial

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// Assistant is a model that helps the detectives: it looks at figures and
// investigates. What it says is a claim until the bytes, or the labels in a
// figure, confirm it; it never judges.
type Assistant struct {
	Model string // as the provider names it
	Asker llm.Asker
}

var (
	//go:embed prompts/looker.md
	lookerPrompt string
	//go:embed prompts/inquirer.md
	inquirerPrompt string
)

// composition is the version of how a turn of an investigation is laid out.
const composition = "1"

// assistantPrompts identifies all that an assistant is asked with besides the case: the
// texts, the schemas of its answers, and how a turn is laid out. Lower-case hex.
func assistantPrompts() string {
	return court.Digest([]string{lookerPrompt, string(drawnSchema), inquirerPrompt, moveSchema, composition})
}

// unanswered is why a question has no answer, in words fit for a record.
type unanswered struct{ err error }

func (u unanswered) Error() string { return llm.Why(u.err) }
func (u unanswered) Unwrap() error { return u.err }

// oneOf says what is wrong with a word that has to be one of a few.
func oneOf[T ~string](what string, word T, allowed []T) error {
	if slices.Contains(allowed, word) {
		return nil
	}
	return fmt.Errorf("%s is %q; it must be one of %q", what, court.Clean(string(word), 40), allowed)
}
