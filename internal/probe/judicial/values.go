package judicial

import (
	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/facts"
)

// of computes the marks of an expression where it stands.
func (k *marks) of(n code.Node) origin {
	if !n.Valid() {
		return origin{}
	}
	switch n.Kind() {
	case "identifier":
		return k.named(n)
	case "attribute":
		o := k.of(n.Field("object"))
		o.data |= ofAttribute(n.Field("attribute").Text())
		return o
	case "subscript":
		return k.ofSubscript(n)
	case "string", "concatenated_string":
		return k.ofString(n)
	case "call":
		return k.ofCall(n)
	case "conditional_expression":
		o := k.of(n.Child(0)).plus(k.of(n.Child(2)))
		o.when |= k.ofCondition(n.Child(1))
		return o
	case "lambda":
		return k.of(n.Field("body"))
	case "case_pattern":
		return k.ofPattern(n)
	case "integer", "float", "true", "false", "none", "comment":
		return origin{}
	}
	var o origin
	for c := range n.Children() {
		o = o.plus(k.of(c))
	}
	switch {
	case n.Is("binary_operator") && n.Field("operator").Text() == "-" && extremes(n):
		o.data |= spread
	case n.Is("comparison_operator") && aboutSafety(n):
		o.data |= security
	}
	return o
}

// ofPattern is what the test of a case is made of: what is matched, and what the
// pattern asks of it.
func (k *marks) ofPattern(n code.Node) origin {
	var o origin
	for _, s := range code.Subject(n) {
		o = o.plus(k.of(s))
	}
	for x := range n.Walk() {
		switch x.Kind() {
		case "keyword_pattern":
			o.data |= ofAttribute(x.Child(0).Text())
		case "string_content":
			o.data |= ofText(x.Text())
		}
	}
	return o
}

// ofSubscript is the marks of one entry of a container.
func (k *marks) ofSubscript(n code.Node) origin {
	if text, ok := literal(n.Field("subscript")); ok {
		o := k.entry(n.Field("value"), text)
		o.data |= ofAttribute(text)
		return o
	}
	o := k.of(n.Field("value"))
	for _, s := range n.Fields("subscript") {
		if text, ok := literal(s); ok {
			o.data |= ofAttribute(text)
		} else {
			o = o.plus(k.of(s))
		}
	}
	return o
}

// aboutSafety recognises a comparison with the name of a criterion on the
// safety of tools.
func aboutSafety(n code.Node) bool {
	for c := range n.Children() {
		if text, ok := literal(c); ok {
			ws := split(text)
			return n.Fields("operators")[0].Text() == "==" && has(ws, "safe", "safety") && starts(ws, "tool")
		}
	}
	return false
}

// extremes recognises max(...) - min(...).
func extremes(n code.Node) bool {
	l, r := n.Field("left").Unparen(), n.Field("right").Unparen()
	return l.Is("call") && r.Is("call") && l.Field("function").Text() == "max" && r.Field("function").Text() == "min"
}

// ofString is the marks of a string: its text, and what is put into it.
func (k *marks) ofString(n code.Node) origin {
	var o origin
	for c := range n.Walk() {
		switch c.Kind() {
		case "string_content":
			o.data |= ofText(c.Text())
		case "interpolation":
			o = o.plus(k.of(c.Field("expression")))
		}
	}
	return o
}

// ofCall is what a call returns: of a first-party function what its returns
// are made of, of others what they are given.
func (k *marks) ofCall(n code.Node) origin {
	c := k.p.Call(n)
	if c == nil {
		return origin{}
	}
	o := origin{data: ofName(c.Name) &^ evidence}
	if k.asks != nil && k.asks(c) {
		o.data |= asked
	}
	if starts(split(c.Name), "stdev", "pstdev", "pvariance", "std") {
		o.data |= spread
	}
	if d := c.Callee.Def; d != nil && d.IsFunction() {
		if role, ok := k.nodes[d]; ok && !k.room.holds(d) {
			return handedOn(role)
		}
		o.data |= k.byKey(c, d)
		return o.plus(k.result(d))
	}
	if f := n.Field("function"); f.Is("attribute") {
		text, constant := literal(c.Arg("", 0))
		if name := f.Field("attribute").Text(); constant && (name == "get" || name == "pop") {
			o = o.plus(k.entry(f.Field("object"), text))
			o.data |= ofAttribute(text)
		} else {
			o = o.plus(k.of(f.Field("object")))
		}
	}
	made := c.Callee.Def != nil && c.Callee.Def.Kind == code.DefClass || c.Name == "model_copy" || c.Name == "_replace" || c.Matches("dataclasses.replace")
	for _, a := range c.Args {
		got := k.of(a.Value)
		if made && has(split(a.Name), prose...) {
			continue
		}
		if made { // an object is not what it holds, but an answer stays an answer
			got = origin{data: got.data & asked}
		}
		o = o.plus(got)
	}
	return o
}

