package syntax

import (
	"slices"
	"strings"
)

// javaTests are the annotations that make a method a test, whatever is imported.
var javaTests = []string{"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "FuzzTest", "ArchTest"}

// function writes a method, a constructor or an element of an annotation type.
func (j *javaFile) function(role string, p piece) {
	body := p.get("body")
	j.over("func", role, p)
	j.name(p.get("name").text())
	j.flag(Method)
	j.modified(p, j.class().open)
	switch {
	case strings.HasSuffix(p.kind(), "constructor_declaration"):
		j.flag(Constructor)
	case !body.valid():
		j.flag(Abstract)
	}
	if j.isTest(p) {
		j.flag(Test)
	}
	j.decorators(p)
	if t := p.get("type"); !t.is("void_type") {
		j.typed("result", t, p.get("dimensions").text())
	}
	j.parameters(p.get("parameters"))
	j.node("value", p.get("value"))
	if body.valid() {
		j.block("body", body)
	}
	for c := range p.parts() {
		if c.broken() {
			j.salvage("", c, j.node, javaSound)
		}
	}
	j.end()
}

// isTest tells what a test framework would run.
func (j *javaFile) isTest(p piece) bool {
	if !p.is("method_declaration") {
		return false
	}
	for _, mark := range j.marks(p) {
		if slices.Contains(javaTests, mark) || j.quick && (mark == "Property" || mark == "Example") {
			return true
		}
	}
	public := p.part("modifiers").has("public") && !p.part("modifiers").has("static") && p.get("type").is("void_type")
	if j.class().old {
		return public && strings.HasPrefix(p.get("name").text(), "test") && !p.get("parameters").part().valid()
	}
	return j.class().allTests && public && len(j.marks(p)) == 0
}

// parameters writes the parameters of a method or a lambda.
func (j *javaFile) parameters(list piece) {
	if list.is("identifier") {
		j.leaf("param", "param", list.text(), list.from(), list.to())
		return
	}
	for p := range list.parts() {
		switch {
		case p.broken():
			j.salvage("", p, j.node, javaSound)
		case p.is("identifier"): // of a lambda without types
			j.leaf("param", "param", p.text(), p.from(), p.to())
		case p.is("formal_parameter"):
			j.over("param", "param", p)
			j.name(p.get("name").text())
			j.decorators(p)
			j.typed("type", p.get("type"), p.get("dimensions").text())
			j.end()
		case p.is("spread_parameter"):
			j.spread(p)
		}
	}
}

func (j *javaFile) spread(p piece) {
	j.over("param", "param", p)
	j.name(p.part("variable_declarator").get("name").text())
	j.decorators(p)
	for t := range p.parts() {
		if !t.is("modifiers", "marker_annotation", "annotation") {
			j.typed("type", t, "...")
			break
		}
	}
	j.end()
}

func (j *javaFile) lambda(role string, p piece) {
	j.over("func", role, p)
	j.flag(Lambda)
	j.parameters(p.get("parameters"))
	j.node("body", p.get("body"))
	j.end()
}

// block writes the statements between braces.
func (j *javaFile) block(role string, p piece) {
	j.over("block", role, p)
	j.nodes("", p)
	j.end()
}
