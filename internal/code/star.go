package code

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// stars is who takes names from whom by "from m import *". Modules that take
// from each other in circles are one part of it: what is in sight of one of
// them is in sight of all.
type stars struct {
	once    sync.Once
	sources map[*Definition][]*Module // of a scope, the last import first
	foreign map[*Definition][]string  // modules that are not first-party, likewise
	part    map[*Module]int           // of the modules that names are taken from
	takers  [][]int                   // by part: the parts that take from it
	owners  map[string][]*Module      // those that may have a name of their own
	open    []*Module                 // those that may have any name

	mu    sync.Mutex
	sight map[string]map[int]bool // by name: the parts that an owner is in sight of
}

// starred is the index of star imports, built when it is first asked for.
func (p *Program) starred() *stars {
	x := &p.names.stars
	x.once.Do(func() { x.build(p) })
	return x
}

func (x *stars) build(p *Program) {
	x.sources, x.foreign = map[*Definition][]*Module{}, map[*Definition][]string{}
	x.part, x.owners, x.sight = map[*Module]int{}, map[string][]*Module{}, map[string]map[int]bool{}
	taken := map[*Module]bool{}
	for _, m := range p.Modules {
		for i := range m.indexed().imps {
			spec := &m.indexed().imps[i]
			if spec.name != "*" {
				continue
			}
			scope := m.indexed().enclosing(spec.node)
			switch at, ok, firstParty := p.importPlace(spec); {
			case ok && at.module != nil:
				x.sources[scope] = append(x.sources[scope], at.module)
				taken[at.module] = true
			case !firstParty:
				x.foreign[scope] = append(x.foreign[scope], spec.module)
			}
		}
	}
	for scope, list := range x.sources {
		x.sources[scope] = lastFirst(list)
	}
	for scope, list := range x.foreign {
		x.foreign[scope] = lastFirst(list)
	}
	var nodes []*Module
	for _, m := range p.Modules {
		if taken[m] {
			nodes = append(nodes, m)
			x.own(p, m)
		}
	}
	x.join(Knots(nodes, func(m *Module) []*Module { return x.sources[m.Body()] }))
}

// lastFirst turns a list around, with each element once.
func lastFirst[T comparable](list []T) (out []T) {
	seen := map[T]bool{}
	for _, e := range slices.Backward(list) {
		if !seen[e] {
			seen[e] = true
			out = append(out, e)
		}
	}
	return out
}

// own notes the names that a module may have without a star import of ours.
func (x *stars) own(p *Program, m *Module) {
	for name := range m.Body().names {
		x.owners[name] = append(x.owners[name], m)
	}
	if x.foreigner(m) != "" {
		x.open = append(x.open, m)
	}
	if folder := packageFolder(m); folder != "" {
		for _, name := range p.names.below(folder) {
			if len(m.Body().names[name]) == 0 {
				x.owners[name] = append(x.owners[name], m)
			}
		}
	}
}

// foreigner is the module that any name of m may come from: the only one that
// it takes all names from, if that is not first-party.
func (x *stars) foreigner(m *Module) string {
	if list := x.foreign[m.Body()]; len(list) == 1 && len(m.Body().stars) == 1 {
		return list[0]
	}
	return ""
}

// join numbers the parts and notes which takes from which.
func (x *stars) join(knots [][]*Module) {
	x.takers = make([][]int, len(knots))
	for i, knot := range knots {
		for _, m := range knot {
			x.part[m] = i
		}
	}
	for i, knot := range knots {
		seen := map[int]bool{i: true}
		for _, m := range knot {
			for _, source := range x.sources[m.Body()] {
				if from := x.part[source]; !seen[from] {
					seen[from] = true
					x.takers[from] = append(x.takers[from], i)
				}
			}
		}
	}
}

