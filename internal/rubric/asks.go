package rubric

import (
	"math"
	"strconv"

	"github.com/automaton-auditor/automaton/internal/court"
)

// ask reads {"probe": id, "args": {...}}, or the id alone, and holds it against
// the catalogue.
func (l *loader) ask(v *value) (court.Ask, bool) {
	id, args := v, (*value)(nil)
	if v.kind == anObject {
		if id, args = v.get("probe"), v.get("args"); id == nil {
			l.fail(v.at, "check-probe", "a check names no probe")
			return court.Ask{}, false
		}
	}
	if id.kind != aString {
		l.wrong(id, "type", "a probe id")
		return court.Ask{}, false
	}
	a := court.Ask{Probe: id.text}
	if args != nil {
		var ok bool
		if a.Args, ok = l.args(args); !ok {
			return a, false
		}
	}
	if l.known == nil {
		return a, true
	}
	p, ok := l.known.find(a.Probe)
	if !ok {
		msg, hint := l.known.refuse(court.Ask{Probe: a.Probe})
		l.failure(id.at, "check-probe", "%s", msg).Hint = hint
		return a, false
	}
	fine := true
	if args != nil {
		for _, m := range args.fields {
			if msg, hint := p.refuse(m.key, a.Args[m.key]); msg != "" {
				l.failure(m.at, "check-args", "%s", msg).Hint = hint
				fine = false
			}
		}
	}
	return a, fine
}

// args reads arguments as string, float64, bool and []string.
func (l *loader) args(v *value) (map[string]any, bool) {
	if v.kind != anObject {
		l.wrong(v, "check-args", "an object of arguments")
		return nil, false
	}
	out := map[string]any{}
	for _, m := range v.fields {
		switch m.value.kind {
		case aString:
			out[m.key] = m.value.text
		case aTruth:
			out[m.key] = m.value.text == "true"
		case aNumber:
			n, err := strconv.ParseFloat(m.value.text, 64)
			if err != nil || math.Abs(n) > 1e9 {
				l.wrong(m.value, "check-args", "a number between -1e9 and 1e9")
				return nil, false
			}
			out[m.key] = n
		case aList:
			texts, ok := l.texts(m.value, "check-args", "a list of strings")
			if !ok {
				return nil, false
			}
			out[m.key] = texts
		default:
			l.wrong(m.value, "check-args", "a string, a number, true, false or a list of strings")
			return nil, false
		}
	}
	return out, true
}
