package safety

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// rejects finds a test of the text that raises when it fails: in this function,
// or in one that it calls before.
func (s *subject) rejects() code.Node {
	for at := range s.rejections(lead{}) {
		return at
	}
	return code.Node{}
}

// rejections yields the tests of the text that keep the clone from happening
// when they fail. Without calls that lead to the clone only an exception keeps
// it.
func (s *subject) rejections(l lead) iter.Seq[code.Node] {
	return func(yield func(code.Node) bool) {
		runs := l.calls[s.fn]
		for n := range s.fn.Body().WalkScope() {
			if !s.beforeAny(n, runs) {
				continue
			}
			var at code.Node
			switch n.Kind() {
			case "if_statement":
				at = s.branches(n, runs)
			case "assert_statement":
				if s.tests(n) && s.reaches(n, runs) {
					at = n
				}
			case "call":
				at = s.helper(n, runs)
			}
			if at.Valid() && !yield(at) {
				return
			}
		}
	}
}

// beforeAny tells a node that stands before, or around, one of the calls.
func (s *subject) beforeAny(n code.Node, runs []code.Node) bool {
	if len(runs) == 0 {
		return true
	}
	for _, r := range runs {
		if n.Start() < r.Start() && !r.Contains(n) || n.Contains(r) && n != r {
			return true
		}
	}
	return false
}

// branches looks at an if statement with all its branches.
func (s *subject) branches(n code.Node, runs []code.Node) code.Node {
	tested := s.tests(n.Field("condition"))
	if at := s.arm(n, tested, runs); at.Valid() {
		return at
	}
	for _, b := range n.Fields("alternative") {
		if b.Is("elif_clause") {
			tested = tested || s.tests(b.Field("condition"))
		}
		if at := s.arm(b, tested, runs); at.Valid() {
			return at
		}
	}
	if !s.tests(n.Field("condition")) {
		return code.Node{}
	}
	if containsAny(block(n), runs) && len(n.Fields("alternative")) == 0 {
		return n.Field("condition") // if good: clone
	}
	return code.Node{}
}

// arm looks at one branch: whether it is taken because of the content, holds
// no clone, and leaves.
func (s *subject) arm(n code.Node, tested bool, runs []code.Node) code.Node {
	if !tested {
		return code.Node{}
	}
	body := block(n)
	out := leaves(body)
	if containsAny(body, runs) || !out.Valid() || !s.refuses(out, runs) {
		return code.Node{}
	}
	return n
}

// refuses tells a statement that ends the way to the clone, as opposed to one
// that goes another way with the same text, such as a local path.
func (s *subject) refuses(out code.Node, runs []code.Node) bool {
	switch out.Kind() {
	case "raise_statement":
		return s.reaches(out, runs)
	case "return_statement":
		if len(runs) == 0 {
			return false
		}
		value := out.Child(0)
		if s.names[value.Text()] {
			return false
		}
		if c := s.v.p.Call(value); c != nil && (c.Callee.Def != nil && c.Callee.Def.IsFunction() || c.Callee.Matches("pathlib.Path", "builtins.str")) {
			for _, a := range c.Args {
				if s.names[a.Value.Text()] {
					return false
				}
			}
		}
		return true
	case "continue_statement", "break_statement":
		return len(runs) > 0
	default:
		return true
	}
}

// reaches tells whether an exception raised at a node keeps the clone from
// happening: no handler between them catches it and goes on.
func (s *subject) reaches(n code.Node, runs []code.Node) bool {
	for _, c := range clauses(n) {
		if c.part != "body" || block(c.try).Valid() && containsAny(block(c.try), runs) {
			continue
		}
		for _, h := range handlers(c.try) {
			if (broad(h) || strings.Contains(caught(h), "ValueError")) && !leaves(block(h)).Valid() {
				return false
			}
		}
	}
	return true
}

func containsAny(n code.Node, list []code.Node) bool {
	return slices.ContainsFunc(list, n.Contains)
}

// helper looks at a call that gets the text: a function that raises when the
// content is bad, or a model whose field refuses it.
func (s *subject) helper(n code.Node, runs []code.Node) code.Node {
	c := s.v.p.Call(n)
	if c == nil || s.depth >= maxTests {
		return code.Node{}
	}
	held := false
	for _, a := range c.Args {
		held = held || a.Value.Valid() && a.Value.Module() == n.Module() && n.Contains(a.Value) && s.holds(a.Value)
	}
	if !held || !s.reaches(n, runs) {
		return code.Node{}
	}
	if s.v.parsesURL(c) {
		return n
	}
	def := c.Callee.Def
	if def == nil || def == s.fn || containsAny(n, runs) {
		return code.Node{}
	}
	given := s.v.p.Parameters(c)
	for _, param := range slices.Sorted(maps.Keys(given)) {
		if !s.holds(given[param]) {
			continue
		}
		if at := s.v.refusedBy(def, param, s.depth+1); at.Valid() {
			return at
		}
	}
	return code.Node{}
}

