package bench

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// maxRubric is about what a criterion's own words take in a brief, in
// characters: instruction, patterns, guidance, anchors and checks.
const maxRubric = 6_000

// LargestPrompt is about as large as what a seat is asked can be, for the
// forecast of what an audit costs at worst.
func LargestPrompt() llm.Prompt {
	longest := ""
	for _, j := range court.Personas() {
		if s := system(j); len(s) > len(longest) {
			longest = s
		}
	}
	return llm.Prompt{System: longest, Messages: []llm.Message{{Role: llm.User, Text: strings.Repeat(" ", maxContent+maxRubric)}},
		Answer: llm.Answer{Name: "opinion", Schema: schema(court.Prosecutor, "criterion")}, MaxTokens: maxAnswer}
}
