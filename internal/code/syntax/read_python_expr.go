package syntax

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

func (p *pythonWriter) expr(role string, s piece) {
	switch s.kind() {
	case "":
	case "identifier", "keyword_identifier":
		p.leaf("name", role, folded(s), s.from(), s.to())
	case "integer", "float":
		p.leaf("number", role, s.text(), s.from(), s.to())
	case "true", "false":
		p.leaf("bool", role, s.text(), s.from(), s.to())
	case "none":
		p.leaf("nil", role, s.text(), s.from(), s.to())
	case "string", "concatenated_string":
		p.text(role, s)
	case "attribute":
		p.open("member", role, s)
		p.name(folded(s.get("attribute")))
		p.expr("object", s.get("object"))
		p.end()
	case "subscript":
		p.open("index", role, s)
		p.expr("object", s.get("value"))
		p.grouped("index", s, "subscript")
		p.end()
	case "call":
		p.call(role, s)
	case "assignment", "augmented_assignment", "named_expression":
		p.assign(role, s)
	case "binary_operator", "boolean_operator":
		p.open("binary", role, s)
		p.detail(s.get("operator").text())
		p.expr("left", s.get("left"))
		p.expr("right", s.get("right"))
		p.end()
	case "comparison_operator":
		p.comparison(role, s)
	case "unary_operator", "not_operator":
		op := "not"
		if s.is("unary_operator") {
			op = s.get("operator").text()
		}
		p.unary(role, s, op, s.get("argument"))
	case "conditional_expression":
		p.conditional(role, s)
	case "parenthesized_expression", "type", "interpolation":
		p.expr(role, s.part())
	case "list", "tuple", "set", "expression_list", "pattern_list", "tuple_pattern", "list_pattern":
		p.sequence("list", role, s)
	case "dictionary":
		p.dictionary(role, s)
	default:
		p.rarer(role, s)
	}
}

func (p *pythonWriter) rarer(role string, s piece) {
	switch s.kind() {
	case "await":
		p.unary(role, s, "await", s.part())
	case "yield":
		op := "yield"
		if s.has("from") {
			op = "yield*"
		}
		p.unary(role, s, op, s.part())
	case "list_splat", "list_splat_pattern":
		p.unary(role, s, "...", s.part())
	case "dictionary_splat", "dictionary_splat_pattern":
		p.unary(role, s, "**", s.part())
	case "list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression":
		p.comprehension(role, s)
	case "lambda":
		p.lambda(role, s)
	case "keyword_argument":
		p.open("entry", role, s)
		p.flag(Keyword)
		p.name(s.get("name").text())
		p.expr("value", s.get("value"))
		p.end()
	case "pair":
		p.pair(role, s)
	case "ellipsis":
		p.open("other", role, s)
		p.detail("ellipsis")
		p.end()
	default:
		if s.broken() {
			p.broken(role, s)
			return
		}
		p.over("other", role, s)
		p.detail(s.kind())
		for c := range s.parts() {
			p.statement("", c)
		}
		p.end()
	}
}

func (p *pythonWriter) unary(role string, s piece, op string, value piece) {
	p.open("unary", role, s)
	p.detail(op)
	p.expr("value", value)
	p.end()
}

// conditional writes A if B else C.
func (p *pythonWriter) conditional(role string, s piece) {
	p.open("ternary", role, s)
	i := 0
	for c := range s.parts() {
		p.expr([]string{"then", "cond", "else"}[min(i, 2)], c)
		i++
	}
	p.end()
}

// comparison writes a comparison, or several in a chain.
func (p *pythonWriter) comparison(role string, s piece) {
	var operands []piece
	var ops []string
	op := ""
	for c := range s.all() {
		switch {
		case c.field() == "operators":
			op = strings.TrimSpace(op + " " + strings.Join(strings.Fields(c.text()), " "))
		case !c.named():
		default:
			if len(operands) > 0 {
				ops = append(ops, op)
				op = ""
			}
			operands = append(operands, c)
		}
	}
	p.open("binary", role, s)
	defer p.end()
	if len(operands) == 2 {
		p.detail(ops[0])
		p.expr("left", operands[0])
		p.expr("right", operands[1])
		return
	}
	p.detail("chain")
	for i, c := range operands {
		if i == 0 {
			p.expr("", c)
			continue
		}
		p.over("unary", "", c)
		p.detail(ops[i-1])
		p.expr("value", c)
		p.end()
	}
}