// refusedBy finds what makes a function raise, or a class refuse, when a
// parameter or field has bad content.
func (v *survey) refusedBy(def *code.Definition, param string, depth int) code.Node {
	if def.Kind == code.DefClass {
		if at := v.constrained(def, param); at.Valid() {
			return at
		}
		if def = v.p.Method(def, "__init__"); def == nil {
			return code.Node{}
		}
	}
	return remember(v, question{"rejects", def, param, depth}, func() code.Node {
		return v.about(def, map[string]bool{param: true}, depth).rejects()
	})
}

// urlTypes are types that refuse what is no URL.
var urlTypes = []string{"pydantic.HttpUrl", "pydantic.AnyUrl", "pydantic.AnyHttpUrl", "pydantic.networks.*Url", "pydantic_core.Url", "yarl.URL"}

// parsesURL tells a call of a type that refuses what is no URL.
func (v *survey) parsesURL(c *code.Call) bool {
	if c.Callee.Matches(urlTypes...) {
		return true
	}
	if c.Name == "validate_python" || c.Name == "parse_obj_as" {
		for n := range c.Node.Walk() {
			if n.Is("identifier", "attribute") && v.p.Resolve(n).Matches(urlTypes...) {
				return true
			}
		}
	}
	return false
}

// constrained finds what makes a field of a class refuse bad content: a
// pattern, a URL type, or a validator that raises.
func (v *survey) constrained(class *code.Definition, field string) code.Node {
	model := v.p.Inherits(class, "pydantic.*") || v.p.Dataclass(class)
	for _, f := range v.p.Fields(code.Symbol{Qualified: class.Qualified, Def: class}) {
		if f.Name != field || f.Self {
			continue
		}
		for _, part := range []code.Node{f.Annotation, f.Default} {
			if v.p.Inherits(class, "pydantic.*") && v.patterned(part) {
				return f.Node
			}
		}
	}
	if !model {
		return code.Node{}
	}
	for _, d := range v.methods(class) {
		if at := v.validator(d, field); at.Valid() {
			return at
		}
	}
	return code.Node{}
}

// methods are the methods of a class and its first-party bases.
func (v *survey) methods(class *code.Definition) []*code.Definition {
	out := class.Inner()
	for _, b := range v.p.Bases(class) {
		if b.Def != nil {
			out = append(out, b.Def.Inner()...)
		}
	}
	return out
}

// patterned tells a type or default that sets a pattern or is a URL type.
func (v *survey) patterned(part code.Node) bool {
	for n := range part.Walk() {
		switch n.Kind() {
		case "identifier", "attribute":
			if v.p.Resolve(n).Matches(urlTypes...) {
				return true
			}
		case "keyword_argument":
			if isOneOf(n.Field("name").Text(), "pattern", "regex") && !n.Field("value").Is("none") {
				return true
			}
		case "call":
			c := v.p.Call(n)
			if c == nil || !c.Matches("pydantic.AfterValidator", "pydantic.BeforeValidator", "pydantic.functional_validators.*") {
				continue
			}
			if fn := v.p.Resolve(c.Arg("func", 0)).Def; fn != nil && fn.IsFunction() && len(fn.Params()) > 0 {
				if v.about(fn, map[string]bool{fn.Params()[0].Name: true}, 1).rejects().Valid() {
					return true
				}
			}
		}
	}
	return false
}

// validator looks for the refusal in a method that validates a field.
func (v *survey) validator(d *code.Definition, field string) code.Node {
	texts := map[string]bool{"self." + field: true}
	if d.Name != "__post_init__" {
		named := false
		for _, dec := range d.Decorators() {
			c := v.p.Call(dec)
			if c == nil {
				continue
			}
			switch {
			case c.Callee.Matches("*.field_validator", "*.validator") || isOneOf(c.Name, "field_validator", "validator"):
				for _, a := range c.Args {
					if text, ok := plain(a.Value); ok && (text == field || text == "*") {
						named = true
						for _, p := range d.Params() {
							if p.Name != "cls" && p.Name != "self" {
								texts[p.Name] = true
								break
							}
						}
					}
				}
			case isOneOf(c.Name, "model_validator", "root_validator"):
				named = true
				texts[`values["`+field+`"]`], texts[`values.get("`+field+`")`] = true, true
			}
		}
		if !named {
			return code.Node{}
		}
	}
	return v.about(d, texts, 1).rejects()
}
