package rubric

import (
	"math"
	"slices"
	"strconv"
	"strings"

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
		l.failure(id.at, "check-probe", "%s", msg+noCommand(a.Probe)).Hint = unless(noCommand(a.Probe), hint)
		return a, false
	}
	before := len(l.errs)
	if args != nil {
		for _, m := range args.fields {
			if msg, hint := p.refuse(m.key, a.Args[m.key]); msg != "" {
				l.failure(m.at, "check-args", "%s", msg+noCommand(m.key)).Hint = unless(noCommand(m.key), hint)
			} else if msg := p.unreadable(m.key, a.Args); msg != "" {
				l.fail(m.value.at, "check-args", "%s", msg)
			}
		}
	}
	if len(l.errs) > before {
		return a, false
	}
	if msg := p.lacks(a.Args); msg != "" {
		l.fail(id.at, "check-args", "%s", msg)
		return a, false
	}
	return a, true
}

// runs are the keys by which a rubric may try to have something run or fetched.
var runs = []string{"command", "commands", "cmd", "run", "exec", "script", "shell", "url", "fetch"}

// noCommand says, of such a key, that no rubric can.
func noCommand(key string) string {
	if slices.Contains(runs, strings.ToLower(key)) {
		return "; a rubric never runs or fetches anything: it names probes, and they read"
	}
	return ""
}

// unless is a hint that is left out where more was said already.
func unless(said, hint string) string {
	if said != "" {
		return ""
	}
	return hint
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
