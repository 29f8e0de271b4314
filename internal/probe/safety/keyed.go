package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
)

// keyIndex lists what production code stores under a name: entries of
// dictionaries, keyword arguments, elements and attributes that are set. It
// leads from a state key to the values that other nodes put there.
func (v *survey) keyIndex() map[string][]code.Node {
	index := map[string][]code.Node{}
	for _, m := range v.p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for n := range m.Root().Walk() {
			if key, value := v.stored(n); key != "" && value.Valid() && len(index[key]) < maxStored {
				index[key] = append(index[key], value)
			}
		}
	}
	return index
}

// stored reads one way of storing a value under a name.
func (v *survey) stored(n code.Node) (string, code.Node) {
	switch n.Kind() {
	case "pair":
		if key, ok := plain(n.Field("key")); ok {
			return key, n.Field("value")
		}
	case "keyword_argument":
		return n.Field("name").Text(), n.Field("value")
	case "assignment":
		left := n.Field("left")
		switch left.Kind() {
		case "subscript":
			if key, ok := plain(left.Field("subscript")); ok {
				return key, n.Field("right")
			}
		case "attribute":
			if object := left.Field("object").Text(); object != "self" && object != "cls" {
				return left.Field("attribute").Text(), n.Field("right")
			}
		}
	}
	return "", code.Node{}
}

// plain is the text of a simple string literal.
func plain(n code.Node) (string, bool) {
	n = n.Unparen()
	if !n.Is("string") {
		return "", false
	}
	var text strings.Builder
	for c := range n.Children() {
		switch c.Kind() {
		case "string_content":
			text.WriteString(c.Text())
		case "interpolation":
			return "", false
		}
	}
	return text.String(), true
}

// key is the name by which an expression reads a value from a state, a record
// or parsed arguments: x["key"], x.get("key"), x.key.
func key(n code.Node) string {
	switch n.Kind() {
	case "subscript":
		k, _ := plain(n.Field("subscript"))
		return k
	case "attribute":
		return n.Field("attribute").Text()
	case "call":
		fn := n.Field("function")
		if !fn.Is("attribute") {
			return ""
		}
		switch fn.Field("attribute").Text() {
		case "get", "pop", "setdefault":
			k, _ := plain(n.Field("arguments").Child(0))
			return k
		}
	}
	return ""
}

// keyedIn is the name by which a way reads its value from something that no
// known code makes, "" when it reads none.
func keyedIn(o code.Origin) string {
	for _, n := range slices.Backward(o.Path) {
		if k := key(n); k != "" {
			return k
		}
	}
	return ""
}
