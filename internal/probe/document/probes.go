package document

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the group's probes.
func Probes() []probe.Probe {
	return []probe.Probe{
		pdfIntegrity(), docProject(), docTerms(), docAnchored(), docClaims(), docReasons(), docLimits(), docBoilerplate(),
		docPaths(), docParallel(), docSymbols(), docNumbers(), docUnwired(), docFresh(), docPassages(),
		imgInventory(), diagramKind(), diagramParallel(), diagramGraph(), diagramMatch(), diagramContradiction(), diagramCaption(),
	}
}
