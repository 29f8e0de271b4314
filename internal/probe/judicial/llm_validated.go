package judicial

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmValidated = probe.Probe{
	ID: "llm.validated", Version: "4", Target: court.GithubRepo,
	Title:  "Only validated opinions reach the state",
	Doc:    "Looks at what the judges' code makes of an answer: an object of the opinion model, by its constructor, a validating method or a bound model, or a raw dictionary with a score.",
	Remedy: "Build the opinion model from every answer before it enters the state.", Effort: 20, Recall: 9000,
	Run: ofJudges(validated),
}

func validated(b *bench) probe.Finding {
	if raw := b.rawOpinions(); len(raw) > 0 {
		return probe.Against(court.AST, raw, "An opinion enters the state as a dictionary that no model has checked.").Do("Build %s from the answer at %s before it enters the state.", b.opinionName(), facts.Line(raw[0]))
	}
	for _, x := range b.builds(b.judges) {
		if x.asked {
			return probe.Present(court.AST, spots(x.call.Node), "The code makes %s of the answer.", court.Clean(x.class.Name, 60))
		}
	}
	for _, x := range b.structured() {
		class := b.schemaClass(x)
		held := b.opinionIn(class)
		if held == nil {
			continue
		}
		f := probe.Present(court.AST, spots(x.at), "The bound model gives %s.", court.Clean(class.Name, 60))
		if held != class {
			f.Rationale = "The bound model gives " + court.Clean(class.Name, 60) + ", which holds " + court.Clean(held.Name, 60) + "."
		}
		return f
	}
	return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "The answer could not be followed to an opinion.").Do("Build %s from the answer in the judge itself: the program could not follow the answer from %s to an opinion.", b.opinionName(), facts.Line(spot(b.models.in(b.judges)[0].Node)))
}

// rawOpinions are the dictionaries with a score and an argument that what the judges'
// functions put under the state's opinions is made of. What any class was made of is not
// looked at.
func (b *bench) rawOpinions() (out []court.Place) {
	if b.r.State == nil || b.r.State.Reviews == nil {
		return nil
	}
	w := &analyse.Origins{Names: b.il.Names, Ends: func(f *il.Function, in *il.Instr) bool {
		if in.Op != il.Call {
			return rawOpinion(in)
		}
		class := b.il.callee(f, in)
		return class != nil && class.Kind == il.ClassBody
	}}
	for f, in := range b.live(b.judges) {
		for i, name := range in.Names {
			if in.Op != il.Make || in.Kind != "map" || name != b.r.State.Reviews.Name {
				continue
			}
			for _, x := range w.Of(f, in.Args[i], in) {
				if x.At != nil && rawOpinion(x.At) && len(x.Keys) == 0 {
					out = append(out, lies(x.Function, x.At.Span))
				}
			}
		}
	}
	return sorted(out)
}

// rawOpinion recognises {"score": ..., "argument": ...}.
func rawOpinion(in *il.Instr) bool {
	return in.Op == il.Make && in.Kind == "map" && opinionKeys(in.Names)
}
