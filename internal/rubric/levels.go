package rubric

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// levelKeys are the keys of one level.
var levelKeys = []string{"id", "name", "points", "score", "description"}

// readLevels reads named steps: an object by name, a list, or a text.
func (l *loader) readLevels(d *draft, v *value) {
	d.Scale.Kind = levels
	if form := map[kind]string{anObject: "map", aList: "list", aString: "text"}[v.kind]; form != "" && v.parent == d.from {
		l.feature("levels:" + form)
	}
	switch v.kind {
	case anObject:
		for _, m := range v.fields {
			l.level(d, m.value, m.key)
		}
	case aList:
		for _, item := range v.items {
			l.level(d, item, "")
		}
	case aString:
		d.Scale.Levels = splitLevels(v.text)
		l.note(v.at, "levels-from-text", court.Note{Criterion: d.ID, Field: "levels"}, "criterion %q: %d levels read from a text", d.ID, len(d.Scale.Levels))
	default:
		l.wrong(v, "type", "an object, a list or a text of levels")
	}
	if len(d.Scale.Levels) < 2 && len(l.errs) == 0 {
		l.fail(v.at, "level", "criterion %q: found %d levels, at least 2 are needed", d.ID, len(d.Scale.Levels))
	}
	l.uniqueLevels(d, v)
}

// level reads one step; name is its key in an object.
func (l *loader) level(d *draft, v *value, name string) {
	if v.kind != anObject {
		l.wrong(v, "type", "an object with name, points and description")
		return
	}
	lv := court.Level{Name: name}
	lv.ID, _ = l.str(v.field("id"))
	if s, ok := l.str(v.field("name")); ok {
		lv.Name = s
	}
	lv.Text, _ = l.str(v.field("description"))
	if lv.Name == "" {
		lv.Name = inWords(lv.ID)
	}
	if lv.Name == "" {
		l.fail(v.at, "level", "criterion %q: a level without name", d.ID)
		return
	}
	f := v.first("points", "score")
	if f == nil {
		l.fail(v.at, "level", "criterion %q: level %q has no points", d.ID, court.Clean(lv.Name, 60))
		return
	}
	lv.Points, _ = l.num(f.value, "type")
	for _, m := range v.fields {
		if !slices.Contains(levelKeys, m.key) {
			l.unknown(m, d.ID, levelKeys)
		}
	}
	d.Scale.Levels = append(d.Scale.Levels, lv)
}

// uniqueLevels refuses two levels that answer to the same id or name.
func (l *loader) uniqueLevels(d *draft, v *value) {
	owner := map[string]int{}
	for i, lv := range d.Scale.Levels {
		for _, k := range []string{strings.ToLower(lv.ID), strings.ToLower(lv.Name)} {
			if at, taken := owner[k]; taken && at != i && k != "" {
				l.fail(v.at, "level", "criterion %q: two levels are called %q", d.ID, court.Clean(k, 60))
				return
			}
			owner[k] = i
		}
	}
}

// levelMark begins one level in a text: "35 pts: ".
var levelMark = regexp.MustCompile(`(?i)(?:^|[\s.;,|])(-?\d+(?:\.\d+)?)\s*(?:pts?|points?)\s*[:=]\s*`)

// splitLevels cuts "35 pts: Name (what). 0 pts: Name." at its points.
func splitLevels(s string) []court.Level {
	var out []court.Level
	marks := levelMark.FindAllStringSubmatchIndex(s, -1)
	for i, m := range marks {
		end := len(s)
		if i+1 < len(marks) {
			end = marks[i+1][0] + 1
		}
		p, err := court.ParseFixed(s[m[2]:m[3]])
		if err != nil {
			continue
		}
		name, what, _ := strings.Cut(strings.TrimRight(strings.TrimSpace(s[m[1]:end]), " .;,|"), "(")
		lv := court.Level{Name: strings.TrimSpace(name), Points: p, Text: strings.TrimSuffix(strings.TrimSpace(what), ")")}
		if lv.Name != "" {
			out = append(out, lv)
		}
	}
	return out
}

// excludeWords in a level's description say that it leaves the total.
var excludeWords = regexp.MustCompile(`(?i)\bexcluded?\s+(?:\w+\s+)?from\b`)

// exclusion finds the level that leaves the total, named or recognised.
func (l *loader) exclusion(d *draft) {
	defer span(&d.Scale)
	if f := d.from.field("exclude_from_total_if_level"); f != nil {
		l.feature("exclude_level")
		l.exclude(d, f)
		return
	}
	if f := d.from.get("scale").field("exclude"); f != nil {
		l.exclude(d, f)
		return
	}
	inferred := d.from.field("levels")
	if inferred == nil {
		return // the native form says what it means
	}
	for _, lv := range d.Scale.Levels {
		if strings.EqualFold(strings.TrimSpace(lv.Name), "No Exchange") || excludeWords.MatchString(lv.Text) {
			d.Scale.Exclude = lv.Key()
			l.note(inferred.at, "exclusion-inferred", court.Note{Criterion: d.ID, Field: "levels", Used: lv.Key()},
				"criterion %q: level %q leaves the total; only a human can give it", d.ID, court.Clean(lv.Name, 60))
			return
		}
	}
}

func (l *loader) exclude(d *draft, f *field) {
	s, ok := l.str(f)
	if !ok {
		return
	}
	for _, lv := range d.Scale.Levels {
		if strings.EqualFold(s, lv.ID) || strings.EqualFold(s, lv.Name) {
			d.Scale.Exclude = lv.Key()
			return
		}
	}
	l.fail(f.value.at, "level", "criterion %q: no level is called %q", d.ID, court.Clean(s, 60))
}
