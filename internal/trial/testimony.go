package trial

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// passages is the probe that finds what the document says about a question.
const passages = "doc.passages"

// testimony lays what the document says about each criterion beside the
// evidence, so that who judges reads passages and never the whole of it.
func (c *nodes) testimony(ctx context.Context, criteria []court.Criterion, found map[string][]court.Evidence) map[string][]court.Evidence {
	if !c.scene.HasPDF() {
		return found
	}
	var asked []court.Criterion
	for _, cr := range criteria {
		question := strings.Join([]string{cr.Name, cr.Instruction, cr.Success, cr.Failure}, "\n")
		asked = append(asked, court.Criterion{ID: cr.ID, Artifacts: []court.Artifact{court.PDFReport}, Checks: []court.Check{{
			ID: court.Testimony, Weight: 1, Polarity: court.Want, Text: "What the document says about it",
			Asks: []court.Ask{{Probe: passages, Args: map[string]any{"question": question}}}}}})
	}
	said, _ := probe.Investigate(ctx, c.scene, c.probes, probe.Assignment{Detective: court.DocAnalyst, Criteria: asked, Jobs: c.jobs})
	for id, list := range said {
		for _, e := range list {
			if e.Outcome == court.Present {
				e.Ask = passages // the question is the criterion's own text
				found[id] = append(found[id], e.Sealed())
			}
		}
	}
	return found
}

// assignment is what the rubric tells people about each criterion, so that its
// words can be told from the authors'.
func assignment(r *court.Rubric) []string {
	var texts []string
	for _, c := range r.Criteria {
		texts = append(texts, c.Name, c.Instruction, c.Success, c.Failure, c.Guidance.Prosecutor, c.Guidance.Defense, c.Guidance.TechLead, c.Guidance.Shared)
		for _, key := range slices.Sorted(maps.Keys(c.Shown)) {
			texts = append(texts, c.Shown[key])
		}
		for _, l := range c.Scale.Levels {
			texts = append(texts, l.Text)
		}
		for _, ch := range c.Checks {
			texts = append(texts, ch.Text)
		}
	}
	return texts
}
