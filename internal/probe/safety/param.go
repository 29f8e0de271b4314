package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// door is how somebody outside fills the parameters of a function.
type door uint8

const (
	doorNone  door = iota
	doorRoute      // a web route whose framework gives text
	doorTyped      // a route, command or tool whose framework checks the annotations
	doorClick      // a command whose options are declared by decorators
)

// toolMarks make a function something that a language model calls.
var toolMarks = []string{"langchain.tools.tool", "langchain_core.tools.tool", "langchain_core.tools.convert.tool", "langchain.agents.tool",
	"crewai.tools.tool", "smolagents.tool", "agents.function_tool", "fastmcp.FastMCP().tool", "mcp.server.fastmcp.FastMCP().tool"}

// door tells who fills the parameters of a function, by its decorators.
func (v *survey) door(d *code.Definition) door {
	for _, n := range d.Decorators() {
		if n.Is("call") {
			n = n.Field("function")
		}
		s, name := v.p.Resolve(n), lastPart(n.Text())
		web := isOneOf(name, "get", "post", "put", "delete", "patch", "route", "api_route", "websocket")
		switch {
		case s.Matches("fastapi.*") && web, s.Matches("typer.*") && name == "command", s.Matches(toolMarks...):
			return doorTyped
		case s.Matches("flask.*", "starlette.*", "quart.*") && web:
			return doorRoute
		case s.Matches("click.*") && isOneOf(name, "command", "argument", "option", "group"):
			return doorClick
		}
	}
	return doorNone
}

// paramTaint says what a parameter that no known call fills carries. Its name
// alone is no flow.
func (v *survey) paramTaint(o code.Origin) tri {
	if o.Def == nil {
		return unsure
	}
	i := slices.IndexFunc(o.Def.Params(), func(p code.Param) bool { return p.Name == o.Param })
	if i < 0 {
		return unsure
	}
	p := o.Def.Params()[i]
	if p.Star > 0 {
		return unsure
	}
	switch v.door(o.Def) {
	case doorRoute:
		return v.routeTaint(o.Def, p)
	case doorClick:
		return v.optionTaint(o.Def, p, i)
	case doorTyped:
		if len(o.Path) > 1 {
			if t, ok := v.fieldTaint(o.Path[len(o.Path)-2]); ok {
				return t
			}
		}
		return v.typedTaint(p)
	default:
		return unsure
	}
}

var converter = regexp.MustCompile(`<(?:([a-zA-Z_]\w*)(?:\([^)]*\))?:)?([a-zA-Z_]\w*)>|\{([a-zA-Z_]\w*)(?::([a-zA-Z_]\w*))?\}`)

// routeTaint is what a part of a path carries: text, unless its converter
// makes a number of it.
func (v *survey) routeTaint(d *code.Definition, p code.Param) tri {
	answer := unsure
	for _, n := range d.Decorators() {
		for x := range n.Walk() {
			if !x.Is("string") {
				continue
			}
			for _, m := range converter.FindAllStringSubmatch(x.Text(), -1) {
				if m[2]+m[3] != p.Name {
					continue
				}
				switch m[1] + m[4] {
				case "int", "float", "uuid", "any":
					answer = no
				case "", "string", "str", "path":
					return yes
				}
			}
		}
	}
	if answer == unsure && !p.Default.Valid() && !p.Annotation.Valid() && !strings.Contains(d.Node.Parent().Text(), ":"+p.Name+">") {
		return yes
	}
	return answer
}

// typedTaint is what a parameter carries whose annotation the framework checks.
func (v *survey) typedTaint(p code.Param) tri {
	if c := v.p.Call(p.Default); c != nil {
		if isOneOf(c.Name, "Depends", "Security") {
			return v.dependency(c)
		}
		if v.constrainedCall(c) {
			return doubted(v.typeTaint(p.Annotation))
		}
	} else if !p.Annotation.Valid() && p.Default.Valid() && !p.Default.Is("string", "none") {
		return unsure
	}
	return v.typeTaint(p.Annotation)
}

