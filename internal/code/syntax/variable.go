package syntax

// declared is what a declaration declares.
func (r *resolver) declared(d Node) meaning {
	if r.spent() {
		return meaning{}
	}
	switch d.Kind() {
	case "bind":
		return r.bound(d)
	case "func":
		return meaning{full: r.qualified(d), node: d}
	case "class":
		return r.class(d)
	case "param":
		if t := d.Child("type"); t.Valid() {
			return r.typed(t)
		}
		return r.expr(d.Child("value"))
	case "name":
		return r.variable(d)
	default:
		return meaning{}
	}
}

// variable is what a variable holds; d is its name where it is declared.
func (r *resolver) variable(d Node) meaning {
	by := declaring(d)
	switch by.Kind() {
	case "assign":
		if t := by.Child("type"); t.Valid() {
			if m := r.typed(t); m.full != "" {
				return m
			}
		}
		return r.assigned(by, d)
	case "catch":
		return r.typed(by.Child("type"))
	case "loop":
		if t := by.Child("type"); t.Valid() {
			return r.typed(t)
		}
		if over := by.Child("over"); d.Role() == "target" && (by.File().Language != "go" || by.Nth("target", 1) == d) {
			return element(r, r.expr(over), over)
		}
	default:
	}
	return meaning{}
}

// assigned is what a declaration gives one of its targets.
func (r *resolver) assigned(by, d Node) meaning {
	at, count, values := 0, 0, 0
	for t := range by.Children("target") {
		if t == d {
			at = count
		}
		count++
	}
	for range by.Children("value") {
		values++
	}
	if d.Role() != "target" {
		return r.unpacked(by, d)
	}
	v := by.Nth("value", at)
	switch {
	case values == count:
		if by.Has(Field) || !v.Is("func", "class") {
			return r.expr(v)
		}
		return meaning{full: r.qualified(d), node: v}
	case values == 1 && by.Child("value").Is("call") && at > 0:
		return r.result(r.expr(by.Child("value").Child("callee")), at, false)
	case values == 1 && at == 0:
		return r.expr(by.Child("value"))
	}
	return meaning{}
}

// unpacked is what a pattern takes out of a value.
func (r *resolver) unpacked(by, d Node) meaning {
	entry := d.Parent()
	if !entry.Is("entry") || entry.Name() == "" || !entry.Parent().Is("record") || entry.Parent().Role() != "target" {
		return meaning{}
	}
	return r.member(r.expr(by.Child("value")), entry.Name())
}
