package analyse

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// starsOf are the imports that bring in, or hand on, all names of a module.
func starsOf(m *il.Module) (out []*il.Instr) {
	for _, in := range m.Top.Instructions() {
		if in.Op == il.Import && len(in.Names) > 1 && in.Names[1] == "*" {
			out = append(out, in)
		}
	}
	return out
}

// starred is a name that star imports bring into a module; nil where none does.
// Where several bring different things, or one leads out of sight, it is bound,
// but not to one thing.
func (n *Names) starred(m *il.Module, name string, handed bool) *Symbol {
	list, lost := n.starClosure(m)
	found := n.brought(m, name)
	if found != nil {
		return found
	}
	for _, from := range list {
		s := n.own(from, name)
		if s == nil {
			lost = lost || from != nil && (from.Damaged || n.computes(from))
			continue
		}
		if found != nil && found.At != s.At {
			return &Symbol{}
		}
		found = s
	}
	if found == nil {
		found = n.surely(m, name)
	}
	if found == nil && lost && (handed || !builtin(m.Language, name)) {
		return &Symbol{}
	}
	return found
}

// brought is a type that a whole package of Java or C# brings in which was not read: by
// what is known of it, or in Java because it is the only one of which nothing is. Two
// packages that bring the same name would be an error.
func (n *Names) brought(m *il.Module, name string) *Symbol {
	if !classScope[m.Language] || name < "A" || name >= "[" {
		return nil
	}
	for _, kind := range slices.Sorted(maps.Keys(m.Links)) {
		if l := m.Links[kind]; l.Given && slices.Contains(l.Brings, name) {
			return &Symbol{Outside: kind + "." + name}
		}
	}
	open := []string{}
	for _, in := range starsOf(m) {
		link := m.Links[in.Kind]
		if slices.Contains(link.Brings, name) {
			return &Symbol{Outside: in.Kind + "." + name, At: m.Top.Place(in.Span)}
		}
		if len(link.Brings) == 0 {
			open = append(open, in.Kind)
		}
	}
	if link := m.Links; len(open) == 1 && m.Language == "java" && !link[open[0]].Own && len(link[open[0]].Modules) == 0 {
		return &Symbol{Outside: open[0] + "." + name}
	}
	return nil
}

// starClosure is the modules whose names star imports bring into a module, on any
// number of steps, and whether one leads to a module that is not read.
func (n *Names) starClosure(m *il.Module) (list []*il.Module, lost bool) {
	if known, ok := n.stars[m]; ok {
		return known, slices.Contains(known, nil)
	}
	direct := map[*il.Module]bool{}
	seen := map[*il.Module]bool{m: true}
	for work := []*il.Module{m}; len(work) > 0; work = work[1:] {
		for _, in := range starsOf(work[0]) {
			link := work[0].Links[in.Kind]
			if len(link.Modules) == 0 && !seen[nil] {
				seen[nil], list = true, append(list, nil)
			}
			for _, from := range link.Modules {
				if from == m {
					direct[work[0]] = true
				}
				if !seen[from] {
					seen[from], list, work = true, append(list, from), append(work, from)
				}
			}
		}
	}
	n.stars[m] = list
	// What imports all of m and is imported by it sees the same: without this, a
	// ring of modules that import each other takes their number squared, each.
	for from := range direct {
		if from != m {
			n.stars[from] = append(list[:len(list):len(list)], m)
		}
	}
	return list, seen[nil]
}

// own is a name of a module's top level, or one that it hands out.
func (n *Names) own(m *il.Module, name string) *Symbol {
	if m == nil {
		return nil
	}
	if s := n.export(m, name); s != nil {
		return s
	}
	return n.symbol(m, name)
}

// handedOut is what a module of JavaScript hands out under names of their own.
func handedOut(m *il.Module) map[string]binding {
	table := map[string]binding{}
	give := func(name string, v il.Operand, in *il.Instr) {
		table[name] = binding{at: in.Span, value: v, once: true}
	}
	for _, in := range m.Top.Instructions() {
		if in.Op != il.Set {
			continue
		}
		name, ok := m.Top.Str(in.Args[1])
		switch {
		case !ok:
		case in.Kind == "export":
			give(name, in.Args[2], in)
		case in.Kind == "attr" && exporting(m, in.Args[0]):
			give(name, in.Args[2], in)
		case in.Kind == "attr" && m.Top.Word(in.Args[0]) == "module" && name == "exports":
			give("default", in.Args[2], in)
			if def := m.Top.Def(m.Top.Root(in.Args[2])); def != nil && def.Op == il.Make && def.Kind == "map" {
				for i, key := range def.Names {
					give(key, def.Args[i], in)
				}
			}
		}
	}
	return table
}

