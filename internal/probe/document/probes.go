package document

import "github.com/automaton-auditor/automaton/internal/probe"

// Probes lists the group's probes.
func Probes() []probe.Probe {
	all := []probe.Probe{
		pdfIntegrity(), docProject(), docTerms(), docMentions(), docAnchored(), docClaims(), docReasons(), docLimits(), docBoilerplate(),
		docPaths(), docParallel(), docSymbols(), docNumbers(), docUnwired(), docFresh(), docPassages(),
		imgInventory(), diagramKind(), diagramParallel(), diagramGraph(), diagramMatch(), diagramContradiction(), diagramCaption(), imgVision(),
	}
	for i := range all {
		id := all[i].ID
		all[i].Run = hedged(all[i].Run)
		all[i].Several = func(a probe.Args) probe.Several { return several(id, a) }
	}
	return all
}
