package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var llmValidated = probe.Probe{
	ID: "llm.validated", Version: "2", Target: court.GithubRepo,
	Title:  "Only validated opinions reach the state",
	Doc:    "Looks at what the judges' code makes of an answer: an object of the opinion model, by its constructor, a validating method or a bound model, or a raw dictionary with a score.",
	Remedy: "Build the opinion model from every answer before it enters the state", Effort: 20, Recall: 9000,
	Run: ofJudges(validated),
}

func validated(b *bench) probe.Finding {
	if raw := b.rawOpinions(); len(raw) > 0 {
		return probe.Against(court.AST, spots(raw...), "an opinion enters the state as a dictionary that no model has checked")
	}
	for _, x := range b.builds(b.judges) {
		if x.asked {
			return probe.Present(court.AST, spots(x.call.Node), "the answer is made into %s", court.Clean(x.class.Name, 60))
		}
	}
	for _, x := range b.structured() {
		if class := b.schemaClass(x); class != nil && b.opinion(class) {
			return probe.Present(court.AST, spots(x.at), "the bound model gives %s", court.Clean(class.Name, 60))
		}
	}
	return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "what becomes of the answer could not be followed to an opinion")
}

// rawOpinions lists dictionaries with a score and an argument that the judges'
// functions put straight into what they return under the state's opinions.
func (b *bench) rawOpinions() []code.Node {
	if b.r.State == nil || b.r.State.Reviews == nil || b.r.Main == nil {
		return nil
	}
	var out []code.Node
	for _, w := range b.r.Main.Writes {
		d := b.p.Enclosing(langgraph.Expr(w.Source))
		if w.Key != b.r.State.Reviews.Name || d == nil || !b.judges.holds(d) {
			continue
		}
		for n := range d.Body().WalkScope() {
			if n.Is("dictionary") && opinionDict(n) && goesInto(n, langgraph.Expr(w.Source)) {
				out = append(out, n)
			}
		}
	}
	return out
}

// goesInto reports whether a dictionary is an element of a list, or is
// appended to the list of that name.
func goesInto(n, list code.Node) bool {
	if list.Contains(n) {
		return n.Parent().Is("list", "list_comprehension")
	}
	args := n.Parent()
	if !args.Is("argument_list") || !list.Is("identifier") {
		return false
	}
	f := args.Parent().Field("function")
	return f.Is("attribute") && f.Field("attribute").Text() == "append" && f.Field("object").Text() == list.Text()
}

// opinionDict recognises {"score": ..., "argument": ...}.
func opinionDict(n code.Node) bool {
	have := map[string]bool{}
	for c := range n.Children() {
		if key, ok := literal(c.Field("key")); ok {
			have[kindOfField(key)] = true
		}
	}
	return have["score"] && have["argument"]
}
