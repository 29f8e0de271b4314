package rubric

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Answers reads the values that people give for criteria: {id: {score | points
// | level, by, reason}}. They come in the order of the rubric. The error is
// Errors, with positions.
func Answers(name string, r io.Reader, of *court.Rubric) ([]court.Answer, error) {
	raw, err := readAll(name, r)
	if err != nil {
		return nil, err
	}
	doc, err := decode(name, raw)
	if err != nil {
		return nil, err
	}
	if err := parse(doc); err != nil {
		return nil, err
	}
	l := &loader{doc: doc, out: &court.Rubric{}}
	given := map[string]court.Answer{}
	if doc.root.kind != anObject {
		l.wrong(doc.root, "type", "an object of answers by criterion")
	}
	ids := make([]string, 0, len(of.Criteria))
	for _, c := range of.Criteria {
		ids = append(ids, c.ID)
	}
	for _, f := range doc.root.fields {
		i := slices.Index(ids, f.key)
		if i < 0 {
			l.failure(f.at, "id-invalid", "the rubric has no criterion %q", court.Clean(f.key, 80)).Hint = didYouMean(f.key, ids)
			continue
		}
		given[f.key] = l.answer(f, of.Criteria[i])
	}
	if err := doc.refuse(l.errs); err != nil {
		return nil, err
	}
	var out []court.Answer
	for _, id := range ids {
		if a, ok := given[id]; ok {
			out = append(out, a)
		}
	}
	return out, nil
}

// answerKeys are the keys of one answer.
var answerKeys = []string{"score", "points", "level", "by", "reason"}

func (l *loader) answer(f field, c court.Criterion) court.Answer {
	a := court.Answer{Criterion: c.ID, Override: !c.ForPeople()}
	v := f.value
	if v.kind != anObject {
		l.wrong(v, "type", "an object with score, points or level")
		return a
	}
	values := 0
	for _, m := range v.fields {
		switch m.key {
		case "score", "points", "level":
			values++
		case "by", "reason":
		default:
			l.failure(m.at, "type", "answer for %q: unknown key %q", c.ID, court.Clean(m.key, 60)).Hint = didYouMean(m.key, answerKeys)
		}
	}
	a.By, _ = l.str(v.field("by"))
	a.Reason, _ = l.str(v.field("reason"))
	switch {
	case values != 1:
		l.fail(f.at, "type", "answer for %q: give exactly one of score, points and level", c.ID)
	case strings.TrimSpace(a.By) == "":
		l.fail(f.at, "type", "answer for %q: by whom is missing", c.ID)
	case v.has("score"):
		if l.ranged(v.get("score"), &a.Score, court.One, 5*court.One) {
			a.Points = c.Scale.Points(a.Score)
		}
	case v.has("points"):
		if c.Scale.Kind == five {
			l.fail(v.field("points").at, "scale", "answer for %q: the criterion has no points; give a score from 1 to 5", c.ID)
		} else if l.ranged(v.get("points"), &a.Points, c.Scale.Min, c.Scale.Max) {
			a.Score = c.Scale.Score(a.Points)
		}
	default:
		l.answerLevel(v.field("level"), c, &a)
	}
	return a
}

func (l *loader) ranged(v *value, to *court.Fixed, low, high court.Fixed) bool {
	n, ok := l.num(v, "type")
	if ok && (n < low || n > high) {
		l.wrong(v, "scale", fmt.Sprintf("a number from %s to %s", low, high))
		return false
	}
	*to = n
	return ok
}

func (l *loader) answerLevel(f *field, c court.Criterion, a *court.Answer) {
	s, ok := l.str(f)
	if !ok {
		return
	}
	var names []string
	for _, lv := range c.Scale.Levels {
		names = append(names, lv.Name)
		if !strings.EqualFold(s, lv.Name) && (lv.ID == "" || !strings.EqualFold(s, lv.ID)) {
			continue
		}
		a.Level, a.Points = lv.Name, lv.Points
		if a.Excluded = c.Scale.Exclude == lv.Key(); !a.Excluded {
			a.Score = c.Scale.Score(lv.Points)
		}
		return
	}
	l.failure(f.value.at, "level", "answer for %q: no level is called %q", c.ID, court.Clean(s, 60)).Hint = didYouMean(s, names)
}
