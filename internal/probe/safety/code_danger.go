package safety

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var codeDanger = probe.Probe{
	ID: "code.danger", Version: "3", Target: court.GithubRepo,
	Title:  "No input reaches dynamic code or an unsafe parser",
	Doc:    "Looks for eval and exec, pickle and its kin, yaml.load without a safe loader, torch.load, SQL put together as text, tar archives unpacked without a filter, and a few weaker traces, and asks whether input is known to flow into them untested. Methods that happen to be called eval, re.compile and ast.literal_eval are none.",
	Remedy: "Replace what was found by a parser for the data that the program expects.", Effort: 45,
	Args: []probe.Arg{{Name: "kind", Type: "string", Allowed: []string{"all", "code", "sql", "settings"}, Default: "all",
		Doc: "only what runs or builds what data asks for (code), only SQL put together as text (sql), only weak settings and algorithms (settings)"}},
	Run: probe.None[facts.Dangerous]{
		Of: dangers,
		Is: func(d facts.Dangerous, a probe.Args) facts.Answer {
			if kind := a.String("kind"); d.Kind != "" && kind != "" && kind != "all" && kind != d.Kind {
				return facts.No
			}
			return facts.Yes
		},
		Violation: dangerFinding,
		Vendored:  func(d facts.Dangerous) string { return d.Name + " " + d.Why },
		Clean:     func(a probe.Args, _ int) string { return cleanOf(a.String("kind")) },
	}.Run,
}

// dangerFinding is the finding of one dangerous call. What does not get input of
// somebody else's is a weaker trace.
func dangerFinding(f facts.Fact[facts.Dangerous]) probe.Finding {
	d := f.Value
	out := probe.Finding{Rationale: d.Name + " " + d.Why + ".", Certainty: d.Certainty, Security: &court.Flaw{Severity: d.Severity, Tainted: tainted(d.From)}}
	if d.Instead != "" {
		out = out.Do("Replace %s at %s: %s.", d.Name, at(f.At), d.Instead)
	}
	if !d.Input {
		return out
	}
	switch d.From {
	case facts.Sender, facts.Page:
		out.Rationale += " Input from outside flows into it."
	case facts.User:
		out.Rationale += " Input of the program's own user flows into it."
	case facts.Own:
		out.Rationale += " It only gets values of the program's own."
		out.Certainty = half
	case facts.Unclear:
		out.Certainty = half
	case facts.Open:
	}
	if !grave(d.From) && d.Severity == court.High {
		out.Security.Severity = court.Medium
	}
	return out
}

// cleanOf says what a search that found nothing looked for.
func cleanOf(kind string) string {
	switch kind {
	case "code":
		return "nothing runs text as code or builds what data asks for"
	case "sql":
		return "no code puts a value into the text of an SQL statement"
	case "settings":
		return "no code uses a weak setting or algorithm where it matters"
	}
	return "no code uses dynamic code or an unsafe parser"
}
