package rubric

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// criterionKeys are the keys of a criterion that have a meaning.
var criterionKeys = []string{"id", "dimension_id", "criterion_id", "key", "name", "dimension_name", "title",
	"target_artifact", "artifact", "target", "forensic_instruction", "instruction", "criteria", "evidence_collection",
	"description", "success_pattern", "failure_pattern", "judicial_logic", "weight", "scale", "levels", "max_score",
	"total", "points", "score_1", "score_2", "score_3", "score_4", "score_5", "scoring_criteria", "scoring_rule",
	"exclude_from_total_if_level", "forensic_protocol", "statute", "metric", "remediation_templates", "checks", "probes",
	"coverage_from", "target_repo_url", "target_pdf_path", "target_image_path"}

// shownKeys are shown to judges and people; no checks come from them.
var shownKeys = []string{"forensic_protocol", "statute", "metric", "description", "remediation_templates", "criteria", "evidence_collection", "scoring_rule"}

// criteria fills the union schema for every draft.
func (l *loader) criteria() {
	for i, d := range l.drafts {
		d.Pos = l.doc.pos(d.from.at)
		l.name(d, i)
	}
	l.uniqueIDs()
	for _, d := range l.drafts {
		before := len(l.errs)
		if d.from.kind == aString {
			d.Instruction = d.from.text
		} else {
			l.instruction(d)
			l.patterns(d)
			l.shown(d)
			l.criterionGuidance(d)
			l.criterionKeys(d)
		}
		l.readScale(d)
		if len(d.Shown) == 0 {
			d.Shown = nil
		}
		if strings.TrimSpace(d.Instruction) == "" && len(l.errs) == before {
			l.fail(d.from.at, "no-text", "criterion %q has no text: no instruction, description, pattern or name", d.ID)
		}
		d.bound, d.Binding = l.match(d)
		l.artifacts(d)
		l.weight(d)
	}
	l.dialect()
	l.scales()
}

// instruction finds what the detectives are asked to look for.
func (l *loader) instruction(d *draft) {
	v := d.from
	if s, _ := l.str(v.field("forensic_instruction")); strings.TrimSpace(s) != "" {
		d.Instruction = s
		return
	}
	borrow := func(f *field, s string) bool {
		if f == nil || strings.TrimSpace(s) == "" {
			return false
		}
		d.Instruction = s
		l.note(f.at, "instruction-borrowed", court.Note{Criterion: d.ID, Field: "forensic_instruction", Used: f.key},
			"criterion %q has no forensic_instruction; using %s", d.ID, f.key)
		return true
	}
	for _, key := range []string{"instruction", "criteria", "evidence_collection", "description", "success_pattern"} {
		f := v.field(key)
		if f == nil {
			continue
		}
		s := ""
		switch key {
		case "evidence_collection":
			s = l.collection(f.value)
		case "criteria", "success_pattern":
			s, _ = l.lines(f.value)
		default:
			s, _ = l.str(f)
		}
		if borrow(f, s) {
			return
		}
	}
	if f := v.first("name", "dimension_name", "title"); f != nil && strings.TrimSpace(f.value.text) != "" {
		borrow(f, d.Name)
	}
}

// collection joins evidence_collection.*.instructions, detective by detective.
func (l *loader) collection(v *value) string {
	if v.kind != anObject {
		l.wrong(v, "type", "an object of objects with instructions")
		return ""
	}
	var parts []string
	for _, m := range v.sorted("repo_investigator", "doc_analyst", "vision_inspector") {
		if m.value.kind != anObject {
			l.wrong(m.value, "type", "an object with instructions")
			continue
		}
		if s, _ := l.str(m.value.field("instructions")); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}

func (l *loader) patterns(d *draft) {
	d.Success = l.pattern(d, "success_pattern")
	d.Failure = l.pattern(d, "failure_pattern")
}

func (l *loader) pattern(d *draft, key string) string {
	f := d.from.field(key)
	if f == nil {
		return ""
	}
	s, joined := l.lines(f.value)
	if joined {
		l.note(f.at, "list-joined", court.Note{Criterion: d.ID, Field: key}, "criterion %q: %s is a list; joined as lines", d.ID, key)
	}
	return s
}

// shown collects what judges and people see beside the instruction.
func (l *loader) shown(d *draft) {
	d.Shown = map[string]string{}
	for _, key := range shownKeys {
		f := d.from.field(key)
		if f == nil {
			continue
		}
		s := ""
		if key == "evidence_collection" {
			s = l.collection(f.value)
		} else {
			s, _ = l.lines(f.value)
		}
		if s != "" && s != d.Instruction {
			d.Shown[key] = s
		}
	}
	for _, key := range []string{"statute", "metric", "remediation_templates", "evidence_collection"} {
		if d.from.has(key) {
			l.feature(key)
		}
	}
	if f := d.from.field("criteria"); f != nil && f.value.kind == aList {
		l.feature("criteria:list")
	}
}

func (l *loader) criterionGuidance(d *draft) {
	f := d.from.field("judicial_logic")
	if f == nil {
		return
	}
	d.Guidance = l.guidance(f.value, d.ID)
	if f.value.kind == aString {
		l.feature("judicial_logic:text")
		l.note(f.at, "judicial-logic-shared", court.Note{Criterion: d.ID, Field: "judicial_logic"},
			"criterion %q: one judicial_logic for the three judges", d.ID)
		return
	}
	l.feature("judicial_logic:object")
}

// criterionKeys tells of keys without meaning, and of submissions named in the
// rubric: those come from the command line, never from here.
func (l *loader) criterionKeys(d *draft) {
	extra := map[string]json.RawMessage{}
	for _, m := range d.from.fields {
		switch m.key {
		case "target_repo_url", "target_pdf_path", "target_image_path":
			l.feature("targets_inside")
			l.note(m.at, "target-inside-dimension", court.Note{Criterion: d.ID, Field: m.key},
				"criterion %q names a submission in %s; ignored", d.ID, m.key)
			extra[m.key] = l.doc.raw(m.value)
			continue
		case "dimension_id", "dimension_name":
			l.feature("prefixed_keys")
		case "weight":
			l.feature("weight")
		}
		if !slices.Contains(criterionKeys, m.key) {
			extra[m.key] = l.doc.raw(m.value)
			l.unknown(m, d.ID, criterionKeys)
		}
	}
	if len(extra) > 0 {
		d.Extra = extra
	}
}

// maxPoints bounds weights and points, so that no sum of products overflows.
const maxPoints = 1_000_000 * court.One

// weight reads the relative weight. Without one, a criterion on points weighs
// its points, any other 1.
func (l *loader) weight(d *draft) {
	d.Weight = court.One
	if d.Scale.Kind != five {
		d.Weight = d.Scale.Max - d.Scale.Min
	}
	f := d.from.field("weight")
	if f == nil {
		return
	}
	w, ok := l.num(f.value, "type")
	switch {
	case !ok:
	case w < 0:
		l.fail(f.value.at, "weight", "criterion %q: weight %s is negative", d.ID, w)
	case w > maxPoints:
		l.fail(f.value.at, "weight", "criterion %q: weight %s is over %s", d.ID, w, maxPoints)
	default:
		d.Weight = w
	}
}