// exporting tells "exports" and "module.exports".
func exporting(m *il.Module, o il.Operand) bool {
	if m.Top.Word(o) == "exports" {
		return true
	}
	def := m.Top.Def(m.Top.Root(o))
	if def == nil || def.Op != il.Get {
		return false
	}
	key, _ := m.Top.Str(def.Args[1])
	return key == "exports" && m.Top.Word(def.Args[0]) == "module"
}

// part is a member of a module or package; nil where it has none of that name.
func (n *Names) part(s *Symbol, name string) *Symbol {
	for _, m := range s.Modules {
		if found := n.own(m, name); found != nil {
			return found
		}
	}
	full := s.Package + "." + name
	if m := n.parts[full]; m != nil {
		return &Symbol{Modules: []*il.Module{m}, Package: full, At: m.Place(il.Span{})}
	}
	if n.folders[full] {
		return &Symbol{Package: full}
	}
	for _, m := range s.Modules {
		if found := n.starred(m, name, true); found != nil {
			return found
		}
		if n.open(m, name) {
			return &Symbol{}
		}
	}
	if n.program.Hides(full) || len(s.Modules) == 0 && n.program.Hides(s.Package) {
		return &Symbol{Outside: full}
	}
	return nil
}

// open tells a module that may have a name which its text does not bind.
func (n *Names) open(m *il.Module, name string) bool {
	return m.Damaged || m.Partial || strings.HasSuffix(m.Path, ".pyi") || m.Top.Lost != "" || strings.HasPrefix(name, "__") || n.symbol(m, "__getattr__") != nil || n.computes(m) || m.Language != "python" && m.Language != "go"
}

// computing are the calls by which a module of Python may bind names that its
// text does not have.
var computing = map[string]bool{"globals": true, "vars": true, "exec": true, "locals": true, "_convert_": true, "execfile": true, "global_enum": true}

// computes tells whether a module calls one of them, wherever.
func (n *Names) computes(m *il.Module) bool {
	known, ok := n.computed[m]
	if !ok {
		for f := range m.All() {
			for _, in := range f.Instructions() {
				if in.Op == il.Call && (computing[lastName(in.Kind)] || strings.HasPrefix(in.Kind, "sys.modules")) {
					known = true
				}
			}
		}
		n.computed[m] = known
	}
	return known
}

// Imported is what an Import binds, nil where the program should have it and has
// not.
func (n *Names) Imported(m *il.Module, in *il.Instr) *Symbol {
	link, known := m.Links[in.Kind]
	named := len(in.Names) > 1 && in.Names[1] != "*"
	if !known || !link.Own {
		path := strings.ReplaceAll(strings.TrimPrefix(in.Kind, "node:"), "::", ".")
		if named && in.Names[1] != "default" && (m.Language == "python" || lastName(path) != in.Names[1]) {
			path += "." + in.Names[1]
		} else if first, _, more := strings.Cut(path, "."); more && in.Names[0] == first && m.Language == "python" {
			path = first // "import a.b" binds a
		}
		return &Symbol{Outside: path}
	}
	if len(link.Modules) == 0 && link.Name == "" {
		if m.Language == "python" {
			return nil
		}
		return &Symbol{} // a build may make it
	}
	s := &Symbol{Modules: link.Modules, Package: link.Name}
	switch {
	case len(in.Names) > 1 && !named:
		return &Symbol{}
	case named && !importsNames[m.Language]:
		if own := n.parts[link.Name+"."+in.Names[1]]; own != nil && n.ownPart(m, link, in) {
			return &Symbol{Modules: []*il.Module{own}, Package: own.Name, At: own.Place(il.Span{})}
		}
		return n.part(s, in.Names[1])
	case m.Language == "python" && strings.Contains(in.Kind, ".") && in.Names[0] == first(in.Kind):
		return n.root(link.Name, in.Kind)
	case named && importsNames[m.Language] || importsNames[m.Language] && lastName(link.Name) != lastPart(in.Kind):
		return n.part(s, lastPart(in.Kind))
	case !slices.ContainsFunc(in.Names, func(name string) bool { return name != "" }):
		return &Symbol{}
	}
	return s
}

// ownPart tells an import by which a package of Python takes a part of itself, under a
// name that it has from there alone: before it, the package has no such name.
func (n *Names) ownPart(m *il.Module, link il.Link, in *il.Instr) bool {
	b := n.tops[m][in.Names[1]]
	return m.Language == "python" && slices.Contains(link.Modules, m) && b.once && m.Top.Def(m.Top.Root(b.value)) == in
}

