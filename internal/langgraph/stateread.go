package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// stateOf reads the state type that a symbol stands for.
func (r *reader) stateOf(s intree.Symbol) *agentgraph.State {
	out := &agentgraph.State{}
	switch {
	case !s.Known():
		return out
	case s.Matches("builtins.dict", "typing.Dict", "builtins.dict[]", "typing.Dict[]"):
		out.Kind = agentgraph.KindDict
		return out
	case s.Def != nil && s.Def.Kind == code.DefClass:
		out.Source, out.Name, out.At = s.Def, s.Def.Name, placeOfDef(s.Def)
		out.Kind, out.Open = r.bodies.Kind(r.p.Body(s.Def))
	case s.External:
		out.Name = s.Qualified[strings.LastIndex(s.Qualified, ".")+1:]
		out.Open = true
		if s.Matches("langgraph.*MessagesState") {
			out.Kind = agentgraph.KindTypedDict
		}
		return out
	default:
		out.Kind, out.Name = r.functional(s)
		out.At = placeOf(s.Node)
		out.Open = out.Kind == agentgraph.KindUnknown
	}
	for _, f := range r.fieldsOf(out.Kind, r.p.Fields(s)) {
		if !f.Self || out.Kind == agentgraph.KindNone {
			out.Fields = append(out.Fields, r.field(f))
		}
	}
	return out
}

// fieldsOf leaves out what is not a field of a class of some kind: where the
// annotation makes the field, names without one, class variables and private
// names.
func (r *reader) fieldsOf(kind agentgraph.Kind, fields []intree.Field) []intree.Field {
	if kind != agentgraph.KindTypedDict && kind != agentgraph.KindBaseModel && kind != agentgraph.KindDataclass {
		return fields
	}
	return slices.DeleteFunc(slices.Clone(fields), func(f intree.Field) bool {
		if f.Owner == nil || f.Self {
			return false
		}
		return !f.Annotation.Valid() || strings.HasPrefix(f.Name, "_") || kind == agentgraph.KindBaseModel && f.Name == "model_config" ||
			slices.ContainsFunc(identifiers(f.Annotation.Text()), func(name string) bool { return name == "ClassVar" })
	})
}

// functional says what TypedDict("X", {...}) and the like make.
func (r *reader) functional(s intree.Symbol) (agentgraph.Kind, string) {
	c := r.p.Call(s.Node)
	if c == nil {
		return agentgraph.KindUnknown, ""
	}
	name, _ := r.p.Text(c.Arg("typename", 0))
	switch c.Name {
	case "TypedDict":
		return agentgraph.KindTypedDict, name
	case "create_model":
		return agentgraph.KindBaseModel, name
	case "make_dataclass":
		return agentgraph.KindDataclass, name
	default:
		return agentgraph.KindUnknown, name
	}
}

// field reads one field.
func (r *reader) field(f intree.Field) agentgraph.Field {
	at := agentgraph.Place{}
	if f.Node.Valid() {
		at = agentgraph.Place{Path: f.Node.Path(), Line: f.Line, End: f.Node.EndLine()}
	}
	if f.Owner != nil {
		at.Path = f.Owner.Module.Path
	}
	out := agentgraph.Field{Name: f.Name, At: at}
	if f.Annotation.Valid() {
		out.Source = f.Annotation
	}
	out.Type, out.Reducer = r.annotatedField(f.Annotation)
	out.Reducer.At = at
	return out
}

// holders finds the fields of a state that hold the material and the reviews.
func (r *reader) holders(s *agentgraph.State, all *agentgraph.Reading) {
	if s == nil {
		return
	}
	s.Material = r.holder(s, all.Material, r.words.Material)
	s.Reviews = r.holder(s, all.Review, r.words.Reviews)
}

