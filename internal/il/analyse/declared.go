package analyse

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// typeRanges are the numbers that a declared type holds, by language.
var typeRanges = map[string]map[string]Interval{
	"go": {"byte": {0, math.MaxUint8}, "uint8": {0, math.MaxUint8}, "uint16": {0, math.MaxUint16}, "uint32": {0, math.MaxUint32},
		"uint": {0, math.Inf(1)}, "uint64": {0, math.Inf(1)}, "uintptr": {0, math.Inf(1)}, "int8": {math.MinInt8, math.MaxInt8},
		"int16": {math.MinInt16, math.MaxInt16}, "int32": {math.MinInt32, math.MaxInt32}, "int": {math.Inf(-1), math.Inf(1)}, "int64": {math.Inf(-1), math.Inf(1)}},
	"rust": {"u8": {0, math.MaxUint8}, "u16": {0, math.MaxUint16}, "u32": {0, math.MaxUint32}, "u64": {0, math.Inf(1)}, "usize": {0, math.Inf(1)},
		"u128": {0, math.Inf(1)}, "i8": {math.MinInt8, math.MaxInt8}, "i16": {math.MinInt16, math.MaxInt16}, "i32": {math.MinInt32, math.MaxInt32},
		"i64": {math.Inf(-1), math.Inf(1)}, "isize": {math.Inf(-1), math.Inf(1)}, "i128": {math.Inf(-1), math.Inf(1)}},
	"java": {"byte": {math.MinInt8, math.MaxInt8}, "short": {math.MinInt16, math.MaxInt16}, "int": {math.MinInt32, math.MaxInt32}, "long": {math.Inf(-1), math.Inf(1)}},
}

// typeValue is what a declared type of a language that enforces it holds.
func typeValue(language, written string) Value {
	written = strings.TrimSpace(written)
	if i, ok := typeRanges[language][written]; ok {
		return numbers(i, true)
	}
	if written == "bool" && language != "java" || written == "boolean" && language == "java" {
		return truths()
	}
	if slices.Contains(textTypes[language], written) {
		v := nothing()
		v.AnyStr, v.Exact = true, false
		v.None = language == "java" || language == "c#"
		return v
	}
	return anything()
}

// textTypes are the types of texts of the languages that enforce types.
var textTypes = map[string][]string{"go": {"string"}, "rust": {"String", "&str", "&String", "&'static str"}, "java": {"String"}, "c#": {"string", "String"}}

// declared is what a parameter or the read of a field can be by its declaration.
func (v *Values) declared(f *il.Function, o il.Operand) Value {
	text, at := v.typeOf(f, o, 0)
	if text == "" {
		return anything()
	}
	if rulesOf(f.Module.Language).types {
		return typeValue(f.Module.Language, text)
	}
	if at.Kind == il.ClassBody && v.model(at, 0) { // a field of a model
		return v.annotation(at, text)
	}
	return anything()
}

// typeOf is the type that is declared for an operand, with the function or class
// in which it is written; a model's field has the class's body.
func (v *Values) typeOf(f *il.Function, o il.Operand, depth int) (string, *il.Function) {
	if depth == 0 {
		v.typing = 0
	}
	for o.Kind == il.Local && depth <= maxTyped {
		if v.typing++; v.typing > maxTypedWork {
			return "", nil
		}
		ver := f.Versions[o.ID]
		if ver.Param >= 0 {
			switch p := f.Params[ver.Param]; {
			case p.Spread != "":
				return "", nil
			case p.Type == "" && depth < maxTyped:
				return v.passed(f, ver.Param, depth+1)
			default:
				return p.Type, f
			}
		}
		def := ver.Def
		switch {
		case def == nil:
			return "", nil
		case def.Op == il.Bind && def.Kind == "" && len(def.Names) > 0:
			return def.Names[0], f
		case f.Module.Language == "python" && (def.Op == il.Phi || joined(def) || def.Op == il.Make && def.Kind == "list" || def.Op == il.Set && def.Kind == "add"):
			if text, at := v.held(f, o, depth+1); text != "" {
				return "List[" + text + "]", at
			}
			return "", nil
		case def.Op == il.Assume, def.Op == il.Bind && def.Kind == "", def.Op == il.Set && def.Kind != "outer" && def.Kind != "export":
			o = def.Args[0]
			continue
		case def.Op == il.Get && def.Kind == "each":
			return v.elementType(f, def.Args[0], depth+1)
		case def.Op == il.Get:
			return v.fieldType(f, def, depth)
		case def.Op == il.Call:
			return v.callType(f, def, depth)
		}
		return "", nil
	}
	return "", nil
}

