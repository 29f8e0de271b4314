package syntax

import (
	"strings"
)

// Resolve is the full name, with dots, of what a name, member or callee stands
// for: through imports, the declared types of variables, parameters and
// fields, and what variables were made from. What a call gives is its callee
// with "()", unless its type is known: with db *sql.DB, db.Query is
// "database/sql.DB.Query"; after cmd := exec.Command(x), cmd.Run is
// "os/exec.Command().Run". "node:" is dropped, Rust's "::" is a dot. It is ""
// where that is not known.
func (p *Program) Resolve(n Node) string {
	m := p.meaning(n)
	if m.value && n.Role() == "callee" {
		return "" // what a value does that is called is not what its type is called
	}
	return m.full
}

// Target is the first-party function or, where a value is made by its class
// alone, the class that a call calls, the zero Node where it is none or not
// known.
func (p *Program) Target(call Node) Node {
	if !call.Is("call") {
		return Node{}
	}
	r := resolver{p: p}
	m := r.expr(call.Child("callee"))
	if m.value || !m.node.Is("func", "class") {
		return Node{}
	}
	var same []Node
	for f := range m.node.Children("member") {
		if f.Has(Constructor) {
			same = append(same, f)
		}
	}
	if c := m.node.Parent(); m.node.Is("func") && c.Is("class") {
		for f := range c.Children("member") {
			if f.Is("func") && f.Name() == m.node.Name() {
				same = append(same, f)
			}
		}
	}
	return overload(call, m.node, same)
}

// overload is the one of several functions of a name that takes as many
// arguments as a call has; the first where that does not tell.
func overload(call, first Node, same []Node) Node {
	if len(same) == 0 {
		return first
	}
	args := 0
	for range call.Children("arg") {
		args++
	}
	for _, f := range same {
		params := 0
		for range f.Children("param") {
			params++
		}
		if params == args {
			return f
		}
	}
	return same[0]
}

// Callers are the calls of a first-party function or class, in the order of
// files and lines.
func (p *Program) Callers(fn Node) []Node {
	p.callsOnce.Do(p.collectCalls)
	return p.calls[fn]
}

// collectCalls finds the target of every call whose callee has the name of a
// first-party function or class.
func (p *Program) collectCalls() {
	p.calls = map[Node][]Node{}
	known := map[string]bool{}
	for _, f := range p.Files {
		for i := range f.nodes {
			if n := (Node{f, int32(i)}); n.Is("func", "class") && n.Name() != "" {
				known[n.Name()] = true
			}
		}
	}
	for _, f := range p.Files {
		bound := map[string]bool{} // names that mean something of another name
		for i := range f.nodes {
			if n := (Node{f, int32(i)}); n.Is("bind") && n.Child("of").Valid() || n.Is("name") && n.Role() == "target" {
				bound[n.Name()] = true
			}
		}
		for i := range f.nodes {
			n := Node{f, int32(i)}
			if !n.Is("call") {
				continue
			}
			callee := n.Child("callee")
			if !known[callee.Name()] && !bound[callee.Name()] {
				continue
			}
			if t := p.Target(n); t.Valid() {
				p.calls[t] = append(p.calls[t], n)
			}
		}
	}
}

// meaning is what an expression or a declaration stands for, as far as that is
// known.
type meaning struct {
	full  string  // its name, with dots
	node  Node    // the first-party function, class or field
	files []*File // a first-party module or package
	value bool    // a value of the class, not the class
}

func (p *Program) meaning(n Node) meaning {
	r := resolver{p: p}
	return r.expr(n)
}

// maxSteps bounds how far one name is followed.
const maxSteps = 60

// resolver follows one name. It is bounded by steps, so that no ring of
// declarations holds it up.
type resolver struct {
	p     *Program
	steps int
}

func (r *resolver) spent() bool {
	r.steps++
	return r.steps > maxSteps
}

// expr is the meaning of an expression.
func (r *resolver) expr(n Node) meaning {
	if !n.Valid() || r.spent() {
		return meaning{}
	}
	switch n.Kind() {
	case "name":
		return r.name(n, n.Name())
	case "member":
		if imp := n.Child("object"); imp.Is("import") {
			return r.member(r.module(imp), n.Name())
		}
		return r.member(r.object(n.Child("object")), n.Name())
	case "call":
		return r.call(n)
	case "import":
		return r.module(n)
	case "index":
		return element(r, r.expr(n.Child("object")), n.Child("object"))
	case "cast", "record", "list":
		if t := n.Child("type"); t.Valid() {
			return r.typed(t)
		}
		if n.Is("cast") {
			return r.expr(n.Child("value"))
		}
	case "unary":
		switch n.Detail() {
		case "&", "*", "await", "?", "&mut", "!.":
			return r.expr(n.Child("value"))
		}
	case "string", "template", "regexp":
		return meaning{full: literalType(n), value: true}
	case "func", "class":
		return meaning{full: r.qualified(n), node: n}
	default:
	}
	return meaning{}
}

