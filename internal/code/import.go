package code

import "strings"

// Import is one name bound by an import statement or by
// importlib.import_module and __import__ with a literal.
type Import struct {
	Node     Node    // the statement, or the call
	Local    string  // name bound in the file; "" for a star import that could not be expanded
	Target   string  // qualified name of what it stands for: a module or a member of one
	Module   *Module // first-party module it names or takes from; nil for others
	External bool    // not first-party
	Inner    bool    // inside a function
	TypeOnly bool    // under "if TYPE_CHECKING"
	Missing  bool    // a relative or first-party import whose target does not exist
}

// importSpec is one name of an import statement as written.
type importSpec struct {
	node   Node   // the statement
	module string // dotted name after the dots; "" in "from . import x"
	level  int    // leading dots
	name   string // name taken from the module; "" for a module import, "*" for all
	local  string // name bound, "" for a star
	whole  bool   // "import a.b as c": local stands for a.b, not for a
}

// bindImports records the names that an import statement binds.
func (x *moduleIndex) bindImports(n Node) {
	scope := x.enclosing(n)
	for _, spec := range importSpecs(n) {
		x.imps = append(x.imps, spec)
		target := scope
		for target.Kind != DefModule && target.global[spec.local] {
			target = target.Parent
		}
		target.add(spec.local, Node{})
	}
}

// importSpecs reads an import statement.
func importSpecs(n Node) []importSpec {
	base := importSpec{node: n}
	from := !n.Is("import_statement")
	switch source := n.Field("module_name"); source.Kind() {
	case "relative_import":
		prefix := source.child("import_prefix").Text()
		base.level = strings.Count(prefix, ".")
		base.module = dotted(source.child("dotted_name"))
	case "dotted_name":
		base.module = dotted(source)
	default:
		if from {
			base.module = "__future__"
		}
	}
	var out []importSpec
	if n.child("wildcard_import").Valid() {
		base.name = "*"
		return append(out, base)
	}
	for _, item := range n.Fields("name") {
		spec := base
		name := item
		if item.Is("aliased_import") {
			name = item.Field("name")
			spec.local = item.Field("alias").Text()
			spec.whole = true
		}
		text := dotted(name)
		if from {
			spec.name = text
		} else {
			spec.module = text
		}
		if spec.local == "" {
			spec.local, _, _ = strings.Cut(text, ".")
		}
		out = append(out, spec)
	}
	return out
}

// dotted returns a dotted_name without spaces and line continuations.
func dotted(n Node) string {
	if !n.Valid() {
		return ""
	}
	var parts []string
	for c := range n.Children() {
		parts = append(parts, c.Text())
	}
	if len(parts) == 0 {
		return n.Text()
	}
	return strings.Join(parts, ".")
}
