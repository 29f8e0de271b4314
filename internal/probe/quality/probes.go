package quality

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the probes of this group.
func Probes() []probe.Probe {
	list := []probe.Probe{
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
	for i := range list {
		list[i].Reads = probe.Code
	}
	return list
}
