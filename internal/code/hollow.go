package code

import "strings"

// Hollow reports whether a function does nothing: its body passes, logs,
// declares itself not implemented, or hands back what is empty or what it was
// given. A method that others override, and a function that a decorator may
// make more of, is not hollow.
func (d *Definition) Hollow() bool {
	p := d.Module.program
	if !d.IsFunction() || len(p.overriding(d)) > 0 || p.registered(d) {
		return false
	}
	if d.Kind == DefLambda {
		return d.idleValue(d.Body())
	}
	for st := range d.Body().Children() {
		if !p.Dead(st) && !d.idleStatement(st) {
			return false
		}
	}
	return d.Body().Valid()
}

func (d *Definition) idleStatement(st Node) bool {
	switch first := st.Child(0); st.Kind() {
	case "pass_statement":
		return true
	case "raise_statement":
		return strings.HasPrefix(first.Text(), "NotImplementedError")
	case "return_statement":
		return !first.Valid() || d.idleValue(first)
	case "expression_statement":
		if first.Is("call") {
			object, _, _ := strings.Cut(strings.ToLower(first.Field("function").Text()), ".")
			return isOneOf(object, "print", "log", "logger", "_logger", "logging")
		}
		return first.Is("string", "concatenated_string", "ellipsis")
	}
	return false
}

// idleValue reports whether a value is empty, holds what is empty only, or is
// a parameter.
func (d *Definition) idleValue(n Node) bool {
	n = n.Unparen()
	switch n.Kind() {
	case "none", "ellipsis":
		return true
	case "identifier":
		for _, p := range d.params {
			if p.Name == n.Text() && p.Name != "self" {
				return true
			}
		}
		return false
	case "dictionary", "list", "tuple", "set":
		for c := range n.Children() {
			if value := c.Field("value"); !c.Is("pair") || !value.Is("dictionary", "list", "tuple", "none") || !d.idleValue(value) {
				return false
			}
		}
		return true
	}
	return false
}
