package judicial

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// shareMarked is what a constant opinion keeps that says it is none.
const shareMarked = 5000

var llmFallback = probe.Probe{
	ID: "llm.fallback", Version: "1", Target: court.GithubRepo,
	Title:  "A failed call does not become a constant score",
	Doc:    "Looks for opinions with a literal score that the judges' code makes without a model's answer: in handlers, after the last try, in branches for a missing key. Half counts when the opinion's text says that it stands for a failure.",
	Remedy: "Leave the opinion out, or mark it as a failure that the chief justice does not count", Effort: 30, Recall: 9500,
	Run: ofJudges(fallbackFinding),
}

func fallbackFinding(b *bench) probe.Finding {
	off := b.withoutModel()
	var marked, plain []code.Node
	for _, x := range b.builds(b.judges) {
		if x.asked || !b.constantScore(x) {
			continue
		}
		if b.confesses(x) {
			marked = append(marked, x.call.Node)
		} else {
			plain = append(plain, x.call.Node)
		}
	}
	var f probe.Finding
	switch {
	case len(plain) > 0:
		f = probe.Against(court.AST, spots(plain...), "an opinion with a constant score is made without an answer, and nothing in it says so")
	case len(marked) > 0:
		f = probe.Partly(shareMarked, court.AST, spots(marked...), "an opinion with a constant score stands in for a failed call; its text says so, its score counts all the same")
	default:
		f = b.clean(b.judges, "no opinion with a constant score is made without a model's answer")
	}
	f.Data = map[string]any{"judges.fallback_without_llm": off.yields}
	return f
}

// constantScore reports whether an opinion's score is a literal, or a constant
// by name.
func (b *bench) constantScore(x built) bool {
	for _, a := range x.call.Args {
		if kindOfField(a.Name) != "score" {
			continue
		}
		if _, ok := b.number(a.Value); ok || a.Value.Is("integer", "float") {
			return true
		}
		return starts(split(a.Value.Text()), "default", "fallback", "neutral")
	}
	return false
}

// confesses reports whether an opinion's text or flags say that it is made
// after a failure.
func (b *bench) confesses(x built) bool {
	for _, a := range x.call.Args {
		parts := []string{a.Value.Text()}
		for _, o := range b.p.Origins(a.Value) {
			if s, ok := literal(o.Node); ok {
				parts = append(parts, s)
			}
		}
		low := strings.ToLower(strings.Join(parts, " "))
		for _, w := range []string{"fail", "error", "fallback", "default", "unavailable", "unable", "incomplete", "skipped", "no opinion", "malformed", "interrupt", "missing", "not set", "no evidence", "could not"} {
			if strings.Contains(low, w) {
				return true
			}
		}
	}
	return false
}
