package judicial

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// Kinds of structured output, the strongest first; the values of the sheet.
const (
	kindNative   = "with_structured_output"
	kindTools    = "bind_tools"
	kindFormat   = "response_format"
	kindPydantic = "pydantic_parse"
	kindJSON     = "json_parse"
	kindNone     = "none"
)

var kinds = []string{kindNative, kindTools, kindFormat, kindPydantic, kindJSON}

// binders are methods that make a model answer in a given form.
var binders = []string{"with_structured_output", "bind_tools"}

// formats are arguments that name the form of the answer.
var formats = []string{"response_format", "response_schema", "response_json_schema", "response_model", "text_format", "output_type", "result_type"}

// binding is one way in which the judges' answers get their form.
type binding struct {
	kind   string
	at     code.Node
	schema code.Node // the class or schema that is asked for; zero when it is not given
}

// structured lists the mechanisms on the judges' side, the strongest first,
// then by place; what only passes a binding on to another model comes last.
func (b *bench) structured() []binding { return b.bindings.get(b.findBindings) }

func (b *bench) findBindings() []binding {
	var out []binding
	for _, c := range b.judges.calls(b.p, b.il) {
		out = append(out, b.native(c)...)
	}
	for _, c := range b.models.in(b.judges) {
		for _, o := range b.origins.Of(c.Receiver) { // what a chain is put together from may be made elsewhere
			if made := b.origins.Call(o); made != nil && !b.judges.holds(made.Func) && made.Node.Module().Scope == code.ScopeProduction {
				out = append(out, b.native(made)...)
			}
		}
	}
	out = append(out, b.parsing()...)
	order := func(x binding) int {
		n := 2 * slices.Index(kinds, x.kind)
		if d := b.p.Enclosing(x.at); d != nil && slices.Contains(binders, d.Name) {
			n++
		}
		return n
	}
	slices.SortStableFunc(out, func(x, y binding) int {
		return cmp.Or(order(x)-order(y), strings.Compare(x.at.Path(), y.at.Path()), x.at.Start()-y.at.Start())
	})
	return out
}

// native reads a binding from one call.
func (b *bench) native(c *intree.Call) []binding {
	switch c.Name {
	case "with_structured_output":
		if c.Callee.Def == nil || !b.offline(c.Callee.Def) {
			return []binding{{kindNative, c.Node, c.Arg("schema", 0)}}
		}
	case "bind_tools":
		for _, o := range b.origins.Of(c.Arg("tools", 0)) {
			if b.opinion(b.origins.Definition(o.Symbol.Function)) {
				return []binding{{kindTools, c.Node, o.Node}}
			}
		}
	case "PydanticOutputParser":
		return []binding{{kindPydantic, b.used(c), c.Arg("pydantic_object", 0)}}
	}
	for _, a := range c.Args {
		if slices.Contains(formats, a.Name) && b.schematic(a.Value) {
			return []binding{{kindFormat, c.Node, a.Value}}
		}
	}
	for n := range c.Node.Field("arguments").Walk() {
		if n.Is("pair") {
			if key, ok := n.Field("key").Literal(); ok && slices.Contains(formats, key) && b.schematic(n.Field("value")) {
				return []binding{{kindFormat, c.Node, n.Field("value")}}
			}
		}
	}
	return nil
}

// offline reports whether a first-party method of that name binds nothing: a
// stand-in for a model. The method of a protocol stands for any model.
func (b *bench) offline(d *code.Definition) bool {
	return d.IsFunction() && d.Module.Scope == code.ScopeProduction && !b.binds(d) && !stub(d)
}

// binds reports whether a function binds a model in its own body.
func (b *bench) binds(d *code.Definition) bool {
	return slices.ContainsFunc(b.p.CallsIn(d), func(c *intree.Call) bool { return slices.Contains(binders, c.Name) })
}

// schematic reports whether an argument is a schema, not only "JSON please".
func (b *bench) schematic(n code.Node) bool {
	if s := b.p.Resolve(n); s.Def != nil && s.Def.Kind == code.DefClass {
		return true
	}
	text := n.Text()
	return strings.Contains(text, "json_schema") || strings.Contains(text, "\"schema\"") || strings.Contains(text, "'schema'") || strings.Contains(text, ".schema(")
}

// used is the chain that a parser is piped into, else its construction.
func (b *bench) used(c *intree.Call) code.Node {
	st := c.Node.Statement()
	for n := range st.Walk() {
		if !n.Is("assignment") {
			continue
		}
		name := last(n.Field("left"))
		for _, call := range b.judges.defs {
			if !call.IsFunction() {
				continue
			}
			for x := range call.Body().Walk() {
				if x.Is("binary_operator") && x.Field("operator").Text() == "|" && last(x.Field("right")) == name && name != "" {
					return x
				}
			}
		}
	}
	return c.Node
}

