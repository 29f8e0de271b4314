package safety

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var codeDanger = probe.Probe{
	ID: "code.danger", Version: "1", Target: court.GithubRepo,
	Title:  "No input reaches dynamic code or an unsafe parser",
	Doc:    "Looks for eval and exec, pickle and its kin, yaml.load without a safe loader, torch.load, SQL put together as text, tar archives unpacked without a filter, and a few weaker traces, and asks whether input is known to flow into them untested. Methods that happen to be called eval, re.compile and ast.literal_eval are none.",
	Remedy: "Hand values to SQL as parameters, and replace dynamic code and unsafe parsers by a parser for the data that you expect", Effort: 45,
	Args: []probe.Arg{{Name: "kind", Type: "string", Allowed: []string{"all", "code", "sql", "settings"}, Default: "all",
		Doc: "only what runs or builds what data asks for (code), only SQL put together as text (sql), only weak settings and algorithms (settings)"}},
	Run: asksAll(func(v *survey, a probe.Args) []probe.Finding {
		var out []probe.Finding
		var elsewhere []string
		kind := a.String("kind")
		for _, d := range v.dangers(kind) {
			if !v.ships(d.call.Node, a.Scope) {
				elsewhere = append(elsewhere, spot(d.call.Node).String())
				continue
			}
			out = append(out, v.dangerFinding(d))
		}
		if a.Scope != "tests" {
			out = append(out, v.borrowedDangers(kind)...)
		}
		found, more := v.foreignCode.dangers(a.Scope, kind)
		out, elsewhere = append(out, found...), append(elsewhere, more...)
		if len(out) == 0 {
			f := v.clean("%s", cleanOf(kind))
			f.Rationale += outside(elsewhere) + v.notLookedAt()
			out = append(out, f)
		}
		return bounded(out)
	}),
}

// dangerFinding is the finding of one dangerous call. What gets only the
// program's own data is a weaker trace.
func (v *survey) dangerFinding(d danger) probe.Finding {
	f := probe.Against(court.AST, places(d.call.Node), "%s %s", court.Clean(d.call.Callee.Qualified, 80), d.Why)
	flaw := &court.Flaw{Severity: court.Severity(d.Severity), Tainted: taintWords[d.tainted], Scope: v.scopeOf(d.call.Node)}
	f.Certainty = court.Fixed(d.Certainty)
	if !d.asks {
		flaw.Tainted = "unknown"
	}
	if d.tainted == yes {
		f.Rationale += "; input from outside flows into it"
	}
	if d.tainted == no && d.asks {
		f.Rationale += "; it only gets values of the program's own"
		f.Certainty = half
		if flaw.Severity == court.High {
			flaw.Severity = court.Medium
		}
	}
	f.Security = flaw
	return f
}

// cleanOf says what a search that found nothing looked for.
func cleanOf(kind string) string {
	switch kind {
	case "code":
		return "nothing runs text as code or builds what data asks for"
	case "sql":
		return "no value is put into the text of an SQL statement"
	case "settings":
		return "no weak setting or algorithm is used where it matters"
	}
	return "no dynamic code and no unsafe parser is used"
}

// asked tells whether a check that asks for a kind of danger asks for this one.
func asked(kind, is string) bool { return kind == "" || kind == "all" || kind == is }
