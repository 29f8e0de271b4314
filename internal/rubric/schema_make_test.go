package rubric

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Schema is a JSON Schema of the native form with its two definitions that the
// catalogue makes: which probes there are, and what each takes. All else stays
// as it is in raw.
func Schema(raw []byte, known Catalogue) ([]byte, error) {
	doc, err := decode("rubric-v1.json", raw)
	if err != nil {
		return nil, err
	}
	if err := parse(doc); err != nil {
		return nil, err
	}
	defs := doc.root.get("$defs")
	if defs == nil {
		return nil, errors.New("making the schema: it has no $defs")
	}
	var out, kept members
	for _, f := range doc.root.fields {
		out.add(f.key, doc.asRead(f.value))
	}
	for _, f := range defs.fields {
		switch f.key {
		case "probe":
			kept.add(f.key, probeSchema(known))
		case "args":
			kept.add(f.key, members{{"allOf", argsSchema(known)}})
		default:
			kept.add(f.key, doc.asRead(f.value))
		}
	}
	for i := range out {
		if out[i].key == "$defs" {
			out[i].value = kept
		}
	}
	return emit(out)
}

// asRead is a value as it can be written again, in the order of its keys.
func (d *document) asRead(v *value) any {
	switch v.kind {
	case anObject:
		out := members{}
		for _, f := range v.fields {
			out.add(f.key, d.asRead(f.value))
		}
		return out
	case aList:
		out := []any{}
		for _, item := range v.items {
			out = append(out, d.asRead(item))
		}
		return out
	case aString:
		return v.text
	default:
		return json.RawMessage(d.raw(v))
	}
}

// probeSchema lists the probes, and says of each what it asks.
func probeSchema(known Catalogue) members {
	ids, words := []any{}, []any{}
	for _, p := range known.Probes {
		ids = append(ids, p.ID)
		words = append(words, strings.TrimSuffix(p.Title, "."))
	}
	return members{{"description", "What looks; automaton probe list shows all, automaton probe explain ID one"}, {"enum", ids}, {"enumDescriptions", words}}
}

// argsSchema says of each probe what it takes.
func argsSchema(known Catalogue) []any {
	out, without := []any{}, []any{}
	for _, p := range known.Probes {
		if len(p.Args) == 0 {
			without = append(without, p.ID)
			continue
		}
		takes := members{}
		required := []any{}
		for _, a := range p.Args {
			takes.add(a.Name, argSchema(a))
			if a.Required {
				required = append(required, a.Name)
			}
		}
		args := members{{"properties", takes}, {"additionalProperties", false}}
		then := members{}
		if len(required) > 0 {
			args.add("required", required)
			then.add("required", []any{"args"})
		}
		if len(p.OneOf) > 0 {
			var one []any
			for _, name := range p.OneOf {
				one = append(one, members{{"required", []any{name}}})
			}
			args.add("anyOf", one)
			then.add("required", []any{"args"})
		}
		out = append(out, askedOf(members{{"const", p.ID}}, append(members{{"properties", members{{"args", args}}}}, then...)))
	}
	if len(without) > 0 {
		out = append(out, askedOf(members{{"enum", without}}, members{{"properties", members{{"args", members{{"maxProperties", 0}}}}}}))
	}
	return out
}

func askedOf(probe, then members) members {
	return members{{"if", members{{"properties", members{{"probe", probe}}}, {"required", []any{"probe"}}}}, {"then", then}}
}

func argSchema(a ArgInfo) members {
	one := members{{"type", map[string]string{"string": "string", "strings": "string", "int": "integer", "bool": "boolean"}[a.Type]}}
	if len(a.Allowed) > 0 {
		var words []any
		for _, w := range slices.Clone(a.Allowed) {
			words = append(words, w)
		}
		one = members{{"enum", words}}
	}
	out := one
	if a.Type == "strings" {
		out = members{{"anyOf", []any{one, members{{"type", "array"}, {"minItems", 1}, {"items", one}}}}}
	}
	if a.Doc != "" {
		out.add("description", a.Doc)
	}
	if a.Default != nil {
		out.add("default", a.Default)
	}
	return out
}
