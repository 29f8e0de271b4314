package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var promptGuard = probe.Probe{
	ID: "prompt.guard", Version: "3", Target: court.GithubRepo,
	Title:  "Untrusted text in the prompts is fenced",
	Doc:    "Looks in the judges' prompts for an instruction not to follow what the examined text says, together with delimiters around it, and in the judges' code for a function that neutralises such text.",
	Remedy: "Put the evidence between delimiters and tell the judge to treat it as data, never as instructions.", Effort: 20, Recall: 9000,
	Run: ofPrompts(guarded),
}

var (
	// an order not to do what the examined text says; "do not claim parallel
	// execution" is none
	orders = regexp.MustCompile(`(?is)(do not|don't|never|must not)\b[^.\n]{0,40}\b(follow|obey|execute|comply with|act on|act upon|let|treat)\b[^.\n]{0,60}(instruction|command|directive|prompt)` +
		`|(do not|don't|never|must not)\b[^.\n]{0,40}\b(follow|obey|comply with)\b[^.\n]{0,60}(evidence|document|repositor|text|content)` +
		`|(ignore|disregard)\b[^.\n]{0,80}(instruction|command|directive)` +
		`|(instruction|command|directive)s?\b[^.\n]{0,60}(must not|must never|should not|are not to|never)\s+(be\s+)?(follow|obey|execut|appl)` +
		`|treat[^.\n]{0,80}(untrusted|as data|data only|not as instructions)|untrusted (content|text|data|input)`)
	fences = regexp.MustCompile("(?i)<\\/?[a-z_]*(evidence|untrusted|data|document|content)[a-z_]*>|```|\"\"\"|-{3,}|={3,}|<{3,}|\\b(BEGIN|END)[ _](EVIDENCE|UNTRUSTED|DATA|DOCUMENT)")
)

func guarded(b *bench, pr *prompts) probe.Finding {
	for _, c := range b.judges.calls(b.p, b.il) {
		if d := c.Callee.Def; d != nil && d.IsFunction() && neutralises(d) {
			return probe.Present(court.AST, spots(c.Node), "Untrusted text goes through %s before it comes into a prompt.", court.Clean(d.Name, 60))
		}
	}
	for _, s := range append(pr.own[:], pr.common) {
		for i, text := range s.parts {
			if !orders.MatchString(text) {
				continue
			}
			if fences.MatchString(text) || fences.MatchString(pr.common.text()) {
				return probe.Present(court.AST, sorted(s.at[i:i+1]), "The prompt fences the examined text and says not to follow it.")
			}
			return probe.Partly(half, court.AST, sorted(s.at[i:i+1]), "The prompt says not to follow the examined text, but nothing marks where it begins and ends.").Do("Put the evidence in the prompt at %s between delimiters, and name them in the instruction.", facts.Line(s.at[i]))
		}
	}
	if b.unheard() {
		return probe.Nothing(probe.Ratio(b.p.Examined()), court.AST, "No examined text comes into a prompt of the judges.")
	}
	return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "Nothing in the judges' prompts or code keeps the examined text from giving orders.")
}

// neutralises reports whether a function says by its name that it makes
// untrusted text harmless, and changes text.
func neutralises(d *code.Definition) bool {
	changes := false
	for n := range d.Body().Walk() {
		changes = changes || n.Is("call") && has([]string{last(n)}, "replace", "sub", "translate", "escape", "dumps")
	}
	ws := split(d.Name)
	return changes && (starts(ws, "sanitiz", "sanitis", "neutraliz", "neutralis", "fence", "defang", "quarantin") && !has(ws, "url", "path", "filename", "name", "json", "repo") ||
		starts(ws, "strip", "escap") && starts(ws, "inject", "prompt", "untrusted"))
}
