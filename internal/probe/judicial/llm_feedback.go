package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmFeedback = probe.Probe{
	ID: "llm.feedback", Version: "1", Target: court.GithubRepo,
	Title:  "The next try is told what was wrong",
	Doc:    "Follows the error of the handler in a judge's retry to the prompt of the next call. Correcting parsers send the error by themselves.",
	Remedy: "Append the validation error to the messages of the next try", Effort: 15, Recall: 9000,
	Run: ofJudges(feedback),
}

func feedback(b *bench) probe.Finding {
	for _, x := range b.retries() {
		if x.never != "" {
			continue
		}
		if x.how == "a parser that asks the model to correct its answer" || x.how == "the client's validation retries" {
			return probe.Present(court.AST, spots(x.at), "the error is sent along by %s", x.how)
		}
		if x.fn != nil {
			if at := b.fedBack(x); at.Valid() {
				return probe.Present(court.AST, spots(at), "the error of a failed try goes into the next prompt")
			}
		}
	}
	return probe.Missing(b.coverage(), court.AST, "no try is told what was wrong with the one before it")
}

// fedBack returns the statement by which a handler's error comes into what the
// next call is given; zero when there is none.
func (b *bench) fedBack(x again) code.Node {
	errs := map[string]bool{}
	var into code.Node
	for n := range x.loop.WalkScope() {
		if n.Is("except_clause") {
			if v := n.Field("value"); v.Is("as_pattern") {
				errs[v.Field("alias").Text()] = true
			}
			if alias := n.Field("alias"); alias.Valid() {
				errs[alias.Text()] = true
			}
		}
	}
	sets := b.marks.assignments(x.fn)
	for range 3 {
		for _, s := range sets {
			if uses(s.value, errs) && !errs[s.name] {
				errs[s.name] = true
				into = s.node
			}
		}
	}
	for n := range x.loop.Walk() {
		if !n.Is("call") {
			continue
		}
		c := b.p.Call(n)
		if c == nil || slices.Contains(silent, c.Name) || !b.models.steps(c) {
			continue
		}
		if uses(n.Field("arguments"), errs) {
			if into.Valid() {
				return into
			}
			return n
		}
	}
	return code.Node{}
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
