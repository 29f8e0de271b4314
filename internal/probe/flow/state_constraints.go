package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var stateConstraints = probe.Probe{
	ID: "state.constraints", Version: "3", Target: court.GithubRepo,
	Title:  "Scores, confidences and judges are bounded in the models",
	Doc:    "Three questions of equal weight, as far as the models, and the models in their fields, have such fields: is the score bounded, is the confidence bounded, is the judge one of a fixed set. Field bounds, conint, Annotated bounds, Literal, enums and validators that raise count.",
	Remedy: "Bound the fields: Field(ge=1, le=5), Field(ge=0, le=1), Literal for the judge.", Effort: 15,
	Args: []probe.Arg{{Name: "on", Type: "string", Allowed: []string{"opinion", "bound"}, Default: "opinion", Doc: "the opinion model, or the schema that judge calls are bound to"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		models := []*agentgraph.Model{r.Review, r.Material}
		if a.String("on") == "bound" {
			models = []*agentgraph.Model{r.Review}
		}
		b := bounds{program: r.program}
		for _, m := range withParts(models) {
			b.look(m)
		}
		if b.asked == 0 {
			return []probe.Finding{probe.Missing(probe.Ratio(r.program.Examined()), court.AST, "No model has a score, a confidence or a judge to bound.").Do("Give the opinion model a bounded score and a fixed set of judges: score: int = Field(ge=1, le=5), judge: Literal[\"Prosecutor\", \"Defense\", \"TechLead\"].")}, nil
		}
		if b.held == 0 {
			return []probe.Finding{probe.Against(court.AST, b.where, "These fields are not bounded: %s.", strings.Join(b.lacks, ", ")).Do("%s", b.asks())}, nil
		}
		return []probe.Finding{probe.Partly(probe.Ratio(b.held, b.asked), court.AST, b.where, "%s", b.told()).Do("%s", b.asks())}, nil
	},
}

// withParts returns the models that there are and those in their fields, each
// once.
func withParts(models []*agentgraph.Model) []*agentgraph.Model {
	var out []*agentgraph.Model
	add := func(m *agentgraph.Model) {
		if m != nil && !slices.ContainsFunc(out, func(o *agentgraph.Model) bool { return o.Source != nil && o.Source == m.Source }) {
			out = append(out, m)
		}
	}
	for _, m := range models {
		add(m)
	}
	for _, m := range slices.Clone(out) {
		for _, part := range m.Parts {
			add(part)
		}
	}
	return out
}

// told says which fields are bounded and which are not.
func (b *bounds) told() string {
	has := strings.Join(b.has, ", ")
	if len(b.lacks) == 0 {
		return fmt.Sprintf("All fields that need a bound have one: %s.", has)
	}
	return fmt.Sprintf("These fields are bounded: %s. These are not: %s.", has, strings.Join(b.lacks, ", "))
}

// asks is the line for each field without a bound.
func (b *bounds) asks() string {
	if len(b.lacks) == 0 {
		return ""
	}
	return "Bound these fields: " + strings.Join(b.lines, ", ") + "."
}

// bounds counts which of the fields that need a bound have one.
type bounds struct {
	program     *intree.Program
	asked, held int
	where       []court.Place // of the fields, those without a bound first
	open        int           // how many of the places are theirs
	has, lacks  []string
	lines       []string // what each without a bound should be
}

var boundWords = regexp.MustCompile(`\b(?:ge|gt|le|lt|conint|confloat|Interval|Ge|Le)\b`)

func (b *bounds) look(m *agentgraph.Model) {
	for _, f := range m.Fields {
		number := map[string]bool{"score": true, "confidence": true, "verdict": strings.Contains(f.Type, "int")}[f.Name]
		judge := !number && (f.Name == "judge" || f.Name == "persona" || strings.Contains(f.Type, "str") && b.namesJudges(f.Name))
		if !number && !judge {
			continue
		}
		b.asked++
		name, at := court.Clean(m.Name+"."+f.Name, 80), facts.At(f.At)
		if number && b.bounded(m, f) || judge && b.fixed(f) {
			b.held++
			b.has = append(b.has, name)
			b.where = append(b.where, at...)
		} else {
			b.where = slices.Insert(b.where, b.open, at...)
			b.open += len(at)
			b.lacks = append(b.lacks, name)
			line := "int = Field(ge=1, le=5)"
			switch {
			case judge:
				line = b.oneOfJudges(f.Name)
			case f.Name == "confidence":
				line = "float = Field(ge=0, le=1)"
			}
			b.lines = append(b.lines, fmt.Sprintf("%s as %s: %s", name, court.Clean(f.Name, 80), line))
		}
	}
}

// namesJudges tells that production code compares an attribute of that name with a judge's
// name: it says whose the opinion is.
func (b *bounds) namesJudges(name string) bool {
	compared, _ := b.judges(name)
	return compared
}

// oneOfJudges is the type of a judge's field: one of the names that the code uses for all judges.
func (b *bounds) oneOfJudges(name string) string {
	_, names := b.judges(name)
	for _, p := range court.Personas() {
		if !slices.ContainsFunc(names, func(n string) bool { return playedBy(n) == p }) {
			return "Literal[…] with the names that the code gives the judges"
		}
	}
	return "Literal[" + strings.Join(quotedAll(names), ", ") + "]"
}

// judges are the names of judges that production code compares an attribute or entry of a name
// with, and all names that it gives it; compared: an attribute with a judge's at least.
func (b *bounds) judges(name string) (compared bool, names []string) {
	b.program.Lock()
	defer b.program.Unlock()
	literal := func(n code.Node) string { text, _ := n.Literal(); return text }
	for _, m := range b.program.Mentions(name, code.ScopeProduction) {
		for n := range m.Root().Walk() {
			attribute := func(c code.Node) bool { return c.Field("attribute").Text() == name }
			var told []string
			switch {
			case n.Is("comparison_operator") && slices.ContainsFunc(slices.Collect(n.Children()), func(c code.Node) bool { return attribute(c) || literal(c.Field("subscript")) == name }):
				for c := range n.Walk() {
					told = append(told, literal(c))
				}
			case n.Is("keyword_argument") && n.Field("name").Text() == name, n.Is("pair") && literal(n.Field("key")) == name:
				if given := literal(n.Field("value")); given != "" {
					names = append(names, given)
				}
			}
			told = slices.DeleteFunc(told, func(t string) bool { return playedBy(t) == "" })
			compared = compared || len(told) > 0 && slices.ContainsFunc(slices.Collect(n.Children()), attribute)
			names = append(names, told...)
		}
	}
	slices.Sort(names)
	return compared, slices.Compact(names)
}

// playedBy is the persona that a judge's name names; "": it names none.
func playedBy(name string) court.Persona {
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
	for _, p := range court.Personas() {
		if strings.HasPrefix(plain, strings.ToLower(string(p))) {
			return p
		}
	}
	return ""
}

// bounded looks at the declaration for a bound on both or one side, a Literal,
// or a validator of the class that names the field and raises.
func (b *bounds) bounded(m *agentgraph.Model, f agentgraph.Field) bool {
	text := langgraph.Expr(f.Source).Statement().Text()
	if boundWords.MatchString(text) || strings.Contains(text, "Literal[") {
		return true
	}
	if m.Source == nil {
		return false
	}
	for _, d := range langgraph.Def(m.Source).Inner() {
		for _, dec := range d.Decorators() {
			if strings.Contains(dec.Text(), "validator") && (strings.Contains(dec.Text(), f.Name) || strings.Contains(dec.Text(), "model_validator")) &&
				strings.Contains(d.Body().Text(), "raise") {
				return true
			}
		}
	}
	return false
}

// fixed tells whether a field takes one of a fixed set.
func (b *bounds) fixed(f agentgraph.Field) bool {
	if strings.Contains(f.Type, "Literal[") {
		return true
	}
	b.program.Lock()
	defer b.program.Unlock()
	for n := range langgraph.Expr(f.Source).Walk() {
		if n.Is("identifier", "attribute") {
			if s := b.program.Resolve(n); s.Def != nil && b.program.Inherits(s.Def, "enum.*") || s.Matches("typing.Literal*") || strings.Contains(s.Node.Text(), "Literal[") {
				return true
			}
		}
	}
	return false
}

var stateSoup = probe.Probe{
	ID: "state.soup", Version: "1", Target: court.GithubRepo,
	Title:  "State and models are not made of untyped dicts",
	Doc:    "The share of fields of the state, the two models and the models in their fields that are typed as something more than dict, Dict[str, Any], Any or object. One metadata field is free.",
	Remedy: "Replace dict and Any by models or precise types.", Effort: 30,
	Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		fields := []agentgraph.Field{}
		if r.State != nil {
			fields = append(fields, r.State.Fields...)
		}
		for _, m := range withParts([]*agentgraph.Model{r.Material, r.Review}) {
			fields = append(fields, m.Fields...)
		}
		if len(fields) == 0 {
			return []probe.Finding{r.noState()}, nil
		}
		var where []court.Place
		soup, free, loose := 0, true, ""
		for _, f := range fields {
			if !untyped(f.Type) {
				continue
			}
			if free && strings.Contains(strings.ToLower(f.Name), "meta") {
				free = false
				continue
			}
			if soup++; soup <= mostNamed {
				loose = comma(loose, court.Clean(f.Name, 60))
			}
			where = append(where, facts.At(f.At)...)
		}
		if soup == 0 {
			return []probe.Finding{probe.Clean(court.One, court.AST, "Each field is typed (%d).", len(fields))}, nil
		}
		return []probe.Finding{probe.Partly(probe.Ratio(len(fields)-soup, len(fields)), court.AST, where, "%s %s a type that says no more than dict, list or Any.", safetext.Capital(court.Of(soup, len(fields), "field")), court.Agree(soup, len(fields), "has", "have")).Do("Give these fields models or precise types: %s.", loose)}, nil
	},
}

var looseType = regexp.MustCompile(`^(?:typing\.)?(?:(?:Optional|Required|NotRequired|ReadOnly|Final)\[)*(?:List\[|list\[)?(?:dict|Dict|Any|object|list|List|Mapping|(?:Dict|dict|Mapping)\[str,(?:Any|object)\])\]*(?:\|None)?$`)

func untyped(annotation string) bool {
	t := strings.ReplaceAll(strings.ReplaceAll(annotation, " ", ""), "typing.", "")
	return t == "" || looseType.MatchString(t)
}
