package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var llmEvery = probe.Probe{
	ID: "llm.every", Version: "4", Target: court.GithubRepo,
	Title:  "Every judge call is bound to a schema",
	Doc:    "Of the calls that ask a model in the judges' code, counts those whose receiver comes from a binding, or whose answer is followed, through first-party functions, into the opinion model.",
	Remedy: "Bind the remaining calls too.", Effort: 20, Recall: 9500,
	Run: ofJudges(everyCall),
}

func everyCall(b *bench) probe.Finding {
	calls, formed := b.models.in(b.judges), b.formedCalls()
	var loose []code.Node
	for _, c := range calls {
		if !formed[c.Node] {
			loose = append(loose, c.Node)
		}
	}
	bound := len(calls) - len(loose)
	switch bound {
	case len(calls):
		return probe.Present(court.AST, spots(calls[0].Node), "%s of the judges %s bound to a schema or parsed into the model.", safetext.Capital(court.Of(bound, bound, "call")), court.Agree(bound, bound, "is", "are"))
	case 0:
		if bs := b.structured(); len(bs) > 0 && bs[0].kind != kindJSON {
			return probe.Cannot(court.Dynamic, spots(bs[0].at), "An answer gets its form here, but the calls that give it could not be determined.")
		}
		f := probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "No call of the judges is bound to a schema, and no answer could be followed into the model.").Do("Bind the judges' model to the opinion model: llm.with_structured_output(%s).", b.opinionName())
		f.Places = spots(loose...)
		return f
	}
	return probe.Partly(probe.Ratio(bound, len(calls)), court.AST, spots(loose...), "%s of the judges %s bound to a schema or parsed into the model.", safetext.Capital(court.Of(bound, len(calls), "call")), court.Agree(bound, len(calls), "is", "are")).
		Do("Bind the call at %s to the opinion model: llm.with_structured_output(%s).", facts.Line(spot(loose[0])), b.opinionName())
}

// formedCalls are the judges' calls whose answer has a form: the receiver is bound, the call
// itself asks for a form, or the answer is parsed into the model.
func (b *bench) formedCalls() map[code.Node]bool {
	return b.formed.get(func() map[code.Node]bool {
		out, parsing := map[code.Node]bool{}, b.toward(b.parses)
		for _, c := range b.models.in(b.judges) {
			out[c.Node] = b.formedCall(c, parsing)
		}
		return out
	})
}

func (b *bench) formedCall(c *intree.Call, parsing *analyse.Flow) bool {
	for _, a := range c.Args {
		if slices.Contains(formats, a.Name) {
			return true
		}
	}
	return b.boundValue(c.Receiver, 0) || b.follows(c, parsing)
}

// parses reports whether a call makes an opinion of an answer that it is given.
func (b *bench) parses(c *intree.Call) bool {
	if c.Name == "parse" && c.Receiver.Valid() && has(split(c.Receiver.Text()), "parser") {
		return true
	}
	class := c.Callee.Def
	if slices.Contains(validates, c.Name) && c.Receiver.Valid() {
		class = b.opinionIn(b.p.Resolve(c.Receiver).Def)
	}
	return b.opinion(class) && !b.constantScore(c) && b.ofAnswer(c)
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
	for _, o := range b.origins.Of(n) {
		if c := b.origins.Call(o); c != nil && (slices.Contains(binders, c.Name) || strings.HasSuffix(c.Name, "OutputParser") ||
			slices.ContainsFunc(c.Args, func(a intree.Argument) bool { return slices.Contains(formats, a.Name) && b.schematic(a.Value) })) {
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
