package code

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// callValue evaluates a call: of a string method, a builtin, a path function,
// a first-party function, or else as the symbol of what it returns.
func (q *query) callValue(n Node) Value {
	fn := n.Field("function").Unparen()
	if fn.Is("attribute") {
		if v, ok := q.methodValue(n, fn); ok {
			return v
		}
	}
	for _, s := range q.expr(fn) {
		if !s.Known() {
			continue
		}
		if v, ok := q.builtinValue(s.Qualified, n); ok {
			return v
		}
		if s.Def == nil || s.Instance {
			continue
		}
		if s.Def.Kind == DefClass && q.enum(s.Def) {
			return q.enumByValue(s.Def, q.argument(n), n)
		}
		if s.Def.IsFunction() {
			if v := q.returnValue(s.Def, n); v.Kind != ValueUnknown {
				return v
			}
		}
	}
	return q.symbolic(n)
}

// argument evaluates the first positional argument of a call.
func (q *query) argument(call Node) Value {
	return q.eval(pick(plainArguments(call), "", 0))
}

// arguments evaluates the positional arguments of a call.
func (q *query) arguments(call Node) []Value {
	var out []Value
	for _, a := range plainArguments(call) {
		if a.Name == "" && a.Star == 0 {
			out = append(out, q.eval(a.Value))
		} else if a.Star == 1 {
			out = append(out, Value{Node: a.Value, Rest: true})
		}
	}
	return out
}

// returnValue evaluates what a first-party function returns, its parameters
// bound to what this call passes.
func (q *query) returnValue(fn *Definition, call Node) Value {
	a := activity{scope: fn, name: "return"}
	if fn.generator() || q.hops >= maxHops || !q.enter(a) {
		q.hits++
		return unknown(call)
	}
	q.hops++
	env, scope := q.env, q.envScope
	defer func() { q.hops--; q.env, q.envScope = env, scope; q.leave() }()
	bound := Binding{}
	for i, p := range fn.params {
		if arg := q.argumentFor(call, fn, p, i); arg.Valid() {
			bound[p.Name] = q.eval(arg)
		} else if p.Default.Valid() && !hasSplat(call) {
			bound[p.Name] = q.eval(p.Default)
		}
	}
	q.env, q.envScope = []Binding{bound}, fn
	var out []Value
	for _, value := range fn.ReturnValues() {
		if value.Is("return_statement") {
			out = append(out, Value{Kind: ValueNone, Node: value})
			continue
		}
		out = append(out, q.eval(value))
	}
	return choice(out, call)
}

// methodValue evaluates methods of strings and dicts.
func (q *query) methodValue(call, fn Node) (Value, bool) {
	name := fn.Field("attribute").Text()
	switch name {
	case "format", "join", "strip", "lstrip", "rstrip", "lower", "upper", "title", "replace", "removeprefix", "removesuffix",
		"split", "splitlines", "keys", "values", "items", "get", "copy", "joinpath", "as_posix":
	default:
		return Value{}, false
	}
	object := q.eval(fn.Field("object"))
	if object.Kind == ValueChoice {
		var out []Value
		for _, c := range object.Items {
			v, ok := q.applyMethod(c, name, call)
			if !ok {
				v = unknown(call)
			}
			out = append(out, v)
		}
		return choice(out, call), true
	}
	return q.applyMethod(object, name, call)
}

func (q *query) applyMethod(object Value, name string, call Node) (Value, bool) {
	switch {
	case isPath(object) && name == "joinpath":
		return joinPaths(append([]Value{object}, q.arguments(call)...), call), true
	case isPath(object) && name == "as_posix":
		return object, true
	case object.Kind == ValueDict:
		return q.dictMethod(object, name, call)
	case object.Kind == ValueString:
		return q.stringMethod(object, name, call)
	case object.sequence() && name == "copy":
		return object, true
	}
	return Value{}, false
}

func (q *query) dictMethod(d Value, name string, call Node) (Value, bool) {
	out := Value{Kind: ValueList, Node: call}
	switch name {
	case "copy":
		return d, true
	case "keys":
		out.Items = d.Keys
	case "values":
		out.Items = d.Items
	case "items":
		for i, k := range d.Keys {
			if k.Rest {
				out.Items = append(out.Items, k)
				continue
			}
			out.Items = append(out.Items, Value{Kind: ValueTuple, Items: []Value{k, d.Items[i]}, Node: k.Node})
		}
	case "get":
		return q.lookIn(d, q.argument(call), pick(plainArguments(call), "", 1), call)
	default:
		return Value{}, false
	}
	return out, true
}