// holder returns the field whose type contains a model, by preference one
// named for the product; a type may also be a class that holds the model. Without one it
// is a collection with such a name.
func (r *reader) holder(s *agentgraph.State, m *agentgraph.Model, of agentgraph.Product) *agentgraph.Field {
	rank := func(f *agentgraph.Field) int {
		switch name := strings.ToLower(f.Name); {
		case name == of.Plural:
			return 0
		case name == of.Singular:
			return 1
		case strings.HasPrefix(name, of.Noun+"_"), strings.HasSuffix(name, "_"+of.Plural):
			return 2
		default:
			return 3
		}
	}
	var best *agentgraph.Field
	for _, fits := range []func(*agentgraph.Field) bool{
		func(f *agentgraph.Field) bool { return rank(f) <= 2 && r.contains(f, m) },
		func(f *agentgraph.Field) bool { return rank(f) <= 2 && r.holdsWithin(Expr(f.Source), m, 0) },
		func(f *agentgraph.Field) bool { return collectionType(f.Type) && r.contains(f, m) },
		func(f *agentgraph.Field) bool { return rank(f) <= 1 && collectionType(f.Type) },
		func(f *agentgraph.Field) bool {
			return strings.HasSuffix(strings.ToLower(f.Name), "_"+of.Plural) && collectionType(f.Type)
		},
		func(f *agentgraph.Field) bool { return r.contains(f, m) },
	} {
		for i := range s.Fields {
			if f := &s.Fields[i]; fits(f) && (best == nil || rank(f) < rank(best)) {
				best = f
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// holdsWithin reports whether an annotation names a class of ours whose fields
// hold a model.
func (r *reader) holdsWithin(n code.Node, m *agentgraph.Model, depth int) bool {
	if m == nil || Def(m.Source) == nil || !n.Valid() || depth > 2 {
		return false
	}
	for i := range n.Walk() {
		if !i.Is("identifier") || i.Parent().Is("attribute") {
			continue
		}
		s := r.p.Resolve(i)
		if s.Def == nil || s.Def.Kind != code.DefClass {
			continue
		}
		for _, f := range r.p.Fields(s) {
			if r.namesClass(f.Annotation, Def(m.Source), 0) || r.holdsWithin(f.Annotation, m, depth+1) {
				return true
			}
		}
	}
	return false
}

// contains reports whether the type of a field names a model.
func (r *reader) contains(f *agentgraph.Field, m *agentgraph.Model) bool {
	return m != nil && Def(m.Source) != nil && r.namesClass(Expr(f.Source), Def(m.Source), 0)
}

// namesClass reports whether an annotation leads to a class, by aliases and in
// quotes too.
func (r *reader) namesClass(n code.Node, class *code.Definition, depth int) bool {
	if !n.Valid() || depth > maxCalls {
		return false
	}
	leads := func(s intree.Symbol, at code.Node) bool {
		return s.Def == class || aliasOf(s, at, n) && r.namesClass(s.Node, class, depth+1)
	}
	for m := range n.Walk() {
		switch {
		case m.Is("identifier", "attribute") && !m.Parent().Is("attribute"):
			if leads(r.p.Resolve(m), m) {
				return true
			}
		case m.Is("string"):
			for _, name := range identifiers(m.Text()) {
				if leads(r.p.ResolveName(name, m), m) {
					return true
				}
			}
		}
	}
	return false
}

// aliasOf reports whether a symbol is an alias for the type that its node
// spells out, elsewhere than in n.
func aliasOf(s intree.Symbol, at, n code.Node) bool {
	return s.Def == nil && s.Node.Is("subscript", "generic_type", "binary_operator", "string", "type") && s.Node != at && !s.Node.Contains(n)
}

// collectionType reports whether a type is a list or dictionary, or not said.
func collectionType(t string) bool {
	t = strings.ToLower(t)
	return t == "" || strings.Contains(t, "list") || strings.Contains(t, "dict") || strings.Contains(t, "sequence") || strings.Contains(t, "mapping") || strings.Contains(t, "any")
}

// identifiers returns the names that occur in the text of a type.
func identifiers(t string) []string {
	return strings.FieldsFunc(t, func(c rune) bool {
		return c != '_' && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z')
	})
}

// worked returns the class that most nodes take as their state: what a
// home-made builder that is given no state type works on.
func (r *reader) worked(g *agentgraph.Graph) intree.Symbol {
	count := map[*code.Definition]int{}
	best := intree.Symbol{Qualified: r.side(g).schema.Qualified}
	for _, n := range g.Nodes {
		if Def(n.Source) == nil {
			continue
		}
		name := stateParam(Def(n.Source))
		for _, p := range Def(n.Source).Params() {
			if p.Name != name || !p.Annotation.Valid() {
				continue
			}
			s := r.p.Resolve(p.Annotation)
			if s.Def == nil || s.Def.Kind != code.DefClass {
				continue
			}
			if count[s.Def]++; best.Def == nil || count[s.Def] > count[best.Def] {
				best = intree.Symbol{Qualified: s.Qualified, Def: s.Def}
			}
		}
	}
	return best
}

// looseState returns the state type of a program without a graph: a class
// called AgentState or *State that has the material or the reviews.
func (r *reader) looseState(all *agentgraph.Reading) *agentgraph.State {
	var best *agentgraph.State
	for _, m := range r.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		for _, d := range m.Definitions() {
			if d.Kind != code.DefClass || !strings.HasSuffix(d.Name, "State") {
				continue
			}
			s := r.stateOf(intree.Symbol{Qualified: d.Qualified, Def: d})
			r.holders(s, all)
			if s.Material == nil && s.Reviews == nil {
				continue
			}
			s.Loose = true
			if best == nil || best.Name != "AgentState" && s.Name == "AgentState" {
				best = s
			}
		}
	}
	return best
}
