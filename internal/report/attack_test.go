package report

import (
	"encoding/json"
	"reflect"

	"github.com/automaton-auditor/automaton/internal/court"
)

// attack is a string that tries to be markup, link, escape sequence, mention,
// table cell, fence, comment and reordering at once.
const attack = "</script><script>alert(1)</script><img src=x onerror=alert(2)> [x](javascript:alert(3)) https://evil.example www.evil.example " +
	"![i](http://evil.example/p.png) | a\\| `b` ``` ~~~ @octocat #1 *b* _i_ $x$ <!-- --> \x1b[31mred\x1b[0m \u202eevil\u200b &lt; ]]> {{.}} a@evil.example\n# Heading\n- [ ] item\n\n<details>"

// attackRecord is the capped case with the attack in every field that is a
// string, but for those whose values are the court's own words.
func attackRecord() *court.Record {
	rec := cappedRecord()
	for k, list := range rec.Evidences {
		rec.Evidences[k] = list[:1]
	}
	rec.Rubric.Criteria = rec.Rubric.Criteria[3:5]
	rec.Verdict.Rulings = rec.Verdict.Rulings[3:5]
	rec.Opinions = rec.Opinions[9:15]
	rec.Hearings = rec.Hearings[3:5]
	for k := range rec.Evidences {
		if k != rec.Rubric.Criteria[0].ID && k != rec.Rubric.Criteria[1].ID {
			delete(rec.Evidences, k)
		}
	}
	rec.Rubric.Criteria[0].Extra = map[string]json.RawMessage{"note": json.RawMessage(`"` + `<\/script>\u003cb\u003e` + `"`)}
	rec.Gate.Bars["safe_tool_engineering"+attack] = fx("3")
	poison(reflect.ValueOf(rec).Elem())
	rec.Seal()
	return rec
}

// attackModelsRecord is a case before a mixed bench, likewise: what models said,
// what they are called and what they cost is as foreign as the rest.
func attackModelsRecord() *court.Record {
	rec := new(court.Record)
	if err := json.Unmarshal(modelTarget(), rec); err != nil {
		panic(err)
	}
	poison(reflect.ValueOf(rec).Elem())
	rec.Seal()
	return rec
}

// poison appends the attack to every string that may be foreign, to ids as
// well: as all of them change alike, the parts still find each other.
func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !kept[v.Type().Field(i).Name] {
				poison(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if v.Type() != reflect.TypeFor[json.RawMessage]() {
				poison(v.Index(i))
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if e := v.MapIndex(k); e.Kind() == reflect.Slice {
				poison(e)
			} else if e.Kind() == reflect.String {
				v.SetMapIndex(k, reflect.ValueOf(e.String()+attack).Convert(e.Type()))
			}
		}
	case reflect.String:
		if v.Type().PkgPath() == "" { // the court's own enumerations stay
			v.SetString(v.String() + attack)
		}
	}
}

// kept are the words of the court that are plain strings, and what the page's
// links are built from.
var kept = map[string]bool{"Schema": true, "Digest": true, "RepoURL": true, "Commit": true, "Rule": true, "Outcome": true,
	"Mode": true, "Binding": true, "From": true, "Because": true}
