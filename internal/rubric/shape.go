package rubric

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// headWords are keys that stand beside the criteria in a map of texts.
var headWords = []string{"name", "title", "version", "rubric_version", "description", "$schema", "target", "base"}

// shape finds the criteria: in a list or an object called dimensions or
// criteria, in a list at the top level, or in a flat map of texts.
func (l *loader) shape() {
	root := l.doc.root
	switch root.kind {
	case aList:
		l.note(root.at, "top-level-list", court.Note{}, "the file is a bare list of criteria")
		l.feature("top-level-list")
		l.out.Dialect = "list"
		l.items(root)
	case anObject:
		l.objectShape(root)
	default:
		l.fail(root.at, "no-criteria", "a rubric is an object or a list of criteria, not %s", root.kind)
		return
	}
	if len(l.errs) == 0 && len(l.drafts) == 0 {
		e := l.failure(root.at, "no-criteria", "no criteria found")
		e.Hint = `put a list of criteria under "dimensions"`
	}
	if len(l.drafts) > maxCriteria {
		l.fail(l.drafts[maxCriteria].from.at, "too-many", "%d criteria; the limit is %d", len(l.drafts), maxCriteria)
	}
}

func (l *loader) objectShape(root *value) {
	f := root.first("dimensions", "criteria")
	if f == nil {
		l.flat(root)
		return
	}
	if f.key == "criteria" {
		l.note(f.at, "dimensions-under-criteria", court.Note{Field: "criteria"}, `the criteria stand under "criteria" instead of "dimensions"`)
	}
	switch f.value.kind {
	case aList:
		l.items(f.value)
		if f.key == "criteria" {
			l.out.Dialect = "criteria"
		}
	case anObject:
		l.out.Dialect = "keyed"
		l.note(f.at, "keyed-dimensions", court.Note{Field: f.key}, "the criteria stand in an object; its keys are their ids")
		for _, m := range f.value.fields {
			if m.value.kind != anObject && m.value.kind != aString {
				l.wrong(m.value, "type", "an object or a string")
				continue
			}
			l.drafts = append(l.drafts, &draft{from: m.value, key: m.key, keyAt: m.at, mapped: true})
		}
	default:
		l.wrong(f.value, "type", "a list or an object of criteria")
	}
}

func (l *loader) items(v *value) {
	for _, item := range v.items {
		if item.kind != anObject {
			l.wrong(item, "type", "an object")
			continue
		}
		l.drafts = append(l.drafts, &draft{from: item, keyAt: item.at})
	}
}

// flat takes an object of nothing but texts as criteria: {id: instruction}.
func (l *loader) flat(root *value) {
	for _, f := range root.fields {
		if f.value.kind != aString {
			return
		}
	}
	for _, f := range root.fields {
		if slices.Contains(headWords, f.key) {
			continue
		}
		l.drafts = append(l.drafts, &draft{from: f.value, key: f.key, keyAt: f.at, mapped: true})
	}
	if len(l.drafts) > 0 {
		l.out.Dialect = "flat"
		l.note(root.at, "flat-map", court.Note{}, "the file is a map of texts; each key is a criterion, each text its instruction")
	}
}

// feature adds to the list of what else was seen.
func (l *loader) feature(name string) {
	if i, ok := slices.BinarySearch(l.out.Features, name); !ok {
		l.out.Features = slices.Insert(l.out.Features, i, name)
	}
}

// dialect names the shape for people and tests, once the criteria are read.
func (l *loader) dialect() {
	if l.out.Dialect != "" {
		return
	}
	l.out.Dialect = "plain"
	for _, d := range l.drafts {
		switch {
		case d.Scale.Kind != five || len(d.Scale.Anchors) > 0:
			l.out.Dialect = "scored"
			return
		case d.from.has("judicial_logic"):
			l.out.Dialect = "judicial"
		case l.out.Dialect == "plain" && (d.from.has("success_pattern") || d.from.has("failure_pattern")):
			l.out.Dialect = "patterned"
		}
	}
}
