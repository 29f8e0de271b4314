package graph

import (
	"errors"
	"fmt"
	"reflect"
)

func inputOnly(old reflect.Value, _ []reflect.Value) (reflect.Value, error) {
	return old, errors.New("is input only; return a patch, not the state")
}

func last(old reflect.Value, patches []reflect.Value) (reflect.Value, error) {
	if len(patches) > 1 {
		return old, errors.New("two writers in one step")
	}
	return patches[0], nil
}

func concat(old reflect.Value, patches []reflect.Value) (reflect.Value, error) {
	out := old // as tight as its successor, so the first append copies
	for _, p := range patches {
		out = reflect.AppendSlice(out, p)
	}
	return tight(out), nil
}

// merge unites lists by key. It is commutative, associative and idempotent: of
// several accounts with one key the first in order stands, whenever it came.
func merge(o order) fold {
	return func(old reflect.Value, patches []reflect.Value) (reflect.Value, error) {
		all := reflect.MakeSlice(old.Type(), 0, old.Len())
		all = reflect.AppendSlice(all, old)
		for _, p := range patches {
			all = reflect.AppendSlice(all, p)
		}
		return o.union(all), nil
	}
}

// mergeMap is merge under each key of a map of lists.
func mergeMap(o order) fold {
	return func(old reflect.Value, patches []reflect.Value) (reflect.Value, error) {
		out := reflect.MakeMap(old.Type())
		for it := old.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), it.Value())
		}
		fresh := map[string][]reflect.Value{}
		for _, p := range patches {
			for it := p.MapRange(); it.Next(); {
				fresh[it.Key().String()] = append(fresh[it.Key().String()], it.Value())
			}
		}
		one := merge(o)
		for k, lists := range fresh {
			key := reflect.ValueOf(k).Convert(old.Type().Key())
			had := out.MapIndex(key)
			if !had.IsValid() {
				had = reflect.Zero(old.Type().Elem())
			}
			list, err := one(had, lists)
			if err != nil {
				return old, err
			}
			out.SetMapIndex(key, list)
		}
		return out, nil
	}
}

// upsert replaces the elements of a list that have the key of a new one. The
// patches of one step may say the same, but not contradict each other: that
// makes their order indifferent.
func upsert(o order) fold {
	return func(old reflect.Value, patches []reflect.Value) (reflect.Value, error) {
		w := writers{}
		for _, p := range patches {
			for v := range elements(p) {
				if err := w.write(keyOf(v), v); err != nil {
					return old, err
				}
			}
		}
		out := reflect.MakeSlice(old.Type(), 0, old.Len()+len(w))
		for v := range elements(old) {
			if _, replaced := w[keyOf(v)]; !replaced {
				out = reflect.Append(out, v)
			}
		}
		for _, v := range w {
			out = reflect.Append(out, v)
		}
		return o.union(out), nil // also brings what the map mixed up into order
	}
}

// upsertMap is upsert for a map, whose keys are the keys.
func upsertMap(old reflect.Value, patches []reflect.Value) (reflect.Value, error) {
	w := writers{}
	for _, p := range patches {
		for it := p.MapRange(); it.Next(); {
			if err := w.write(it.Key().String(), it.Value()); err != nil {
				return old, err
			}
		}
	}
	out := reflect.MakeMap(old.Type())
	for it := old.MapRange(); it.Next(); {
		out.SetMapIndex(it.Key(), it.Value())
	}
	for k, v := range w {
		out.SetMapIndex(reflect.ValueOf(k).Convert(old.Type().Key()), v)
	}
	return out, nil
}

// writers holds what one step writes under each key.
type writers map[string]reflect.Value

func (w writers) write(key string, v reflect.Value) error {
	if was, ok := w[key]; ok && !reflect.DeepEqual(was.Interface(), v.Interface()) {
		return fmt.Errorf("two writers of %q in one step", key)
	}
	w[key] = v
	return nil
}