// inSight are the parts from which an owner of the name is in sight.
func (x *stars) inSight(name string) map[int]bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := name
	if len(x.owners[name]) == 0 {
		key = "" // nobody's: only those are in sight that may have any
	}
	if seen, ok := x.sight[key]; ok {
		return seen
	}
	seen := map[int]bool{}
	var queue []int
	add := func(part int) {
		if !seen[part] {
			seen[part] = true
			queue = append(queue, part)
		}
	}
	for _, m := range slices.Concat(x.owners[name], x.open) {
		add(x.part[m])
	}
	for len(queue) > 0 {
		part := queue[0]
		queue = queue[1:]
		for _, taker := range x.takers[part] {
			add(taker)
		}
	}
	x.sight[key] = seen
	return seen
}

// below lists the modules and packages directly in a folder.
func (x *moduleNames) below(folder string) []string {
	x.insideOnce.Do(func() {
		x.inside = map[string][]string{}
		for file := range x.byPath {
			x.inside[dirOf(file)] = append(x.inside[dirOf(file)], strings.TrimSuffix(path.Base(file), path.Ext(file)))
		}
		for dir := range x.folders {
			x.inside[dirOf(dir)] = append(x.inside[dirOf(dir)], path.Base(dir))
		}
		for dir, names := range x.inside {
			slices.Sort(names)
			x.inside[dir] = slices.Compact(names)
		}
	})
	return x.inside[folder]
}

// fromSources resolves a name that a scope has from first-party modules by star
// imports: the last import first, and what that imports before the next.
func (q *query) fromSources(scope *Definition, name string) []Symbol {
	x := q.p.starred()
	if len(x.sources[scope]) == 0 {
		return nil
	}
	sight := x.inSight(name)
	if len(sight) == 0 {
		return nil
	}
	if owners := x.owners[name]; len(owners) == 1 && len(x.open) == 0 && name[0] != '_' {
		if !slices.ContainsFunc(x.sources[scope], func(m *Module) bool { return sight[x.part[m]] }) {
			return nil
		}
		if out := q.own(owners[0], name); len(out) > 0 {
			return out
		}
		return q.otherwise(placeOf(owners[0]), name)
	}
	seen := map[*Module]bool{}
	var take func(scope *Definition) []Symbol
	take = func(scope *Definition) []Symbol {
		q.steps += 1 + len(x.sources[scope])/starsPerStep
		for _, m := range x.sources[scope] {
			if seen[m] || !sight[x.part[m]] || hides(m, name) || q.spent() {
				continue
			}
			seen[m] = true
			out := q.own(m, name)
			if len(out) == 0 {
				out = take(m.Body())
			}
			if len(out) == 0 {
				out = q.otherwise(placeOf(m), name)
			}
			if len(out) > 0 {
				return out
			}
		}
		return nil
	}
	return take(scope)
}

// starsPerStep is how many star imports may be passed over for a step.
const starsPerStep = 64

// hides tells whether a star import of the module leaves the name out.
func hides(m *Module, name string) bool {
	return strings.HasPrefix(name, "_") && len(m.Body().names["__all__"]) == 0
}

// own resolves a name that a module binds itself.
func (q *query) own(m *Module, name string) []Symbol {
	bs := m.Body().names[name]
	if len(bs) == 0 || !q.enter(activity{scope: m.Body(), name: name}) {
		return nil
	}
	defer q.leave()
	return q.bindings(m.indexed().final(bs), m.Body(), name)
}

func placeOf(m *Module) place { return place{module: m, folder: packageFolder(m), found: true} }

// otherwise resolves a name that no first-party module behind a place binds.
func (q *query) otherwise(at place, name string) []Symbol {
	if at.module != nil {
		if from := q.p.starred().foreigner(at.module); from != "" {
			return []Symbol{external(from + "." + name)}
		}
	}
	if at.folder != "" {
		if sub, ok := q.p.names.sub(at, name); ok {
			return []Symbol{q.placed(sub)}
		}
	}
	return nil
}
