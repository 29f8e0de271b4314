package code

import (
	"slices"
	"strings"
)

// imports describes what a module imports.
func (p *Program) imports(m *Module) []Import {
	var out []Import
	for i := range m.indexed().imps {
		out = append(out, p.describe(&m.indexed().imps[i], 0)...)
	}
	for _, n := range m.indexed().calls {
		whole := LastName(n.Field("function").Unparen()) == "import_module"
		name, ok := n.Field("arguments").Child(0).Literal()
		if ok && !strings.HasPrefix(name, ".") && (whole || n.Field("function").Text() == "__import__") {
			out = append(out, p.describe(&importSpec{node: n, module: name, whole: true}, 0)...)
		}
	}
	slices.SortStableFunc(out, func(a, b Import) int { return a.Node.before(b.Node) })
	return out
}

// describe leads one imported name to where it comes from; a star import of a first-party module
// gives one entry for each of its names. hops are the modules that handed the name on.
func (p *Program) describe(spec *importSpec, hops int) []Import {
	at, ok, firstParty := p.findPlace(spec)
	one := Import{Node: spec.node, Local: spec.local, Target: spec.module, Module: at.module, External: !firstParty,
		Inner: p.Enclosing(spec.node).IsFunction(), TypeOnly: typeOnly(spec.node), Missing: firstParty && !ok}
	switch {
	case ok:
		one.Target = p.names.dotName(at)
	case spec.level > 0:
		one.Target = strings.Repeat(".", spec.level) + spec.module
	}
	switch {
	case spec.name == "":
	case spec.name != "*":
		one.Target = joinName(one.Target, spec.name)
		sub, part := p.names.sub(at, spec.name)
		own := at.module != nil && p.binds(at.module, spec.name, map[*Module]bool{})
		if own && at.module != spec.node.m && hops < maxHanded {
			if from, ok := p.handed(at.module, spec.name, hops+1); ok {
				one.Target = from.Target
			}
		}
		switch {
		// what a package imports of itself under the name of a part is the part
		case part && (!own || at.module == spec.node.m || one.Target == p.names.dotName(sub)):
			one.Target, one.Module = p.names.dotName(sub), sub.module
		case ok && !own:
			one.Missing = at.module == nil || !p.binds(at.module, "__getattr__", map[*Module]bool{})
		}
	case at.module != nil:
		var out []Import
		for _, name := range p.exports(at.module) {
			one.Local, one.Target = name, joinName(at.module.Name, name)
			out = append(out, one)
		}
		return out
	}
	return []Import{one}
}

// maxHanded bounds the modules that hand a name on to each other.
const maxHanded = 8

// handed is the import by which a module has a name that it hands on.
func (p *Program) handed(m *Module, name string, hops int) (Import, bool) {
	for i := range m.indexed().imps {
		if spec := &m.indexed().imps[i]; spec.local == name && p.Enclosing(spec.node) == m.Body() {
			return p.describe(spec, hops)[0], true
		}
	}
	return Import{}, false
}

// findPlace leads an import to its module. firstParty is true also when the
// import should be first-party and its target does not exist.
func (p *Program) findPlace(s *importSpec) (at place, ok, firstParty bool) {
	if s.level > 0 {
		at, ok = p.names.relative(s.node.m, s.level, s.module)
		return at, ok, true
	}
	at, firstParty = p.names.find(s.node.m, s.module)
	return at, at.found, firstParty
}

// binds tells whether a module has a name, as far as its text tells: with a star import of what is
// not read it may have any.
func (p *Program) binds(m *Module, name string, seen map[*Module]bool) bool {
	_, own := m.Body().names[name]
	if own || seen[m] {
		return own
	}
	seen[m] = true
	return slices.ContainsFunc(m.indexed().imps, func(spec importSpec) bool {
		if spec.name != "*" {
			return false
		}
		at, _, _ := p.findPlace(&spec)
		return at.module == nil || p.binds(at.module, name, seen)
	})
}

// exports lists the names that "from m import *" brings: __all__, else the
// public ones, in alphabetical order.
func (p *Program) exports(m *Module) (out []string) {
	for n := range m.Body().names["__all__"].Children() {
		if name, ok := n.Literal(); ok {
			out = append(out, name)
		}
	}
	if len(out) > 0 || m.Body().names["__all__"].Is("list", "tuple") {
		return out
	}
	for name := range m.Body().names {
		if name[0] != '_' {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func joinName(module, name string) string {
	if module == "" || strings.HasSuffix(module, ".") {
		return module + name
	}
	return module + "." + name
}

// typeOnly reports whether an import stands under "if TYPE_CHECKING".
func typeOnly(n Node) bool {
	below := n
	for a := range n.Around() {
		if a.Is("if_statement") && below.FieldName() == "consequence" && LastName(a.Field("condition").Unparen()) == "TYPE_CHECKING" {
			return true
		}
		below = a
	}
	return false
}
