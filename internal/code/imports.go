package code

import "slices"

// imports describes what a module imports.
func (p *Program) imports(m *Module) []Import {
	var out []Import
	for i := range m.indexed().imps {
		out = append(out, p.describe(&m.indexed().imps[i])...)
	}
	for _, n := range m.indexed().calls {
		q := p.query()
		for _, f := range q.expr(n.Field("function")) {
			if !f.Matches("importlib.import_module", "builtins.__import__") {
				continue
			}
			if symbols, ok := q.meant(f, n); ok && len(symbols) > 0 {
				s := symbols[0]
				out = append(out, Import{Node: n, Target: s.Qualified, Module: s.Module, External: s.External, Inner: p.Enclosing(n).IsFunction()})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Import) int { return a.Node.before(b.Node) })
	return out
}

// describe resolves one imported name; a star import of a first-party module
// gives one entry for each of its names.
func (p *Program) describe(spec *importSpec) []Import {
	at, ok, firstParty := p.importPlace(spec)
	one := Import{Node: spec.node, Local: spec.local, Module: at.module, External: !firstParty,
		Inner: p.Enclosing(spec.node).IsFunction(), TypeOnly: typeOnly(spec.node)}
	if spec.name == "*" {
		if !ok || at.module == nil {
			one.Target, one.Missing = spec.module, firstParty && !ok
			return []Import{one}
		}
		var out []Import
		for _, name := range p.exports(at.module) {
			each := one
			each.Local, each.Target = name, joinName(at.module.Name, name)
			for _, s := range p.query().exported(at.module, name) {
				each.Target = s.Qualified
			}
			out = append(out, each)
		}
		return out
	}
	one.Missing = firstParty && !ok
	q := p.query()
	symbols := q.imported(spec)
	if spec.name == "" && !spec.whole && ok { // "import a.b" binds a and loads a.b
		symbols = []Symbol{q.placed(at)}
	}
	if len(symbols) > 0 {
		s := symbols[0]
		one.Target = s.Qualified
		if spec.name == "" && !spec.whole && !ok {
			one.Target = spec.module
		}
		if s.Module != nil {
			one.Module = s.Module
		}
	}
	if ok && spec.name != "" && len(q.member(at, spec.name)) == 0 {
		one.Missing = true
	}
	return []Import{one}
}

// exports lists the names that "from m import *" brings: __all__, else the
// public ones, in alphabetical order.
func (p *Program) exports(m *Module) []string {
	if len(m.Body().names["__all__"]) > 0 {
		b := m.Body().names["__all__"]
		if names, _ := p.query().eval(b[len(b)-1].value).Strings(); len(names) > 0 {
			return names
		}
	}
	var out []string
	for name := range m.Body().names {
		if name[0] != '_' {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// typeOnly reports whether an import stands under "if TYPE_CHECKING".
func typeOnly(n Node) bool {
	below := n
	for a := range n.Around() {
		if a.Is("if_statement") && below.FieldName() == "consequence" && lastName(a.Field("condition").Unparen()) == "TYPE_CHECKING" {
			return true
		}
		below = a
	}
	return false
}
