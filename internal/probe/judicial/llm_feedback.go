package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmFeedback = probe.Probe{
	ID: "llm.feedback", Version: "5", Target: court.GithubRepo,
	Title:  "The next try gets the error of the last one",
	Doc:    "Follows the error of the handler in a judge's retry to the prompt of the next call. Correcting parsers send the error by themselves. A handler that changes the prompt by a text of its own counts half.",
	Remedy: "Append the validation error to the messages of the next try.", Effort: 15, Recall: 9000,
	Run: ofJudges(feedback),
}

func feedback(b *bench) probe.Finding {
	var reminded []court.Place
	for _, x := range b.retries() {
		switch {
		case x.never != "":
			continue
		case x.tells:
			return probe.Present(court.AST, []court.Place{x.at}, "The next try sends the error along, by %s.", x.how)
		}
		for _, h := range x.after {
			if at := b.fedBack(x, h, h.Catch); len(at) > 0 {
				return probe.Present(court.AST, at, "The error of a failed try goes into the next prompt.")
			}
			for _, in := range h.Function.Instructions() {
				if len(reminded) == 0 && h.Holds(h.Function.Block(in)) && wordy(h.Function, in) {
					reminded = b.fedBack(x, h, in)
				}
			}
		}
	}
	if len(reminded) > 0 {
		return probe.Partly(half, court.AST, reminded, "The next try gets another prompt after a failure, but not the error.").Do("Append the error at %s to the messages of the next try: messages.append(HumanMessage(str(error))).", facts.Line(reminded[0]))
	}
	return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "No try gets the error of the one before it.").Do("Append the validation error to the messages of the next try: messages.append(HumanMessage(str(error))).")
}

// fedBack is where a handler puts what an instruction in it gives, so that it comes
// into what a call of the model is told that the next try makes; nothing where it is
// shown not to come there.
func (b *bench) fedBack(x again, h analyse.Handler, in *il.Instr) []court.Place {
	if in.Dst == il.NoDst {
		return nil
	}
	f := h.Function
	below := b.il.below(f)
	flow := b.il.Flow()
	flow.To = func(g *il.Function, at *il.Instr, arg int) bool {
		return b.prompted[at] && arg > 0 && (below[g] || g == f && x.makes(at))
	}
	got := flow.Arrives(f, il.Operand{Kind: il.Local, ID: in.Dst})
	if len(got.Places) == 0 || got.Is != analyse.Yes && !b.tracedTo(f, in, flow.To) {
		return nil
	}
	at := got.Places[max(len(got.Places)-2, 0)] // the last is the call
	for _, p := range got.Places[:len(got.Places)-1] {
		if p.Path == h.At.Path && p.Line > h.At.Line && p.Line <= h.At.EndLine {
			at = p
		}
	}
	return []court.Place{{Path: at.Path, Line: at.Line, EndLine: at.EndLine}}
}

// tracedTo tells that an exception is among what a text for the model comes from:
// where the way there passes objects that several names may stand for, neither
// direction alone shows it.
func (b *bench) tracedTo(f *il.Function, catch *il.Instr, to func(*il.Function, *il.Instr, int) bool) bool {
	w := &analyse.Origins{Names: b.il.Names, Through: func(_ *il.Function, in *il.Instr) bool { return !b.prompted[in] }}
	for g := range b.il.Program.All() {
		for in := range calls(g) {
			for i, o := range in.Args {
				if to(g, in, i) && slices.ContainsFunc(w.Of(g, o, in), func(from analyse.Origin) bool {
					return from.Kind == analyse.FromException && from.Function == f && from.At == catch
				}) {
					return true
				}
			}
		}
	}
	return false
}

// wordy tells an instruction that makes something of a sentence.
func wordy(f *il.Function, in *il.Instr) bool {
	return slices.ContainsFunc(in.Args, func(o il.Operand) bool {
		text, ok := f.Str(o)
		return ok && len(strings.Fields(text)) >= minPrompt
	})
}