// handedOn is what another node of the graph gives back. What it was made of there, as
// the words of a prompt or the answer of a model, says nothing of how it is used here.
func handedOn(role agentgraph.Role) origin {
	if role == facts.Detective {
		return origin{data: evidence}
	}
	return origin{}
}

// byKey is what the keys say that a call hands to a first-party function which
// looks them up in its other arguments.
func (k *marks) byKey(c *code.Call, d *code.Definition) mark {
	var m mark
	given := k.p.Parameters(c)
	for _, p := range d.Params() {
		if text, ok := literal(given[p.Name]); ok && looksUp(d, p.Name) {
			m |= ofAttribute(text)
		}
	}
	return m
}

// looksUp reports whether a function takes what stands under the key, or what
// the attribute holds, that a parameter names.
func looksUp(d *code.Definition, name string) bool {
	for n := range d.Body().WalkScope() {
		switch n.Kind() {
		case "call":
			args := n.Field("arguments")
			if last(n) == "get" && args.Child(0).Text() == name || last(n) == "getattr" && args.Child(1).Text() == name {
				return true
			}
		case "subscript":
			if n.Field("subscript").Text() == name {
				return true
			}
		}
	}
	return false
}

// result is what a first-party function returns.
func (k *marks) result(d *code.Definition) origin {
	return k.read(key{ask: result, fn: d}, func() entries {
		var o origin
		for _, r := range d.ReturnValues() {
			o = o.plus(k.of(r))
			o.when |= k.around(r)
		}
		return entries{rest: o}
	}).rest
}

// around is the marks of the conditions around a node in its function: not
// those of the branches of a chain that were passed over before its own.
func (k *marks) around(n code.Node) mark {
	return k.read(key{ask: decision, node: n}, func() entries {
		var m mark
		for _, g := range k.p.Guards(n) {
			if says(g) || g.Negated && otherwise(g, n) {
				m |= k.ofCondition(g.Condition)
			}
		}
		return entries{rest: origin{when: m}}
	}).rest.when
}

// named is the marks of a name in the scope where it stands, or in one around
// it.
func (k *marks) named(n code.Node) origin {
	o := origin{data: ofName(n.Text())}
	at, ok := k.local(n)
	if !ok {
		return o
	}
	got := k.held(at)
	if o.data&anyJudge != 0 { // the name says whose it is
		got.data &^= anyJudge
	}
	if k.strict && got.data&judged != 0 {
		got.data &^= security | evidence | argued | pleaded
	}
	return o.plus(got)
}

// held is what a local name is made of.
func (k *marks) held(at local) origin {
	return k.read(key{ask: held, name: at}, func() entries {
		o := origin{data: k.annotated(at)}
		for _, s := range k.scope(at.in)[at] {
			o = o.plus(k.given(s))
			if s.node.Valid() {
				o.when |= k.around(s.node)
			}
		}
		return entries{rest: o}
	}).rest
}

// given is what one setting gives its name: of a tuple the element that goes
// there.
func (k *marks) given(s setting) origin {
	if s.parts == 0 {
		o := k.of(s.value)
		o.data |= s.field
		return o
	}
	return k.element(s.value, s.part, s.parts)
}

// element is one element of what an expression gives, when that is a tuple of
// so many parts wherever it is written; otherwise the whole.
func (k *marks) element(n code.Node, part, parts int) origin {
	n = n.Unparen()
	switch n.Kind() {
	case "tuple", "expression_list":
		if x, ok := elementOf(n, part, parts); ok {
			return k.of(x)
		}
	case "conditional_expression":
		o := k.element(n.Child(0), part, parts).plus(k.element(n.Child(2), part, parts))
		o.when |= k.ofCondition(n.Child(1))
		return o
	case "call":
		c := k.p.Call(n)
		if c == nil || c.Callee.Def == nil || !c.Callee.Def.IsFunction() {
			break
		}
		return k.read(key{ask: worth, node: n, part: part, parts: parts}, func() entries {
			var o origin
			for _, r := range c.Callee.Def.ReturnValues() {
				o = o.plus(k.element(r, part, parts))
				o.when |= k.around(r)
			}
			return entries{rest: o}
		}).rest
	}
	return k.of(n)
}

// elementOf is the element of a tuple that is written out.
func elementOf(n code.Node, part, parts int) (code.Node, bool) {
	var all []code.Node
	for c := range n.Children() {
		if c.Is("list_splat") {
			return code.Node{}, false
		}
		if !c.Is("comment") {
			all = append(all, c)
		}
	}
	if len(all) != parts {
		return code.Node{}, false
	}
	return all[part], true
}
