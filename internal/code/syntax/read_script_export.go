package syntax

// exportedNames are the names of a file's top level that are exported apart
// from their declarations: export {a}, export default a, module.exports = a,
// module.exports = {a, b: c}, exports.x = a.
func exportedNames(top piece) map[string]bool {
	names := map[string]bool{}
	add := func(p piece) {
		if p.is("identifier", "shorthand_property_identifier") {
			names[p.text()] = true
		}
	}
	for p := range top.parts() {
		switch p.kind() {
		case "export_statement":
			if p.get("source").valid() {
				continue
			}
			for c := range p.part("export_clause").parts() {
				add(c.get("name"))
			}
			add(p.get("value"))
			if p.has("=") {
				add(p.part())
			}
		case "expression_statement":
			value, exports := piece{}, false
			for a := p.part(); a.kind() == "assignment_expression"; a = a.get("right") {
				exports = exports || exportsTarget(a.get("left"))
				value = a.get("right")
			}
			if !exports {
				continue
			}
			add(value)
			if value.kind() == "object" {
				for c := range value.parts() {
					add(c)
					add(c.get("value"))
				}
			}
		}
	}
	return names
}

// exportsTarget tells the left side of an assignment that exports: exports.x,
// module.exports, module.exports.x.
func exportsTarget(p piece) bool {
	if p.kind() != "member_expression" {
		return false
	}
	object := p.get("object")
	if object.kind() == "identifier" {
		return object.text() == "exports" || object.text() == "module" && p.get("property").text() == "exports"
	}
	return object.kind() == "member_expression" && object.get("object").text() == "module" && object.get("property").text() == "exports"
}
