package safety

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// shells are the findings about shells in the languages beside Python, and the
// places outside of the scope.
func (x *foreignCode) shells(scope string) (out []probe.Finding, elsewhere []string) {
	for _, s := range x.processes() {
		if !counts(s.call, scope) {
			if s.shell {
				elsewhere = append(elsewhere, spotOf(s.call))
			}
			continue
		}
		switch {
		case s.shell:
			flaw, text := x.shellFlaw(s)
			f := probe.Against(source(s.call), spots(s.call), "%s hands %s to a shell", court.Clean(s.api, 60), text)
			f.Security = &flaw
			out = append(out, f)
		case s.words:
			flaw, text := x.shellFlaw(s)
			f := probe.Against(source(s.call), spots(s.call), "%s cuts %s into words: a value with a space in it adds arguments", court.Clean(s.api, 60), text)
			f.Security, f.Certainty = &flaw, half
			out = append(out, f)
		case s.open:
			out = append(out, probe.Cannot(court.Dynamic, spots(s.call), "whether %s uses a shell could not be told", court.Clean(s.api, 60)))
		}
	}
	return out, elsewhere
}
