package syntax

import "strings"

// typed is a value of the type that a node says.
func (r *resolver) typed(t Node) meaning {
	if !t.Is("type") {
		return meaning{}
	}
	return r.typeNamed(t.Name(), t)
}

// typeNamed is a value of the type that is written as text where at stands.
func (r *resolver) typeNamed(text string, at Node) meaning {
	if r.spent() {
		return meaning{}
	}
	name := coreType(text, at.File())
	if name == "" {
		return meaning{}
	}
	parts := strings.FieldsFunc(name, func(c rune) bool { return c == '.' || c == ':' })
	if len(parts) == 0 {
		return meaning{}
	}
	m := r.typeName(parts[0], at, len(parts) > 1)
	for _, part := range parts[1:] {
		m = r.member(m, part)
	}
	if m.full == "" || len(m.files) > 0 {
		return meaning{}
	}
	if m.node.Is("class") && m.node.Detail() == "alias" {
		if base := m.node.Child("base"); base.Valid() && at.File().Language == "go" && !strings.ContainsAny(base.Name(), "[{(") {
			if x := r.typed(base); strings.Contains(x.full, ".") && !r.p.hasMethods(m.node) {
				m = x
			}
		}
	}
	m.value = true
	return m
}

// hasMethods tells a Go type with methods of its own.
func (p *Program) hasMethods(c Node) bool {
	return p.index().typed[method{p.Home(c.File()), c.Name(), ""}]
}

// typeName is the first part of a type's name: variables are not types.
func (r *resolver) typeName(name string, at Node, path bool) meaning {
	switch d := at.lookupType(name); {
	case name == "Self" || name == "this":
		return r.name(at, name)
	case d.Valid():
		return r.declared(d)
	}
	if m := r.global(at, name); m.full != "" {
		return m
	}
	if path && at.File().Language == "rust" {
		return r.rustPath(at.File(), name)
	}
	if path && packaged(at.File()) && javaRoots[name] {
		return meaning{full: name}
	}
	return meaning{}
}

// lookupType is the class or the imported name that a type's name means.
func (n Node) lookupType(name string) Node {
	table := n.f.table()
	for scope := range n.Around() {
		for _, i := range table[place{scope.i, name}] {
			if d := (Node{n.f, i}); d.Is("bind", "class") || d.Is("name") && script(n.f) && declaring(d).Child("value").Is("class") {
				return d
			}
		}
	}
	return Node{}
}

// typeLike is a value of the type that stands where a value stands, as in Go's
// new(T).
func (r *resolver) typeLike(n Node) meaning {
	if n.Is("type") {
		return r.typed(n)
	}
	m := r.expr(n)
	m.value = m.full != ""
	return m
}

// wrappers are types that stand for what is inside them.
var wrappers = map[string]bool{"Arc": true, "Rc": true, "Box": true, "Option": true, "RefCell": true, "Mutex": true, "RwLock": true,
	"Result": true, "Cow": true, "Pin": true, "Promise": true, "Readonly": true, "Partial": true, "Required": true, "NonNullable": true,
	"Awaited": true, "Optional": true, "Ref": true, "RefMut": true, "MutexGuard": true, "Data": false}

// promises are C#'s types that stand for what they will hold, or may.
var promises = words("Task ValueTask Nullable Lazy ActionResult")

// coreType is the name of a type without pointers, references, parameters and
// the wrappers that do not change what can be asked of it; "" for lists, maps
// and functions.
func coreType(text string, f *File) string {
	text = strings.TrimSpace(text)
	for range 8 {
		was := text
		for _, prefix := range []string{"*", "&", "mut ", "dyn ", "impl ", "readonly ", "final ", "?", "ref "} {
			text = strings.TrimSpace(strings.TrimPrefix(text, prefix))
		}
		if strings.HasPrefix(text, "'") { // a lifetime
			_, text, _ = strings.Cut(text, " ")
		}
		text = withoutNull(text)
		if f.Language == "c#" {
			text = strings.TrimSuffix(text, "?")
		}
		if name, rest, ok := strings.Cut(text, "<"); ok {
			last := name[strings.LastIndexAny(name, ".:")+1:]
			if (wrappers[last] || f.Language == "c#" && promises[last]) && strings.HasSuffix(rest, ">") {
				text = firstArgument(rest[:len(rest)-1])
			} else {
				text = name
			}
		}
		if text == was {
			break
		}
	}
	if f.Language == "go" {
		if i := strings.IndexByte(text, '['); i > 0 && !strings.HasPrefix(text, "map[") {
			text = text[:i]
		}
		if strings.HasPrefix(text, "chan ") || text == "func" || text == "struct" {
			return ""
		}
	}
	if strings.ContainsAny(text, "[](){}|& ") || strings.HasPrefix(text, "...") || strings.HasSuffix(text, "...") {
		return ""
	}
	return text
}

// withoutNull is a TypeScript union without the parts that are nothing.
func withoutNull(text string) string {
	if !strings.Contains(text, "|") || strings.ContainsAny(text, "<({") {
		return text
	}
	var left []string
	for part := range strings.SplitSeq(text, "|") {
		if part = strings.TrimSpace(part); part != "null" && part != "undefined" && part != "" {
			left = append(left, part)
		}
	}
	if len(left) == 1 {
		return left[0]
	}
	return text
}

// firstArgument is the first of the parameters of a type.
func firstArgument(list string) string {
	depth := 0
	for i, c := range list {
		switch c {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		case ',':
			if depth == 0 {
				return strings.TrimSpace(list[:i])
			}
		}
	}
	return strings.TrimSpace(list)
}

// elementType is the type of the elements of a list or map; "" for others.
func elementType(text string) string {
	text = strings.TrimLeft(strings.TrimSpace(text), "*& ")
	switch {
	case strings.HasPrefix(text, "[]"):
		return text[2:]
	case strings.HasPrefix(text, "..."):
		return text[3:]
	case strings.HasPrefix(text, "map["):
		depth := 0
		for i, c := range text {
			switch c {
			case '[':
				depth++
			case ']':
				if depth--; depth == 0 {
					return text[i+1:]
				}
			}
		}
	case strings.HasSuffix(text, "[]"):
		return text[:len(text)-2]
	case strings.HasSuffix(text, ">"):
		name, rest, _ := strings.Cut(text, "<")
		switch name[strings.LastIndexAny(name, ".:")+1:] {
		case "List", "Set", "Collection", "Iterable", "Queue", "Deque", "ArrayList", "LinkedList", "HashSet", "Stream", "Vec", "VecDeque", "Array",
			"ReadonlyArray", "Iterator", "IEnumerable", "IList", "ICollection", "IReadOnlyList", "IReadOnlyCollection", "IAsyncEnumerable", "IQueryable":
			return firstArgument(rest[:len(rest)-1])
		}
	case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"): // Rust's slices
		inner, _, _ := strings.Cut(text[1:len(text)-1], ";")
		return inner
	}
	return ""
}

// literalType is the class of a literal.
func literalType(n Node) string {
	switch n.File().Language {
	case "java":
		return "java.lang.String"
	case "c#":
		return "System.String"
	case "go":
		return "string"
	case "rust":
		return "str"
	}
	if n.Is("regexp") {
		return "RegExp"
	}
	return "String"
}