func (q *query) stringMethod(s Value, name string, call Node) (Value, bool) {
	if name == "format" {
		return q.format(s, call), true
	}
	text, ok := s.Str()
	if !ok {
		// Trimming and re-casing leave the parts recognisable.
		return s, isOneOf(name, "strip", "lstrip", "rstrip")
	}
	args := q.arguments(call)
	first, _ := at(Value{Kind: ValueTuple, Items: args}, 0).Str()
	switch name {
	case "join":
		return joinStrings(text, args, call), true
	case "lower":
		text = strings.ToLower(text)
	case "upper":
		text = strings.ToUpper(text)
	case "strip", "lstrip", "rstrip":
		text = strip(text, name, first)
	case "removeprefix":
		text = strings.TrimPrefix(text, first)
	case "removesuffix":
		text = strings.TrimSuffix(text, first)
	case "replace":
		if len(args) < 2 || !args[0].Const() || !args[1].Const() || first == "" {
			return unknown(call), true
		}
		second, _ := args[1].Str()
		text = strings.ReplaceAll(text, first, second)
	case "split", "splitlines":
		return splitString(text, name, first, call), true
	default:
		return unknown(call), true
	}
	if len(text) > maxText {
		return unknown(call), true
	}
	return textValue(text, call), true
}

func strip(text, name, cutset string) string {
	if cutset == "" {
		cutset = " \t\n\r\f\v"
	}
	if name != "rstrip" {
		text = strings.TrimLeft(text, cutset)
	}
	if name != "lstrip" {
		text = strings.TrimRight(text, cutset)
	}
	return text
}

func splitString(text, name, sep string, n Node) Value {
	var parts []string
	switch {
	case name == "splitlines":
		parts = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	case sep == "":
		parts = strings.Fields(text)
	default:
		parts = strings.Split(text, sep)
	}
	out := Value{Kind: ValueList, Node: n}
	for _, part := range parts[:min(len(parts), maxItems)] {
		out.Items = append(out.Items, textValue(part, n))
	}
	return out
}

// joinStrings evaluates sep.join(parts).
func joinStrings(sep string, args []Value, n Node) Value {
	if len(args) != 1 || !args[0].sequence() {
		return unknown(n)
	}
	var parts []Value
	for i, item := range args[0].Items {
		if i > 0 {
			parts = append(parts, textValue(sep, n))
		}
		parts = append(parts, item)
	}
	return concatStrings(parts, n)
}

var formatHole = regexp.MustCompile(`\{\{|\}\}|\{(\w*)[^{}]*\}`)

// format evaluates s.format(...); holes that are not filled stay unknown.
func (q *query) format(s Value, call Node) Value {
	text, ok := s.Str()
	if !ok {
		return unknown(call)
	}
	args := callArguments(q, call)
	var parts []Value
	last, next := 0, 0
	for _, m := range formatHole.FindAllStringSubmatchIndex(text, -1) {
		parts = append(parts, textValue(text[last:m[0]], call))
		last = m[1]
		if m[2] < 0 {
			parts = append(parts, textValue(text[m[0]:m[0]+1], call))
			continue
		}
		name, pos := text[m[2]:m[3]], -1
		if name == "" {
			pos = next
			next++
		} else if i := strings.IndexFunc(name, func(r rune) bool { return r < '0' || r > '9' }); i < 0 && len(name) < 4 {
			pos = 0
			for _, r := range name {
				pos = pos*10 + int(r-'0')
			}
			name = ""
		}
		v := unknown(call)
		if plain := text[m[3]:m[1]]; plain == "}" {
			v = q.eval(pick(args, name, pos))
			if !v.Node.Valid() {
				v = unknown(call)
			}
		}
		parts = append(parts, v)
	}
	return concatStrings(append(parts, textValue(text[last:], call)), call)
}

// lookIn returns the entry of a dict for a key that may have alternatives;
// where there may be none, the fallback counts, unless it is the zero Node.
func (q *query) lookIn(d, key Value, fallback, n Node) (Value, bool) {
	var out []Value
	missing := unknown(n)
	if fallback.Valid() {
		missing = q.eval(fallback)
	}
	for _, k := range key.Choices() {
		found := false
		for i := len(d.Keys) - 1; i >= 0 && !found; i-- {
			if same, known := d.Keys[i].equal(k); same && known {
				out, found = append(out, d.Items[i]), true
			}
		}
		if !found && k.Kind != ValueUnknown && k.Kind != ValueSymbol {
			out = append(out, missing)
		}
		if k.Kind == ValueUnknown || k.Kind == ValueSymbol { // any entry
			out = append(out, d.Items...)
			if fallback.Valid() && !found {
				out = append(out, missing)
			}
		}
	}
	if len(out) == 0 || len(out) > maxAlternatives {
		return Value{}, false
	}
	return choice(out, n), true
}