// classOf is the class of an object, as far as it is known where it is made or declared.
func (v *Values) classOf(f *il.Function, o il.Operand, depth int) *il.Function {
	if class := v.Names.Instance(f, o).Class; class != nil {
		return class
	}
	if text, at := v.typeOf(f, o, depth); text != "" {
		return v.Names.Type(at, text)
	}
	return nil
}

// fieldType is the type that a class declares for a field that is read.
func (v *Values) fieldType(f *il.Function, get *il.Instr, depth int) (string, *il.Function) {
	key, ok := f.Str(get.Args[1])
	if !ok {
		return "", nil
	}
	class := v.classOf(f, get.Args[0], depth+1)
	if class == nil || get.Kind == "attr" && v.written[key] {
		return "", nil
	}
	return v.field(class, key, visited{})
}

// field is the declaration of a field in a class or in one above it.
func (v *Values) field(class *il.Function, key string, seen visited) (string, *il.Function) {
	text := ""
	for _, ver := range class.Versions {
		if ver.Var != key || ver.Def == nil || ver.Def.Op != il.Bind {
			continue
		}
		def := ver.Def
		if inner := class.Def(def.Args[0]); inner != nil && len(def.Names) == 0 && inner.Op == il.Bind {
			def = inner
		}
		if text != "" || len(def.Names) == 0 {
			return "", nil
		}
		text = def.Names[0]
		if value := class.Def(def.Args[0]); value != nil && value.Op == il.Call {
			text = "Annotated[" + text + "," + v.fieldCall(class, value) + "]"
		}
	}
	if text != "" || v.Names.Class(class) == nil {
		return text, class
	}
	for _, b := range v.Names.bases(class) {
		if seen.first(b) {
			if text, at := v.field(b, key, seen); text != "" {
				return text, at
			}
		}
	}
	return "", nil
}

// fieldCall writes the constant keywords of a call as a declaration has them.
func (v *Values) fieldCall(class *il.Function, call *il.Instr) string {
	var w strings.Builder
	w.WriteString(call.Kind + "(")
	for i, name := range call.Names {
		if c, ok := class.Const(class.Root(call.Args[i+1])); ok && name != "" && (c.Type == il.IntConst || c.Type == il.FloatConst) {
			w.WriteString(name + "=" + c.Text + ",")
		}
	}
	return w.String() + ")"
}

// model tells a class whose fields are checked when an object is made.
func (v *Values) model(class *il.Function, depth int) bool {
	known, ok := v.models[class]
	c := v.Names.Class(class)
	if ok || depth > maxBases || c == nil {
		return known
	}
	v.models[class] = false
	is := slices.ContainsFunc(c.Bases, func(b string) bool {
		name, _, _ := strings.Cut(lastName(b), "[")
		return name == "BaseModel" || name == "SQLModel" || name == "BaseSettings"
	})
	for _, b := range v.Names.bases(class) {
		is = is || v.model(b, depth+1)
	}
	v.models[class] = is
	return is
}

// element is the type of a list's elements, "" where it is none.
func element(text string) string {
	head, rest := cutType(text)
	switch lastName(head) {
	case "list", "List", "Sequence", "Iterable", "set", "Set", "Tuple", "tuple", "Collection", "Iterator", "deque":
		if len(rest) > 0 && (lastName(head) != "tuple" && lastName(head) != "Tuple" || len(rest) == 2 && rest[1] == "...") {
			return rest[0]
		}
	case "Annotated", "Optional":
		if len(rest) > 0 {
			return element(rest[0])
		}
	}
	return ""
}

