package graph

import (
	"encoding/json"
	"reflect"
)

// decode reads a value from JSON and leaves its slices no spare capacity. Tasks
// share the state they read: were there room behind the end of a list, two
// nodes that append to it, each for itself, would write into one array.
func decode[T any](raw []byte) (v T, err error) {
	if err := json.Unmarshal(raw, &v); err != nil {
		return v, err
	}
	clip(reflect.ValueOf(&v).Elem())
	return v, nil
}

// clip cuts the capacity of every slice in a settable value that nobody else
// has yet. Its depth is that of the JSON text, which encoding/json bounds.
func clip(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			clip(v.Elem())
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			if f.CanSet() {
				clip(f)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			clip(v.Index(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		v.Set(tight(v))
		if !flat(v.Type().Elem()) {
			for i := range v.Len() {
				clip(v.Index(i))
			}
		}
	case reflect.Map:
		if flat(v.Type().Elem()) {
			return
		}
		for _, k := range v.MapKeys() {
			v.SetMapIndex(k, clipped(v.MapIndex(k)))
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(clipped(v.Elem()))
		}
	}
}

// clipped is clip for a value that is not settable.
func clipped(v reflect.Value) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	own.Set(v)
	clip(own)
	return own
}

// tight is a slice without its spare capacity.
func tight(v reflect.Value) reflect.Value { return v.Slice3(0, v.Len(), v.Len()) }

// flat says that values of a type have no slice inside.
func flat(t reflect.Type) bool {
	return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
}
