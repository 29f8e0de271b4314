package syntax

import (
	"slices"
	"strings"
)

// csharpTests are the attributes that make a method a test in xUnit, NUnit and
// MSTest.
var csharpTests = []string{"Fact", "Theory", "SkippableFact", "SkippableTheory", "Test", "TestCase", "TestCaseSource", "TestMethod", "DataTestMethod"}

// function writes a method, a constructor, an operator or a function inside of
// another.
func (c *csharpFile) function(role string, p piece) {
	body, result := p.get("body"), p.get("returns")
	local := p.is("local_function_statement")
	if !result.valid() {
		result = p.get("type")
	}
	c.over("func", role, p)
	c.name(csharpName(p))
	if !local {
		c.flag(Method)
	}
	c.modified(p, !local && (c.class().open || explicit(p) || p.is("destructor_declaration")))
	switch {
	case p.is("constructor_declaration"):
		c.flag(Constructor)
	case !body.valid():
		c.flag(Abstract)
	}
	if p.is("method_declaration") && slices.ContainsFunc(c.marks(p), func(m string) bool { return slices.Contains(csharpTests, m) }) {
		c.flag(Test)
	}
	c.decorators(p)
	c.result(result)
	c.parameters(p.get("parameters"), 0)
	task := modifier(p, "async") && (result.text() == "Task" || result.text() == "ValueTask")
	c.body(body, !result.valid() || result.text() == "void" || task, p.part("constructor_initializer"))
	for x := range p.parts() {
		if x.broken() {
			c.salvage("", x, c.node, csharpSound)
		}
	}
	c.end()
}

// csharpName is the name of a function. Operators have the name of their sign.
func csharpName(p piece) string {
	switch p.kind() {
	case "operator_declaration":
		return "operator " + p.get("operator").text()
	case "conversion_operator_declaration":
		return "operator " + plainType(p.get("type").text())
	case "destructor_declaration":
		return "~" + unmarked(p.get("name"))
	}
	return unmarked(p.get("name"))
}

// marks are the simple names of the attributes of a declaration.
func (c *csharpFile) marks(p piece) []string {
	var out []string
	for list := range p.parts() {
		if list.is("attribute_list") {
			for a := range list.parts() {
				out = append(out, strings.TrimSuffix(simpleName(a.get("name").text()), "Attribute"))
			}
		}
	}
	return out
}

func (c *csharpFile) result(p piece) {
	if p.text() != "void" {
		c.typed("result", p)
	}
}

// body writes the body of a function; first is what a constructor calls before.
// An expression that gives nothing to the caller is a statement.
func (c *csharpFile) body(p piece, void bool, first piece) {
	inner := p
	if p.is("arrow_expression_clause") {
		inner = p.part("this", "base")
		if !inner.valid() {
			inner = p.part()
		}
	}
	switch {
	case !p.valid() && !first.valid():
		return
	case !first.valid() && !void && !inner.is("block"):
		c.node("body", inner)
		return
	case !first.valid():
		c.over("block", "body", p)
	default:
		c.begin("block", "body", first.from(), max(first.to(), p.to()))
		word := first.part("base", "this")
		c.over("call", "", first)
		c.leaf("name", "callee", map[string]string{"base": "super", "this": "this"}[word.kind()], word.from(), word.to())
		c.arguments(first.part("argument_list"))
		c.end()
	}
	if inner.is("block") {
		c.statements("", inner, inner.to())
	} else {
		c.node("", inner)
	}
	c.end()
}

// parameters writes the parameters of a function; flags are set on each.
func (c *csharpFile) parameters(list piece, flags Flags) {
	if list.is("implicit_parameter") {
		c.leaf("param", "param", unmarked(list), list.from(), list.to())
		return
	}
	var typ piece // of "params", which lies in the list itself
	for p := range list.parts() {
		switch {
		case p.broken():
			c.salvage("", p, c.node, csharpSound)
		case p.is("parameter"):
			c.parameter(p, flags)
		case p.field() == "type":
			typ = p
		case p.field() == "name":
			c.begin("param", "param", typ.from(), p.to())
			c.name(unmarked(p))
			c.detail("...")
			c.flag(flags)
			c.typed("type", typ)
			c.end()
		}
	}
}

func (c *csharpFile) parameter(p piece, flags Flags) {
	name := p.get("name")
	c.over("param", "param", p)
	c.name(unmarked(name))
	c.flag(flags)
	c.decorators(p)
	c.typed("type", p.get("type"))
	for x := range p.parts() {
		if x.from() >= name.to() {
			c.given("value", x, p.get("type"))
		}
	}
	c.end()
}

// lambda writes a function without a name.
func (c *csharpFile) lambda(role string, p piece) {
	c.over("func", role, p)
	c.flag(Lambda)
	if modifier(p, "async") {
		c.flag(Async)
	}
	if modifier(p, "static") {
		c.flag(Static)
	}
	c.decorators(p)
	c.typed("result", p.get("type"))
	c.parameters(p.get("parameters"), 0)
	if body := p.get("body"); body.valid() {
		c.node("body", body)
	} else {
		c.node("body", p.part("block"))
	}
	c.end()
}