// cutType takes "head[a, b]" or "head(a, b)" apart.
func cutType(text string) (head string, parts []string) {
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text, "[(")
	if i < 0 || !strings.HasSuffix(text, "]") && !strings.HasSuffix(text, ")") {
		return text, nil
	}
	return strings.TrimSpace(text[:i]), split(text[i+1:len(text)-1], ',')
}

// split cuts a text at a separator that stands in no brackets and no quotes.
func split(text string, at byte) (out []string) {
	depth, from := 0, 0
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(' || c == '{':
			depth++
		case c == ']' || c == ')' || c == '}':
			depth--
		case c == at && depth == 0:
			out = append(out, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(text[min(from, len(text)):]); last != "" {
		out = append(out, last)
	}
	return out
}

// annotation is what a field of a model holds by its declaration.
func (v *Values) annotation(class *il.Function, text string) Value {
	if text = strings.TrimSpace(text); len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		text = text[1 : len(text)-1]
	}
	if arms := split(text, '|'); len(arms) > 1 {
		return v.either(class, arms)
	}
	head, parts := cutType(text)
	switch lastName(head) {
	case "None":
		return constant(il.Const{})
	case "Union":
		return v.either(class, parts)
	case "Optional":
		return v.either(class, append(parts[:len(parts):len(parts)], "None"))
	case "Literal":
		return literals(parts)
	case "int":
		return numbers(everyNumber(), true)
	case "float":
		out := numbers(everyNumber(), false)
		out.Other = true // not a number
		return out
	case "bool":
		out := truths()
		out.Exact = true
		return out
	case "str":
		return someText()
	case "conint", "confloat":
		return limited(v.annotation(class, lastName(head)[3:]), parts)
	case "PositiveInt":
		return limited(v.annotation(class, "int"), []string{"gt=0"})
	case "NonNegativeInt":
		return limited(v.annotation(class, "int"), []string{"ge=0"})
	case "Annotated":
		if len(parts) == 0 {
			return anything()
		}
		out := v.annotation(class, parts[0])
		for _, p := range parts[1:] {
			if name, args := cutType(p); lastName(name) == "Field" {
				out = limited(out, args)
			} else if name := lastName(name); name == "Ge" || name == "Gt" || name == "Le" || name == "Lt" {
				out = limited(out, []string{strings.ToLower(name) + "=" + strings.Join(args, "")})
			}
		}
		return out
	}
	return anything()
}

// either is what a field of one of several types holds.
func (v *Values) either(class *il.Function, arms []string) Value {
	out, exact := nothing(), true
	for _, a := range arms {
		w := v.annotation(class, a)
		out, exact = out.join(w), exact && w.Exact
	}
	out.Exact = exact && len(arms) > 0
	return out
}

// literals are the values that a declaration lists.
func literals(parts []string) Value {
	out := nothing()
	for _, p := range parts {
		c := il.Const{Type: il.StrConst}
		n, err := strconv.ParseFloat(p, 64)
		switch {
		case len(p) > 1 && (p[0] == '"' || p[0] == '\'') && p[len(p)-1] == p[0] && !strings.Contains(p, "\\"):
			c.Text = p[1 : len(p)-1]
		case err == nil && n == math.Trunc(n):
			c = il.Const{Type: il.IntConst, Num: n}
		case p == "None":
			c = il.Const{}
		case p == "True" || p == "False":
			c = il.Const{Type: il.BoolConst}
			if p == "True" {
				c.Num = 1
			}
		default:
			return anything()
		}
		out = out.join(constant(c))
	}
	if out.Empty() {
		return anything()
	}
	out.Exact = out.Num.empty() || out.Num.Lo == out.Num.Hi
	return out
}

// limited narrows numbers by the bounds of a Field. Both ends occur.
func limited(v Value, args []string) Value {
	if v.Num.empty() {
		return v
	}
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(value), "_", ""), 64)
		op, is := map[string]string{"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}[strings.TrimSpace(name)]
		if err == nil && is {
			v.Num = v.Num.meet(v.side(op, Interval{n, n}))
		}
	}
	if v.Num.empty() {
		return anything()
	}
	if !math.IsInf(v.Num.Lo, 0) && !math.IsInf(v.Num.Hi, 0) {
		v.Exact, v.Other = v.Int || !v.Other || v.Num.Lo < v.Num.Hi, false
	}
	return v
}
