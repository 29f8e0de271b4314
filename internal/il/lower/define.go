package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// imported lowers an import: one instruction for each name that it brings.
func (b *body) imported(n syntax.Node) il.Operand {
	if v := n.Child("value"); v.Valid() && !n.Child("bind").Valid() {
		return b.expr(v)
	}
	var last il.Operand
	for bind := range n.Children("bind") {
		name := bind.Name()
		names := []string{name}
		if of := bind.Child("of"); of.Valid() {
			names = append(names, of.Name())
		}
		last = b.value(&il.Instr{Op: il.Import, Kind: n.Name(), Names: names, Span: span(n)})
		if name == "*" || name == "" || name == "_" && !b.language.whole {
			continue
		}
		if n.Has(syntax.Reexport) && b.language.hands {
			b.do(il.Set, "export", span(bind), b.none(), b.text(name), last)
			continue
		}
		if !b.language.whole {
			b.declare(name)
		}
		b.write(name, last, span(bind))
	}
	if !n.Child("bind").Valid() {
		last = b.value(&il.Instr{Op: il.Import, Kind: n.Name(), Names: []string{""}, Span: span(n)})
	}
	return last
}

// exports tells a statement that hands names out by names of their own.
func exports(n syntax.Node) bool { return n.Is("other") && n.Detail() == "export_statement" }

// exports sets what the module hands out by such statements, when all is bound.
func (b *body) exports(root syntax.Node) {
	for n := range root.Children() {
		if !exports(n) {
			continue
		}
		for bind := range n.Children("bind") {
			b.do(il.Set, "export", span(bind), b.none(), b.text(bind.Name()), b.expr(bind.Child("of")))
		}
	}
}

// qualified is the name of a definition in its module.
func (b *body) qualified(name string) string {
	if b.f.Name == "" {
		return name
	}
	return b.f.Name + "." + name
}

// function lowers a function, and binds its name where it has one of its own.
func (b *body) function(n syntax.Node) il.Operand {
	name, class, kind := n.Name(), "", il.Plainly
	if b.f.Kind == il.ClassBody {
		class = b.f.Class
	}
	if r := n.Child("receiver"); r.Valid() && class == "" {
		class = strings.TrimLeft(r.Child("type").Name(), "*&")
		if i := strings.IndexByte(class, '['); i >= 0 {
			class = class[:i]
		}
	}
	own := b.qualified(name)
	switch {
	case name == "" || n.Has(syntax.Lambda):
		own, kind = b.qualified("<lambda:"+strconv.Itoa(n.Line())+">"), il.Lambda
	case class != "" && b.f.Kind != il.ClassBody:
		own = b.qualified(class + "." + name)
	}
	args := b.decorators(n)
	inner := b.body(b, own, kind, n)
	inner.f.Class, inner.f.Async = class, n.Has(syntax.Async)
	for r := range n.Children("result") {
		inner.f.Results = append(inner.f.Results, r.Name())
	}
	for d := range n.Children("decorator") {
		inner.f.Decorators = append(inner.f.Decorators, d.Name())
	}
	inner.typeParams(n)
	defaults := inner.params(n, b)
	inner.named(n)
	if mark := b.language.conditional; mark != "" && strings.Contains(n.Child("body").Text(), mark) { // which parts are built, nobody says
		inner.value(&il.Instr{Op: il.Unknown, Kind: "conditional compilation", Span: span(n)})
	}
	if text := n.Child("body"); !text.Valid() {
		inner.f.Kind, inner.f.Blocks = il.Declared, nil
	} else {
		inner.inside(text)
	}
	return b.defined(n, inner.f, args, defaults, kind != il.Lambda && (class == "" || b.f.Kind == il.ClassBody))
}

