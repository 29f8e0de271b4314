package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmFeedback = probe.Probe{
	ID: "llm.feedback", Version: "1", Target: court.GithubRepo,
	Title:  "The next try is told what was wrong",
	Doc:    "Follows the error of the handler in a judge's retry to the prompt of the next call. Correcting parsers send the error by themselves. Half counts when the handler changes the prompt by a text of its own.",
	Remedy: "Append the validation error to the messages of the next try", Effort: 15, Recall: 9000,
	Run: ofJudges(feedback),
}

func feedback(b *bench) probe.Finding {
	var reminded code.Node
	for _, x := range b.retries() {
		if x.never != "" {
			continue
		}
		if x.how == "a parser that asks the model to correct its answer" || x.how == "the client's validation retries" {
			return probe.Present(court.AST, spots(x.at), "the error is sent along by %s", x.how)
		}
		if x.fn == nil {
			continue
		}
		if at := b.fedBack(x, true); at.Valid() {
			return probe.Present(court.AST, spots(at), "the error of a failed try goes into the next prompt")
		}
		if !reminded.Valid() {
			reminded = b.fedBack(x, false)
		}
	}
	if reminded.Valid() {
		return probe.Partly(half, court.AST, spots(reminded), "the next try is given another prompt after a failure, but not what was wrong")
	}
	return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "no try is told what was wrong with the one before it")
}

// fedBack returns the statement by which a handler's error, or else a text of
// the handler's own, comes into what the next call is given; zero when there is
// none. The error's name means nothing outside its handler.
func (b *bench) fedBack(x again, wantError bool) code.Node {
	sets := slices.DeleteFunc(slices.Clone(b.marks.assignments(x.fn)), func(s setting) bool { return !x.loop.Contains(s.node) })
	told := map[string]bool{}
	by := map[string]code.Node{} // what gave a name its text
	for h := range x.loop.WalkScope() {
		if !h.Is("except_clause") {
			continue
		}
		err := map[string]bool{alias(h): true}
		grow(sets, told, by, func(s setting) bool {
			return h.Contains(s.node) && (wantError && (uses(s.value, err) || uses(s.value, told)) || !wantError && wordy(s.value))
		})
		if at := b.given(h, err, by); wantError && at.Valid() {
			return at
		}
	}
	grow(sets, told, by, func(s setting) bool { return uses(s.value, told) })
	return b.given(x.loop, told, by)
}

// grow adds the names whose settings qualify until no more come.
func grow(sets []setting, told map[string]bool, by map[string]code.Node, qualifies func(setting) bool) {
	for range 3 {
		for _, s := range sets {
			if !told[s.name] && qualifies(s) {
				told[s.name], by[s.name] = true, s.node
			}
		}
	}
}

// given returns how one of the names comes into the arguments of a call that
// leads to a model: by its setting, or by the call itself.
func (b *bench) given(within code.Node, names map[string]bool, by map[string]code.Node) code.Node {
	for n := range within.Walk() {
		c := b.p.Call(n)
		if !n.Is("call") || c == nil || slices.Contains(silent, c.Name) || !b.models.steps(c) {
			continue
		}
		for x := range n.Field("arguments").Walk() {
			if x.Is("identifier") && names[x.Text()] && !(x.Parent().Is("keyword_argument") && x.FieldName() == "name") {
				if at := by[x.Text()]; at.Valid() {
					return at
				}
				return n
			}
		}
	}
	return code.Node{}
}

// wordy reports whether an expression holds a sentence.
func wordy(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("string", "concatenated_string") && len(strings.Fields(x.Text())) >= minPrompt {
			return true
		}
	}
	return false
}

// uses reports whether one of the names occurs in an expression.
func uses(n code.Node, names map[string]bool) bool {
	for x := range n.Walk() {
		if x.Is("identifier") && names[x.Text()] && !(x.Parent().Is("keyword_argument") && x.FieldName() == "name") {
			return true
		}
	}
	return false
}
