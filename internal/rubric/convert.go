package rubric

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/automaton-auditor/automaton/internal/court"
)

// ConvertOptions says what Convert writes.
type ConvertOptions struct {
	WithChecks bool // the compiled checks, too, so that they can be edited
}

// Convert writes a loaded rubric in the native form: the keys of version 3,
// plus scale, checks and synthesis. raw is the file that r was loaded from; its
// unknown keys are kept byte by byte behind the known ones, in their order.
// Loading the result gives the same rubric digest, unless checks are written.
func Convert(r *court.Rubric, raw []byte, o ConvertOptions) ([]byte, error) {
	doc, err := decode(r.Source.Name, raw)
	if err != nil {
		return nil, err
	}
	if err := parse(doc); err != nil {
		return nil, err
	}
	l := &loader{doc: doc, out: &court.Rubric{}}
	if l.shape(); len(l.errs) > 0 || len(l.drafts) != len(r.Criteria) {
		return nil, Errors{doc.fail(0, "no-criteria", "the file is not the one that was loaded")}
	}
	c := converter{doc: doc, from: r, opts: o}
	var dims []any
	for i, d := range l.drafts {
		dims = append(dims, c.criterion(d.from, r.Criteria[i]))
	}
	root := doc.root
	if root.kind != anObject {
		root = &value{kind: anObject}
	}
	out := members{{"rubric_metadata", c.metadata(root)}}
	c.copy(&out, root, "description", "base", "forensic_instruction", "judicial_logic", "scoring_guide")
	out.add("dimensions", dims)
	c.copy(&out, root, "synthesis_rules", "synthesis_config")
	out.add("synthesis", synthesisForm(c.synthesis()))
	if l.out.Dialect == "flat" {
		c.copy(&out, root, "$schema")
		return emit(out)
	}
	c.rest(&out, root, slices.Concat(headKeys, []string{root.first("dimensions", "criteria").name()}))
	return emit(out)
}

// converter writes one rubric.
type converter struct {
	doc  *document
	from *court.Rubric
	opts ConvertOptions
}

// raw is a value as it stands in the file.
func (c converter) raw(v *value) json.RawMessage { return json.RawMessage(c.doc.raw(v)) }

// copy takes keys over as they stand.
func (c converter) copy(out *members, v *value, keys ...string) {
	for _, k := range keys {
		if f := v.field(k); f != nil {
			out.add(k, c.raw(f.value))
		}
	}
}

// rest takes over what was not written under its own or another name.
func (c converter) rest(out *members, v *value, translated []string) {
	for _, f := range v.fields {
		written := slices.ContainsFunc(*out, func(m member) bool { return m.key == f.key })
		if !written && !slices.Contains(translated, f.key) {
			out.add(f.key, c.raw(f.value))
		}
	}
}

func (c converter) metadata(root *value) members {
	out := members{{"rubric_name", c.from.Name}}
	if c.from.Version != "" {
		out.add("version", c.from.Version)
	}
	if c.from.Target != "" {
		out.add("grading_target", c.from.Target)
	}
	if meta := root.get("rubric_metadata"); meta != nil {
		var translated []string
		if !meta.has("rubric_name") {
			translated = []string{"name"}
		}
		c.rest(&out, meta, translated)
	}
	return out
}

// scaleKeys become the native scale.
var scaleKeys = []string{"levels", "max_score", "total", "points", "score_1", "score_2", "score_3", "score_4", "score_5",
	"scoring_criteria", "exclude_from_total_if_level"}

func (c converter) criterion(v *value, cr court.Criterion) members {
	out := members{{"id", cr.ID}, {"name", cr.Name}}
	if len(cr.Artifacts) == 1 {
		out.add("target_artifact", cr.Artifacts[0])
	} else {
		out.add("target_artifact", cr.Artifacts)
	}
	c.copy(&out, v, "weight")
	out.add("forensic_instruction", cr.Instruction)
	if cr.Success != "" {
		out.add("success_pattern", cr.Success)
	}
	if cr.Failure != "" {
		out.add("failure_pattern", cr.Failure)
	}
	c.copy(&out, v, "judicial_logic")
	translated := slices.Clone(scaleKeys)
	if cr.Scale.Kind != five || len(cr.Scale.Anchors) > 0 {
		out.add("scale", c.scale(v, cr.Scale))
		if len(cr.Scale.Anchors) > 0 {
			translated = append(translated, "scoring_rule")
		}
	}
	if c.opts.WithChecks && cr.Binding != "manual" {
		var checks []any
		for _, ch := range cr.Checks {
			checks = append(checks, checkForm(ch))
		}
		out.add("checks", checks)
		translated = append(translated, "probes", "coverage_from")
	} else {
		c.copy(&out, v, "checks", "probes", "coverage_from")
	}
	for _, group := range [][]string{{"id", "dimension_id", "criterion_id", "key"}, {"name", "dimension_name", "title"}, {"target_artifact", "artifact", "target"}} {
		if f := v.first(group...); f != nil {
			translated = append(translated, f.key)
		}
	}
	if !v.has("forensic_instruction") && v.has("instruction") {
		translated = append(translated, "instruction")
	}
	c.rest(&out, v, translated)
	return out
}