// object is the meaning of what a member is taken of: in Rust the first part of
// a path may be a crate, in Java a package.
func (r *resolver) object(n Node) meaning {
	m := r.expr(n)
	if m.full == "" && n.Is("name") && !n.lookup(n.Name()).Valid() {
		switch n.File().Language {
		case "rust":
			if strings.HasPrefix(n.File().text[n.End():], "::") {
				return r.rustPath(n.File(), n.Name())
			}
		case "java", "c#":
			if javaRoots[n.Name()] {
				return meaning{full: n.Name()}
			}
		}
	}
	return m
}

// call is the meaning of what a call gives.
func (r *resolver) call(n Node) meaning {
	callee := n.Child("callee")
	if callee.Is("member") && transparent[callee.Name()] && n.File().Language == "rust" {
		return r.expr(callee.Child("object"))
	}
	if n.File().Language == "go" && callee.Is("name") && (callee.Name() == "new" || callee.Name() == "make") {
		return r.typeLike(n.Child("arg"))
	}
	for c := range n.Children() { // require("x")
		if c.Is("import") {
			return r.module(c)
		}
	}
	if p := n.Parent(); p.Is("import") && p.Has(Dynamic) {
		return r.module(p)
	}
	return r.result(r.expr(callee), 0, n.Has(New))
}

// result is what a function gives at a position.
func (r *resolver) result(m meaning, at int, made bool) meaning {
	switch {
	case m.node.Is("class") && !m.value:
		return meaning{full: m.full, node: m.node, value: true}
	case made && m.full != "":
		return meaning{full: m.full, value: true}
	case m.node.Is("func"):
		if t := m.node.Nth("result", at); t.Valid() {
			if x := r.typed(t); x.full != "" {
				return x
			}
		}
	}
	if m.full == "" || m.value {
		return meaning{}
	}
	suffix := "()"
	if at > 0 {
		suffix = "()[" + string(rune('0'+min(at, 9))) + "]"
	}
	return meaning{full: m.full + suffix}
}

// element is the meaning of one of the values in a list or map.
func element(r *resolver, m meaning, of Node) meaning {
	if t := r.typeOf(of); t.Valid() {
		if inner := elementType(t.Name()); inner != "" {
			return r.typeNamed(inner, t)
		}
	}
	if m.full == "" || m.node.Valid() {
		return meaning{}
	}
	return meaning{full: m.full + "[]"}
}

// typeOf is the declared type of a variable, as it stands in the source.
func (r *resolver) typeOf(n Node) Node {
	switch n.Kind() {
	case "name":
		d := n.lookup(n.Name())
		if d.Is("name") {
			d = declaring(d)
		}
		if t := d.Child("type"); t.Valid() {
			return t
		}
		if v := d.Child("value"); d.Is("assign") {
			return v.Child("type")
		}
	case "member":
		if c := r.expr(n.Child("object")).node; c.Is("class") {
			return r.field(c, n.Name()).Child("type")
		}
	default:
	}
	return Node{}
}

// name is what a name stands for where it is used.
func (r *resolver) name(n Node, name string) meaning {
	if r.spent() {
		return meaning{}
	}
	switch name {
	case "this", "self", "Self":
		if c := receiverClass(n); c.Valid() {
			m := r.class(c)
			m.value = name != "Self"
			return m
		}
	case "super":
		if c := n.Enclosing("class"); c.Valid() && c.Child("base").Valid() {
			return r.typed(c.Child("base"))
		}
	}
	if d := n.lookup(name); d.Valid() {
		return r.declared(d)
	}
	return r.global(n, name)
}

// class is the meaning of a class; Rust's impl is the type that it is of.
func (r *resolver) class(c Node) meaning {
	if c.Detail() == "impl" {
		if m := r.typeNamed(c.Name(), c); m.full != "" {
			return m
		}
	}
	return meaning{full: r.qualified(c), node: c}
}

// receiverClass is the class around a method.
func receiverClass(n Node) Node {
	for p := range n.Around() {
		if p.Is("class") {
			return p
		}
	}
	return Node{}
}