// named declares the results that have names.
func (b *body) named(n syntax.Node) {
	for r := range n.Children("result") {
		name := r.Detail()
		if name == "" || b.m.Language != "go" {
			continue
		}
		if name == "_" {
			name = "%unnamed"
		}
		b.results = append(b.results, name)
		b.emit(&il.Instr{Op: il.Bind, Dst: b.declare(name), Args: []il.Operand{{}}, Names: []string{r.Name()}, Span: span(r)})
	}
}

// inside lowers the body of a function.
func (b *body) inside(n syntax.Node) {
	b.hoist(n)
	v := b.scoped(n)
	if !n.Is("block") || n.Child("value").Valid() {
		b.leaveWith(v, span(n))
	}
	b.finish(n)
}

// defined emits a definition, binds its name, and applies its decorators. defaults
// are those of its parameters, in their order.
func (b *body) defined(n syntax.Node, f *il.Function, decorators []*il.Instr, defaults []il.Operand, named bool) il.Operand {
	in := &il.Instr{Op: il.Define, Ref: f, Span: span(n)}
	in.Args, in.Names = b.captured(f)
	for i, o := range defaults {
		if o.Kind == il.Local || o.Kind == il.Free {
			in.Args, in.Names = append(in.Args, o), append(in.Names, "="+f.Params[i].Name)
		}
	}
	v := b.value(in)
	if named && n.Name() != "" {
		if !b.language.whole {
			b.declare(n.Name())
		}
		b.write(n.Name(), v, span(n))
	}
	for _, d := range decorators {
		d.Args = slices.Insert(d.Args, 1, v)
		d.Names = slices.Insert(d.Names, 0, "")
		b.value(d)
	}
	return v
}

// decorators evaluates what decorates a definition.
func (b *body) decorators(n syntax.Node) (calls []*il.Instr) {
	for d := range n.Children("decorator") {
		call := &il.Instr{Op: il.Call, Mode: il.Decorate, Kind: d.Name(), Args: []il.Operand{b.dotted(strings.ReplaceAll(d.Name(), "::", "."), span(d))}, Span: span(d)}
		b.arguments(d, call)
		calls = append(calls, call)
	}
	return calls
}

// captured is what a function reads of the scopes around it, as it stands where
// the function is made.
func (b *body) captured(f *il.Function) (args []il.Operand, names []string) {
	if b.f.Kind == il.Top {
		return nil, nil // the names of a module are looked up there
	}
	seen := map[string]bool{}
	for _, k := range f.Blocks {
		for _, in := range k.Instrs {
			for _, a := range in.Args {
				if a.Kind != il.Free || seen[b.m.Words[a.ID]] {
					continue
				}
				name := b.m.Words[a.ID]
				seen[name] = true
				if o := b.read(name); o.Kind == il.Local || b.outer != nil && b.outer.f.Kind != il.Top {
					args, names = append(args, o), append(names, name)
				}
			}
		}
	}
	return args, names
}

// params lowers the parameters; defaults are what the function around computes.
func (b *body) params(n syntax.Node, around *body) (defaults []il.Operand) {
	list := slices.Collect(n.Children("receiver", "param"))
	if b.language.receiver != "" && b.f.Class != "" && !n.Has(syntax.Static) && b.f.Kind != il.Lambda {
		b.param(il.Param{Name: b.language.receiver})
	}
	var patterns []func()
	for i, p := range list {
		param := il.Param{Name: p.Name(), Type: p.Child("type").Name()}
		for d := range p.Children("decorator") {
			param.Decorators = append(param.Decorators, d.Name())
		}
		switch d := p.Detail(); {
		case d == "...", strings.HasPrefix(param.Type, "..."):
			param.Spread = "*"
		case d == "**":
			param.Spread = "**"
		}
		if v := p.Child("value"); v.Valid() {
			param.Filled = true
			if o := around.expr(v); o.Kind == il.Constant {
				param.Default = o
			} else {
				defaults = append(append(defaults, make([]il.Operand, len(b.f.Params)-len(defaults))...), o)
			}
		}
		if pattern := p.Child("pattern"); pattern.Valid() {
			v := b.fresh("%p" + strconv.Itoa(i))
			param.Var = v
			b.f.Params = append(b.f.Params, param)
			patterns = append(patterns, func() { b.assign(pattern, local(v), true) })
			continue
		}
		b.param(param)
		if p.Has(syntax.Field) && b.language.receiver != "" { // a parameter that is a field, too
			patterns = append(patterns, func() { b.keep(p) })
		}
	}
	for _, take := range patterns {
		take()
	}
	return defaults
}