func (c converter) scale(v *value, s court.Scale) members {
	out := members{{"kind", s.Kind}}
	switch s.Kind {
	case points:
		out.add("min", s.Min)
		out.add("max", s.Max)
	case levels:
		var list []any
		for _, lv := range s.Levels {
			list = append(list, c.level(v, lv))
		}
		out.add("levels", list)
		if s.Exclude != "" {
			out.add("exclude", s.Exclude)
		}
	}
	if len(s.Anchors) > 0 {
		var texts members
		for n := 1; n <= 5; n++ {
			if t, ok := s.Anchors[n]; ok {
				texts.add(strconv.Itoa(n), t)
			}
		}
		out.add("anchors", texts)
	}
	if native := v.get("scale"); native != nil {
		c.rest(&out, native, []string{"min", "max", "levels", "exclude", "anchors"})
	}
	return out
}

// level writes one level, with the unknown keys of the one that it came from.
func (c converter) level(v *value, lv court.Level) members {
	var out members
	if lv.ID != "" {
		out.add("id", lv.ID)
	}
	out.add("name", lv.Name)
	out.add("points", lv.Points)
	if lv.Text != "" {
		out.add("description", lv.Text)
	}
	from := v.get("levels")
	if native := v.get("scale"); native != nil {
		from = native.get("levels")
	}
	if from == nil {
		return out
	}
	for _, f := range from.fields {
		if f.key == lv.Name || f.value.get("name").is(lv.Name) {
			c.rest(&out, f.value, levelKeys)
		}
	}
	for _, item := range from.items {
		if item.get("id").is(lv.ID) || item.get("id") == nil && item.get("name").is(lv.Name) {
			c.rest(&out, item, levelKeys)
		}
	}
	return out
}

// synthesis is the typed block. Where checks are written, criteria lose the
// binding by which rules find them, so that the rules name them themselves.
func (c converter) synthesis() court.Synthesis {
	s := c.from.Synthesis
	if !c.opts.WithChecks {
		return s
	}
	for _, to := range []*[]string{&s.FunctionalityWeight.AppliesTo, &s.OrchestrationFraud.AppliesTo} {
		*to = slices.Clone(*to)
		for _, cr := range c.from.Criteria {
			if b := boundID(cr.Binding); b != "" && slices.Contains(*to, b) && !slices.Contains(*to, cr.ID) {
				*to = append(*to, cr.ID)
			}
		}
	}
	return s
}

// checkForm is a check in the native form.
func checkForm(ch court.Check) members {
	out := members{{"id", ch.ID}, {"weight", ch.Weight}, {"facet", ch.Facet}}
	if ch.Polarity == court.Avoid {
		out.add("polarity", ch.Polarity)
	}
	if len(ch.Requires) > 0 {
		out.add("requires", ch.Requires)
	}
	if len(ch.Asks) == 1 {
		out.add("probe", ch.Asks[0].Probe)
		if len(ch.Asks[0].Args) > 0 {
			out.add("args", ch.Asks[0].Args)
		}
	} else {
		out.add("asks", ch.Asks)
	}
	if ch.Scope != "production" {
		out.add("scope", ch.Scope)
	}
	out.add("text", ch.Text)
	return out
}

// synthesisForm is the typed block, one rule per line.
func synthesisForm(s court.Synthesis) members {
	return members{
		{"spread", s.Spread}, {"fact_supremacy", s.FactSupremacy}, {"re_evaluation", s.ReEvaluation},
		{"functionality_weight", s.FunctionalityWeight}, {"orchestration_fraud", s.OrchestrationFraud},
		{"security_override", s.SecurityOverride}, {"dissent", s.Dissent}, {"thresholds", s.Thresholds},
	}
}
