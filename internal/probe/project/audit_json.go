package project

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// readAuditJSON walks a report for objects with a judge and a score; the object
// or list around them is the criterion.
func readAuditJSON(a *audit) {
	var tree any
	if json.Unmarshal([]byte(a.text), &tree) != nil {
		return
	}
	byName := map[string]*heard{}
	a.walk(tree, "", byName, 0)
}

// maxNesting bounds how deep a report is read.
const maxNesting = 40

func (a *audit) walk(v any, around string, byName map[string]*heard, depth int) {
	if depth > maxNesting {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			a.walk(x, around, byName, depth+1)
		}
	case map[string]any:
		name := around
		for _, k := range []string{"criterion_id", "dimension_id", "criterion", "dimension", "id", "name"} {
			if s, ok := v[k].(string); ok && s != "" {
				name = s
				break
			}
		}
		a.noteJSON(v, name, byName)
		for _, k := range slices.Sorted(maps.Keys(v)) {
			a.walk(v[k], name, byName, depth+1)
		}
	}
}

func (a *audit) noteJSON(v map[string]any, name string, byName map[string]*heard) {
	if s, ok := v["overall_score"].(float64); ok && a.overall == nil {
		a.overall = []float64{s}
	}
	judge, _ := v["judge"].(string)
	score, ok := v["score"].(float64)
	final, has := v["final_score"].(float64)
	if name == "" || !has && (!ok || judge == "") {
		return
	}
	h := byName[name]
	if h == nil {
		h = &heard{name: name, line: 1, scores: map[seat]float64{}, final: -1, failed: map[seat]bool{}}
		byName[name] = h
		a.criteria = append(a.criteria, h)
	}
	if has {
		h.final = final
	}
	if ok && judge != "" && seatOf(judge) != nobody {
		h.give(seatOf(judge), score, -1)
		argument, _ := v["argument"].(string)
		h.text.WriteString(judge + ": " + strings.ReplaceAll(argument, "\n", " ") + "\n")
	}
}
