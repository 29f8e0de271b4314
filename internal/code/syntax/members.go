package syntax

import (
	"slices"
	"strings"
)

// member is what a name after a dot stands for.
func (r *resolver) member(m meaning, name string) meaning {
	if r.spent() {
		return meaning{}
	}
	switch {
	case len(m.files) > 0:
		if d := r.p.top(m.files, name); d.Valid() {
			if x := r.declared(d); x.full != "" {
				return x
			}
		}
	case m.node.Is("class"):
		return r.classMember(m, name, 0)
	case globalObjects[m.full] && scriptGlobals[name]:
		return meaning{full: name}
	}
	if m.full == "" {
		return meaning{}
	}
	return meaning{full: m.full + "." + name}
}

// maxBases bounds how far up a class's bases are asked.
const maxBases = 8

// classMember is a member of a first-party class, its own or of a base.
func (r *resolver) classMember(m meaning, name string, depth int) meaning {
	own := meaning{full: m.full + "." + name}
	d := r.field(m.node, name)
	switch d.Kind() {
	case "func":
		own.node = d
		if d.Has(Getter) {
			return r.result(own, 0, false)
		}
		return own
	case "class":
		return r.class(d)
	case "assign", "param":
		if t := d.Child("type"); t.Valid() {
			if x := r.typed(t); x.full != "" {
				return x
			}
		}
		v := d.Child("value")
		if v.Is("func") {
			own.node = v
			return own
		}
		if x := r.expr(v); x.full != "" && !v.Is("class") {
			return x
		}
		return own
	default:
	}
	if depth < maxBases && !r.spent() {
		if x := r.inherited(m, name, depth); x.full != "" {
			return x
		}
	}
	return own
}

// inherited is a member that a base of a class has.
func (r *resolver) inherited(m meaning, name string, depth int) meaning {
	var outside []string
	for b := range m.node.Children("base") {
		t := r.typed(b)
		switch {
		case b.File().Language == "go" && lastName(b.Name()) == name: // an embedded field
			return t
		case t.node.Is("class") && t.node != m.node:
			if x := r.classMember(t, name, depth+1); x.node.Valid() || !strings.HasPrefix(x.full, t.full+".") {
				return x
			}
		case t.full != "":
			outside = append(outside, t.full)
		}
	}
	if len(outside) == 1 {
		return meaning{full: outside[0] + "." + name}
	}
	return meaning{}
}

// field is the member of a class with that name: a function, a field, a class
// inside, or a parameter that is made a field.
func (r *resolver) field(c Node, name string) Node {
	for _, part := range r.p.parts(c) {
		for x := range part.Children("member") {
			if x.Name() == name && x.Is("func", "assign", "class") {
				return x
			}
		}
	}
	if c.File().Language == "go" {
		return r.p.index().methods[method{r.p.Home(c.File()), c.Name(), name}]
	}
	if script(c.File()) || c.File().Language == "c#" {
		return constructed(c, name)
	}
	return Node{}
}

// parts are a class and, in Rust, the impl blocks of its file's crate that are
// of it; in C#, the other parts of it in its namespace.
func (p *Program) parts(c Node) []Node {
	if c.File().Language == "c#" && strings.Contains(c.File().text[c.Start():c.End()], "partial ") {
		out := []Node{c}
		for _, f := range p.index().homes[p.Home(c.File())] {
			if d := p.top([]*File{f}, c.Name()); d != c && d.Is("class") && f.Language == "c#" {
				out = append(out, d)
			}
		}
		return out
	}
	if c.File().Language != "rust" {
		return []Node{c}
	}
	return append([]Node{c}, p.index().impls[method{crateOf(c.File().Path), bare(c.Name()), ""}]...)
}

// constructed is the field that a constructor makes: "this.x = v", or a
// parameter that says who may see it.
func constructed(c Node, name string) Node {
	for f := range c.Children("member") {
		if !f.Has(Constructor) {
			continue
		}
		for x := range f.Children("param") {
			if x.Name() == name && (accessWord(x) || x.Has(Field)) {
				return x
			}
		}
		for x := range f.Child("body").Walk() {
			if !x.Is("assign") {
				continue
			}
			if t := x.Child("target"); t.Is("member") && t.Name() == name && t.Child("object").Name() == "this" {
				return x
			}
		}
	}
	return Node{}
}

func accessWord(n Node) bool {
	text := n.Text()
	for _, word := range []string{"private ", "public ", "protected ", "readonly "} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// top is the declaration of a name at the top of the files of a module.
func (p *Program) top(files []*File, name string) Node {
	for _, f := range files {
		for _, i := range f.table()[place{0, name}] {
			d := Node{f, i}
			if !d.Is("bind") || f.Language == "rust" {
				return d
			}
		}
		for _, i := range f.table()[place{exports, name}] {
			return Node{f, i}
		}
	}
	return Node{}
}

// qualified is the full name of a first-party declaration.
func (r *resolver) qualified(n Node) string {
	var names []string
	if n.Name() != "" {
		names = append(names, n.Name())
	}
	if t := receiverType(n); t != "" {
		names = append(names, t)
	}
	for p := range n.Around() {
		switch {
		case p.Is("class") && p.Name() != "":
			names = append(names, bare(p.Name()))
		case p.Is("func") && p.Name() != "":
			names = append(names, p.Name())
		}
	}
	if home := r.p.Home(n.File()); home != "" {
		names = append(names, home)
	}
	slices.Reverse(names)
	return strings.Join(names, ".")
}

// receiverType is the name of the type that a Go method is of.
func receiverType(n Node) string {
	return bare(strings.TrimPrefix(n.Child("receiver").Child("type").Name(), "*"))
}

// bare is a type's name without its parameters.
func bare(name string) string {
	if i := strings.IndexAny(name, "[<"); i > 0 {
		return strings.TrimSpace(name[:i])
	}
	return name
}

// lastName is the last part of a type as it is written.
func lastName(name string) string {
	name = bare(strings.TrimLeft(name, "*&"))
	return name[strings.LastIndexByte(name, '.')+1:]
}