// decodes are calls that turn JSON text into values.
func decodes(c *intree.Call) bool {
	return c.Matches("json.loads", "orjson.loads", "ujson.loads", "json5.loads", "*.parse_json_markdown", "json_repair.*") || c.Name == "JsonOutputParser" || c.Matches("*.JsonOutputParser")
}

// validates are class methods that make a model from data.
var validates = []string{"model_validate", "model_validate_json", "parse_obj", "parse_raw", "validate_python"}

// built is one construction of an opinion.
type built struct {
	call   *intree.Call
	class  *code.Definition
	asked  bool // its score is from what a model answered
	quotes bool // something else of it is
}

// builds lists the constructions of opinions in a room, nearest first.
func (b *bench) builds(r *programPart) []built {
	if out, ok := b.opined[r]; ok {
		return out
	}
	var out []built
	for _, c := range r.calls(b.p, b.il) {
		class := c.Callee.Def
		if slices.Contains(validates, c.Name) && c.Receiver.Valid() {
			class = b.p.Resolve(c.Receiver).Def
		}
		if !b.opinion(class) {
			continue
		}
		answer := b.ofAnswer(c) && !inHandler(c.Node)
		constant := b.constantScore(c) // such a score is not an answer, whatever text goes with it
		out = append(out, built{c, class, answer && !constant, answer && constant})
	}
	b.opined[r] = out
	return out
}

// ofAnswer tells a construction of an opinion that is made of what a model answered, in more
// than the names of judge and criterion.
func (b *bench) ofAnswer(c *intree.Call) bool {
	return slices.ContainsFunc(c.Args, func(a intree.Argument) bool {
		return who(split(a.Name)) == nobody && kindOfField(a.Name) != "judge" && kindOfField(a.Name) != "criterion" && b.marks.at(a.Value).data&asked != 0
	})
}

// inHandler reports whether a node stands in an except clause of its function.
func inHandler(n code.Node) bool {
	for a := range n.Around() {
		switch a.Kind() {
		case "except_clause":
			return true
		case "function_definition", "lambda":
			return false
		}
	}
	return false
}

// trying is the innermost try statement, within the function, in whose body a
// node stands; zero when there is none.
func trying(n code.Node) code.Node {
	below := n
	for a := range n.Around() {
		switch a.Kind() {
		case "try_statement":
			if below.FieldName() == "body" {
				return a
			}
		case "function_definition", "lambda":
			return code.Node{}
		}
		below = a
	}
	return code.Node{}
}

// parsing decides between an answer that must fit the model and JSON whose
// faults are papered over before the model is built.
func (b *bench) parsing() []binding {
	var decode []*intree.Call
	for _, c := range b.judges.calls(b.p, b.il) {
		if decodes(c) {
			decode = append(decode, c)
		}
	}
	var out []binding
	for _, x := range b.builds(b.judges) {
		if !x.asked {
			continue
		}
		if d := papered(decode, x.call); d != nil {
			return append(out, binding{kindJSON, d.Node, code.Node{}})
		}
		kind := kindPydantic
		if m := b.r.Review; m != nil && (m.Kind == agentgraph.KindNone || m.Kind == agentgraph.KindDataclass || m.Kind == agentgraph.KindTypedDict) {
			kind = kindJSON // nothing checks what it is given
		}
		out = append(out, binding{kind, x.call.Node, x.call.Node.Field("function")})
	}
	if len(out) == 0 && len(decode) > 0 {
		out = append(out, binding{kindJSON, decode[0].Node, code.Node{}})
	}
	return out
}

// papered returns the decoding whose failure does not keep the model from
// being built: it stands in a try statement of its own.
func papered(decode []*intree.Call, build *intree.Call) *intree.Call {
	for _, d := range decode {
		t := trying(d.Node)
		if t.Valid() && !t.Field("body").Contains(build.Node) && !(d.Func != build.Func && leaves(t)) {
			return d
		}
	}
	return nil
}

// leaves reports whether every handler of a try statement leaves the function.
func leaves(t code.Node) bool {
	any := false
	for c := range t.Children() {
		if c.Is("except_clause") {
			any = true
			if !exits(c) {
				return false
			}
		}
	}
	return any
}

// exits reports whether a handler ends by leaving: return, raise or break.
func exits(handler code.Node) bool {
	last := code.Node{}
	for c := range handler.Children() {
		if c.Is("block") {
			for s := range c.Children() {
				last = s
			}
		}
	}
	return last.Is("return_statement", "raise_statement", "break_statement")
}
