package syntax

import "slices"

// place is a name in a scope; the scope is the index of the node that opens it.
type place struct {
	scope int32
	name  string
}

// scopes are the declarations of a file by place: binds, functions, classes,
// parameters, and the name nodes of the targets of assignments, loops and
// catches.
type scopes map[place][]int32

// table is the file's declarations. They are collected when they are first
// asked for.
func (f *File) table() scopes {
	f.once.Do(func() {
		f.declared = scopes{}
		for i := range f.nodes {
			n := Node{f, int32(i)}
			switch n.Kind() {
			case "bind", "func", "class", "param":
				f.enter(n, n.Name(), n)
			case "name":
				if d := declaring(n); d.Valid() {
					f.enter(d, n.Name(), n)
				}
			default:
			}
		}
	})
	return f.declared
}

// exports is the scope of the names that only others see.
const exports = -1

// enter keeps one declaration; by is the node that declares it.
func (f *File) enter(by Node, name string, n Node) {
	if name == "" || name == "_" {
		return
	}
	scope := scopeOf(by)
	if !scope.Valid() {
		return
	}
	k := place{scope.i, name}
	if p := by.Parent(); by.Is("bind") && script(f) && (!p.Is("import") || p.Has(Reexport)) {
		k.scope = exports
	}
	f.declared[k] = append(f.declared[k], n.i)
}

// declaring is the assignment, parameter, loop, catch or case that declares the
// variable of a name, the zero Node where the name is only used.
func declaring(n Node) Node {
	for {
		p := n.Parent()
		switch role := n.Role(); {
		case role == "pattern" && p.Is("param"), role == "target" && p.Is("loop", "catch"):
			return p
		case role == "target" && p.Is("assign"):
			if p.Has(Declare) {
				return p
			}
			return Node{}
		case role == "match" && p.Is("case") && n.Is("assign"):
			return p
		case n.Has(Declare) && p.Is("binary") && role == "left", // a default in a pattern
			p.Is("binary") && p.Detail() == "=" && role == "left":
			n = p
		case p.Is("list", "record") || p.Is("unary") && p.Detail() == "..." || p.Is("entry") && role == "value" || p.Is("other"),
			p.Is("assign") && role == "target": // patterns
			n = p
		default:
			return Node{}
		}
	}
}

// scopeOf is the node in which what by declares is known.
func scopeOf(by Node) Node {
	switch by.Kind() {
	case "param", "loop", "catch", "case":
		switch {
		case by.Has(Field) && by.File().Language == "c#": // of a constructor in the head of a class
			return by.Parent().Parent()
		case by.Is("param"):
			return by.Parent()
		}
		return by
	case "bind":
		if imp := by.Parent(); !imp.Has(Dynamic) {
			return around(imp)
		}
	case "func":
		if by.Has(Method) && !by.Parent().Is("class") {
			return Node{} // Go's methods
		}
	default:
	}
	if by.Is("assign") && by.Detail() == "var" && script(by.File()) {
		for p := range by.Around() {
			if p.Is("func", "file") {
				return p
			}
		}
	}
	return around(by)
}

// around is the nearest scope around a node.
func around(n Node) Node {
	for p := range n.Around() {
		if p.Is("block", "func", "class", "file", "if", "loop", "switch", "case", "catch", "try") {
			return p
		}
	}
	return Node{}
}

// script tells JavaScript and TypeScript.
func script(f *File) bool { return f.Language == "javascript" || f.Language == "typescript" }

// packaged tells Java and C#, whose files say which package they are of, and
// whose members are known by their bare names in a class.
func packaged(f *File) bool { return f.Language == "java" || f.Language == "c#" }

// ordered tells languages whose local variables are not known before their
// declaration.
func ordered(f *File) bool { return !script(f) }

// lookup is the declaration that a name means where it is used, the zero Node
// where none is in the file.
func (n Node) lookup(name string) Node {
	if n.f == nil {
		return Node{}
	}
	table := n.f.table()
	for scope := range n.Around() {
		if scope.Is("class") && !packaged(n.f) {
			continue // members are not known by their bare names
		}
		found := table[place{scope.i, name}]
		for _, i := range slices.Backward(found) {
			d := Node{n.f, i}
			if d != n && local(d, scope) && ordered(n.f) && !before(d, n) {
				continue
			}
			return d
		}
	}
	return Node{}
}

// local tells a variable inside a function.
func local(d, scope Node) bool { return d.Is("name") && !scope.Is("file", "class") }

// before tells whether a declaration is done where a name is used: a variable
// is not known in its own value.
func before(d, use Node) bool {
	by := declaring(d)
	if d == use {
		return true
	}
	if by.Is("assign") {
		return by.End() <= use.Start()
	}
	return d.End() <= use.Start()
}