// doubted is an answer without certainty of input: yes becomes unsure.
func doubted(t tri) tri { return min(t, unsure) }

// dependency is what a function that the framework calls gives.
func (v *survey) dependency(c *code.Call) tri {
	fn := v.p.Resolve(c.Arg("dependency", 0)).Def
	if fn == nil || !fn.IsFunction() || len(fn.ReturnValues()) == 0 {
		return unsure
	}
	for _, n := range fn.ReturnValues() {
		for _, o := range v.p.Origins(n) {
			if o.Kind != code.OriginLiteral {
				return unsure
			}
		}
	}
	return no
}

// constrainedCall tells a default such as Query or Option that demands a
// pattern or has a function look at the value.
func (v *survey) constrainedCall(c *code.Call) bool {
	return slices.ContainsFunc(c.Args, func(a code.Argument) bool {
		return isOneOf(a.Name, "pattern", "regex", "callback", "click_type", "parser", "enum") && !a.Value.Is("none")
	})
}

// cleanTypes hold no free text.
var cleanTypes = []string{"builtins.int", "builtins.float", "builtins.bool", "builtins.complex", "uuid.*", "datetime.*", "decimal.*", "ipaddress.*",
	"typing.Literal", "typing_extensions.Literal", "pydantic.Positive*", "pydantic.Negative*", "pydantic.NonNegative*", "pydantic.NonPositive*",
	"pydantic.StrictInt", "pydantic.StrictBool", "pydantic.StrictFloat", "pydantic.UUID*", "pydantic.conint", "pydantic.confloat", "pydantic.IPvAny*",
	"click.INT", "click.FLOAT", "click.BOOL", "click.UUID", "click.IntRange", "click.FloatRange", "click.DateTime", "click.Choice", "click.Context",
	"click.types.*Range", "typer.Context", "fastapi.BackgroundTasks", "fastapi.Response", "starlette.responses.*"}

// wrapperTypes are types that say nothing of the text that their parts hold.
var wrapperTypes = []string{"typing.Optional", "typing.Union", "typing.List", "typing.Sequence", "typing.Iterable", "typing.Set", "builtins.list",
	"builtins.set", "builtins.tuple", "typing.Tuple"}

// typeTaint says whether a type can hold any text. No type is text.
func (v *survey) typeTaint(n code.Node) tri {
	if !n.Valid() {
		return yes
	}
	answer, annotated := no, false
	skip := code.Node{}
	for x := range n.Walk() {
		if skip.Valid() && skip.Contains(x) {
			continue
		}
		switch x.Kind() {
		case "none", "true", "false", "integer":
			continue
		case "identifier", "attribute":
		case "call":
			c := v.p.Call(x)
			switch {
			case c != nil && c.Callee.Matches(cleanTypes...):
			case c != nil && annotated && !v.constrainedCall(c) && c.Callee.Matches("fastapi.Query", "fastapi.Path", "fastapi.Body", "fastapi.Form",
				"fastapi.Header", "fastapi.Cookie", "typer.Option", "typer.Argument", "pydantic.Field"):
			default:
				if !annotated || answer != no {
					answer = unsure
				}
			}
			skip = x
			continue
		default:
			continue
		}
		s := v.p.Resolve(x)
		skip = x
		switch {
		case s.Matches("typing.Literal", "typing_extensions.Literal"):
			skip = outerType(x)
		case s.Matches("typing.Annotated", "typing_extensions.Annotated"):
			annotated = true
		case s.Matches(wrapperTypes...), s.Matches(cleanTypes...), s.Def != nil && s.Def.Kind == code.DefClass && v.p.Inherits(s.Def, "enum.*"):
		case s.Matches("builtins.str"):
			if answer == no {
				answer = yes
			}
		default:
			answer = unsure
		}
	}
	return answer
}

// outerType is the whole type whose head is a name: X[...].
func outerType(n code.Node) code.Node {
	for a := range n.Around() {
		if a.Is("subscript", "generic_type") {
			return a
		}
		if !a.Is("type", "identifier", "attribute") {
			break
		}
	}
	return n
}

