package code

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ValueKind is the kind of an abstract Value.
type ValueKind uint8

// Kinds of values.
const (
	ValueUnknown ValueKind = iota // not resolved; String gives "?expr@path:line"
	ValueString                   // Text, or Items when parts of it are unknown
	ValueBytes                    // Text
	ValueInt                      // Int
	ValueFloat                    // Float
	ValueBool                     // Int is 0 or 1
	ValueNone
	ValueList   // Items
	ValueTuple  // Items
	ValueSet    // Items
	ValueDict   // Keys and Items, pairwise
	ValueSymbol // Symbol: a function, class, module, external name or instance
	ValueChoice // Items: one of these
)

// Value is what is known of an expression without running it. An unknown
// element of a list, tuple or set may stand for any number of elements, and an
// unknown key of a dict for any number of entries, when Rest is set.
type Value struct {
	Kind   ValueKind
	Text   string
	Int    int64
	Float  float64
	Items  []Value // elements, parts of a string, alternatives
	Keys   []Value // keys of a dict
	Symbol Symbol  // for ValueSymbol; for an enum member's value, the enum class
	Node   Node    // expression it was read from
	Member string  // qualified name of the enum member it is the value of, "" for others
	Rest   bool    // for ValueUnknown in a container: any number of elements
}

// Binding gives values to the names that an iteration binds.
type Binding map[string]Value

// Const reports whether the value is fully known: a definition, module or
// external name is, an object made while running is not.
func (v Value) Const() bool {
	switch v.Kind {
	case ValueUnknown, ValueChoice:
		return false
	case ValueSymbol:
		return !v.Symbol.Instance && !strings.HasSuffix(v.Symbol.Qualified, ")") && !strings.HasSuffix(v.Symbol.Qualified, "]")
	default: // known when all its parts are
	}
	for _, list := range [][]Value{v.Items, v.Keys} {
		for _, item := range list {
			if !item.Const() {
				return false
			}
		}
	}
	return true
}

// Str returns the text of a fully known string.
func (v Value) Str() (string, bool) {
	if v.Kind != ValueString || len(v.Items) > 0 {
		return "", false
	}
	return v.Text, true
}

// Pattern returns the text of a string with "*" for every unknown part; for a
// value that is not a string, "*".
func (v Value) Pattern() string {
	if v.Kind != ValueString {
		return "*"
	}
	if len(v.Items) == 0 {
		return v.Text
	}
	var b strings.Builder
	for _, part := range v.Items {
		if p := part.Pattern(); p != "*" || !strings.HasSuffix(b.String(), "*") {
			b.WriteString(p)
		}
	}
	return b.String()
}

// Choices returns the alternatives of a choice, else the value alone.
func (v Value) Choices() []Value {
	if v.Kind == ValueChoice {
		return v.Items
	}
	return []Value{v}
}

// Strings returns the strings that the value may be, or that its elements may
// be for a list, tuple or set; complete is false when there is anything else.
func (v Value) Strings() (texts []string, complete bool) {
	complete = true
	for _, c := range v.Choices() {
		items := []Value{c}
		if c.Kind == ValueList || c.Kind == ValueTuple || c.Kind == ValueSet {
			items = c.Items
		}
		for _, item := range items {
			for _, choice := range item.Choices() {
				text, ok := choice.Str()
				if !ok {
					complete = false
					continue
				}
				texts = append(texts, text)
			}
		}
	}
	return texts, complete
}

// Get returns the value of a string key of a dict. Where the key occurs
// twice, the last entry counts.
func (v Value) Get(key string) (Value, bool) {
	for i, k := range slices.Backward(v.Keys) {
		if text, ok := k.Str(); ok && text == key {
			return v.Items[i], true
		}
	}
	return Value{}, false
}

// String renders the value in Python's notation, unknown parts as
// "?expr@path:line" and alternatives joined by "|".
func (v Value) String() string {
	var b strings.Builder
	v.write(&b, 0)
	return b.String()
}

// maxRender bounds the nesting that String shows.
const maxRender = 20

func (v Value) write(b *strings.Builder, depth int) {
	if depth > maxRender {
		b.WriteString("…")
		return
	}
	switch v.Kind {
	case ValueUnknown:
		b.WriteString(v.Node.Unknown())
	case ValueString:
		if len(v.Items) == 0 {
			b.WriteString(strconv.Quote(v.Text))
			return
		}
		v.join(b, "f(", " ", ")", depth)
	case ValueBytes:
		b.WriteString("b" + strconv.Quote(v.Text))
	case ValueInt:
		b.WriteString(strconv.FormatInt(v.Int, 10))
	case ValueFloat:
		b.WriteString(strconv.FormatFloat(v.Float, 'g', -1, 64))
	case ValueBool:
		b.WriteString(map[int64]string{0: "False", 1: "True"}[v.Int])
	case ValueNone:
		b.WriteString("None")
	case ValueList:
		v.join(b, "[", ", ", "]", depth)
	case ValueTuple:
		v.join(b, "(", ", ", ")", depth)
	case ValueSet, ValueDict:
		v.join(b, "{", ", ", "}", depth)
	case ValueSymbol:
		fmt.Fprintf(b, "<%s>", v.Symbol.Qualified)
	case ValueChoice:
		v.join(b, "", "|", "", depth)
	}
}

