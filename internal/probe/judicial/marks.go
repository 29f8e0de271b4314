package judicial

import (
	"strings"
)

// mark says what a value is made of. Marks follow assignments, loops, returns
// of first-party functions and arguments; they are a set.
type mark uint16

const (
	security mark = 1 << iota // names or words of a security flaw
	evidence                  // what the detectives found
	judged                    // a judge's score
	spread                    // how far the judges' scores are apart
	argued                    // a judge's text, or a detective's reasons
	pleaded                   // a judge's text, by a name that only that has
	asked                     // what a model answered
	located                   // where a finding stands
	ofLead                    // the tech lead's
	ofProsecutor
	ofDefense

	anyJudge = ofLead | ofProsecutor | ofDefense
)

// origin is where a value's marks come from: what it is made of, and the
// conditions under which it was given its value.
type origin struct{ data, when mark }

func (o origin) plus(p origin) origin { return origin{o.data | p.data, o.when | p.when} }

var securityStems = []string{"securit", "vulnerab", "injection", "exploit", "unsaf", "insecur", "unsanit"}

// ofName is what a name says by itself.
func ofName(name string) mark {
	ws := split(name)
	var m mark
	if starts(ws, securityStems...) {
		m |= security
	}
	if has(ws, "evidence", "evidences") && !starts(ws, "cited", "cite", "citation") {
		m |= evidence
	}
	if has(ws, "variance", "spread", "stdev", "divergence", "disagreement") {
		m |= spread
	}
	switch who(ws) {
	case techLead:
		m |= ofLead
	case prosecutor:
		m |= ofProsecutor
	case defense:
		m |= ofDefense
	default: // names no judge
	}
	if m&(ofLead|ofProsecutor|ofDefense) != 0 && has(ws, "score", "scores") {
		m |= judged
	}
	if has(ws, "argument", "charges") {
		m |= pleaded
	}
	if has(ws, "arg", "argument", "arguments", "rationale", "reasoning", "charges") && !has(ws, "trace", "log") {
		m |= argued
	}
	return m
}

// ofText is what a string constant says: words of security, a judge's name.
func ofText(text string) mark {
	if len(text) > 400 {
		return 0
	}
	low := strings.ToLower(text)
	var m mark
	if starts(split(low), securityStems...) || strings.Contains(low, "os.system") || strings.Contains(low, "shell=true") {
		m |= security
	}
	if len(text) <= 24 {
		m |= ofName(text) & (ofLead | ofProsecutor | ofDefense | evidence)
	}
	return m
}

// ofAttribute is what an attribute or key adds to the value it is read from.
func ofAttribute(name string) mark {
	switch strings.ToLower(name) {
	case "score", "scores", "verdict", "effective_score", "adjusted_score", "raw_score":
		return judged
	case "argument", "charges":
		return argued | pleaded
	case "rationale", "reasoning":
		return argued
	case "location", "file_path", "lineno", "target_files", "affected_files", "file_refs":
		return located
	case "found", "evidence_class":
		return evidence
	}
	return ofName(name)
}
