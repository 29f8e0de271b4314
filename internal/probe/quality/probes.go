package quality

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the probes of this group.
func Probes() []probe.Probe {
	return []probe.Probe{
		errSwallow(),
		errRate(),
		resClosed(),
		codeStub(),
		codeComplexity(),
		archUnused(),
		archImports(),
		typesCoverage(),
		docsPublic(),
	}
}
