package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// sketched keeps a probe of figures from documents in which nobody looks for them.
func sketched(run func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error)) func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error) {
	return func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		if s.HasPDF() && !s.Sketched() {
			return nil, &probe.Unable{Reason: court.NoDetector, Why: "figures of HTML and DOCX files are not looked at"}
		}
		return run(ctx, s, a)
	}
}

// Probes lists the group's probes.
func Probes() []probe.Probe {
	all := []probe.Probe{
		pdfIntegrity(), docProject(), docTerms(), docMentions(), docAnchored(), docClaims(), docReasons(), docLimits(), docBoilerplate(),
		docPaths(), docParallel(), docSymbols(), docNumbers(), docUnwired(), docFresh(), docPassages(),
		imgInventory(), diagramKind(), diagramParallel(), diagramGraph(), diagramMatch(), diagramContradiction(), diagramCaption(), imgVision(),
	}
	for i := range all {
		id := all[i].ID
		switch id {
		case "doc.terms", "doc.anchored", "doc.claims", "doc.parallel", "doc.reasons", "doc.limits":
			all[i].Run = ofThisProgram(all[i].Run)
		}
		if strings.HasPrefix(id, "img.") || strings.HasPrefix(id, "diagram.") {
			all[i].Run = sketched(all[i].Run)
		}
		all[i].Run = hedged(all[i].Run)
		all[i].Several = func(a probe.Args) probe.Several { return several(id, a) }
	}
	return all
}
