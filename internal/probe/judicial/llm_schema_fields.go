package judicial

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmSchemaFields = probe.Probe{
	ID: "llm.schema_fields", Version: "3", Target: court.GithubRepo,
	Title:  "The bound schema is an opinion: a whole score, an argument, cited evidence",
	Doc:    "Resolves the class that the judges' answers are bound to or parsed into, through parameters and variables, also as the element of a list, and looks for a score that is an integer, an argument that is text, and a list of cited evidence.",
	Remedy: "Give the bound model the fields score (int), argument (str) and cited_evidence (list).", Effort: 15, Recall: 9500,
	Run: ofJudges(schemaFields),
}

func schemaFields(b *bench) probe.Finding {
	for _, x := range b.structured() {
		class := b.schemaClass(x)
		if class == nil {
			continue
		}
		fields, at := b.opinionFields(class, 0)
		var lacks []string
		for _, want := range []string{"score", "argument", "cited"} {
			if !fields[want] {
				lacks = append(lacks, map[string]string{"score": "an integer score", "argument": "an argument", "cited": "a list of cited evidence"}[want])
			}
		}
		name := court.Clean(at.Name, 60)
		if at != class {
			name = court.Clean(class.Name, 60) + " holds " + name + ", which"
		}
		where := []court.Place{{Path: at.Module.Path, Line: at.Line(), EndLine: at.Line()}}
		if len(lacks) == 0 {
			return probe.Present(court.AST, where, "%s has a score, an argument and cited evidence.", name)
		}
		return probe.Partly(probe.Ratio(3-len(lacks), 3), court.AST, where, "%s lacks %s.", name, strings.Join(lacks, ", ")).Do("Add to %s what it lacks: %s.", court.Clean(at.Name, 60), lines(lacks))
	}
	if bs := b.structured(); len(bs) > 0 {
		return probe.Cannot(court.Dynamic, spots(bs[0].at), "The class that the answers are bound to could not be resolved.")
	}
	return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "No schema is bound to the judges' calls.").Do("Bind the judges' model to the opinion model: llm.with_structured_output(%s).", b.opinionName())
}

// schemaClass is the class that a binding asks for.
func (b *bench) schemaClass(x binding) *code.Definition {
	if !x.schema.Valid() {
		return nil
	}
	n := x.schema
	if n.Is("attribute") && x.kind == kindPydantic { // Opinion.model_validate
		if s := b.p.Resolve(n.Field("object")); s.Def != nil && s.Def.Kind == code.DefClass {
			return s.Def
		}
	}
	for _, s := range b.p.ResolveAll(n) {
		if s.Def != nil && s.Def.Kind == code.DefClass {
			return s.Def
		}
	}
	for _, o := range b.origins.Of(n) {
		if d := b.origins.Definition(o.Symbol.Function); d != nil && d.Kind == code.DefClass {
			return d
		}
	}
	return nil
}

// opinionFields tells which parts of an opinion a class has, and which class
// has them: itself or the element of one of its lists.
func (b *bench) opinionFields(class *code.Definition, depth int) (map[string]bool, *code.Definition) {
	have := map[string]bool{}
	for _, f := range b.p.Fields(intree.Symbol{Qualified: class.Qualified, Def: class}) {
		kind := kindOfField(f.Name)
		note := f.Annotation.Text()
		switch {
		case kind == "score" && (has(split(note), "int") || strings.Contains(note, "Literal[1") || strings.Contains(note, "conint")):
			have["score"] = true
		case kind == "argument" && has(split(note), "str"):
			have["argument"] = true
		case kind == "cited" && starts(split(note), "list", "sequence", "tuple", "set"):
			have["cited"] = true
		}
	}
	if inner := b.opinionIn(class); inner != nil && inner != class && depth < 2 && len(have) < 3 {
		if more, at := b.opinionFields(inner, depth+1); len(more) > len(have) {
			return more, at
		}
	}
	return have, class
}

// opinionIn is the class of opinions that a class is, or else declares a field to hold; nil
// when it is neither.
func (b *bench) opinionIn(class *code.Definition) (held *code.Definition) {
	if class == nil || class.Kind != code.DefClass {
		return nil
	}
	if b.opinion(class) {
		return class
	}
	for _, f := range b.p.Fields(intree.Symbol{Qualified: class.Qualified, Def: class}) {
		for n := range f.Annotation.Walk() {
			if s := b.p.Resolve(n); n.Is("identifier") && s.Def != nil && b.opinion(s.Def) {
				held = s.Def
			}
		}
	}
	return held
}