func (v Value) join(b *strings.Builder, open, sep, end string, depth int) {
	b.WriteString(open)
	for i, item := range v.Items {
		if i > 0 {
			b.WriteString(sep)
		}
		if v.Kind == ValueDict {
			v.Keys[i].write(b, depth+1)
			b.WriteString(": ")
		}
		item.write(b, depth+1)
	}
	b.WriteString(end)
}

// unknown is the value of an expression that nothing is known about.
func unknown(n Node) Value { return Value{Node: n} }

func textValue(text string, n Node) Value { return Value{Kind: ValueString, Text: text, Node: n} }

func intValue(i int64, n Node) Value { return Value{Kind: ValueInt, Int: i, Node: n} }

func boolValue(b bool, n Node) Value {
	v := Value{Kind: ValueBool, Node: n}
	if b {
		v.Int = 1
	}
	return v
}

func symbolValue(s Symbol, n Node) Value { return Value{Kind: ValueSymbol, Symbol: s, Node: n} }

// open reports whether the number of elements is unknown.
func (v Value) open() bool {
	for _, item := range v.Items {
		if item.Kind == ValueUnknown && item.Rest {
			return true
		}
	}
	return false
}

// sequence reports whether the value is a list, tuple or set.
func (v Value) sequence() bool {
	return v.Kind == ValueList || v.Kind == ValueTuple || v.Kind == ValueSet
}

// equal compares two fully known values as Python's == does; known is false
// when it cannot tell.
func (v Value) equal(w Value) (same, known bool) {
	if v.Member != "" && w.Member != "" {
		return v.Member == w.Member, true
	}
	if !v.Const() || !w.Const() {
		return false, false
	}
	if v.Kind == ValueSymbol || w.Kind == ValueSymbol {
		return v.Kind == w.Kind && v.Symbol.same(w.Symbol), v.Kind == w.Kind
	}
	if v.Kind != w.Kind {
		return false, v.Kind != ValueFloat && w.Kind != ValueFloat && v.Kind != ValueBool && w.Kind != ValueBool
	}
	return v.alike(w, 0), true
}

// alike reports whether two values say the same. Unknown values are alike when
// they come from the same expression.
func (v Value) alike(w Value, depth int) bool {
	if v.Kind != w.Kind || v.Text != w.Text || v.Int != w.Int || v.Float != w.Float || v.Member != w.Member ||
		len(v.Items) != len(w.Items) || len(v.Keys) != len(w.Keys) || depth > maxRender {
		return false
	}
	switch v.Kind {
	case ValueUnknown:
		return v.Node == w.Node && v.Rest == w.Rest
	case ValueSymbol:
		return v.Symbol.same(w.Symbol)
	default: // alike when all their parts are
	}
	for i := range v.Items {
		if !v.Items[i].alike(w.Items[i], depth+1) {
			return false
		}
	}
	for i := range v.Keys {
		if !v.Keys[i].alike(w.Keys[i], depth+1) {
			return false
		}
	}
	return true
}

// truth returns whether Python takes the value for true.
func (v Value) truth() (truth, known bool) {
	switch v.Kind {
	case ValueNone:
		return false, true
	case ValueBool, ValueInt:
		return v.Int != 0, true
	case ValueFloat:
		return v.Float != 0, true
	case ValueString, ValueBytes:
		return v.Text != "" || len(v.Items) > 0, len(v.Items) == 0
	case ValueList, ValueTuple, ValueSet, ValueDict:
		return len(v.Items) > 0, !v.open()
	case ValueSymbol:
		return true, v.Symbol.Def != nil && !v.Symbol.Instance
	case ValueUnknown, ValueChoice:
	}
	return false, false
}

// choice joins alternatives; equal ones count once.
func choice(alternatives []Value, n Node) Value {
	var out []Value
	for _, a := range alternatives {
		for _, c := range a.Choices() {
			if !slices.ContainsFunc(out, func(o Value) bool { return o.alike(c, 0) }) {
				out = append(out, c)
			}
		}
		if len(out) > maxAlternatives {
			return unknown(n)
		}
	}
	switch len(out) {
	case 0:
		return unknown(n)
	case 1:
		return out[0]
	}
	return Value{Kind: ValueChoice, Items: out, Node: n}
}
