package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmEvery = probe.Probe{
	ID: "llm.every", Version: "1", Target: court.GithubRepo,
	Title:  "Every judge call is bound to a schema",
	Doc:    "Of the calls that ask a model in the judges' code, counts those whose receiver comes from a binding, or whose answer is parsed into the opinion model in the same function.",
	Remedy: "Bind the remaining calls too", Effort: 20, Recall: 9500,
	Run: ofJudges(everyCall),
}

func everyCall(b *bench) probe.Finding {
	calls := b.models.in(b.judges)
	bs := b.structured()
	var loose []code.Node
	bound := 0
	for _, c := range calls {
		if b.boundCall(c, bs) {
			bound++
		} else {
			loose = append(loose, c.Node)
		}
	}
	if len(loose) == 0 {
		return probe.Present(court.AST, spots(calls[0].Node), "%s of the judges, all bound to a schema or parsed into the model", count(len(calls), "call"))
	}
	return probe.Partly(probe.Ratio(bound, len(calls)), court.AST, spots(loose...), "%d of %s of the judges are bound to a schema or parsed into the model", bound, count(len(calls), "call"))
}

// boundCall reports whether a call's answer has a form: the receiver is bound,
// the call itself asks for a form, or the function parses the answer.
func (b *bench) boundCall(c *code.Call, bs []binding) bool {
	for _, a := range c.Args {
		if slices.Contains(formats, a.Name) {
			return true
		}
	}
	if b.boundValue(c.Receiver, 0) {
		return true
	}
	for _, x := range bs {
		if (x.kind == kindPydantic || x.kind == kindJSON) && (b.p.Enclosing(x.at) == c.Func || b.holdsBuild(c, x)) {
			return true
		}
	}
	return false
}

// holdsBuild reports whether a caller of the function that asks parses what it
// returns.
func (b *bench) holdsBuild(c *code.Call, x binding) bool {
	return x.kind == kindPydantic && slices.ContainsFunc(b.p.Callers(c.Func), func(o *code.Call) bool { return o.Func == b.p.Enclosing(x.at) })
}

// boundValue follows a receiver to the binding that made it.
func (b *bench) boundValue(n code.Node, depth int) bool {
	if !n.Valid() || depth > 6 {
		return false
	}
	for x := range n.Walk() {
		if x.Is("call") && (slices.Contains(binders, last(x)) || strings.HasSuffix(last(x), "OutputParser")) {
			return true
		}
	}
	if has(split(n.Text()), "structured", "parser") {
		return true
	}
	for _, o := range b.p.Origins(n) {
		if o.Call != nil && (slices.Contains(binders, o.Call.Name) || strings.HasSuffix(o.Call.Name, "OutputParser")) {
			return true
		}
		for _, step := range o.Path {
			if step.Is("call") && slices.Contains(binders, last(step)) {
				return true
			}
		}
	}
	for _, s := range b.p.ResolveAll(n) {
		if strings.Contains(s.Qualified, "with_structured_output()") {
			return true
		}
		if s.Node.Valid() && s.Node != n && b.boundValue(s.Node, depth+1) {
			return true
		}
	}
	return false
}