// standing is what a binding of a top level stands for: its only value, or the imports that
// all values come from.
func (n *Names) standing(top *il.Function, b binding) *Symbol {
	if b.once {
		return n.Operand(top, b.value)
	}
	return n.alone(top, b.all...)
}

// alone is what the imports bring that some operands come from. They all bring the same, and
// beside them an operand may only be None or unbound, as where an import fails. A thing stays
// what it is when a part of it is changed. nil for all others, and beyond some steps.
func (n *Names) alone(f *il.Function, work ...il.Operand) (out *Symbol) {
	seen := map[il.Operand]bool{}
	for len(work) > 0 && len(seen) <= maxHeld {
		o := f.Root(work[0])
		if work = work[1:]; seen[o] || o.Kind == il.Undef {
			continue
		}
		seen[o] = true
		if c, ok := f.Const(o); ok && c.Type == il.NoneConst {
			continue
		}
		switch def := f.Def(o); {
		case def == nil:
			return nil
		case def.Op == il.Phi:
			work = append(work, def.Args...)
		case partly(f, def):
			work = append(work, def.Args[0])
		case def.Op == il.Import:
			s := n.Imported(f.Module, def)
			if s == nil || s.empty() || out != nil && !out.same(s) {
				return nil
			}
			out = s
		default:
			return nil
		}
	}
	if len(work) > 0 {
		return nil
	}
	return out
}

// partly tells an instruction that puts back a part of a thing after a change of the part. It
// binds the thing anew: "os.environ[key] = value" binds os.
func partly(f *il.Function, in *il.Instr) bool {
	if in.Op != il.Set || in.Kind != "attr" {
		return false
	}
	part := f.Def(f.Root(in.Args[2]))
	changed := part != nil && part.Op == il.Set
	for range maxBases {
		if part == nil || part.Op != il.Set || part.Kind == "outer" || part.Kind == "export" {
			break
		}
		part = f.Def(f.Root(part.Args[0]))
	}
	return changed && part != nil && part.Op == il.Get && part.Kind == "attr" && part.Args[1] == in.Args[1] && f.Root(part.Args[0]) == f.Root(in.Args[0])
}

// same tells two symbols for the same thing. What an import brings is not a constant of its own.
func (s *Symbol) same(t *Symbol) bool {
	return s.Function == t.Function && s.Bound == t.Bound && s.Outside == t.Outside && s.Package == t.Package && s.Const == t.Const && slices.Equal(s.Modules, t.Modules)
}

// brings tells two versions for which the same import stands, or two of the same package:
// "import a.b" and "import a.c" both bind a.
func brings(f *il.Function, a, b int32) bool {
	if a < 0 {
		return false
	}
	p, q := f.Def(f.Root(local(a))), f.Def(f.Root(local(b)))
	if p == nil || q == nil || p.Op != il.Import || q.Op != il.Import || !slices.Equal(p.Names, q.Names) {
		return false
	}
	return p.Kind == q.Kind || f.Module.Language == "python" && len(p.Names) == 1 && p.Names[0] == first(p.Kind) && p.Names[0] == first(q.Kind) &&
		f.Module.Links[p.Kind].Own == f.Module.Links[q.Kind].Own
}

// ImportedModules are the modules that another one imports.
func (n *Names) ImportedModules() map[*il.Module]bool {
	out := map[*il.Module]bool{}
	for f := range n.program.All() {
		for _, in := range f.Instructions() {
			if in.Op != il.Import {
				continue
			}
			for _, m := range n.loads(f.Module, in) {
				out[m] = out[m] || m != f.Module
			}
		}
	}
	return out
}

// loads are the modules of the program that an import names.
func (n *Names) loads(m *il.Module, in *il.Instr) []*il.Module {
	out := m.Links[in.Kind].Modules
	if s := n.Imported(m, in); s != nil {
		out = append(slices.Clip(out), s.Modules...)
	}
	return out
}

// importsNames are the languages in which an import's path ends with the name
// that it brings, or with the module itself.
var importsNames = map[string]bool{"java": true, "rust": true, "c#": true}

func lastPart(path string) string { return lastName(strings.ReplaceAll(path, "::", ".")) }

func first(name string) string { name, _, _ = strings.Cut(name, "."); return name }

// root is the package that "import a.b.c" binds: the first part of the name, which
// may lie in a folder with a name of its own.
func (n *Names) root(full, written string) *Symbol {
	for range strings.Count(written, ".") {
		i := strings.LastIndexByte(full, '.')
		if i < 0 {
			return &Symbol{}
		}
		full = full[:i]
	}
	s := &Symbol{Package: full}
	if m := n.parts[full]; m != nil {
		s.Modules = []*il.Module{m}
	}
	return s
}