// keep sets the field that a parameter is.
func (b *body) keep(p syntax.Node) {
	this, ok := b.find(b.language.receiver)
	if !ok {
		return
	}
	b.emit(&il.Instr{Op: il.Set, Kind: "attr", Dst: this, Args: []il.Operand{local(this), b.text(p.Name()), b.read(p.Name())}, Span: span(p)})
}

func (b *body) param(p il.Param) {
	if p.Name == "" {
		p.Var = b.fresh("%unnamed")
	} else {
		p.Var = b.declare(p.Name)
	}
	b.f.Params = append(b.f.Params, p)
}

// class lowers a class: its body runs where it stands.
func (b *body) class(n syntax.Node) il.Operand {
	name := n.Name()
	if name == "" {
		name = "<class:" + strconv.Itoa(n.Line()) + ">"
	}
	own := b.qualified(name)
	class := &il.Class{Name: own, Kind: n.Detail(), Span: span(n)}
	for base := range n.Children("base", "of") {
		class.Bases = append(class.Bases, base.Name())
		b.typed(base)
	}
	args := b.decorators(n)
	inner := b.body(b, own, il.ClassBody, n)
	inner.f.Class = own
	inner.hoist(n)
	inner.statements(n.Children("member"))
	class.Body = inner.finish(n)
	b.m.Classes = append(b.m.Classes, class)
	return b.defined(n, inner.f, args, nil, n.Detail() != "impl")
}

// hoist declares what is known in a whole function or block before its place.
func (b *body) hoist(n syntax.Node) {
	switch {
	case b.language.whole:
		b.bindings(n)
	case b.language.hands:
		for c := range n.Children() {
			if c.Is("func", "class") && c.Name() != "" && !c.Has(syntax.Lambda) || c.Is("assign") && c.Name() != "" && c.Has(syntax.Declare) {
				b.declare(c.Name())
			}
		}
	}
}

// bindings declares every name that a function of a language of whole functions
// binds.
func (b *body) bindings(n syntax.Node) {
	for c := range n.Children() {
		switch c.Kind() {
		case "func", "class":
			if !c.Has(syntax.Lambda) && c.Name() != "" {
				b.declare(c.Name())
			}
			for d := range c.Children("decorator", "param") {
				b.bindings(d)
			}
			continue
		case "bind":
			if name := c.Name(); name != "" && name != "*" {
				b.declare(name)
			}
		case "name":
			if declaredBy(c) {
				b.declare(c.Name())
			}
		case "other":
			if d := c.Detail(); d == "global_statement" || d == "nonlocal_statement" {
				for name := range c.Children() {
					b.outers[name.Name()] = true
				}
				continue
			}
		}
		b.bindings(c)
	}
}

// declaredBy tells a name that its place binds: a target, or a capture of a
// pattern. What a comprehension binds is its own.
func declaredBy(n syntax.Node) bool {
	if n.Role() == "of" || n.Role() == "key" {
		return false
	}
	for c := n; ; c = c.Parent() {
		p := c.Parent()
		switch role := c.Role(); {
		case role == "target":
			return p.Is("assign", "catch") || p.Is("loop") && p.Detail() != "collect"
		case role == "match" && p.Is("case"):
			return true
		case p.Is("unary") && p.Detail() == "delete":
			return true
		case p.Is("list", "record", "entry") && role != "key" && role != "type", p.Is("unary") && p.Detail() == "...", p.Is("binary") && p.Detail() == "@":
		default:
			return false
		}
	}
}
