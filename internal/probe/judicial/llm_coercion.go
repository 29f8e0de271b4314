package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmCoercion = probe.Probe{
	ID: "llm.coercion", Version: "5", Target: court.GithubRepo,
	Title:  "Normalising an answer never turns a low score into a high one",
	Doc:    "Computes, without running it, what each function of one score in the judges' and the chief's code returns for the scores 0 to 10. A 1 must stay 1, and a higher score must not come out lower. Functions that do more than arithmetic, minima, maxima and comparisons are not judged.",
	Remedy: "Limit the score with a bound of the model instead of mapping it.", Effort: 15, Recall: 8500,
	Run: ofJudges(coercion),
}

func coercion(b *bench) probe.Finding {
	seen := map[*il.Function]bool{}
	looked := 0
	var opaque []*code.Definition
	for _, d := range slices.Concat(b.judges.defs, b.chief.defs) {
		f := b.il.function(d)
		if f == nil || seen[f] || d.Kind != code.DefFunction && d.Kind != code.DefMethod {
			continue
		}
		seen[f] = true
		why, known := "", false
		at, ok := scoreParam(f, d.Name)
		if !ok && !renames(d.Name) || !b.counts(d, f) {
			continue
		}
		if ok {
			why, known = b.distorts(f, at)
		}
		switch {
		case why != "":
			return probe.Against(court.AST, []court.Place{lies(f, f.Span)}, "%s %s.", court.Clean(d.Name, 60), why).Do("Let %s keep low scores low, or bound the score in the model instead: score: int = Field(ge=1, le=5).", court.Clean(d.Name, 60))
		case known:
			looked++
		default:
			opaque = append(opaque, d)
		}
	}
	if len(opaque) > 0 {
		return probe.Cannot(court.Dynamic, places(opaque), "The result of %s for a score could not be computed.", court.Clean(opaque[0].Name, 60))
	}
	if looked == 0 {
		return probe.Nothing(probe.Ratio(b.p.Examined()), court.AST, "No function that maps one score to another was found.")
	}
	return b.clean(b.judges, "low scores stay low, and keep their order, in "+court.Count(looked, "function")+" that map scores")
}

// counts tells a function that may give a number: a grade or a test of a score is no
// score, nor is what a function gives that is declared to give text.
func (b *bench) counts(d *code.Definition, f *il.Function) bool {
	if d.Node.Field("return_type").Text() == "str" {
		return false
	}
	v := b.il.Values.Given(f, nil)
	return v.Num.Lo <= v.Num.Hi || v.Other
}

// scoreParam is the position of the parameter of a function that takes one score, and
// otherwise what has a default.
func scoreParam(f *il.Function, name string) (at int, ok bool) {
	n := 0
	for i, p := range f.Params {
		if p.Name != "self" && p.Name != "cls" && !p.Filled {
			at = i
			n++
		}
	}
	if n != 1 {
		return 0, false
	}
	ws := split(f.Params[at].Name)
	return at, has(ws, "score", "raw", "value", "rating") && has(append(ws, split(name)...), "score", "scores", "scale", "rating")
}

// renames reports whether a function says that it makes a score of another
// one, whatever it takes.
func renames(name string) bool {
	ws := split(name)
	return starts(ws, "normali", "coerc", "clamp", "rescal") && has(ws, "score", "scores", "rating")
}

// distorts says what a function does to scores that it must not.
func (b *bench) distorts(f *il.Function, at int) (why string, known bool) {
	before, share := 0.0, false
	for i := range 11 {
		y, ok := b.il.Values.Given(f, map[int]il.Const{at: {Type: il.IntConst, Num: float64(i)}}).One()
		if !ok {
			return "", false
		}
		switch {
		case i == 1 && before <= 1 && y >= 5: // perhaps a share of one is made a score
			share = true
		case i == 1 && y > 1 && y <= 10:
			return "turns a score of 1 into a higher one", true
		case i > 1 && y < before:
			return "gives a higher score a lower result", true
		}
		before = y
	}
	return "", !share
}
