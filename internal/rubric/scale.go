package rubric

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// The kinds of scales.
const (
	five   = "five"
	points = "points"
	levels = "levels"
)

// readScale finds how the criterion's 1..5 shows at the edges. The first shape
// that is there decides: scale, levels, points, anchors.
func (l *loader) readScale(d *draft) {
	d.Scale = court.Scale{Kind: five, Min: court.One, Max: 5 * court.One}
	v, before := d.from, len(l.errs)
	if f := v.field("scale"); f != nil {
		l.nativeScale(d, f.value)
	} else if f := v.field("levels"); f != nil {
		l.readLevels(d, f.value)
	} else if f := v.first("max_score", "total", "points"); f != nil {
		l.feature(f.key)
		if n, ok := l.num(f.value, "type"); ok {
			d.Scale = court.Scale{Kind: points, Max: n}
		}
	}
	if d.Scale.Anchors == nil {
		l.readAnchors(d)
	}
	l.exclusion(d)
	if len(l.errs) == before {
		l.testScale(d)
	}
}

// testScale refuses a scale on which 1 and 5 would be the same.
func (l *loader) testScale(d *draft) {
	at := d.from.at
	if f := d.from.first("scale", "levels", "max_score", "total", "points"); f != nil {
		at = f.value.at
	}
	s := d.Scale
	switch {
	case s.Min < -maxPoints || s.Max > maxPoints:
		l.fail(at, "scale", "criterion %q: points must lie between -%s and %s", d.ID, maxPoints, maxPoints)
	case s.Max <= s.Min:
		l.fail(at, "scale", "criterion %q: the most points (%s) must be more than the fewest (%s)", d.ID, s.Max, s.Min)
	}
}

// nativeScale reads the native form of a scale.
func (l *loader) nativeScale(d *draft, v *value) {
	if v.kind != anObject {
		l.wrong(v, "type", `an object {"kind": ...}`)
		return
	}
	kind, ok := l.str(v.field("kind"))
	if !ok || !slices.Contains([]string{five, points, levels}, kind) {
		l.fail(v.at, "scale", "criterion %q: scale.kind must be five, points or levels", d.ID)
		return
	}
	for _, m := range v.fields {
		if !slices.Contains([]string{"kind", "min", "max", "levels", "exclude", "anchors"}, m.key) {
			l.unknown(m, d.ID, []string{"kind", "min", "max", "levels", "exclude", "anchors"})
		}
	}
	d.Scale.Kind = kind
	if f := v.field("anchors"); f != nil {
		d.Scale.Anchors = l.anchors(f.value, d.ID)
	}
	switch kind {
	case points:
		d.Scale.Min, d.Scale.Max = 0, 0
		if f := v.field("min"); f != nil {
			d.Scale.Min, _ = l.num(f.value, "type")
		}
		if f := v.field("max"); f != nil {
			d.Scale.Max, _ = l.num(f.value, "type")
		}
	case levels:
		if f := v.field("levels"); f != nil {
			l.readLevels(d, f.value)
		} else {
			l.fail(v.at, "level", "criterion %q: a scale of kind levels needs levels", d.ID)
		}
	}
}

// scorePrefix begins the text of one score in a scoring_rule: "3: ".
var scorePrefix = regexp.MustCompile(`(?:^|[\s.;,|])([1-5])\s*[:=]\s*`)

// readAnchors reads what the scores mean, in any of three spellings.
func (l *loader) readAnchors(d *draft) {
	anchors := map[int]string{}
	for n := 1; n <= 5; n++ {
		if f := d.from.field("score_" + strconv.Itoa(n)); f != nil {
			anchors[n], _ = l.str(f)
			l.feature("score_n")
		}
	}
	if f := d.from.field("scoring_criteria"); f != nil && len(anchors) == 0 {
		l.feature("scoring_criteria")
		anchors = l.anchors(f.value, d.ID)
	}
	if f := d.from.field("scoring_rule"); f != nil && len(anchors) == 0 {
		l.feature("scoring_rule")
		s, _ := l.str(f)
		if anchors = splitAnchors(s); len(anchors) > 0 {
			l.note(f.at, "anchors-from-text", court.Note{Criterion: d.ID, Field: "scoring_rule"}, "criterion %q: the meaning of %d scores read from a text", d.ID, len(anchors))
		}
	}
	if len(anchors) > 0 {
		d.Scale.Anchors = anchors
		delete(d.Shown, "scoring_rule") // its words are the anchors now
	}
}

// splitAnchors cuts "1: none. 3: some. 5: all." at its scores; nil when a score
// appears twice, because then the cut is a guess.
func splitAnchors(s string) map[int]string {
	marks := scorePrefix.FindAllStringSubmatchIndex(s, -1)
	out := map[int]string{}
	for i, m := range marks {
		end := len(s)
		if i+1 < len(marks) {
			end = marks[i+1][0] + 1
		}
		n := int(s[m[2]] - '0')
		if _, twice := out[n]; twice {
			return nil
		}
		out[n] = strings.TrimRight(strings.TrimSpace(s[m[1]:min(end, len(s))]), " ;,|")
	}
	return out
}

// span sets min and max from the levels that count.
func span(s *court.Scale) {
	first := true
	for _, lv := range s.Levels {
		if s.Exclude != "" && lv.Key() == s.Exclude {
			continue
		}
		if first {
			s.Min, s.Max, first = lv.Points, lv.Points, false
		}
		s.Min, s.Max = min(s.Min, lv.Points), max(s.Max, lv.Points)
	}
	slices.SortStableFunc(s.Levels, func(a, b court.Level) int {
		return cmp.Or(cmp.Compare(a.Points, b.Points), cmp.Compare(a.Key(), b.Key()))
	})
}

// scales looks at all scales together.
func (l *loader) scales() {
	scored := 0
	zero := true
	for _, d := range l.drafts {
		if d.Scale.Kind != five {
			scored++
		}
		zero = zero && d.Weight == 0
	}
	if zero && len(l.errs) == 0 {
		l.fail(l.drafts[0].from.at, "weight", "all weights are 0; nothing would count")
	}
	if scored > 0 && scored < len(l.drafts) {
		l.note(0, "scale-mixed", court.Note{Field: "scale"}, "%d of %d criteria have points; no total of points is shown, weights are used", scored, len(l.drafts))
	}
	f := l.doc.root.get("rubric_metadata").field("total_points_possible")
	if f == nil {
		return
	}
	total, ok := l.num(f.value, "type")
	if sum, all := l.pointsTotal(); ok && all && sum != total {
		l.note(f.at, "total-mismatch", court.Note{Field: "total_points_possible", Used: sum.String()},
			"total_points_possible is %s, the criteria add up to %s; using that", total, sum)
	}
}

// pointsTotal is the sum of the most points; false unless every criterion has
// points.
func (l *loader) pointsTotal() (sum court.Fixed, all bool) {
	for _, d := range l.drafts {
		if d.Scale.Kind == five {
			return 0, false
		}
		sum += d.Scale.Max
	}
	return sum, true
}
