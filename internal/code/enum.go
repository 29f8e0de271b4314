package code

import "strings"

// enum reports whether a class is an enumeration.
func (q *query) enum(class *Definition) bool {
	for _, b := range q.bases(class) {
		if b.Matches("enum.*Enum", "enum.*Flag", "*.TextChoices", "strenum.StrEnum") {
			return true
		}
	}
	return false
}

// enumMember evaluates a member; it keeps the member's name beside its value.
func (q *query) enumMember(class *Definition, name string) (Value, bool) {
	bs := class.names[name]
	if len(bs) == 0 || bs[0].kind != bindAssign || strings.HasPrefix(name, "__") {
		return Value{}, false
	}
	v := q.eval(bs[0].value)
	if v.Kind == ValueSymbol && v.Symbol.Matches("enum.auto()") {
		v = q.auto(class, name, bs[0].value)
	}
	v.Member = class.Qualified + "." + name
	v.Symbol = Symbol{Qualified: class.Qualified, Def: class, Instance: true}
	return v, true
}

// auto is the value that enum.auto gives: the lower-case name in a StrEnum,
// else the position.
func (q *query) auto(class *Definition, name string, n Node) Value {
	for _, b := range q.bases(class) {
		if b.Matches("*StrEnum") {
			return textValue(strings.ToLower(name), n)
		}
	}
	for i, member := range memberNames(class) {
		if member == name {
			return intValue(int64(i+1), n)
		}
	}
	return unknown(n)
}

// memberNames lists the members of an enumeration in source order.
func memberNames(class *Definition) []string {
	var out []string
	for c := range class.Body().Children() {
		a := c.Child(0)
		if !c.Is("expression_statement") || !a.Is("assignment") || !a.Field("right").Valid() {
			continue
		}
		if left := a.Field("left"); left.Is("identifier") && !strings.HasPrefix(left.Text(), "_") {
			out = append(out, left.Text())
		}
	}
	return out
}

// enumMembers evaluates all members in order.
func (q *query) enumMembers(class *Definition) []Value {
	var out []Value
	for _, name := range memberNames(class) {
		if v, ok := q.enumMember(class, name); ok {
			out = append(out, v)
		}
	}
	return out
}

// enumByValue evaluates Enum(value).
func (q *query) enumByValue(class *Definition, value Value, n Node) Value {
	for _, m := range q.enumMembers(class) {
		plain := m
		plain.Member, plain.Symbol = "", Symbol{}
		if same, known := plain.equal(value); same && known {
			return m
		}
	}
	return symbolValue(Symbol{Qualified: class.Qualified, Def: class, Instance: true, Node: n}, n)
}
