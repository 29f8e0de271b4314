package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// fit counts how many of the fields of a product's model a class has.
func fit(of agentgraph.Product, fields []intree.Field) int {
	n := 0
	for _, names := range of.Fields {
		if slices.ContainsFunc(fields, func(f intree.Field) bool { return slices.Contains(names, strings.ToLower(f.Name)) }) {
			n++
		}
	}
	return n
}

// models finds the model of the material and that of the reviews, by preference in the
// states of the graphs.
func (r *reader) models(all *agentgraph.Reading, graphs []*agentgraph.Graph) {
	used := map[*code.Definition]bool{}
	for _, g := range graphs {
		if g.State == nil || !g.Production {
			continue
		}
		for _, f := range g.State.Fields {
			r.classesIn(Expr(f.Source), used, 0)
		}
	}
	all.Material = r.model(r.words.Material, r.words.Reviews, used)
	all.Review = r.model(r.words.Reviews, r.words.Material, used)
}

// classesIn collects the first-party classes that an annotation names: by
// alias, in quotes, and as fields of those.
func (r *reader) classesIn(n code.Node, into map[*code.Definition]bool, depth int) {
	if !n.Valid() || depth > 2 {
		return
	}
	take := func(s intree.Symbol, at code.Node) {
		switch {
		case s.Def != nil && s.Def.Kind == code.DefClass && !into[s.Def]:
			into[s.Def] = true
			for _, f := range r.p.Fields(s) {
				r.classesIn(f.Annotation, into, depth+1)
			}
		case aliasOf(s, at, n):
			r.classesIn(s.Node, into, depth+1)
		}
	}
	for m := range n.Walk() {
		switch {
		case m.Is("identifier", "attribute") && !m.Parent().Is("attribute"):
			take(r.p.Resolve(m), m)
		case m.Is("string"):
			for _, name := range identifiers(m.Text()) {
				take(r.p.ResolveName(name, m), m)
			}
		}
	}
}

// model returns the production class that fits a product best: named in
// the state of a graph, then with the usual name, then by its fields, at least
// three, then reachable, then by place. A class that fits the other product
// better is none.
func (r *reader) model(of, other agentgraph.Product, used map[*code.Definition]bool) *agentgraph.Model {
	live := r.p.Live()
	var best *code.Definition
	var bestFields []intree.Field
	bestRank := -1
	for _, m := range r.p.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		for _, d := range m.Definitions() {
			if d.Kind != code.DefClass || strings.HasSuffix(d.Name, "State") {
				continue
			}
			fields := declared(r.p.Fields(intree.Symbol{Qualified: d.Qualified, Def: d}))
			fits := fit(of, fields)
			if d.Name != of.Class && (fits < 3 || fits < fit(other, fields)) || r.exception(d) {
				continue
			}
			rank := fits*4 + bit(live[d], 2)
			rank += bit(used[d], 400) + bit(d.Name == of.Class, 200) + bit(r.typedModel(d), 100)
			if rank > bestRank {
				best, bestFields, bestRank = d, fields, rank
			}
		}
	}
	if best == nil {
		return nil
	}
	out := &agentgraph.Model{Name: best.Name, At: placeOfDef(best), Source: best}
	out.Kind, _ = r.bodies.Kind(r.p.Body(best))
	if out.Kind == agentgraph.KindDict {
		out.Kind = agentgraph.KindNone
	}
	for _, f := range r.fieldsOf(out.Kind, bestFields) {
		out.Fields = append(out.Fields, r.field(f))
	}
	out.Parts = r.partsOf(out)
	return out
}

// partsOf returns the typed models that the fields of a model hold, by place.
func (r *reader) partsOf(m *agentgraph.Model) []*agentgraph.Model {
	classes := map[*code.Definition]bool{Def(m.Source): true}
	for _, f := range m.Fields {
		r.classesIn(Expr(f.Source), classes, 1)
	}
	var out []*agentgraph.Model
	for class := range classes {
		if class == Def(m.Source) || !r.typedModel(class) {
			continue
		}
		part := &agentgraph.Model{Name: class.Name, At: placeOfDef(class), Source: class}
		part.Kind, _ = r.bodies.Kind(r.p.Body(class))
		for _, f := range r.fieldsOf(part.Kind, declared(r.p.Fields(intree.Symbol{Qualified: class.Qualified, Def: class}))) {
			part.Fields = append(part.Fields, r.field(f))
		}
		out = append(out, part)
	}
	slices.SortFunc(out, func(a, b *agentgraph.Model) int { return a.At.Compare(b.At) })
	return out
}

// declared leaves out what is only bound on self.
func declared(fields []intree.Field) []intree.Field {
	out := slices.DeleteFunc(slices.Clone(fields), func(f intree.Field) bool { return f.Self })
	if len(out) == 0 {
		return fields
	}
	return out
}

// typedModel reports whether a class is a typed data class of some kind.
func (r *reader) typedModel(d *code.Definition) bool {
	k, _ := r.bodies.Kind(r.p.Body(d))
	return k == agentgraph.KindBaseModel || k == agentgraph.KindTypedDict || k == agentgraph.KindDataclass
}

// exception reports whether a class is an exception or an enumeration.
func (r *reader) exception(d *code.Definition) bool {
	return r.p.Inherits(d, "builtins.Exception", "builtins.*Error", "enum.*")
}

func bit(b bool, weight int) int {
	if b {
		return weight
	}
	return 0
}
