package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// howToRead stands above the checks of a rubric.
const howToRead = `Each check has a weight from 1 to 5 and a facet. core: what the criterion is about; a core check that is proven
to fail limits the score. robust: what holds when things go wrong. design: what makes it good to work with. security:
what can be abused. A check that cannot be decided is neither held nor failed: it leaves a doubt, which is shown.
`

// explainCheck says in words what a check asks, when it holds and when it
// fails, and which numbers decide.
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
		explanation(w, "holds", holdsWhen(p, ch))
		explanation(w, "fails", failsWhen(p, ch))
		if t := p.Threshold(); t != "" {
			explanation(w, "numbers", t)
		}
	}
	if len(ch.Requires) > 0 {
		w.f("      %-9s%s\n", "rests on", shown(strings.Join(ch.Requires, ", "))+": it can be no better than that")
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

func holdsWhen(p probe.Probe, ch court.Check) string {
	switch {
	case p.Generic && ch.Polarity == court.Avoid:
		return "when everything was searched and nothing of the kind was found"
	case p.Generic:
		return "when it is found; where only some of it is, by that share"
	case ch.Polarity == court.Avoid:
		return "when everything was searched and no flaw was found; with some flaws, by the share that is free of them"
	}
	return "when what is asked is found; where only a part complies, by that share"
}

func failsWhen(p probe.Probe, ch court.Check) string {
	switch {
	case ch.Polarity == court.Avoid:
		return "when a place is found, which is quoted. Without a place nothing is held against anybody"
	case p.Generic:
		return "when everything was searched and it is not there"
	}
	return "when the contrary is found, which is quoted, or when everything was searched and nothing is there"
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
