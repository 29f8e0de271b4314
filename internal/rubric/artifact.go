package rubric

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// artifactNames are the accepted spellings of each artifact, the official one
// first.
var artifactNames = []struct {
	artifact court.Artifact
	names    []string
}{
	{court.GithubRepo, []string{"github_repo", "repo", "repository", "git", "code", "codebase", "source"}},
	{court.PDFReport, []string{"pdf_report", "pdf", "report", "docs", "document"}},
	{court.PDFImages, []string{"pdf_images", "image", "images", "vision", "figures", "diagrams", "extracted_images", "architecture_diagrams"}},
	{court.AuditOutput, []string{"audit_output", "audit_report", "audit_reports"}},
	{court.Manual, []string{"manual", "human", "communication_logs"}},
	{court.AllOfIt, []string{"all", "any", "both"}},
}

// artifacts reads what a criterion looks at. It is never guessed from prose.
func (l *loader) artifacts(d *draft) {
	f := d.from.first("target_artifact", "artifact", "target")
	if f == nil {
		l.defaultArtifact(d)
		return
	}
	values := []*value{f.value}
	if f.value.kind == aList {
		values = f.value.items
	}
	for _, v := range values {
		if v.kind != aString {
			l.wrong(v, "type", "a string")
			continue
		}
		if a := l.artifact(d, v); !slices.Contains(d.Artifacts, a) {
			d.Artifacts = append(d.Artifacts, a)
		}
	}
	if len(d.Artifacts) == 0 {
		l.defaultArtifact(d)
	}
	if slices.Contains(d.Artifacts, court.Manual) {
		d.Artifacts = []court.Artifact{court.Manual}
		d.bound, d.Binding = "", "manual"
		l.note(f.at, "manual-criterion", court.Note{Criterion: d.ID, Field: f.key}, "only a person can mark criterion %q; it is in no total until somebody does", d.ID)
	}
}

func (l *loader) defaultArtifact(d *draft) {
	d.Artifacts = []court.Artifact{court.AllOfIt}
	if t := l.table(d.bound); t != nil {
		d.Artifacts = slices.Clone(t.Artifacts)
	}
	l.note(d.from.at, "artifact-defaulted", court.Note{Criterion: d.ID, Field: "target_artifact", Used: string(d.Artifacts[0])},
		"criterion %q has no target_artifact; using %s", d.ID, d.Artifacts[0])
}

func (l *loader) artifact(d *draft, v *value) court.Artifact {
	s := slug(v.text)
	for _, known := range artifactNames {
		a := known.artifact
		if !slices.Contains(known.names, s) {
			continue
		}
		if v.text != string(a) {
			l.note(v.at, "artifact-synonym", court.Note{Criterion: d.ID, Field: "target_artifact", Used: string(a)},
				"criterion %q: artifact %q read as %s", d.ID, court.Clean(v.text, 60), a)
		}
		return a
	}
	l.note(v.at, "artifact-unknown", court.Note{Criterion: d.ID, Field: "target_artifact", Used: string(court.AllOfIt)},
		"criterion %q: unknown artifact %q, read as all", d.ID, court.Clean(v.text, 60))
	return court.AllOfIt
}
