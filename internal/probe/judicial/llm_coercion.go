package judicial

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmCoercion = probe.Probe{
	ID: "llm.coercion", Version: "2", Target: court.GithubRepo,
	Title:  "Normalising an answer never turns a low score into a high one",
	Doc:    "Computes, without running it, what each function of one score in the judges' and the chief's code returns for the scores 0 to 10. A 1 must stay 1, and a higher score must not come out lower. Functions that do more than arithmetic, minima, maxima and comparisons are not judged.",
	Remedy: "Limit the score with a bound of the model instead of mapping it", Effort: 15, Recall: 8500,
	Run: ofJudges(coercion),
}

func coercion(b *bench) probe.Finding {
	seen := map[*code.Definition]bool{}
	looked := 0
	var opaque []*code.Definition
	for _, d := range append(append([]*code.Definition{}, b.judges.defs...), b.chief.defs...) {
		param, ok := scoreParam(d)
		if seen[d] {
			continue
		}
		seen[d] = true
		if !ok {
			if renames(d) {
				opaque = append(opaque, d)
			}
			continue
		}
		why, known := b.distorts(d, param)
		if known {
			looked++
		} else {
			opaque = append(opaque, d)
		}
		if why != "" {
			return probe.Against(court.AST, []court.Place{{Path: d.Module.Path, Line: d.Line(), EndLine: min(d.Node.EndLine(), d.Line()+9)}},
				"%s %s", court.Clean(d.Name, 60), why)
		}
	}
	if len(opaque) > 0 {
		return probe.Cannot(court.Dynamic, places(opaque), "what %s makes of a score could not be computed", court.Clean(opaque[0].Name, 60))
	}
	if looked == 0 {
		return probe.Nothing(probe.Ratio(b.p.Examined()), court.AST, "no function that maps one score to another was found")
	}
	return b.clean(b.judges, "what maps scores keeps low ones low, and their order: "+court.Count(looked, "function"))
}

// scoreParam is the parameter of a function that takes one score, and
// otherwise what has a default.
func scoreParam(d *code.Definition) (string, bool) {
	if d.Kind != code.DefFunction && d.Kind != code.DefMethod || !returnsNumbers(d) {
		return "", false
	}
	name, n := "", 0
	for _, p := range d.Params() {
		if p.Name == "self" || p.Name == "cls" || p.Default.Valid() {
			continue
		}
		name = p.Name
		n++
	}
	ws := append(split(name), split(d.Name)...)
	return name, n == 1 && (has(split(name), "score", "raw", "value", "rating") && has(ws, "score", "scores", "scale", "rating"))
}

// renames reports whether a function says that it makes a score of another
// one, whatever it takes.
func renames(d *code.Definition) bool {
	ws := split(d.Name)
	return d.IsFunction() && starts(ws, "normali", "coerc", "clamp", "rescal") && has(ws, "score", "scores", "rating") && returnsNumbers(d)
}

// returnsNumbers reports whether a function returns something other than texts
// and truth values: a grade or a test of a score is no score.
func returnsNumbers(d *code.Definition) bool {
	for _, v := range d.ReturnValues() {
		if !v.Unparen().Is("string", "concatenated_string", "true", "false", "none", "comparison_operator", "boolean_operator", "not_operator", "return_statement") {
			return true
		}
	}
	return false
}

// distorts says what a function does to scores that it must not.
func (b *bench) distorts(d *code.Definition, param string) (why string, known bool) {
	before, share := 0.0, false
	f := b.il.function(d)
	if f == nil {
		return "", false
	}
	at := slices.IndexFunc(f.Params, func(p il.Param) bool { return p.Name == param })
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