// optionTaint is what an option or argument of a command carries.
func (v *survey) optionTaint(d *code.Definition, p code.Param, position int) tri {
	for _, n := range d.Decorators() {
		c := v.p.Call(n)
		if c == nil {
			if position == 0 && v.p.Resolve(n).Matches("click.pass_context", "click.pass_obj", "click.decorators.pass_*") {
				return no
			}
			continue
		}
		if !isOneOf(c.Name, "option", "argument") || !declares(c, p.Name) {
			continue
		}
		if asksToRun.MatchString(p.Name) {
			return doubted(v.declaredTaint(c))
		}
		return v.declaredTaint(c)
	}
	return unsure
}

// asksToRun are names of arguments by which whoever starts a program asks it to
// run a command: what the program is for, and no injection.
var asksToRun = regexp.MustCompile(`(^|_)(cmd|commands?|script|shell|program|exec)(_|$)`)

// declares tells whether an option is handed over under a name.
func declares(c *code.Call, name string) bool {
	return slices.ContainsFunc(c.Args, func(a code.Argument) bool {
		text, ok := plain(a.Value)
		if !ok || a.Name != "" && a.Name != "dest" {
			return false
		}
		for part := range strings.SplitSeq(text, "/") {
			if strings.ReplaceAll(strings.TrimLeft(part, "-"), "-", "_") == name {
				return true
			}
		}
		return false
	})
}

// declaredTaint is what an option carries, by the call that declares it.
func (v *survey) declaredTaint(c *code.Call) tri {
	for _, flag := range []string{"is_flag", "count"} {
		if n := c.Arg(flag, -1); n.Valid() && v.truth(n) == yes {
			return no
		}
	}
	if action, ok := plain(c.Arg("action", -1)); ok && !isOneOf(action, "store", "append", "extend") {
		return no
	}
	if c.Arg("choices", -1).Valid() {
		return no
	}
	if kind := c.Arg("type", -1); kind.Valid() {
		if k := v.p.Call(kind); k != nil {
			kind = kind.Field("function")
		}
		return v.typeTaint(kind)
	}
	if c.Arg("callback", -1).Valid() || c.Splat() {
		return unsure
	}
	if strings.Contains(c.Callee.Qualified, "click") && c.Arg("default", -1).Is("integer", "float", "true", "false") {
		return no // click takes the type from it
	}
	return yes
}

// fieldTaint is what a field of a model carries that a route gets as its body;
// ok is false for anything else.
func (v *survey) fieldTaint(n code.Node) (t tri, ok bool) {
	object := n.Field("object")
	fn := v.function(n)
	if !n.Is("attribute") || !object.Is("identifier") || fn == nil || v.door(fn) != doorTyped {
		return no, false
	}
	name := n.Field("attribute").Text()
	for _, p := range fn.Params() {
		if p.Name != object.Text() {
			continue
		}
		s := v.p.Resolve(p.Annotation)
		if s.Def == nil || s.Def.Kind != code.DefClass {
			return no, false
		}
		if v.p.Inherits(s.Def, "enum.*") {
			return no, true
		}
		for _, f := range v.p.Fields(code.Symbol{Qualified: s.Def.Qualified, Def: s.Def}) {
			if f.Name == name && f.Annotation.Valid() {
				if v.constrained(s.Def, name).Valid() {
					return doubted(v.typeTaint(f.Annotation)), true
				}
				return v.typeTaint(f.Annotation), true
			}
		}
	}
	return no, false
}

// argumentTaint is what an argument of the command line carries, by the
// declarations of its name; without one, text.
func (v *survey) argumentTaint(n code.Node) tri {
	k := key(n)
	if asksToRun.MatchString(k) {
		return unsure
	}
	answer, found := no, false
	for _, c := range v.p.Calls("*.add_argument") {
		if !v.production(c.Node) || !declares(c, k) {
			continue
		}
		answer, found = max(answer, v.declaredTaint(c)), true
	}
	if !found {
		return yes
	}
	return answer
}
