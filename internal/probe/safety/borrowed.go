package safety

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// ships tells whether a check that looks for what must not be there wants to
// see a place: what production code imports runs with it, whatever its path or
// header says.
func (v *survey) ships(n code.Node, scope string) bool {
	return inScope(n, scope) || scope != "tests" && v.used[n.Path()] && n.Module().Scope != code.ScopeVendor
}

// scopeOf is the scope class that a place is judged by.
func (v *survey) scopeOf(n code.Node) string {
	if v.ships(n, "") {
		return string(code.ScopeProduction)
	}
	return string(n.Module().Scope)
}

// elsewhere tells a place in a file that only the survey of what is imported has
// read.
func (v *survey) elsewhere(n code.Node) bool {
	return v.p.Module(n.Path()) == nil && !v.more.p.Dead(n)
}

// borrowedShells are the findings in files that production code imports and
// that are no part of it by their paths or headers. What is vendored was
// written by others: that it runs is told, and is no flaw of this code.
func (v *survey) borrowedShells() []probe.Finding {
	if v.more == nil {
		return nil
	}
	var out []probe.Finding
	told := map[string]bool{} // vendored files: one place is enough
	for _, x := range slices.Concat(v.more.processes, v.more.handed) {
		n := x.call.Node
		if told[n.Path()] || !v.elsewhere(n) || x.shell == no && x.script == no {
			continue
		}
		switch {
		case n.Module().Scope == code.ScopeVendor:
			told[n.Path()] = true
			out = append(out, vendored(n, court.Clean(x.api, 60)+" uses a shell"))
		case x.shell == yes || x.script == yes:
			out = append(out, v.more.shellFinding(x))
		default:
			out = append(out, probe.Cannot(court.Dynamic, places(n), "whether %s uses a shell could not be told", court.Clean(x.api, 60)))
		}
	}
	for _, n := range v.more.handedOn {
		if v.elsewhere(n) && !told[n.Path()] {
			told[n.Path()] = true
			out = append(out, vendored(n, court.Clean(v.more.shellValue(n), 60)+" is handed on as a value"))
		}
	}
	return append(out, v.unreadImports()...)
}

// borrowedDangers is the same for dangerous calls.
func (v *survey) borrowedDangers(kind string) []probe.Finding {
	if v.more == nil {
		return nil
	}
	var out []probe.Finding
	told := map[string]bool{}
	for _, d := range v.more.dangers(kind) {
		switch n := d.call.Node; {
		case told[n.Path()] || !v.elsewhere(n):
		case n.Module().Scope == code.ScopeVendor:
			if told[n.Path()] = court.Severity(d.Severity) == court.High; told[n.Path()] {
				out = append(out, vendored(n, court.Clean(d.call.Callee.Qualified, 80)+" "+d.Why))
			}
		default:
			out = append(out, v.more.dangerFinding(d))
		}
	}
	return append(out, v.unreadImports()...)
}

func vendored(n code.Node, what string) probe.Finding {
	return probe.Cannot(court.NoDetector, places(n), "own code imports this file, which lies where the code of others does; in it %s", what)
}

// unreadImports tells of imported files that nobody could look into.
func (v *survey) unreadImports() []probe.Finding {
	var out []probe.Finding
	for _, f := range v.more.p.Faults {
		if v.p.Module(f.Path) == nil && len(out) < maxFindings {
			out = append(out, probe.Cannot(court.Unparsed, []court.Place{{Path: f.Path}}, "own code imports this file, and it was not read: %s", court.Clean(f.Reason, 200)))
		}
	}
	return out
}

// maxFindings bounds what one check tells: a design choice. The rest is a number.
const maxFindings = 200

// bounded keeps the first of many findings, what is certain before what is not.
func bounded(found []probe.Finding) []probe.Finding {
	if len(found) <= maxFindings {
		return found
	}
	slices.SortStableFunc(found, func(a, b probe.Finding) int { return doubt(a) - doubt(b) })
	last := &found[maxFindings-1]
	last.Rationale = fmt.Sprintf("%s; %d more such places are not listed", last.Rationale, len(found)-maxFindings)
	return found[:maxFindings]
}

// doubt orders findings: grave ones first, then other ones, then what is not
// known.
func doubt(f probe.Finding) int {
	switch {
	case f.Security != nil && f.Security.Tainted == "yes":
		return 0
	case f.Outcome == court.Violation:
		return 1
	}
	return 2
}
