package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// howToRead stands above the checks of a rubric.
const howToRead = `Each check has a weight from 1 to 5 and a facet. core: the criterion needs it; a core check that is proven to fail
limits the score. robust: it holds when things go wrong. design: it makes the work good to work with. security: it
can be abused. A check without an answer counts neither as met nor as not met: the report shows the doubt.
`

// explainCheck says in words what a check asks, when it is met and when it is not,
// and which numbers decide.
func explainCheck(w *lines, ch court.Check, probes map[string]probe.Probe) {
	for _, a := range ch.Asks {
		p, ok := probes[a.Probe]
		if !ok {
			continue
		}
		said := p.Doc
		if ch.Scope != "" && ch.Scope != "production" {
			said += " It looks at " + map[string]string{"tests": "tests", "all": "all code, tests included"}[ch.Scope] + "."
		}
		explanation(w, "asks", a.Probe+": "+said)
		if with := argued(a, p); with != "" { // the rubric's own words stay on one line
			w.f("      %-9s%s\n", "here", shown(with))
		}
		explanation(w, "met", metWhen(p, ch))
		explanation(w, "not met", notMetWhen(p, ch))
		if t := p.Threshold(); t != "" {
			explanation(w, "numbers", t)
		}
	}
	if len(ch.Requires) > 0 {
		w.f("      %-9s%s\n", "needs", shown(strings.Join(ch.Requires, ", "))+"; this check cannot do better")
	}
}

// argued are the arguments of an ask, with what they mean.
func argued(a court.Ask, p probe.Probe) string {
	var out []string
	for _, arg := range p.Args {
		v, ok := a.Args[arg.Name]
		if !ok {
			continue
		}
		text, err := json.Marshal(v)
		if err != nil {
			continue
		}
		out = append(out, fmt.Sprintf("%s %s", arg.Name, court.Clean(string(text), 120))+meaning(arg.Doc))
	}
	return strings.Join(out, "; ")
}

func meaning(doc string) string {
	if doc == "" {
		return ""
	}
	return " (" + doc + ")"
}

func metWhen(p probe.Probe, ch court.Check) string {
	switch {
	case p.Generic && ch.Polarity == court.Avoid:
		return "if everything was searched and nothing was found"
	case p.Generic:
		return "if it is found; if only a part is found, by that share"
	case ch.Polarity == court.Avoid:
		return "if everything was searched and no flaw was found; with some flaws, by the share without them"
	}
	return "if it is found; if only a part complies, by that share"
}

func notMetWhen(p probe.Probe, ch court.Check) string {
	switch {
	case ch.Polarity == court.Avoid:
		return "if a place is found, which is quoted; without a place, nothing counts against the submission"
	case p.Generic:
		return "if everything was searched and it is not there"
	}
	return "if the contrary is found, which is quoted, or if everything was searched and nothing was found"
}

// explanation prints a label and a text of ours, wrapped.
func explanation(w *lines, label, text string) {
	const wide = 100
	line := fmt.Sprintf("      %-9s", label)
	used := 0
	for word := range strings.FieldsSeq(court.Clean(text, 2000)) {
		if used > 0 && used+1+len(word) > wide {
			w.f("%s\n", line)
			line, used = strings.Repeat(" ", 15), 0
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += len(word)
	}
	w.f("%s\n", line)
}
