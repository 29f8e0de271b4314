package graph

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// reducer unites the patches of one superstep with the state, field by field.
// It never changes a map or slice that an earlier state refers to.
type reducer[S any] struct{ fields []field }

type field struct {
	name string // in Go
	text string // name, type and tags, for the topology
	fold fold
}

// fold unites what one field held with all that one superstep writes to it, in
// the order of the tasks.
type fold func(old reflect.Value, patches []reflect.Value) (reflect.Value, error)

func (r reducer[S]) apply(state S, patches []S) (S, error) {
	next := state
	for i, f := range r.fields {
		var written []reflect.Value
		for k := range patches {
			if v := reflect.ValueOf(&patches[k]).Elem().Field(i); writes(v) {
				written = append(written, v)
			}
		}
		if len(written) == 0 {
			continue
		}
		dst := reflect.ValueOf(&next).Elem().Field(i)
		v, err := f.fold(dst, written)
		if err != nil {
			return state, fmt.Errorf("state field %s: %w", f.name, err)
		}
		dst.Set(v)
	}
	return next, nil
}

// writes says whether a patch's field has something to write.
func writes(v reflect.Value) bool {
	if v.Kind() == reflect.Map || v.Kind() == reflect.Slice {
		return v.Len() > 0
	}
	return !v.IsZero()
}

// reducerOf reads the tags of S.
func reducerOf[S any]() (reducer[S], error) {
	var r reducer[S]
	t := reflect.TypeFor[S]()
	if t.Kind() != reflect.Struct {
		return r, fmt.Errorf("state %v is not a struct", t)
	}
	if _, err := json.Marshal(*new(S)); err != nil {
		return r, fmt.Errorf("state %v: %w", t, err)
	}
	var errs []error
	names := map[string]bool{}
	for f := range t.Fields() {
		fold, err := foldOf(f)
		// encoding/json drops both of two fields of one name and reads names
		// whatever their case.
		if name := strings.ToLower(jsonName(f)); names[name] {
			err = errors.Join(err, fmt.Errorf("shares the JSON name %q", jsonName(f)))
		} else {
			names[name] = true
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("state field %s: %w", f.Name, err))
		}
		r.fields = append(r.fields, field{f.Name, fmt.Sprintf("%s %v %q", f.Name, f.Type, f.Tag), fold})
	}
	return r, errors.Join(errs...)
}

func jsonName(f reflect.StructField) string {
	if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
		return name
	}
	return f.Name
}

func foldOf(f reflect.StructField) (fold, error) {
	rule, tagged := f.Tag.Lookup("reduce")
	t := f.Type
	stringMap := t.Kind() == reflect.Map && t.Key().Kind() == reflect.String
	switch {
	case !f.IsExported():
		return nil, errors.New("not exported")
	case f.Anonymous:
		return nil, errors.New("embedded; give it a name")
	case f.Tag.Get("json") == "-":
		return nil, errors.New("not in JSON, so no resumed run would have it")
	case !tagged:
		return inputOnly, nil
	case rule == "last":
		return last, nil
	case rule == "append" && t.Kind() == reflect.Slice:
		return concat, nil
	case rule == "upsert" && keyed(t):
		return upsert(orderOf(t.Elem())), nil
	case rule == "upsert" && stringMap:
		return upsertMap, nil
	case rule == "merge" && keyed(t):
		return merge(orderOf(t.Elem())), nil
	case rule == "merge" && stringMap && keyed(t.Elem()):
		return mergeMap(orderOf(t.Elem().Elem())), nil
	}
	return nil, fmt.Errorf("reducer %q does not fit %v", rule, t)
}

func keyed(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Implements(reflect.TypeFor[Keyed]())
}
