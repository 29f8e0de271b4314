package rubric

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// headKeys are the keys of the top level that have a meaning.
var headKeys = []string{"rubric_metadata", "name", "title", "description", "version", "rubric_version", "target", "base",
	"dimensions", "criteria", "forensic_instruction", "judicial_logic", "scoring_guide",
	"synthesis_rules", "synthesis_config", "synthesis"}

// keptKeys are kept and shown, and change nothing.
var keptKeys = []string{"$schema", "targeting", "verdicts", "evidence_collection_protocols"}

// metaKeys are the keys of rubric_metadata that have a meaning.
var metaKeys = []string{"rubric_name", "name", "version", "grading_target", "total_points_possible"}

// head reads everything of the top level but criteria and rules.
func (l *loader) head() {
	root := l.doc.root
	if root.kind != anObject {
		root = nil
	}
	meta := root.get("rubric_metadata")
	if meta != nil && meta.kind != anObject {
		l.wrong(meta, "type", "an object")
		return
	}
	l.title(root, meta)
	if f := meta.field("version"); f != nil {
		l.out.Version, _ = l.str(f)
	} else {
		l.out.Version, _ = l.str(root.first("version", "rubric_version"))
	}
	if strings.TrimSpace(l.out.Version) == "" {
		l.note(0, "version-missing", court.Note{Field: "version"}, "no version")
	}
	if f := meta.field("grading_target"); f != nil {
		l.out.Target, _ = l.str(f)
	} else {
		l.out.Target, _ = l.str(root.field("target"))
	}
	l.out.Description, _ = l.str(root.field("description"))
	l.out.Preamble, _ = l.str(root.field("forensic_instruction"))
	l.readBase(root)
	l.anchorsOf(root)
	if f := root.field("judicial_logic"); f != nil {
		l.out.Guidance = l.guidance(f.value, "")
		l.feature("judicial_logic:" + map[kind]string{anObject: "rubric", aString: "rubric-text"}[f.value.kind])
		l.note(f.at, "judicial-logic-rubric-level", court.Note{Field: "judicial_logic"}, "judicial_logic of the whole rubric; it goes to the judges with every criterion")
	}
	l.leftovers(root, meta)
}

// title finds the rubric's name.
func (l *loader) title(root, meta *value) {
	f := meta.first("rubric_name", "name")
	if f == nil {
		f = root.first("name", "title")
	}
	if s, _ := l.str(f); strings.TrimSpace(s) != "" {
		l.out.Name = s
		return
	}
	if f := root.field("description"); f != nil && f.value.kind == aString && strings.TrimSpace(f.value.text) != "" {
		l.out.Name = f.value.text
		l.note(f.at, "name-from-description", court.Note{Field: "name", Used: "description"}, "no name; using the description")
		return
	}
	l.out.Name = stem(l.doc.file)
	l.note(0, "name-defaulted", court.Note{Field: "name", Used: l.out.Name}, "no name; using the file name %q", l.out.Name)
}

// readBase reads which built-in's ids bind in this rubric, too.
func (l *loader) readBase(root *value) {
	f := root.field("base")
	if f == nil {
		return
	}
	if s, ok := l.str(f); ok {
		have := Builtins()
		if !slices.Contains(have, s) {
			l.failure(f.value.at, "type", "base: unknown built-in rubric %q (have %s)", court.Clean(s, 40), strings.Join(have, ", ")).Hint = didYouMean(s, have)
			return
		}
		l.base = s
	}
}

// anchorsOf reads scoring_guide: what 1 to 5 mean in the whole rubric.
func (l *loader) anchorsOf(root *value) {
	f := root.field("scoring_guide")
	if f == nil {
		return
	}
	l.feature("scoring_guide")
	l.out.Anchors = l.anchors(f.value, "")
}

// anchors reads an object of texts by score.
func (l *loader) anchors(v *value, criterion string) map[int]string {
	if v.kind != anObject {
		l.wrong(v, "type", `an object {"1": text, ...}`)
		return nil
	}
	out := map[int]string{}
	for _, m := range v.fields {
		n, err := strconv.Atoi(m.key)
		if err != nil || n < 1 || n > 5 {
			l.unknown(m, criterion, nil)
			continue
		}
		if s, ok := l.str(&m); ok {
			out[n] = s
		}
	}
	return out
}

// leftovers keeps what has no meaning here, and tells of what is unknown.
func (l *loader) leftovers(root, meta *value) {
	extra := map[string]json.RawMessage{}
	if meta != nil {
		for _, m := range meta.fields {
			if !slices.Contains(metaKeys, m.key) {
				extra["rubric_metadata."+m.key] = l.doc.raw(m.value)
			}
		}
	}
	if root != nil && l.out.Dialect != "flat" {
		used := root.first("dimensions", "criteria")
		for _, m := range root.fields {
			switch {
			case slices.Contains(keptKeys, m.key):
				extra[m.key] = l.doc.raw(m.value)
			case !slices.Contains(headKeys, m.key), m.key == "criteria" && used.key != m.key:
				extra[m.key] = l.doc.raw(m.value)
				l.unknown(m, "", slices.Concat(headKeys, keptKeys))
			}
		}
		if root.has("targeting") {
			l.feature("targeting")
		}
	}
	if len(extra) > 0 {
		l.out.Extra = extra
	}
}

// unknown notes a key that nothing is done with. Used says which known key was
// perhaps meant.
func (l *loader) unknown(m field, criterion string, known []string) {
	near := safetext.Nearest(m.key, known, 2)
	l.note(m.at, "unknown-key", court.Note{Criterion: criterion, Field: court.Clean(m.key, 80), Used: near},
		"unknown key %q; kept, without effect", court.Clean(m.key, 80))
}