// sequence writes a list of expressions.
func (p *pythonWriter) sequence(kind Kind, role string, s piece) {
	p.open(kind, role, s)
	for c := range s.parts() {
		p.expr("", c)
	}
	p.end()
}

func (p *pythonWriter) dictionary(role string, s piece) {
	p.open("record", role, s)
	for c := range s.parts() {
		p.expr("", c)
	}
	p.end()
}

func (p *pythonWriter) pair(role string, s piece) {
	p.open("entry", role, s)
	key := s.get("key")
	if value, ok := constantText(key); ok {
		p.name(value)
	}
	p.expr("key", key)
	p.expr("value", s.get("value"))
	p.end()
}

func (p *pythonWriter) call(role string, s piece) {
	p.open("call", role, s)
	p.expr("callee", s.get("function"))
	args := s.get("arguments")
	if args.is("generator_expression") {
		p.expr("arg", args)
	} else {
		p.arguments(args)
	}
	p.end()
}

func (p *pythonWriter) arguments(list piece) {
	for c := range list.parts() {
		p.expr("arg", c)
	}
}

// assign writes an assignment; those in a row have one target each.
func (p *pythonWriter) assign(role string, s piece) {
	if p.class && (role == "member" || role == "") {
		role = "member"
	}
	p.open("assign", role, s)
	if s.is("named_expression") {
		p.detail("=")
		p.target("target", s.get("name"))
		p.expr("value", s.get("value"))
		p.end()
		return
	}
	op := "="
	if s.is("augmented_assignment") {
		op = s.get("operator").text()
	} else {
		p.flag(Declare)
		if p.class && role == "member" {
			p.flag(Field)
		}
	}
	p.detail(op)
	value := s
	for value.is("assignment") {
		if left := value.get("left"); left.is("identifier") && !value.get("right").is("assignment") && value == s {
			p.name(left.text())
			p.shown(left.text())
		}
		p.target("target", value.get("left"))
		p.typed("type", value.get("type"))
		value = value.get("right")
	}
	if s.is("augmented_assignment") {
		p.target("target", s.get("left"))
		value = s.get("right")
	}
	p.expr("value", value)
	p.end()
}

// target writes what is assigned to.
func (p *pythonWriter) target(role string, s piece) { p.expr(role, s) }

// comprehension writes a comprehension as loops and conditions around its
// element.
func (p *pythonWriter) comprehension(role string, s piece) {
	opened, inner := 0, role
	for c := range s.parts() {
		switch c.kind() {
		case "for_in_clause":
			p.begin("loop", inner, s.from(), s.to())
			if p.detail("each"); opened == 0 {
				p.detail("collect")
			}
			if c.has("async") {
				p.flag(Async)
			}
			p.target("target", c.get("left"))
			p.grouped("over", c, "right")
			opened++
			inner = "body"
		case "if_clause":
			if opened > 0 {
				p.begin("if", inner, s.from(), s.to())
				p.expr("cond", c.part())
				p.begin("block", "then", s.from(), s.to())
				opened += 2
				inner = ""
			}
		}
	}
	if opened == 0 {
		p.damage(s)
		return
	}
	p.begin("unary", inner, s.get("body").from(), s.get("body").to())
	p.detail("collect")
	p.expr("value", s.get("body"))
	p.end()
	for range opened {
		p.end()
	}
}

// folded is a name as Python knows it: by its NFKC form.
func folded(s piece) string {
	if norm.NFKC.IsNormalString(s.text()) {
		return s.text()
	}
	return norm.NFKC.String(s.text())
}
