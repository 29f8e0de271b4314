package code

import "strings"

// exported resolves a name that "from m import *" brings.
func (q *query) exported(m *Module, name string) []Symbol {
	if hides(m, name) {
		return nil
	}
	return q.member(placeOf(m), name)
}

// member resolves a name of a first-party module or package.
func (q *query) member(at place, name string) []Symbol {
	if m := at.module; m != nil {
		if out := q.own(m, name); len(out) > 0 {
			return out
		}
		if out := q.fromSources(m.Body(), name); len(out) > 0 {
			return out
		}
	}
	return q.otherwise(at, name)
}

// placed is the symbol of a module or package.
func (q *query) placed(at place) Symbol {
	return Symbol{Qualified: q.p.names.dotName(at), Module: at.module, place: at}
}

// importPlace leads an import to its module. firstParty is true also when the
// import should be first-party and its target does not exist.
func (p *Program) importPlace(s *importSpec) (at place, ok, firstParty bool) {
	if s.node.Is("call") { // made for one question only
		return p.findPlace(s)
	}
	if found, hit := p.names.places.Load(s); hit {
		known := found.(foundPlace)
		return known.at, known.ok, known.firstParty
	}
	at, ok, firstParty = p.findPlace(s)
	p.names.places.Store(s, foundPlace{at, ok, firstParty})
	return at, ok, firstParty
}

func (p *Program) findPlace(s *importSpec) (at place, ok, firstParty bool) {
	if s.level > 0 {
		at, ok = p.names.relative(s.node.m, s.level, s.module)
		return at, ok, true
	}
	at, firstParty = p.names.find(s.node.m, s.module)
	return at, at.found, firstParty
}

// imported resolves the name that an import binds.
func (q *query) imported(s *importSpec) []Symbol {
	at, ok, firstParty := q.p.importPlace(s)
	full := s.module
	if ok {
		full = q.p.names.dotName(at)
	} else if s.level > 0 {
		full = strings.Repeat(".", s.level) + s.module
	}
	switch {
	case s.name != "" && ok && at.module == s.node.m:
		// A package that imports from itself binds its own submodule.
		if sub, found := q.p.names.sub(at, s.name); found {
			return []Symbol{q.placed(sub)}
		}
		fallthrough
	case s.name != "" && ok:
		if found := q.member(at, s.name); len(found) > 0 {
			return found
		}
		return []Symbol{{Qualified: joinName(full, s.name)}}
	case s.name != "" && firstParty:
		return []Symbol{{Qualified: joinName(full, s.name)}}
	case s.name != "":
		return []Symbol{external(full + "." + s.name)}
	case s.whole && ok:
		return []Symbol{q.placed(at)}
	case s.whole:
		e := external(full)
		e.External = !firstParty
		return []Symbol{e}
	}
	top, _, _ := strings.Cut(s.module, ".")
	if at, _ := q.p.names.find(s.node.m, top); at.found && firstParty {
		return []Symbol{q.placed(at)}
	}
	e := external(top)
	e.External = !firstParty
	return []Symbol{e}
}

func joinName(module, name string) string {
	if module == "" || strings.HasSuffix(module, ".") {
		return module + name
	}
	return module + "." + name
}
