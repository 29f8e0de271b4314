package graph

import (
	"bytes"
	"cmp"
	"encoding/json"
	"iter"
	"reflect"
	"slices"
)

// Keyed is an element with an identity: under merge and upsert, elements of one
// key are one element. A type may also have a method Compare(T) int, a total
// preorder: lists are kept in its order and, under merge, of several accounts
// with one key the first in it stands. Keys break its ties, and JSON text
// theirs. Key and Compare must depend on nothing but what is in the JSON.
type Keyed interface{ Key() string }

// order is a total order of the elements of a list.
type order func(a, b reflect.Value) int

func orderOf(elem reflect.Type) order {
	compare := func(_, _ reflect.Value) int { return 0 }
	if m, ok := elem.MethodByName("Compare"); ok && m.Type == reflect.FuncOf([]reflect.Type{elem, elem}, []reflect.Type{reflect.TypeFor[int]()}, false) {
		compare = func(a, b reflect.Value) int { return int(m.Func.Call([]reflect.Value{a, b})[0].Int()) }
	}
	return func(a, b reflect.Value) int {
		return cmp.Or(compare(a, b), cmp.Compare(keyOf(a), keyOf(b)))
	}
}

// union sorts a list and keeps the first account of each key.
func (o order) union(list reflect.Value) reflect.Value {
	all := slices.SortedFunc(elements(list), func(a, b reflect.Value) int {
		if c := o(a, b); c != 0 {
			return c
		}
		return bytes.Compare(jsonOf(a), jsonOf(b))
	})
	seen := map[string]bool{}
	out := reflect.MakeSlice(list.Type(), 0, list.Len())
	for _, v := range all {
		if k := keyOf(v); !seen[k] {
			seen[k], out = true, reflect.Append(out, v)
		}
	}
	return tight(out)
}

func elements(list reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		for i := range list.Len() {
			if !yield(list.Index(i)) {
				return
			}
		}
	}
}

func keyOf(v reflect.Value) string { return v.Interface().(Keyed).Key() }

// jsonOf is the text of an element. Elements were read from JSON, so it exists;
// were it not to, the element would sort as empty.
func jsonOf(v reflect.Value) []byte {
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return nil
	}
	return text
}
